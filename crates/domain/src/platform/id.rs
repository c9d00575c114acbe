//! Ids: one type per entity, so that an order's id cannot be handed in where a product's is meant.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;
use uuid::Uuid;

/// A string that is not a UUID and therefore names nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("not an id")]
pub struct NotAnId;

macro_rules! typed_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(Uuid);

        impl $name {
            /// Wraps a UUID that is known to be this entity's.
            #[must_use]
            pub const fn new(id: Uuid) -> Self {
                Self(id)
            }

            /// The bare UUID.
            #[must_use]
            pub const fn uuid(self) -> Uuid {
                self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl FromStr for $name {
            type Err = NotAnId;

            fn from_str(text: &str) -> Result<Self, NotAnId> {
                Uuid::try_parse(text).map(Self).map_err(|_| NotAnId)
            }
        }
    };
}

typed_id! {
    /// A product's id.
    ProductId
}
typed_id! {
    /// An order's id.
    OrderId
}
typed_id! {
    /// The id of somebody else's program that is told what happens here.
    WebhookSubscriptionId
}
typed_id! {
    /// An account's id.
    AccountId
}
typed_id! {
    /// A sign-in's id. It names the session in an access token; it does not open it.
    SessionId
}
typed_id! {
    /// A review's id.
    ReviewId
}
typed_id! {
    /// A refund's id; the provider has one of its own.
    RefundId
}
typed_id! {
    /// The id of one entry in an order's timeline.
    EventId
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_survives_being_written_down() {
        let id = OrderId::new(Uuid::from_u128(7));
        assert_eq!(id.to_string().parse(), Ok(id));
    }

    #[test]
    fn a_string_that_is_no_uuid_names_nothing() {
        assert_eq!("brake-disc".parse::<ProductId>(), Err(NotAnId));
        assert_eq!("".parse::<ProductId>(), Err(NotAnId));
    }
}
