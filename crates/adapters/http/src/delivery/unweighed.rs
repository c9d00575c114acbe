//! `GET /shipping-methods/unweighed`.

use actix_web::web::{self, Data};
use domain::Text;
use ports::UnweighedProduct;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app_state::AppState;
use crate::extract::Authenticated;
use crate::problem::Problem;

/// A product whose weight is not known.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = UnweighedProduct)]
pub(crate) struct UnweighedView {
    /// `UUIDv7`.
    #[serde(rename = "_id")]
    id: String,
    name: String,
    /// The maker's number, if it has one.
    #[schema(required)]
    part_number: Option<String>,
}

impl From<UnweighedProduct> for UnweighedView {
    fn from(UnweighedProduct { id, name, part_number }: UnweighedProduct) -> Self {
        Self { id: id.to_string(), name: name.into_string(), part_number: part_number.map(Text::into_string) }
    }
}

/// Products for sale without a weight (admins), which are delivered as if they weighed nothing: those added last first, at
/// most 500.
#[utoipa::path(
    get, path = "/shipping-methods/unweighed",
    responses((status = 200, description = "Products", body = [UnweighedView]))
)]
pub(crate) async fn list_unweighed_products(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
) -> Result<web::Json<Vec<UnweighedView>>, Problem> {
    let products = app.shop.delivery.unweighed_products(&caller).await?;
    Ok(web::Json(products.into_iter().map(Into::into).collect()))
}
