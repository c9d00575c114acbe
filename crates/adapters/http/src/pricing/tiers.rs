//! `PUT /products/{id}/tiers`.

use actix_web::web::{self, Data, Path};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::ladder::{SentTier, ladder};
use super::view::{TierView, tier_views};
use crate::app_state::AppState;
use crate::extract::{Authenticated, Json, id};
use crate::problem::Problem;
use crate::wire::fields::Fields;

/// The tiers of a product.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct SentTiers {
    /// At most 20; none to sell every quantity at the list price.
    #[schema(required, nullable = false)]
    tiers: Option<Vec<SentTier>>,
}

/// The tiers as they are kept.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TiersView {
    tiers: Vec<TierView>,
}

/// Replaces what a unit of a product costs everybody from some quantities on (admins). The list price stays, and a tier
/// above it has no effect.
#[utoipa::path(
    put, path = "/products/{id}/tiers", request_body = SentTiers,
    params(("id" = String, Path, description = "The product's id")),
    responses(
        (status = 200, description = "Replaced", body = TiersView),
        (status = 404, description = "No such product"),
        (status = 422, description = "Invalid"),
    )
)]
pub(crate) async fn set_product_tiers(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
    Json(sent): Json<SentTiers>,
) -> Result<web::Json<TiersView>, Problem> {
    let product = id(&path)?;
    let mut fields = Fields::default();
    let ladder = match &sent.tiers {
        Some(tiers) => ladder("tiers", tiers, &mut fields),
        None => fields.parsed("tiers", "Tiers", Err("are required")),
    };
    let ladder = fields.all(ladder)?;
    app.shop.pricing.set_tiers(&caller, product, &ladder).await?;
    Ok(web::Json(TiersView { tiers: tier_views(ladder.tiers()) }))
}
