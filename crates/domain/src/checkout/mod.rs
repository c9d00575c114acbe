//! What is bought together: many orders, one address, one payment.

pub mod assessment;
pub mod order_lines;
pub mod purchase_order;
pub mod record;
pub mod standing;
