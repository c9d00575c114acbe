//! Taxes: which rate applies where and when, who is exempt, and what comes of it, to the cent.

pub mod assessment;
pub mod class;
pub mod exemption;
pub mod rate;
pub mod sums;
pub mod vat_id;
