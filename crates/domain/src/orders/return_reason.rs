//! Why units are sent back.

use crate::platform::name::read_by_name;

/// Why a customer sends units back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ReturnReason {
    /// They arrived broken, or do not work.
    Damaged,
    /// Another part was delivered than was ordered.
    WrongPart,
    /// They do not fit.
    DoesNotFit,
    /// They are not what the shop described.
    NotAsDescribed,
    /// They are not needed any more.
    NotNeeded,
    /// Something else.
    Other,
}

impl ReturnReason {
    /// Every reason.
    pub const ALL: [Self; 6] =
        [Self::Damaged, Self::WrongPart, Self::DoesNotFit, Self::NotAsDescribed, Self::NotNeeded, Self::Other];

    /// The stable name, in the database and on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Damaged => "damaged",
            Self::WrongPart => "wrong_part",
            Self::DoesNotFit => "does_not_fit",
            Self::NotAsDescribed => "not_as_described",
            Self::NotNeeded => "not_needed",
            Self::Other => "other",
        }
    }
}

read_by_name!(ReturnReason);
