//! What clients read when a checkout is refused.

use actix_web::http::StatusCode;
use application::{AssessRefused, LineRefused, PlaceCheckoutRefused, RefusedLine};
use domain::catalog::stock::TakeRefused;
use domain::orders::refusals::{FreightRefused, PlaceRefused};
use serde::Serialize;
use utoipa::ToSchema;

use crate::problem::Problem;
use crate::wire::money::Dollars;

/// A line that is refused.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = RefusedLine)]
pub(crate) struct RefusedLineView {
    /// Which line, from 1.
    line: u16,
    /// The field that it is about.
    field: String,
    /// `unknown`, `choose`, `replaced`, `gone`, `quantity`, `stock`, `price`, `vehicle`, `total` or `limit`.
    reason: &'static str,
    /// The sentence that belongs beside it.
    message: String,
    /// What is left in stock, if there is not enough.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    available: Option<u32>,
    /// The smallest quantity, if it was not met.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    min_order: Option<u32>,
    /// What the line's goods cost, if another sum was shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<f64>)]
    price: Option<Dollars>,
    /// The product that replaced it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    replaced_by: Option<String>,
    #[serde(skip)]
    is_conflict: bool,
}

impl RefusedLineView {
    fn new(line: u16, field: &str, reason: &'static str, message: impl Into<String>) -> Self {
        Self {
            line,
            field: format!("lines[{}].{field}", line.saturating_sub(1)),
            reason,
            message: message.into(),
            available: None,
            min_order: None,
            price: None,
            replaced_by: None,
            is_conflict: false,
        }
    }

    fn conflict(self) -> Self {
        Self { is_conflict: true, ..self }
    }
}

impl From<&RefusedLine> for RefusedLineView {
    fn from(refused: &RefusedLine) -> Self {
        let new = |field, reason, message: String| Self::new(refused.line, field, reason, message);
        match &refused.why {
            LineRefused::UnknownNumber => new("number", "unknown", "We don't sell a part with this number.".into()),
            LineRefused::SeveralProducts => {
                new("number", "choose", "Several parts have this number. Name the brand, or choose one.".into())
            }
            LineRefused::Gone { replaced_by: Some(successor) } => Self {
                replaced_by: Some(successor.to_string()),
                ..new("productId", "replaced", "This part was replaced by another.".into())
            },
            LineRefused::Gone { replaced_by: None } => {
                new("productId", "gone", "This part is no longer for sale.".into())
            }
            LineRefused::Order(why) => of_order(refused.line, why),
        }
    }
}

fn of_order(line: u16, why: &PlaceRefused) -> RefusedLineView {
    let new = |field, reason, message: String| RefusedLineView::new(line, field, reason, message);
    match why {
        PlaceRefused::Gone | PlaceRefused::NotOneProduct => {
            new("productId", "gone", "This part is no longer for sale.".into())
        }
        PlaceRefused::Stock(TakeRefused::BelowMinimum { minimum }) => RefusedLineView {
            min_order: Some(*minimum),
            ..new("quantity", "quantity", format!("The minimum order is {minimum}"))
        },
        PlaceRefused::Stock(TakeRefused::NotEnough { left }) => {
            let message = match left.get() {
                0 => "Sold out".to_owned(),
                left => format!("Only {left} left in stock"),
            };
            RefusedLineView { available: Some(left.get()), ..new("quantity", "stock", message) }.conflict()
        }
        PlaceRefused::OtherConditions => {
            new("vehicle", "vehicle", "What this part needs to fit has changed. Check again.".into())
        }
        PlaceRefused::PriceChanged { total, .. } => {
            let message = format!("The price has changed. This line is {total} now.");
            RefusedLineView { price: Some(Dollars(*total)), ..new("price", "price", message) }.conflict()
        }
        PlaceRefused::Total(_) => new("quantity", "total", "This is too large to bill. Please contact us.".into()),
        PlaceRefused::TooManyUnpaid { .. } => {
            let message = "You've reached the limit of unpaid orders for a new account. Pay or cancel one first.";
            new("productId", "limit", message.into()).conflict()
        }
    }
}

pub(super) fn views(refused: &[RefusedLine]) -> Vec<RefusedLineView> {
    refused.iter().map(Into::into).collect()
}

impl From<PlaceCheckoutRefused> for Problem {
    fn from(refused: PlaceCheckoutRefused) -> Self {
        match refused {
            PlaceCheckoutRefused::Lines(refused) => lines_refused(&views(&refused)),
            PlaceCheckoutRefused::Assess(refused) => refused.into(),
            PlaceCheckoutRefused::OneUnpaid => {
                let message = "You have an unpaid purchase already. Pay or cancel it, then order again.";
                Self::conflict("too-many-unpaid", "An unpaid purchase", message)
            }
        }
    }
}

fn lines_refused(lines: &[RefusedLineView]) -> Problem {
    let is_conflict = lines.iter().any(|line| line.is_conflict);
    let status = if is_conflict { StatusCode::CONFLICT } else { StatusCode::UNPROCESSABLE_ENTITY };
    let message = match lines {
        [one] => format!("Line {}: {}", one.line, one.message),
        lines => format!("{} lines need your attention. Nothing was ordered.", lines.len()),
    };
    match serde_json::to_value(lines) {
        Ok(errors) => Problem::new(status, "lines-refused", "Lines refused", message).with("errors", errors),
        Err(error) => Problem::defect(&error),
    }
}

impl From<AssessRefused> for Problem {
    fn from(refused: AssessRefused) -> Self {
        match refused {
            AssessRefused::OtherMethod => {
                Self::invalid_field("shippingMethod", "This shipping method doesn't deliver there. Choose another.")
            }
            AssessRefused::NoMethod => {
                Self::invalid_field("address.country", "We don't deliver there yet. Please contact us.")
            }
            AssessRefused::Total(_) => {
                Self::invalid_field("lines", "This purchase is too large to bill. Please contact us.")
            }
        }
    }
}

impl From<FreightRefused> for Problem {
    fn from(refused: FreightRefused) -> Self {
        match refused {
            FreightRefused::NotWaiting => {
                Self::conflict("freight-set", "Freight set", "The freight of this purchase is set already.")
            }
            FreightRefused::Total(_) => Self::invalid_field("price", "This is too large to bill."),
        }
    }
}
