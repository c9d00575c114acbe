//! The rules of the shop.
//!
//! Nothing here knows of a database, a wire format, a clock or a task: a rule takes values and answers a value or a
//! refusal. Values that exist are valid, because the only way to make one is to parse it.

pub mod access;
pub mod account;
pub mod client_network;
pub mod contact;
pub mod day;
pub mod delivery;
pub mod edit;
pub mod email;
pub mod endpoint;
pub mod event;
pub mod id;
pub mod login_limits;
pub mod money;
pub mod order;
pub mod password;
pub mod payment;
pub mod picture;
pub mod product;
pub mod profile;
pub mod quantity;
pub mod refund;
pub mod review;
pub mod stock;
pub mod text;

pub use access::{Denied, Grant, Permission};
pub use account::{Account, Caller, Role};
pub use client_network::ClientNetwork;
pub use contact::Contact;
pub use day::Day;
pub use edit::Edit;
pub use email::Email;
pub use endpoint::{Disabled, WebhookSubscription, WebhookUrl};
pub use event::{Actor, OrderEvent, OrderEventKind};
pub use id::{AccountId, EventId, OrderId, ProductId, RefundId, ReviewId, SessionId, WebhookSubscriptionId};
pub use login_limits::{AttemptSource, DeviceId, FailedLogins, LoginAttempt};
pub use money::Money;
pub use order::{Fulfilment, Item, Order, OrderNumber, Progress, Standing, StoreAssigned};
pub use password::{Password, WeakPassword};
pub use payment::{Payment, TransactionId};
pub use picture::PictureUrl;
pub use product::{Category, Product, UnitPrice};
pub use profile::Profile;
pub use quantity::{MinOrder, Quantity};
pub use refund::{
    Dispute, DisputeId, DisputeState, ProviderRefund, ProviderRefundId, Refund, RefundCause, RefundState,
};
pub use review::{Rating, Review};
pub use stock::Stock;
pub use text::Text;

/// A moment, in UTC.
pub type Timestamp = jiff::Timestamp;
