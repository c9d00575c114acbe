//! `GET /invoices/{id}`.

use actix_web::web::{self, Data, Path};

use super::view::InvoiceView;
use crate::app_state::AppState;
use crate::extract::{Authenticated, id};
use crate::problem::Problem;

/// What an invoice or a credit note says.
#[utoipa::path(
    get, path = "/invoices/{id}", params(("id" = String, Path, description = "The document's id")),
    responses(
        (status = 200, description = "The document", body = InvoiceView),
        (status = 404, description = "Another's, or never was"),
    )
)]
pub(crate) async fn get_invoice(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
) -> Result<web::Json<InvoiceView>, Problem> {
    Ok(web::Json(InvoiceView::of(&app.shop.documents.invoice(&caller, id(&path)?).await?)))
}
