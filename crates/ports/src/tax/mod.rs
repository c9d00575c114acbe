//! Tax rates, exemptions, and the registers of VAT numbers.

pub mod exemptions;
pub mod rates;
pub mod vat_check;
