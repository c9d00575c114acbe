//! How far an order has come.

use crate::{Payment, Timestamp, TransactionId};

/// The state of an order: the part of it that changes after it was placed.
///
/// Goods may be shipped on account before the money arrives, and money may arrive for a cancelled order, so these two
/// hold a payment of their own. No order is both shipped and cancelled, and money is refunded only for an order that is
/// one of them: such a mixture is not a value of this type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OrderState {
    /// Neither paid nor shipped: its reservation may expire.
    Placed,
    /// Paid, and to be shipped.
    Paid {
        /// The payment that settled the order.
        transaction: TransactionId,
        /// When the shop recorded it.
        at: Timestamp,
    },
    /// Shipped; on account while it is unpaid.
    Shipped {
        /// When it was shipped.
        at: Timestamp,
        /// Whether and how it has been paid.
        payment: Payment,
    },
    /// Cancelled; it is left out of the usual lists, but its timeline remains. Money that the shop holds is owed to the
    /// customer.
    Cancelled {
        /// When it was cancelled.
        at: Timestamp,
        /// Whether and how it had been paid.
        payment: Payment,
    },
}

impl OrderState {
    /// The state with these parts; `None` for a mixture that no order can be in.
    #[must_use]
    pub fn from_parts(
        payment: Payment,
        shipped_at: Option<Timestamp>,
        cancelled_at: Option<Timestamp>,
    ) -> Option<Self> {
        match (shipped_at, cancelled_at, payment) {
            (None, None, Payment::Unpaid) => Some(Self::Placed),
            (None, None, Payment::Paid { transaction, at }) => Some(Self::Paid { transaction, at }),
            (Some(at), None, payment) => Some(Self::Shipped { at, payment }),
            (None, Some(at), payment) => Some(Self::Cancelled { at, payment }),
            (None, None, Payment::Refunded { .. }) | (Some(_), Some(_), _) => None,
        }
    }

    /// Whether and how it has been paid.
    #[must_use]
    pub fn payment(&self) -> Payment {
        match self {
            Self::Placed => Payment::Unpaid,
            Self::Paid { transaction, at } => Payment::Paid { transaction: transaction.clone(), at: *at },
            Self::Shipped { payment, .. } | Self::Cancelled { payment, .. } => payment.clone(),
        }
    }

    /// The payment that settled the order, whether or not it has been refunded since.
    #[must_use]
    pub const fn transaction(&self) -> Option<&TransactionId> {
        match self {
            Self::Placed => None,
            Self::Paid { transaction, .. } => Some(transaction),
            Self::Shipped { payment, .. } | Self::Cancelled { payment, .. } => payment.transaction(),
        }
    }

    /// The payment whose money the shop holds.
    #[must_use]
    pub const fn paid_by(&self) -> Option<&TransactionId> {
        match self {
            Self::Paid { transaction, .. }
            | Self::Shipped { payment: Payment::Paid { transaction, .. }, .. }
            | Self::Cancelled { payment: Payment::Paid { transaction, .. }, .. } => Some(transaction),
            Self::Placed | Self::Shipped { .. } | Self::Cancelled { .. } => None,
        }
    }

    /// When the goods were shipped; `None` if they were not.
    #[must_use]
    pub const fn shipped_at(&self) -> Option<Timestamp> {
        match self {
            Self::Shipped { at, .. } => Some(*at),
            Self::Placed | Self::Paid { .. } | Self::Cancelled { .. } => None,
        }
    }

    /// When the order was cancelled; `None` if it was not.
    #[must_use]
    pub const fn cancelled_at(&self) -> Option<Timestamp> {
        match self {
            Self::Cancelled { at, .. } => Some(*at),
            Self::Placed | Self::Paid { .. } | Self::Shipped { .. } => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    fn payments() -> [Payment; 3] {
        let transaction: TransactionId = "pi_1".parse().unwrap();
        let paid = Payment::Paid { transaction: transaction.clone(), at: at(1) };
        [Payment::Unpaid, paid, Payment::Refunded { transaction, at: at(2) }]
    }

    #[test]
    fn of_the_twelve_mixtures_an_order_can_be_in_eight_and_is_taken_apart_into_the_same_parts() {
        let mut possible = 0;
        for payment in payments() {
            for shipped in [None, Some(at(3))] {
                for cancelled in [None, Some(at(4))] {
                    let refunded = matches!(payment, Payment::Refunded { .. });
                    let both = shipped.is_some() && cancelled.is_some();
                    let neither = shipped.is_none() && cancelled.is_none();
                    let state = OrderState::from_parts(payment.clone(), shipped, cancelled);
                    assert_eq!(state.is_none(), both || (refunded && neither), "{payment:?} {shipped:?} {cancelled:?}");
                    if let Some(state) = state {
                        possible += 1;
                        assert_eq!(
                            (state.payment(), state.shipped_at(), state.cancelled_at()),
                            (payment.clone(), shipped, cancelled)
                        );
                        assert_eq!(state.transaction(), payment.transaction());
                        assert_eq!(state.paid_by().is_some(), payment.is_paid());
                    }
                }
            }
        }
        assert_eq!(possible, 8);
    }
}
