//! `/price-lists`.

use actix_web::HttpResponse;
use actix_web::web::{self, Data, Path};
use domain::{Day, Percent, PriceListDetails, Text, Timestamp};
use ports::PriceList;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app_state::AppState;
use crate::extract::{Authenticated, Json, id};
use crate::problem::Problem;
use crate::wire::counts::{DeletedCount, InsertedId, ModifiedCount};
use crate::wire::fields::Fields;
use crate::wire::money::Balance;
use crate::wire::whole::Whole;

/// A price list.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = PriceList)]
pub(crate) struct PriceListView {
    #[serde(rename = "_id")]
    id: String,
    name: String,
    /// What is taken off the price for everybody, in per cent; `null` for a list with prices of its own.
    #[schema(required, value_type = Option<f64>)]
    percent: Option<Balance>,
    priority: u16,
    /// RFC 3339, UTC.
    #[schema(required)]
    valid_from: Option<String>,
    /// RFC 3339, UTC: from then on it no longer applies.
    #[schema(required)]
    valid_until: Option<String>,
    /// How many accounts have it.
    accounts: u64,
    /// How many prices it has.
    prices: u64,
}

impl From<PriceList> for PriceListView {
    fn from(PriceList { id, details, accounts, prices }: PriceList) -> Self {
        Self {
            id: id.to_string(),
            name: details.name.into_string(),
            percent: details.percent.map(|percent| Balance(percent.basis_points().into())),
            priority: details.priority,
            valid_from: details.valid_from.map(|at| at.to_string()),
            valid_until: details.valid_until.map(|at| at.to_string()),
            accounts,
            prices,
        }
    }
}

/// What a price list is to be.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SentPriceList {
    /// Up to 80 characters; no other list may have it.
    #[schema(required, nullable = false)]
    name: Option<String>,
    /// What is taken off the price for everybody, 0.01 to 99.99; without it the list has prices of its own.
    percent: Option<f64>,
    /// 0 to 1,000; 0 if it is not sent.
    #[schema(value_type = Option<i64>)]
    priority: Option<Whole>,
    /// A day, or a moment by RFC 3339. A day begins at midnight UTC.
    valid_from: Option<String>,
    /// A day, or a moment by RFC 3339. Of a day, all of it still counts.
    valid_until: Option<String>,
}

/// A moment, or what a day stands for.
fn moment(text: &str, of_day: fn(Day) -> Timestamp) -> Result<Timestamp, &'static str> {
    let text = text.trim();
    text.parse::<Day>()
        .map(of_day)
        .or_else(|_| text.parse::<Timestamp>().map_err(|_| "must be a day like 2026-11-30, or a moment"))
}

impl SentPriceList {
    fn parse(&self) -> Result<PriceListDetails, Problem> {
        let mut fields = Fields::default();
        let name = fields.required("name", "Name", self.name.as_deref(), Text::new);
        let percent = fields.optional("percent", "Percent", self.percent, Percent::from_number);
        let priority = fields.optional("priority", "Priority", self.priority, |priority| {
            u16::try_from(priority.0).ok().filter(|priority| *priority <= 1_000).ok_or("must be 0 to 1,000")
        });
        let from =
            fields.optional("validFrom", "Valid from", self.valid_from.as_deref(), |text| moment(text, Day::begins));
        let until =
            fields.optional("validUntil", "Valid until", self.valid_until.as_deref(), |text| moment(text, Day::ends));
        if let (Some(Some(from)), Some(Some(until))) = (from, until)
            && until <= from
        {
            fields.refuse("validUntil", "Valid until must be after Valid from".to_owned());
        }
        fields.all((|| {
            Some(PriceListDetails {
                name: name?,
                percent: percent?,
                priority: priority?.unwrap_or_default(),
                valid_from: from?,
                valid_until: until?,
            })
        })())
    }
}

/// All price lists, by name (admins).
#[utoipa::path(get, path = "/price-lists", responses((status = 200, description = "Price lists", body = [PriceListView])))]
pub(crate) async fn list_price_lists(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
) -> Result<web::Json<Vec<PriceListView>>, Problem> {
    let lists = app.shop.pricing.price_lists(&caller).await?;
    Ok(web::Json(lists.into_iter().map(Into::into).collect()))
}

/// Adds a price list (admins).
#[utoipa::path(
    post, path = "/price-lists", request_body = SentPriceList,
    responses(
        (status = 201, description = "Added", body = InsertedId),
        (status = 409, description = "Another list has this name"),
        (status = 422, description = "Invalid"),
    )
)]
pub(crate) async fn add_price_list(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    Json(sent): Json<SentPriceList>,
) -> Result<HttpResponse, Problem> {
    let added = app.shop.pricing.add_price_list(&caller, &sent.parse()?).await?;
    Ok(HttpResponse::Created().json(InsertedId::of(&added)))
}

/// Replaces what a price list is (admins). One that gets a percentage loses its prices.
#[utoipa::path(
    put, path = "/price-lists/{id}", request_body = SentPriceList,
    params(("id" = String, Path, description = "The list's id")),
    responses(
        (status = 200, description = "Replaced", body = ModifiedCount),
        (status = 404, description = "No such list"),
        (status = 409, description = "Another list has this name"),
        (status = 422, description = "Invalid"),
    )
)]
pub(crate) async fn edit_price_list(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
    Json(sent): Json<SentPriceList>,
) -> Result<web::Json<ModifiedCount>, Problem> {
    app.shop.pricing.edit_price_list(&caller, id(&path)?, &sent.parse()?).await?;
    Ok(web::Json(true.into()))
}

/// Removes a price list and its prices (admins). Orders keep what they were placed at.
#[utoipa::path(
    delete, path = "/price-lists/{id}", params(("id" = String, Path, description = "The list's id")),
    responses((status = 200, description = "1 if this call removed it, else 0", body = DeletedCount))
)]
pub(crate) async fn remove_price_list(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
) -> Result<web::Json<DeletedCount>, Problem> {
    let removed = app.shop.pricing.remove_price_list(&caller, id(&path)?).await?;
    Ok(web::Json(removed.into()))
}
