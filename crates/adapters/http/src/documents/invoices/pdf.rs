//! `GET /invoices/{id}.pdf`.

use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse};

use crate::app_state::AppState;
use crate::documents::sent::file;
use crate::extract::{Authenticated, id};
use crate::problem::Problem;

/// An invoice or a credit note as PDF (PDF/A-3), with its XML inside.
#[utoipa::path(
    get, path = "/invoices/{id}.pdf", params(("id" = String, Path, description = "The document's id")),
    responses(
        (status = 200, description = "The document", content_type = "application/pdf", body = Vec<u8>,
            headers(("Content-Disposition" = String, description = "`inline; filename=\"INV-000123.pdf\"`"))),
        (status = 304, description = "The client has it already"),
        (status = 404, description = "Another's, or never was"),
    )
)]
pub(crate) async fn get_invoice_pdf(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    request: HttpRequest,
    path: Path<String>,
) -> Result<HttpResponse, Problem> {
    Ok(file(&request, app.shop.documents.invoice_pdf(&caller, id(&path)?).await?, "application/pdf"))
}
