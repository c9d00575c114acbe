//! Finding the value of an enum by its stable name.

use thiserror::Error;

/// Not the name of a value of the enum.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("names nothing that there is")]
pub struct UnknownName;

/// Implements `FromStr` for an enum with `ALL` and `as_str`.
macro_rules! read_by_name {
    ($name:ident) => {
        impl std::str::FromStr for $name {
            type Err = $crate::platform::name::UnknownName;

            fn from_str(name: &str) -> Result<Self, Self::Err> {
                Self::ALL.into_iter().find(|one| one.as_str() == name).ok_or($crate::platform::name::UnknownName)
            }
        }
    };
}

pub(crate) use read_by_name;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DisputeState, RefundCause, RefundState, ReturnReason, Role};

    #[test]
    fn names_round_trip() {
        assert!(Role::ALL.into_iter().all(|role| role.as_str().parse() == Ok(role)));
        assert!(RefundCause::ALL.into_iter().all(|cause| cause.as_str().parse() == Ok(cause)));
        assert!(RefundState::ALL.into_iter().all(|state| state.as_str().parse() == Ok(state)));
        assert!(DisputeState::ALL.into_iter().all(|state| state.as_str().parse() == Ok(state)));
        assert!(ReturnReason::ALL.into_iter().all(|reason| reason.as_str().parse() == Ok(reason)));
        assert_eq!("owner".parse::<Role>(), Err(UnknownName));
    }
}
