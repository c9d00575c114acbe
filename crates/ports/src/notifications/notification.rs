//! What an e-mail reports.

use std::num::NonZeroU32;

use domain::{CheckoutId, Contact, Email, Item, Money, OrderId, Shipment, Text, Timestamp, TransactionId};

use crate::AccountToken;

/// What an e-mail reports. Each kind carries what its text may show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Notification {
    /// The order was placed.
    OrderPlaced {
        /// The order.
        order: OrderSummary,
        /// When the reservation of its units expires while it is unpaid.
        reserved_until: Option<Timestamp>,
    },
    /// The order was paid: its receipt.
    OrderPaid {
        /// The order.
        order: OrderSummary,
        /// The payment.
        transaction: Option<TransactionId>,
    },
    /// The order was shipped.
    OrderShipped {
        /// The order.
        order: OrderSummary,
        /// When it was shipped.
        shipped_at: Option<Timestamp>,
        /// Whether it left unpaid.
        on_account: bool,
        /// The last shipment; `None` if there is none on record.
        shipment: Option<Box<Shipment>>,
    },
    /// A part of the order was shipped.
    OrderPartShipped {
        /// The order.
        order: OrderSummary,
        /// The part.
        shipment: Box<Shipment>,
    },
    /// The order's payment was refunded in full.
    OrderRefunded {
        /// The order.
        order: OrderSummary,
        /// The payment.
        transaction: Option<TransactionId>,
        /// Whether the order was cancelled; otherwise it had shipped.
        cancelled: bool,
    },
    /// A return was accepted.
    ReturnAccepted {
        /// The order.
        order: OrderSummary,
        /// How many units come back.
        units: NonZeroU32,
        /// What is refunded for them; nothing if the order had been refunded before.
        amount: Money,
    },
    /// A return was declined.
    ReturnDeclined {
        /// The order.
        order: OrderSummary,
        /// How many units were to come back.
        units: NonZeroU32,
        /// The shop's answer.
        answer: Text<500>,
    },
    /// The order is not paid, and its reservation expires soon.
    OrderReminder {
        /// The order.
        order: OrderSummary,
        /// When the reservation expires.
        reserved_until: Timestamp,
    },
    /// The order was cancelled because it was not paid in time.
    OrderLapsed {
        /// The order.
        order: OrderSummary,
    },
    /// The shop cancelled the unpaid order.
    OrderReleased {
        /// The order.
        order: OrderSummary,
    },
    /// Asks the owner of the address to confirm it.
    VerifyAddress {
        /// The token of the link.
        token: AccountToken,
    },
    /// The link to set another password.
    ResetPassword {
        /// The token of the link.
        token: AccountToken,
    },
    /// Asks the owner of the address whether they continued with Google.
    ConfirmGoogle {
        /// The token of the link.
        token: AccountToken,
    },
    /// A password was set by a link.
    PasswordSet,
    /// The password was changed by a signed-in user.
    PasswordChanged,
    /// A passkey or an authenticator app was added.
    SecondFactorAdded,
    /// A passkey or an authenticator app was removed.
    SecondFactorRemoved,
    /// A recovery code was used to sign in.
    RecoveryCodeUsed,
    /// A Google account can sign in.
    GoogleLinked,
    /// Google can no longer sign in.
    GoogleUnlinked,
    /// The account was taken over by the owner of its address.
    AccountTakenOver,
    /// The account was deleted by the owner of its address.
    AccountDeleted,
    /// The account became an admin's.
    RoleGiven,
    /// The account is no longer an admin's.
    RoleTaken,
    /// To the other admins: there is a new one.
    AdminAdded {
        /// The new admin; `None` if the account has been removed since.
        account: Option<Email>,
    },
    /// To the admins: a webhook subscription was disabled.
    WebhookDisabled {
        /// The subscription's URL.
        url: String,
        /// Why it was disabled; may quote the receiver.
        reason: String,
    },
}

/// What an e-mail may show of an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderSummary {
    /// The order's id.
    pub id: OrderId,
    /// The order's number, or its id while it has none.
    pub name: String,
    /// The product, price and quantity.
    pub item: Item,
    /// When it was placed.
    pub placed_at: Timestamp,
    /// What the customer typed; `None` if it must not be repeated, because the address is not confirmed.
    pub contact: Option<Contact>,
    /// The checkout that it is a line of, in e-mails that are about all of them.
    pub purchase: Option<PurchaseSummary>,
}

/// What an e-mail may show of a checkout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PurchaseSummary {
    /// The checkout's id.
    pub id: CheckoutId,
    /// Its number.
    pub number: String,
    /// The customer's purchase order number.
    pub po_number: Option<Text<60>>,
    /// The orders that the e-mail is about.
    pub items: Vec<Item>,
    /// Their freight; `None` while it waits for an admin's figure.
    pub shipping: Option<Money>,
    /// Their tax; `None` as long.
    pub tax: Option<Money>,
    /// What is, or was, due for them; `None` as long.
    pub due: Option<Money>,
}

impl Notification {
    /// The order that it is about, if it is about one.
    #[must_use]
    pub const fn order(&self) -> Option<&OrderSummary> {
        match self {
            Self::OrderPlaced { order, .. }
            | Self::OrderPaid { order, .. }
            | Self::OrderShipped { order, .. }
            | Self::OrderPartShipped { order, .. }
            | Self::OrderRefunded { order, .. }
            | Self::ReturnAccepted { order, .. }
            | Self::ReturnDeclined { order, .. }
            | Self::OrderReminder { order, .. }
            | Self::OrderLapsed { order }
            | Self::OrderReleased { order } => Some(order),
            Self::VerifyAddress { .. }
            | Self::ResetPassword { .. }
            | Self::ConfirmGoogle { .. }
            | Self::PasswordSet
            | Self::PasswordChanged
            | Self::SecondFactorAdded
            | Self::SecondFactorRemoved
            | Self::RecoveryCodeUsed
            | Self::GoogleLinked
            | Self::GoogleUnlinked
            | Self::AccountTakenOver
            | Self::AccountDeleted
            | Self::RoleGiven
            | Self::RoleTaken
            | Self::AdminAdded { .. }
            | Self::WebhookDisabled { .. } => None,
        }
    }

    /// The token that its e-mail contains, if it contains one.
    #[must_use]
    pub const fn token(&self) -> Option<&AccountToken> {
        match self {
            Self::VerifyAddress { token } | Self::ResetPassword { token } | Self::ConfirmGoogle { token } => {
                Some(token)
            }
            _ => None,
        }
    }
}
