//! `GET /invoices/{id}.xml`.

use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse};

use crate::app_state::AppState;
use crate::documents::sent::file;
use crate::extract::{Authenticated, id};
use crate::problem::Problem;

/// An invoice or a credit note for the customer's accounts program: UBL 2.1, as EN 16931 has it.
#[utoipa::path(
    get, path = "/invoices/{id}.xml", params(("id" = String, Path, description = "The document's id")),
    responses(
        (status = 200, description = "The document", content_type = "application/xml", body = String,
            headers(("Content-Disposition" = String, description = "`inline; filename=\"INV-000123.xml\"`"))),
        (status = 304, description = "The client has it already"),
        (status = 404, description = "Another's, or never was"),
    )
)]
pub(crate) async fn get_invoice_xml(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    request: HttpRequest,
    path: Path<String>,
) -> Result<HttpResponse, Problem> {
    Ok(file(&request, app.shop.documents.invoice_xml(&caller, id(&path)?).await?, "application/xml"))
}
