//! Reviews.

use actix_web::http::StatusCode;
use actix_web::web::{self, Data, Path};
use actix_web::{HttpRequest, HttpResponse};
use application::ReviewDraft;
use domain::{Rating, Review, Text};
use ports::ReviewCursor;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::app_state::AppState;
use crate::cache;
use crate::extract::{Authenticated, IdempotencyKeyHeader, Json, id, parsed};
use crate::problem::{Problem, ProblemView};
use crate::wire::array::{self, PART};
use crate::wire::counts::{DeletedCount, InsertedId};
use crate::wire::fields::Fields;
use crate::wire::page;
use crate::wire::whole::Whole;

/// A review.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Review)]
pub(crate) struct ReviewView {
    /// `UUIDv7`.
    #[serde(rename = "_id")]
    id: String,
    name: String,
    details: String,
    /// Stars, 0 to 5.
    rating: u8,
    /// RFC 3339, UTC.
    created_at: String,
}

impl From<Review> for ReviewView {
    fn from(review: Review) -> Self {
        Self {
            id: review.id.to_string(),
            name: review.name.into_string(),
            details: review.details.into_string(),
            rating: review.rating.get(),
            created_at: review.created_at.to_string(),
        }
    }
}

/// Filters for reviews.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Latest {
    /// Only this many of the latest, 1 to 1000; all of them if left out.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 1000)]
    limit: Option<String>,
}

impl Latest {
    /// The limit; `None` for all.
    fn parse(&self) -> Result<Option<u32>, Problem> {
        let mut fields = Fields::default();
        let limit = fields.optional("limit", "Limit", self.limit.as_deref(), page::limit);
        fields.all(limit)
    }
}

/// The latest reviews, oldest first, for a query string with a limit.
///
/// # Errors
/// [`Problem`] if a parameter is invalid or there is no limit, or if the store failed.
pub(crate) async fn find(app: &AppState, query: &str) -> Result<Vec<ReviewView>, Problem> {
    match parsed::<Latest>(query)?.parse()? {
        Some(limit) => Ok(views(app.shop.latest_reviews(limit).await?)),
        None => Err(Problem::bad_request("A page is shorter than the whole list")),
    }
}

/// Every review. A list that fits one page is tagged by its content. A longer list is never in memory as a whole, so
/// its tag is made of the state of all reviews instead.
async fn whole(app: Data<AppState>, request: &HttpRequest) -> Result<HttpResponse, Problem> {
    let (first, next) = part(&app, None).await?;
    let mut response = HttpResponse::Ok();
    if next.is_none() {
        return cache::json(request, response, &first);
    }
    // Read before the list: if the list changes meanwhile, it is sent under a tag that is already outdated.
    let tag = cache::tag(app.shop.state_of_reviews().await?.as_bytes());
    cache::tag_of(&mut response, &tag);
    if cache::has_already(request, &tag) {
        return Ok(response.status(StatusCode::NOT_MODIFIED).finish());
    }
    let first = part(&app, None).await?;
    let read = move |place| {
        let app = app.clone();
        async move { part(&app, Some(place)).await }
    };
    Ok(array::send(response, first, read))
}

async fn part(app: &AppState, after: Option<ReviewCursor>) -> Result<array::Part<ReviewView, ReviewCursor>, Problem> {
    let mut reviews = app.shop.reviews_after(after, PART + 1).await?;
    let is_last = reviews.len() <= PART as usize;
    reviews.truncate(PART as usize);
    let last = reviews.last().map(|last| ReviewCursor { at: last.created_at, id: last.id });
    Ok((views(reviews), last.filter(|_| !is_last)))
}

fn views(reviews: Vec<Review>) -> Vec<ReviewView> {
    reviews.into_iter().map(Into::into).collect()
}

/// Every review or the latest, oldest first.
#[utoipa::path(
    get, path = "/reviews", tag = "reviews", params(Latest),
    responses(
        (status = 200, description = "Reviews, oldest first", body = [ReviewView]),
        (status = 422, description = "A parameter makes no sense", body = ProblemView, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn list(app: Data<AppState>, request: HttpRequest) -> Result<HttpResponse, Problem> {
    match parsed::<Latest>(request.query_string())?.parse()? {
        Some(limit) => cache::json(&request, HttpResponse::Ok(), &views(app.shop.latest_reviews(limit).await?)),
        None => whole(app, &request).await,
    }
}

/// A review to be written.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct NewReview {
    /// Up to 80 characters.
    #[schema(required, nullable = false)]
    name: Option<String>,
    /// A whole number of stars, 0 to 5.
    #[schema(required, nullable = false, value_type = i64)]
    rating: Option<Whole>,
    /// Up to 2,000 characters.
    #[schema(required, nullable = false)]
    details: Option<String>,
}

impl NewReview {
    fn parse(self) -> Result<ReviewDraft, Problem> {
        let mut fields = Fields::default();
        let name = fields.required("name", "Name", self.name.as_deref(), Text::new);
        let rating = fields.required("rating", "Rating", self.rating, |stars| Rating::new(stars.0));
        let details = fields.required("details", "Review details", self.details.as_deref(), Text::new);
        let whole = (|| Some(ReviewDraft { name: name?, details: details?, rating: rating? }))();
        fields.all(whole)
    }
}

/// Writes a review. In `serve` an account that never paid writes one a day.
#[utoipa::path(
    post, path = "/reviews", tag = "reviews", request_body = NewReview, security(("bearer" = [])),
    responses(
        (status = 201, description = "Written", body = InsertedId),
        (status = 401, description = "Not signed in", body = ProblemView, content_type = "application/problem+json"),
        (status = 422, description = "Invalid", body = ProblemView, content_type = "application/problem+json"),
        (status = 429, description = "One was written within a day", body = ProblemView, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn add(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    IdempotencyKeyHeader(idempotency_key): IdempotencyKeyHeader,
    Json(sent): Json<NewReview>,
) -> Result<HttpResponse, Problem> {
    let written = app.shop.write_review(&caller, sent.parse()?, idempotency_key).await?;
    Ok(HttpResponse::Created().json(InsertedId::of(&written)))
}

/// Removes a review (admins).
#[utoipa::path(
    delete, path = "/reviews/{id}", tag = "reviews", security(("bearer" = [])),
    params(("id" = String, Path, description = "The review's id")),
    responses(
        (status = 200, description = "1 if this call did it, else 0", body = DeletedCount),
        (status = 401, description = "Not signed in", body = ProblemView, content_type = "application/problem+json"),
        (status = 403, description = "Not an admin", body = ProblemView, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn remove(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
) -> Result<web::Json<DeletedCount>, Problem> {
    Ok(web::Json(app.shop.remove_review(&caller, id(&path)?).await?.into()))
}
