//! Why the rules refuse a change of an order, one enum per transition.

use thiserror::Error;

use crate::Money;
use crate::catalog::stock::TakeRefused;
use crate::platform::money::MoneyError;
use crate::pricing::unit_price::UnitPrice;

/// Why an order cannot be placed. Nothing was changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum PlaceRefused {
    /// The product does not exist, or not any more.
    #[error("no such product")]
    Gone,
    /// No product, or more than one, has the attributes by which it was selected.
    #[error("no single product looks like that")]
    NotOneProduct,
    /// The stock does not allow it.
    #[error(transparent)]
    Stock(#[from] TakeRefused),
    /// A condition was confirmed that is none of those under which the part fits the vehicle, or not any more.
    #[error("a condition is none of those under which the part fits")]
    OtherConditions,
    /// The product has another price than the order.
    #[error("the price has changed")]
    PriceChanged {
        /// The product's unit price.
        unit: UnitPrice,
        /// The order's total at that price.
        total: Money,
    },
    /// The total is more than the shop can bill.
    #[error("the total {0}")]
    Total(#[from] MoneyError),
    /// The account has no paid order and has reached its limit of unpaid orders.
    #[error("there are as many unpaid orders as there may be")]
    TooManyUnpaid {
        /// The limit.
        most: u32,
    },
}

/// Why an order cannot be cancelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum CancelRefused {
    /// It is paid, so it is cancelled only together with a refund.
    #[error("a paid order cannot be cancelled")]
    Paid,
    /// It is shipped.
    #[error("a shipped order cannot be cancelled")]
    Shipped,
    /// It is cancelled already.
    #[error("the order is cancelled already")]
    Cancelled,
}

/// Why an order cannot be shipped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum ShipRefused {
    /// It is shipped already.
    #[error("the order has been shipped already")]
    Shipped,
    /// It is cancelled.
    #[error("a cancelled order cannot be shipped")]
    Cancelled,
}

/// Why a payment cannot settle an order.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SettleRefused {
    /// The same payment has already settled it.
    #[error("the payment has been settled already")]
    BySame,
    /// Another payment has already settled it.
    #[error("another payment has settled the order")]
    ByAnother,
    /// The order is cancelled: the money has to be refunded.
    #[error("the order is cancelled")]
    Cancelled,
}

/// Why the freight of an order cannot be set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum FreightRefused {
    /// It is not waited for.
    #[error("the freight is not waited for")]
    NotWaiting,
    /// What would be due is more than the shop can bill.
    #[error("what is due {0}")]
    Total(#[from] MoneyError),
}

/// Why a refund cannot be recorded on an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum RefundRefused {
    /// The refund is recorded already.
    #[error("the payment has been refunded already")]
    Refunded,
    /// The order is neither cancelled nor shipped, so the shop keeps its money.
    #[error("the order stands, so its money stays")]
    NotRefundable,
    /// The order was paid by another payment.
    #[error("another payment has paid the order")]
    ByAnother,
}

/// Why an order cannot be rebuilt from its timeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum ReplayError {
    /// The timeline does not begin with the order being placed.
    #[error("the timeline does not begin with an order")]
    NoBeginning,
    /// The timeline contains a transition that the rules refuse.
    #[error("the timeline holds a move that the rules refuse")]
    Refused,
}
