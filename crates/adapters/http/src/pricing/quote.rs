//! `POST /prices`.

use actix_web::web::{self, Data};
use application::{PRICES_MAX, PriceQuote, WantedPrice};
use domain::Quantity;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::view::{TierView, tier_views};
use crate::app_state::AppState;
use crate::extract::{Authenticated, Json};
use crate::problem::Problem;
use crate::wire::fields::Fields;
use crate::wire::money::Dollars;
use crate::wire::whole::Whole;

/// Products whose prices are asked for.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct WantedPrices {
    /// At most 500.
    #[schema(required, nullable = false)]
    items: Option<Vec<SentItem>>,
}

/// A quantity of a product.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = WantedPrice)]
pub(crate) struct SentItem {
    #[schema(required, nullable = false)]
    product_id: Option<String>,
    /// 1 to 1,000,000,000.
    #[schema(required, nullable = false, value_type = i64)]
    quantity: Option<Whole>,
}

/// What a quantity of a product costs the caller now.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = PriceQuote)]
pub(crate) struct QuoteView {
    product_id: String,
    quantity: u32,
    /// Dollars for one unit, at that quantity.
    #[schema(value_type = f64)]
    unit: Dollars,
    /// Dollars for one unit by the list price.
    #[schema(value_type = f64)]
    list: Dollars,
    /// Dollars for the quantity; `null` if that is more than can be charged.
    #[schema(required, value_type = Option<f64>)]
    total: Option<Dollars>,
    /// What a unit costs the caller by quantity, from the smallest one on.
    tiers: Vec<TierView>,
}

/// The prices, in the order in which they were asked for.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct QuotesView {
    /// `null` for a product that is not for sale.
    items: Vec<Option<QuoteView>>,
}

impl From<PriceQuote> for QuoteView {
    fn from(quote: PriceQuote) -> Self {
        Self {
            product_id: quote.product.to_string(),
            quantity: quote.quantity,
            unit: Dollars(quote.unit.money()),
            list: Dollars(quote.list.money()),
            total: quote.total.map(Dollars),
            tiers: tier_views(&quote.tiers),
        }
    }
}

/// `None` stands for a product that cannot be there, because its id is none.
fn parse(items: &[SentItem]) -> Result<Vec<WantedPrice>, Problem> {
    if items.len() > PRICES_MAX {
        return Err(Problem::invalid_field("items", "Ask for at most 500 prices at once"));
    }
    let mut fields = Fields::default();
    let one = |(index, item): (usize, &SentItem)| {
        let at = |field: &str| format!("items[{index}].{field}");
        // An id that is no UUID is the id of no product.
        let product = fields.required(&at("productId"), "Product", item.product_id.as_deref(), |id| {
            Ok::<_, &str>(id.parse().unwrap_or_else(|_| domain::ProductId::new(Uuid::nil())))
        });
        let quantity = fields.required(&at("quantity"), "Quantity", item.quantity, |units| {
            u32::try_from(units.0)
                .ok()
                .filter(|units| (1..=Quantity::MAX).contains(units))
                .ok_or("must be 1 to 1,000,000,000")
        });
        Some(WantedPrice { product: product?, quantity: quantity? })
    };
    let wanted: Vec<Option<WantedPrice>> = items.iter().enumerate().map(one).collect();
    fields.all(wanted.into_iter().collect())
}

/// What products cost the caller now, by their price lists.
#[utoipa::path(
    post, path = "/prices", request_body = WantedPrices,
    responses(
        (status = 200, description = "The prices, in the order of the items", body = QuotesView),
        (status = 422, description = "Invalid, or more than 500 items"),
    )
)]
pub(crate) async fn quote_prices(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    Json(sent): Json<WantedPrices>,
) -> Result<web::Json<QuotesView>, Problem> {
    let Some(items) = sent.items else { return Err(Problem::invalid_field("items", "Items are required")) };
    let quotes = app.shop.pricing.quote_prices(&caller, &parse(&items)?).await?;
    let items = quotes.into_iter().map(|quote| quote.map(Into::into)).collect();
    Ok(web::Json(QuotesView { items }))
}
