//! Reviews.

use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use application::ReviewDraft;
use domain::{Rating, Review, Text};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::cache;
use crate::extract::{Entered, Json, OnceKey, parsed};
use crate::problem::{Problem, ProblemView};
use crate::site::Site;
use crate::wire::counts::InsertedId;
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

/// Which reviews.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Latest {
    /// Only so many, the latest, 1 to 1000; without it all.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 1000)]
    limit: Option<String>,
}

/// What was said, oldest first, as a query string asks for it.
///
/// # Errors
/// [`Problem`] if a parameter makes no sense, or the store failed.
pub(crate) async fn find(site: &Site, query: &str) -> Result<Vec<ReviewView>, Problem> {
    let mut fields = Fields::default();
    let limit = fields.optional("limit", "Limit", parsed::<Latest>(query)?.limit.as_deref(), page::limit);
    Ok(site.shop.browse_reviews(fields.all(limit)?).await?.into_iter().map(Into::into).collect())
}

/// Every review or the latest, oldest first.
#[utoipa::path(
    get, path = "/reviews", tag = "reviews", params(Latest),
    responses(
        (status = 200, description = "Reviews, oldest first", body = [ReviewView]),
        (status = 422, description = "A parameter makes no sense", body = ProblemView, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn list(site: Data<Site>, request: HttpRequest) -> Result<HttpResponse, Problem> {
    cache::json(&request, HttpResponse::Ok(), &find(&site, request.query_string()).await?)
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

/// Writes a review.
#[utoipa::path(
    post, path = "/reviews", tag = "reviews", request_body = NewReview, security(("bearer" = [])),
    responses(
        (status = 201, description = "Written", body = InsertedId),
        (status = 401, description = "Not signed in", body = ProblemView, content_type = "application/problem+json"),
        (status = 422, description = "Invalid", body = ProblemView, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn add(
    site: Data<Site>,
    Entered(caller): Entered,
    OnceKey(once): OnceKey,
    Json(sent): Json<NewReview>,
) -> Result<HttpResponse, Problem> {
    let written = site.shop.write_review(&caller, sent.parse()?, once).await?;
    Ok(HttpResponse::Created().json(InsertedId::of(&written)))
}
