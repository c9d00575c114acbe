//! `POST /orders`.

use actix_web::HttpResponse;
use actix_web::web::Data;
use application::{PlaceOrder, ProductSelector};
use domain::catalog::stock::TakeRefused;
use domain::orders::refusals::PlaceRefused;
use domain::{Category, PictureUrl, Text};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::app_state::AppState;
use crate::extract::{Authenticated, HoldsClaim, IdempotencyKeyHeader, Json, id};
use crate::middleware::idempotency::REPLAYED;
use crate::orders::vehicle::SentVehicle;
use crate::problem::Problem;
use crate::wire::counts::InsertedId;
use crate::wire::enums::CategoryName;
use crate::wire::fields::Fields;
use crate::wire::money::Dollars;
use crate::wire::whole::Whole;

/// An order to be placed. Name, category, details, picture, price and status are accepted and never believed.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NewOrder {
    /// The customer's name, up to 120 characters.
    #[schema(required, nullable = false)]
    name: Option<String>,
    /// The customer's own e-mail; another's is refused.
    email: Option<String>,
    /// Units: a whole number from the product's minimum up to what is available.
    #[schema(required, nullable = false, value_type = i64)]
    quantity: Option<Whole>,
    /// The total in dollars as the customer was shown it; another one than ours is a 409.
    price: Option<f64>,
    /// Where it goes, up to 500 characters.
    #[schema(required, nullable = false)]
    address: Option<String>,
    /// Up to 40 characters.
    #[schema(required, nullable = false)]
    phone: Option<String>,
    /// Which product; without it the only one with this `productName`, `category` and `img`.
    product_id: Option<String>,
    product_name: Option<String>,
    /// The vehicle that it is for: its id, or the id with more about it. The order keeps what the shop says of it.
    vehicle: Option<SentVehicle>,
    #[schema(value_type = Option<CategoryName>)]
    category: Option<String>,
    img: Option<String>,
}

impl NewOrder {
    pub(crate) fn parse(
        self,
        idempotency_key: Option<ports::IdempotencyKey>,
        holds_claim: bool,
    ) -> Result<PlaceOrder, Problem> {
        let mut fields = Fields::default();
        let selector = match self.product_id.as_deref() {
            Some(product) => Some(ProductSelector::ById(id(product)?)),
            None => self.attributes(&mut fields),
        };
        let quantity = fields.required::<_, _, &str>("quantity", "Quantity", self.quantity, |units| Ok(units.0));
        let name = fields.required("name", "Name", self.name.as_deref(), Text::new);
        let phone = fields.required("phone", "Phone", self.phone.as_deref(), Text::new);
        let address = fields.required("address", "Address", self.address.as_deref(), Text::new);
        let vehicle = match &self.vehicle {
            None => Some(None),
            Some(sent) => sent.parse(&mut fields).map(Some),
        };
        let whole = (|| {
            Some(PlaceOrder {
                selector: selector?,
                quantity: quantity?,
                shown_total: self.price,
                name: name?,
                email: self.email,
                phone: phone?,
                address: address?,
                vehicle: vehicle?,
                idempotency_key,
                holds_claim,
            })
        })();
        fields.all(whole)
    }

    fn attributes(&self, fields: &mut Fields) -> Option<ProductSelector> {
        let name = fields.required::<_, _, &str>("productName", "Product name", self.product_name.clone(), Ok);
        let category = fields.required("category", "Category", self.category.as_deref(), str::parse::<Category>);
        let img = fields.required("img", "Image", self.img.as_deref(), str::parse::<PictureUrl>);
        Some(ProductSelector::ByAttributes { name: name?, category: category?, img: img? })
    }
}

impl From<PlaceRefused> for Problem {
    fn from(refused: PlaceRefused) -> Self {
        match refused {
            PlaceRefused::Gone => Self::not_found(),
            PlaceRefused::NotOneProduct => Self::invalid_field(
                "productName",
                "We couldn't match this to a product. Reload the page and try again.",
            ),
            PlaceRefused::OtherConditions => Self::invalid_field(
                "vehicle.confirmed",
                "What this part needs to fit has changed. Reload the page and check again.",
            ),
            PlaceRefused::Stock(TakeRefused::BelowMinimum { minimum }) => {
                Self::invalid_field("quantity", format!("The minimum order is {minimum}")).with("minOrder", minimum)
            }
            PlaceRefused::Stock(TakeRefused::NotEnough { left }) => {
                let message = match left.get() {
                    0 => "Sold out".to_owned(),
                    left => format!("Only {left} left in stock"),
                };
                Self::conflict("out-of-stock", "Not enough in stock", message).with("available", left.get())
            }
            PlaceRefused::PriceChanged { unit, total } => {
                let message = format!("The price has changed. Your new total is {total}.");
                Self::conflict("price-changed", "Price changed", message)
                    .with("price", Dollars(total).to_json())
                    .with("unitPrice", Dollars(unit.money()).to_json())
            }
            PlaceRefused::TooManyUnpaid { most } => {
                let message =
                    "You've reached the limit of unpaid orders for a new account. Pay or cancel one, then order again.";
                Self::conflict("too-many-unpaid", "Too many unpaid orders", message).with("most", most)
            }
            PlaceRefused::Total(_) => {
                Self::invalid_field("quantity", "This order is too large to pay by card. Please contact us.")
            }
        }
    }
}

/// Places an order and takes its units out of stock. One above $999,999.99 is placed too: no card can pay it
/// (`payableByCard`), so it is sent on account.
#[utoipa::path(
    post, path = "/orders", request_body = NewOrder,
    responses(
        (status = 201, description = "Placed", body = InsertedId),
        (status = 403, description = "Another's e-mail"),
        (status = 404, description = "No such product"),
        (status = 409, description = "Not enough in stock (`available`), another price (`price`, `unitPrice`), or as many unpaid orders as an account that never paid may have (`most`)"),
        (status = 422, description = "Invalid"),
    )
)]
pub(crate) async fn place_order(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    IdempotencyKeyHeader(idempotency_key): IdempotencyKeyHeader,
    HoldsClaim(holds_claim): HoldsClaim,
    Json(sent): Json<NewOrder>,
) -> Result<HttpResponse, Problem> {
    let placed = app.shop.orders.place_order(&caller, sent.parse(idempotency_key, holds_claim)?).await?;
    let mut response = HttpResponse::Created();
    if placed.is_repeat {
        response.insert_header((REPLAYED, "true"));
    }
    Ok(response.json(InsertedId::of(&placed.id)))
}

#[cfg(test)]
mod tests {
    use domain::{Money, Stock, UnitPrice};
    use serde_json::Value;

    use super::*;

    fn json(refused: PlaceRefused) -> Value {
        serde_json::to_value(Problem::from(refused).view()).unwrap()
    }

    #[test]
    fn a_stock_or_price_conflict_carries_the_figures() {
        let left = Stock::new(12).unwrap();
        assert_eq!(json(TakeRefused::NotEnough { left }.into())["available"], 12);
        let unit = UnitPrice::from_dollars(1.5).unwrap();
        let total = Money::from_cents(7_500).unwrap();
        let problem = json(PlaceRefused::PriceChanged { unit, total });
        assert_eq!((&problem["price"], &problem["unitPrice"]), (&75.into(), &1.5.into()));
    }
}
