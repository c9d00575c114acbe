//! Refusals of carts and lists as problems.

use actix_web::http::StatusCode;
use application::{SaveCartRefused, SaveListRefused};
use domain::{BasketRefused, LISTS_MAX, QUICK_LINES_MAX, TooManyLines};
use serde_json::json;

use super::cart::view::CartAnswer;
use crate::problem::Problem;

impl From<TooManyLines> for Problem {
    fn from(refused: TooManyLines) -> Self {
        let message = format!("This list {refused}. Please check it in parts.");
        Self::invalid_field("text", message).with("most", QUICK_LINES_MAX)
    }
}

impl From<BasketRefused> for Problem {
    fn from(refused: BasketRefused) -> Self {
        match refused {
            BasketRefused::TooMany => Self::invalid_field("lines", format!("Lines {refused}")),
            BasketRefused::Together { line, fault } => {
                let message = format!("The quantities of this part together {fault}");
                Self::invalid_field(&format!("lines[{line}].quantity"), message)
            }
        }
    }
}

impl From<SaveCartRefused> for Problem {
    fn from(refused: SaveCartRefused) -> Self {
        match refused {
            SaveCartRefused::Lines(refused) => refused.into(),
            SaveCartRefused::Stale(current) => {
                let message = "Your order was changed somewhere else. This is how it is now.";
                let current = json!(CartAnswer::from(&current));
                let (version, lines) = (current["version"].clone(), current["lines"].clone());
                Self::new(StatusCode::PRECONDITION_FAILED, "cart-changed", "Changed meanwhile", message)
                    .with("version", version)
                    .with("lines", lines)
                    .with("cart", current)
            }
        }
    }
}

impl From<SaveListRefused> for Problem {
    fn from(refused: SaveListRefused) -> Self {
        match refused {
            SaveListRefused::Lines(refused) => refused.into(),
            SaveListRefused::Full(_) => {
                let message = format!("You can keep up to {LISTS_MAX} lists. Remove one to add another.");
                Self::conflict("lists-full", "Too many lists", message).with("most", LISTS_MAX)
            }
        }
    }
}
