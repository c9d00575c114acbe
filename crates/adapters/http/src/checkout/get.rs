//! `GET /checkouts/{id}`.

use actix_web::web::{self, Data, Path};
use ports::PurchaseId;

use super::view::CheckoutView;
use crate::app_state::AppState;
use crate::extract::{Authenticated, id};
use crate::problem::Problem;

/// One checkout with its orders, cancelled ones too.
#[utoipa::path(
    get, path = "/checkouts/{id}", params(("id" = String, Path, description = "The checkout's id")),
    responses(
        (status = 200, description = "The checkout", body = CheckoutView),
        (status = 404, description = "Another's, or none"),
    )
)]
pub(crate) async fn get_checkout(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
) -> Result<web::Json<CheckoutView>, Problem> {
    let stored = app.shop.checkouts.checkout(&caller, id(&path)?).await?;
    let invoices = app.shop.documents.invoices_about(PurchaseId::Checkout(stored.checkout.id)).await?;
    Ok(web::Json(CheckoutView::of(&stored, Vec::new()).with_invoices(invoices)))
}
