//! Opening, settling, refunding and reconciling payments.

pub(crate) mod audit_payments;
pub(crate) mod handle_event;
pub(crate) mod needs_attention;
pub(crate) mod open_payment;
pub(crate) mod pay_back;
pub(crate) mod provider_gate;
pub(crate) mod reconcile_payments;
pub(crate) mod refund_order;
pub(crate) mod review_payment;
pub(crate) mod settle_payment;
pub(crate) mod stop_payments;
