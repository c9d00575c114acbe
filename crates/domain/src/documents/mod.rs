//! Documents: what customers and their accounts departments keep: invoices, credit notes, packing slips, confirmations.

pub mod invoice;
pub mod line;
pub mod number;
pub mod party;
pub mod sheet;
pub mod totals;
