//! Whether an order has been paid, and by which payment.

use crate::payments::provider_id::provider_id;
use crate::{Money, Timestamp};

provider_id! {
    /// A payment provider's id of a payment (at Stripe: of a `PaymentIntent`): 1 to 255 letters, digits, `_` and `-`.
    TransactionId
}

/// The largest amount that a card can be charged with, $999,999.99: eight digits.
pub const CARD_MAX: Money = match Money::from_cents(99_999_999) {
    Ok(amount) => amount,
    Err(_) => Money::MAX,
};

/// Whether an amount can be charged to a card: $0.50 to [`CARD_MAX`]
/// (<https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts>).
#[must_use]
pub const fn is_chargeable(amount: Money) -> bool {
    50 <= amount.cents() && amount.cents() <= CARD_MAX.cents()
}

/// Whether, and how, an order has been paid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Payment {
    /// No money has arrived.
    Unpaid,
    /// The whole total has arrived.
    Paid {
        /// The payment that settled the order.
        transaction: TransactionId,
        /// When the shop recorded it.
        at: Timestamp,
    },
    /// The money that had arrived was refunded.
    Refunded {
        /// The payment that was refunded.
        transaction: TransactionId,
        /// When the refund was recorded.
        at: Timestamp,
    },
}

impl Payment {
    /// The payment that settled the order, whether or not it has been refunded since.
    #[must_use]
    pub const fn transaction(&self) -> Option<&TransactionId> {
        match self {
            Self::Unpaid => None,
            Self::Paid { transaction, .. } | Self::Refunded { transaction, .. } => Some(transaction),
        }
    }

    /// Whether the shop holds the money.
    #[must_use]
    pub const fn is_paid(&self) -> bool {
        matches!(self, Self::Paid { .. })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::payments::provider_id::InvalidProviderId;

    #[test]
    fn cards_are_charged_from_half_a_dollar_to_just_below_a_million() {
        for (cents, chargeable) in [(49, false), (50, true), (99_999_999, true), (100_000_000, false)] {
            assert_eq!(is_chargeable(Money::from_cents(cents).unwrap()), chargeable, "{cents}");
        }
    }

    #[test]
    fn transaction_ids_contain_only_characters_that_are_safe_in_a_path() {
        assert!("pi_3Abc-9".parse::<TransactionId>().is_ok());
        for text in ["", "pi 1", "pi/1", "pi\u{1}", "ä", &"a".repeat(256)] {
            assert_eq!(text.parse::<TransactionId>(), Err(InvalidProviderId), "{text:?}");
        }
    }

    #[test]
    fn a_payment_is_named_before_and_after_its_refund_and_held_only_before() {
        let (transaction, at): (TransactionId, _) = ("pi_1".parse().unwrap(), Timestamp::UNIX_EPOCH);
        let paid = Payment::Paid { transaction: transaction.clone(), at };
        let refunded = Payment::Refunded { transaction: transaction.clone(), at };
        assert_eq!([&Payment::Unpaid, &paid, &refunded].map(Payment::is_paid), [false, true, false]);
        let named = [&Payment::Unpaid, &paid, &refunded].map(Payment::transaction);
        assert_eq!(named, [None, Some(&transaction), Some(&transaction)]);
    }
}
