//! Ids: one type per entity, so that an order's id cannot be passed where a product's is expected.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;
use uuid::Uuid;

/// The string is not a UUID.
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

            /// The underlying UUID.
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
    /// Id of a product.
    ProductId
}
typed_id! {
    /// Id of a saved list.
    ListId
}
typed_id! {
    /// Id of an order.
    OrderId
}
typed_id! {
    /// Id of a webhook subscription.
    WebhookSubscriptionId
}
typed_id! {
    /// Id of a checkout.
    CheckoutId
}
typed_id! {
    /// Id of an account.
    AccountId
}
typed_id! {
    /// Id of a session. It names the session in an access token and is no secret: it does not grant access.
    SessionId
}
typed_id! {
    /// Id of a vehicle in a customer's garage.
    GarageVehicleId
}
typed_id! {
    /// The shop's own id of a passkey; the authenticator's is its credential id.
    PasskeyId
}
typed_id! {
    /// Id of a review.
    ReviewId
}
typed_id! {
    /// Id of an internal note.
    NoteId
}
typed_id! {
    /// The shop's own id of a refund; the provider's is [`crate::ProviderRefundId`].
    RefundId
}
typed_id! {
    /// Id of a return.
    ReturnId
}
typed_id! {
    /// Id of an invoice or a credit note.
    InvoiceId
}
typed_id! {
    /// Id of one entry in an order's timeline.
    EventId
}
typed_id! {
    /// Id of an address in a customer's address book.
    AddressId
}
typed_id! {
    /// Id of a tax rate.
    TaxRateId
}
typed_id! {
    /// Id of an exemption from tax.
    ExemptionId
}
typed_id! {
    /// Id of a shipment.
    ShipmentId
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_round_trips_through_its_text() {
        let id = OrderId::new(Uuid::from_u128(7));
        assert_eq!(id.to_string().parse(), Ok(id));
    }

    #[test]
    fn a_string_that_is_not_a_uuid_is_refused() {
        assert_eq!("brake-disc".parse::<ProductId>(), Err(NotAnId));
        assert_eq!("".parse::<ProductId>(), Err(NotAnId));
    }
}
