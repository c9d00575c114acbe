//! What clients read when a use case of prices refuses.

use application::{SetPricesRefused, UnknownAccounts};
use domain::PriceListRefused;

use crate::problem::Problem;

impl From<PriceListRefused> for Problem {
    fn from(refused: PriceListRefused) -> Self {
        match refused {
            PriceListRefused::Unknown => Self::not_found(),
            PriceListRefused::NameTaken => {
                Self::conflict("name-taken", "Name taken", "Another price list has this name. Choose another.")
            }
        }
    }
}

impl From<SetPricesRefused> for Problem {
    fn from(refused: SetPricesRefused) -> Self {
        match refused {
            SetPricesRefused::IsPercentage => Self::conflict(
                "percentage-list",
                "A percentage list",
                "This list takes a percentage off. Take the percentage away first, then set prices.",
            ),
            SetPricesRefused::UnknownProducts(products) => {
                let names: Vec<String> = products.iter().take(5).map(ToString::to_string).collect();
                Self::invalid_field("items", format!("We don't know these products: {}", names.join(", ")))
            }
        }
    }
}

impl From<UnknownAccounts> for Problem {
    fn from(UnknownAccounts(emails): UnknownAccounts) -> Self {
        let names: Vec<&str> = emails.iter().take(5).map(domain::Email::as_str).collect();
        Self::invalid_field("emails", format!("There's no account with {}", names.join(", ")))
    }
}
