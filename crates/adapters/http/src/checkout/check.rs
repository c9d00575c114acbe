//! `POST /checkouts/check`.

use actix_web::web::{self, Data};
use application::{JudgedLine, MethodOffer};
use domain::{Freight, Money};
use serde::Serialize;
use utoipa::ToSchema;

use super::body::NewCheckout;
use super::refusals::{RefusedLineView, views};
use super::view::SumsView;
use crate::app_state::AppState;
use crate::extract::{Authenticated, Json};
use crate::problem::Problem;
use crate::wire::fields::Fields;
use crate::wire::money::Dollars;

/// A shipping method, and what it asks.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = OfferedShipping)]
pub(crate) struct OfferView {
    #[serde(rename = "_id")]
    id: String,
    name: String,
    /// In dollars; `null` if we have to say.
    #[schema(required, value_type = Option<f64>)]
    price: Option<Dollars>,
}

impl From<&MethodOffer> for OfferView {
    fn from(offer: &MethodOffer) -> Self {
        let price = match offer.freight {
            Freight::Price(price) => Some(Dollars(price)),
            Freight::Quote => None,
        };
        Self { id: offer.method.id.to_string(), name: offer.method.terms.name.as_str().to_owned(), price }
    }
}

/// A line that can be placed.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CheckedLine)]
pub(crate) struct CheckedLineView {
    /// Which line, from 1; of several of one product the first.
    line: u16,
    product_id: String,
    name: String,
    #[schema(required)]
    part_number: Option<String>,
    quantity: u32,
    /// Dollars for one unit.
    #[schema(value_type = f64)]
    unit: Dollars,
    /// Dollars for the goods.
    #[schema(value_type = f64)]
    price: Dollars,
}

impl From<&JudgedLine> for CheckedLineView {
    fn from(line: &JudgedLine) -> Self {
        Self {
            line: line.line,
            product_id: line.product.id.to_string(),
            name: line.product.details.name.as_str().to_owned(),
            part_number: line.product.details.part_number.as_ref().map(|number| number.as_str().to_owned()),
            quantity: line.quantity.get(),
            unit: Dollars(line.unit.money()),
            price: Dollars(line.goods),
        }
    }
}

/// What a checkout would be.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CheckedCheckout)]
pub(crate) struct CheckedView {
    lines: Vec<CheckedLineView>,
    refused: Vec<RefusedLineView>,
    #[serde(flatten)]
    sums: SumsView,
    /// The methods that deliver to the address; none without an address, or for one line alone.
    shipping_methods: Vec<OfferView>,
    /// The id of the one that is taken.
    #[schema(required)]
    shipping_method: Option<String>,
}

/// What a checkout would be and cost if it were placed now. Nothing is placed, and no units are reserved.
#[utoipa::path(
    post, path = "/checkouts/check", request_body = NewCheckout,
    responses(
        (status = 200, description = "What can be placed, what is refused, and what it costs", body = CheckedView),
        (status = 422, description = "Invalid"),
    )
)]
pub(crate) async fn check_checkout(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    Json(sent): Json<NewCheckout>,
) -> Result<web::Json<CheckedView>, Problem> {
    let mut fields = Fields::default();
    let (lines, address, method) = (sent.lines(&mut fields), sent.address(&mut fields), sent.method(&mut fields));
    let whole = (|| Some((lines?, address?, method?)))();
    let (lines, address, method) = fields.all(whole)?;
    let checked = app.shop.checkouts.check_checkout(&caller, &lines, address.as_ref(), method).await?;
    let goods = checked.lines.iter().try_fold(Money::ZERO, |sum, line| sum.plus(line.goods)).unwrap_or(Money::MAX);
    let assessed = checked.assessed.as_ref();
    Ok(web::Json(CheckedView {
        lines: checked.lines.iter().map(Into::into).collect(),
        refused: views(&checked.refused),
        sums: assessed.map_or_else(|| SumsView::of_goods(goods), SumsView::assessed),
        shipping_methods: assessed.map(|assessed| assessed.offers.iter().map(Into::into).collect()).unwrap_or_default(),
        shipping_method: assessed.and_then(|assessed| Some(assessed.method.as_ref()?.id.to_string())),
    }))
}
