//! `GET /reviews`.

use actix_web::http::StatusCode;
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use domain::ProductId;
use ports::ReviewCursor;
use serde::Deserialize;
use utoipa::IntoParams;

use super::view::{ReviewView, views};
use crate::app_state::AppState;
use crate::cache::{self, PublicJson};
use crate::catalog::snapshot::reviews_of;
use crate::extract::parsed;
use crate::problem::Problem;
use crate::wire::array;
use crate::wire::batches::{BATCH, Batch};
use crate::wire::fields::Fields;
use crate::wire::page;

/// Filters for reviews.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Latest {
    /// Only this many of the latest, 1 to 1000; all of them if left out.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 1000)]
    limit: Option<String>,
    /// Only those of this product, and at most the latest 1000.
    #[serde(rename = "productId")]
    #[param(rename = "productId")]
    product_id: Option<String>,
}

impl Latest {
    fn parse(&self) -> Result<Wanted, Problem> {
        let mut fields = Fields::default();
        let limit = fields.optional("limit", "Limit", self.limit.as_deref(), page::limit);
        let part = fields.optional("productId", "Part", self.product_id.as_deref(), |named| {
            named.parse::<ProductId>().map_err(|_| "is not a product of this shop")
        });
        let whole = (|| Some(Wanted { limit: limit?, part: part? }))();
        fields.all(whole)
    }
}

/// Which reviews.
struct Wanted {
    /// `None` for all.
    limit: Option<u32>,
    /// `None` for those of the shop and of every part.
    part: Option<ProductId>,
}

impl Wanted {
    /// The limited list; `None` if there is no limit.
    async fn find(&self, app: &AppState) -> Result<Option<PublicJson>, Problem> {
        match (self.part, self.limit) {
            (None, None) => Ok(None),
            (None, Some(limit)) => latest(app, limit).await.map(Some),
            (Some(part), limit) => {
                let limit = limit.unwrap_or(page::PAGE_MAX);
                reviews_of(app.shop.catalog.latest_reviews_of(part, limit).await?).map(Some)
            }
        }
    }
}

/// The latest reviews, oldest first, for a query string with a limit.
///
/// # Errors
/// [`Problem`] if a parameter is invalid or there is no limit, or if the store failed.
pub(crate) async fn find(app: &AppState, query: &str) -> Result<PublicJson, Problem> {
    let found = parsed::<Latest>(query)?.parse()?.find(app).await?;
    found.ok_or_else(|| Problem::bad_request("The limit is too large for this list"))
}

async fn latest(app: &AppState, limit: u32) -> Result<PublicJson, Problem> {
    match app.catalog_snapshot.current().await {
        Some(snapshot) => Ok(snapshot.latest_reviews(limit)),
        None => reviews_of(app.shop.catalog.latest_reviews(limit).await?),
    }
}

/// Every review. A list that fits one page is tagged by its content. A longer list is never in memory as a whole, so
/// its tag is made of the state of all reviews instead.
async fn whole(app: Data<AppState>, request: &HttpRequest) -> Result<HttpResponse, Problem> {
    if let Some(all) = app.catalog_snapshot.current().await.and_then(|snapshot| snapshot.all_reviews()) {
        return Ok(all.send(request, HttpResponse::Ok()));
    }
    let (first, next) = batch(&app, None).await?;
    let mut response = HttpResponse::Ok();
    if next.is_none() {
        return Ok(PublicJson::of(&first)?.send(request, response));
    }
    // Read before the list: if the list changes meanwhile, it is sent under a tag that is already outdated.
    let tag = cache::tag(app.shop.catalog.state_of_reviews().await?.as_bytes());
    cache::set_tag(&mut response, &tag);
    if cache::has_already(request.headers(), &tag) {
        return Ok(response.status(StatusCode::NOT_MODIFIED).finish());
    }
    let first = batch(&app, None).await?;
    let read = move |place| {
        let app = app.clone();
        async move { batch(&app, Some(place)).await }
    };
    Ok(array::send(response, first, read))
}

async fn batch(app: &AppState, after: Option<ReviewCursor>) -> Result<Batch<ReviewView, ReviewCursor>, Problem> {
    let mut reviews = app.shop.catalog.reviews_after(after, BATCH + 1).await?;
    let is_last = reviews.len() <= BATCH as usize;
    reviews.truncate(BATCH as usize);
    let last = reviews.last().map(|last| ReviewCursor { at: last.created_at, id: last.id });
    Ok((views(reviews), last.filter(|_| !is_last)))
}

/// Every review, the latest, or those of a part, oldest first.
#[utoipa::path(
    get, path = "/reviews", params(Latest),
    responses(
        (status = 200, description = "Reviews, oldest first", body = [ReviewView]),
        (status = 422, description = "A parameter makes no sense"),
    )
)]
pub(crate) async fn list_reviews(app: Data<AppState>, request: HttpRequest) -> Result<HttpResponse, Problem> {
    match parsed::<Latest>(request.query_string())?.parse()?.find(&app).await? {
        Some(found) => Ok(found.send(&request, HttpResponse::Ok())),
        None => whole(app, &request).await,
    }
}
