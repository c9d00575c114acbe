//! `/price-lists/{id}/prices` and `/price-lists/{id}/accounts`.

use std::collections::BTreeMap;

use actix_web::web::{self, Data, Path};
use domain::{Email, Ladder, ProductId, Tier};
use ports::ListedPrices;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::ladder::SentTier;
use crate::app_state::AppState;
use crate::extract::{Authenticated, Json, id};
use crate::problem::Problem;
use crate::wire::counts::ModifiedCount;
use crate::wire::fields::Fields;
use crate::wire::money::Dollars;
use crate::wire::whole::Whole;

/// The largest number of prices of one list.
const PRICES_MAX: usize = 20_000;

/// A price of a list.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ListPrice)]
pub(crate) struct ListPriceView {
    product_id: String,
    /// The least quantity.
    from: u32,
    /// Dollars for one unit.
    #[schema(value_type = f64)]
    price: Dollars,
}

/// The prices of a list.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ListPricesView {
    items: Vec<ListPriceView>,
}

fn view(listed: &[ListedPrices]) -> ListPricesView {
    let rows = |of: &ListedPrices| {
        let product = of.product;
        let row = move |tier: &Tier| ListPriceView {
            product_id: product.to_string(),
            from: tier.from,
            price: Dollars(tier.unit.money()),
        };
        of.ladder.tiers().iter().map(row).collect::<Vec<_>>()
    };
    ListPricesView { items: listed.iter().flat_map(rows).collect() }
}

/// A price that a list is to have.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SentListPrice {
    #[schema(required, nullable = false)]
    product_id: Option<String>,
    /// The least quantity, 1 to 1,000,000,000; 1 if it is not sent.
    #[schema(nullable = false, value_type = Option<i64>)]
    from: Option<Whole>,
    /// Dollars for one unit, at least 0.01.
    #[schema(required, nullable = false)]
    price: Option<f64>,
}

/// The prices that a list is to have.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct SentListPrices {
    /// At most 20,000, of a product at most 20.
    #[schema(required, nullable = false)]
    items: Option<Vec<SentListPrice>>,
}

impl SentListPrices {
    fn parse(&self) -> Result<Vec<(ProductId, Ladder)>, Problem> {
        let Some(items) = &self.items else { return Err(Problem::invalid_field("items", "Items are required")) };
        if items.len() > PRICES_MAX {
            return Err(Problem::invalid_field("items", "A list has at most 20,000 prices"));
        }
        let mut fields = Fields::default();
        let mut tiers: BTreeMap<ProductId, (usize, Vec<Tier>)> = BTreeMap::new();
        for (index, item) in items.iter().enumerate() {
            let at = format!("items[{index}]");
            let product = fields.required(&format!("{at}.productId"), "Product", item.product_id.as_deref(), |id| {
                id.parse::<ProductId>().map_err(|_| "isn't one of ours")
            });
            let tier = SentTier { from: Some(item.from.unwrap_or(Whole(1))), price: item.price };
            if let (Some(product), Some(tier)) = (product, tier.parse(&at, &mut fields)) {
                tiers.entry(product).or_insert((index, Vec::new())).1.push(tier);
            }
        }
        let mut prices = Vec::with_capacity(tiers.len());
        for (product, (index, tiers)) in tiers {
            if let Some(ladder) = fields.parsed(&format!("items[{index}]"), "Tiers", Ladder::new(tiers)) {
                prices.push((product, ladder));
            }
        }
        fields.all(Some(prices))
    }
}

/// The prices of a list, by product (admins).
#[utoipa::path(
    get, path = "/price-lists/{id}/prices", params(("id" = String, Path, description = "The list's id")),
    responses(
        (status = 200, description = "Its prices", body = ListPricesView),
        (status = 404, description = "No such list"),
    )
)]
pub(crate) async fn list_prices_of_list(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
) -> Result<web::Json<ListPricesView>, Problem> {
    Ok(web::Json(view(&app.shop.pricing.prices_of_list(&caller, id(&path)?).await?)))
}

/// Replaces the prices of a list (admins): all of them or none.
#[utoipa::path(
    put, path = "/price-lists/{id}/prices", request_body = SentListPrices,
    params(("id" = String, Path, description = "The list's id")),
    responses(
        (status = 200, description = "Replaced", body = ModifiedCount),
        (status = 404, description = "No such list"),
        (status = 409, description = "The list takes a percentage off"),
        (status = 422, description = "Invalid, or of a product that is none"),
    )
)]
pub(crate) async fn set_prices_of_list(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
    Json(sent): Json<SentListPrices>,
) -> Result<web::Json<ModifiedCount>, Problem> {
    app.shop.pricing.set_prices_of_list(&caller, id(&path)?, &sent.parse()?).await?;
    Ok(web::Json(true.into()))
}

/// Who has a list.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ListAccountsView {
    emails: Vec<String>,
}

/// Who is to have a list.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct SentListAccounts {
    /// At most 10,000 addresses of accounts.
    #[schema(required, nullable = false)]
    emails: Option<Vec<String>>,
}

impl SentListAccounts {
    fn parse(&self) -> Result<Vec<Email>, Problem> {
        let Some(emails) = &self.emails else { return Err(Problem::invalid_field("emails", "Emails are required")) };
        if emails.len() > 10_000 {
            return Err(Problem::invalid_field("emails", "A list has at most 10,000 accounts"));
        }
        let mut fields = Fields::default();
        let one = |(index, email): (usize, &String)| {
            fields.parsed(&format!("emails[{index}]"), "Email", email.parse::<Email>())
        };
        let parsed: Vec<Option<Email>> = emails.iter().enumerate().map(one).collect();
        fields.all(parsed.into_iter().collect())
    }
}

/// The e-mail addresses of the accounts that have a list (admins).
#[utoipa::path(
    get, path = "/price-lists/{id}/accounts", params(("id" = String, Path, description = "The list's id")),
    responses(
        (status = 200, description = "Who has it", body = ListAccountsView),
        (status = 404, description = "No such list"),
    )
)]
pub(crate) async fn list_accounts_of_list(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
) -> Result<web::Json<ListAccountsView>, Problem> {
    let emails = app.shop.pricing.accounts_of_list(&caller, id(&path)?).await?;
    Ok(web::Json(ListAccountsView { emails: emails.iter().map(ToString::to_string).collect() }))
}

/// Gives a list to exactly these accounts (admins).
#[utoipa::path(
    put, path = "/price-lists/{id}/accounts", request_body = SentListAccounts,
    params(("id" = String, Path, description = "The list's id")),
    responses(
        (status = 200, description = "Given", body = ModifiedCount),
        (status = 404, description = "No such list"),
        (status = 422, description = "Invalid, or an address without an account"),
    )
)]
pub(crate) async fn set_accounts_of_list(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
    Json(sent): Json<SentListAccounts>,
) -> Result<web::Json<ModifiedCount>, Problem> {
    app.shop.pricing.set_accounts_of_list(&caller, id(&path)?, &sent.parse()?).await?;
    Ok(web::Json(true.into()))
}
