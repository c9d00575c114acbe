//! `GET /products/{id}/reviews`.

use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse};
use serde::Deserialize;
use utoipa::IntoParams;

use super::view::{PartReviewsView, views};
use crate::app_state::AppState;
use crate::cache::PublicJson;
use crate::catalog::products::get::find_one;
use crate::extract::{id, parsed};
use crate::problem::Problem;
use crate::wire::fields::Fields;
use crate::wire::page;

/// Which of a part's reviews.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct LatestOfPart {
    /// Only this many of the latest, 1 to 1000; at most 1000 if left out.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 1000)]
    limit: Option<String>,
}

/// The stars of a product for sale, and its latest reviews.
#[utoipa::path(
    get, path = "/products/{id}/reviews",
    params(("id" = String, Path, description = "The product's id"), LatestOfPart),
    responses(
        (status = 200, description = "The average of all its reviews, and the latest", body = PartReviewsView),
        (status = 404, description = "No such product"),
        (status = 422, description = "A parameter makes no sense"),
    )
)]
pub(crate) async fn list_reviews_of_product(
    app: Data<AppState>,
    path: Path<String>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let mut fields = Fields::default();
    let sent = parsed::<LatestOfPart>(request.query_string())?.limit;
    let limit = fields.optional("limit", "Limit", sent.as_deref(), page::limit);
    let limit = fields.all(limit)?.unwrap_or(page::PAGE_MAX);
    let part = id(&path)?;
    find_one(&app, &path).await?;
    let total = app.shop.catalog.rating_of(part).await?;
    let reviews = views(app.shop.catalog.latest_reviews_of(part, limit).await?);
    let view = PartReviewsView { average: total.average(), count: total.reviews, reviews };
    Ok(PublicJson::of(&view)?.send(&request, HttpResponse::Ok()))
}
