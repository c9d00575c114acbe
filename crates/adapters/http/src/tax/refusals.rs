//! What clients read when a use case of taxes refuses.

use application::{AddExemptionRefused, ImportRatesRefused};
use ports::RatesOverlap;

use crate::problem::{FieldError, Problem};

impl From<RatesOverlap> for Problem {
    fn from(_: RatesOverlap) -> Self {
        let message = "Another rate for this place is valid on some of these days. Change its last day first.";
        Self::conflict("rates-overlap", "Rates overlap", message)
            .about(vec![FieldError { field: "validFrom".into(), message: message.into() }])
    }
}

impl From<ImportRatesRefused> for Problem {
    fn from(refused: ImportRatesRefused) -> Self {
        match refused {
            // The handler names the lines.
            ImportRatesRefused::Overlaps(_) => RatesOverlap.into(),
            ImportRatesRefused::Meanwhile(overlap) => overlap.into(),
        }
    }
}

impl From<AddExemptionRefused> for Problem {
    fn from(refused: AddExemptionRefused) -> Self {
        match refused {
            AddExemptionRefused::NoAccount => Self::invalid_field("email", "Nobody has an account with this email"),
            AddExemptionRefused::Number(why) => Self::invalid_field("number", format!("VAT number {why}")),
            AddExemptionRefused::UnknownNumber => {
                Self::invalid_field("number", "The register of this country doesn't know this VAT number")
            }
            AddExemptionRefused::Repeated(_) => {
                let message = "This account has such an exemption already. Remove it to enter another.";
                Self::conflict("exemption-repeated", "Exemption repeated", message)
            }
        }
    }
}
