//! Documents about an order.

use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse};
use ports::PurchaseId;

use crate::app_state::AppState;
use crate::documents::sent::file;
use crate::extract::{Authenticated, id};
use crate::problem::Problem;

/// The packing slip of an order as PDF: place, part numbers and quantities, without prices.
#[utoipa::path(
    get, path = "/orders/{id}/packing-slip.pdf", params(("id" = String, Path, description = "The order's id")),
    responses(
        (status = 200, description = "The packing slip", content_type = "application/pdf", body = Vec<u8>),
        (status = 304, description = "The client has it already"),
        (status = 404, description = "Another's, cancelled, or never was"),
    )
)]
pub(crate) async fn get_order_packing_slip(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    request: HttpRequest,
    path: Path<String>,
) -> Result<HttpResponse, Problem> {
    let of = PurchaseId::Order(id(&path)?);
    Ok(file(&request, app.shop.documents.packing_slip(&caller, of).await?, "application/pdf"))
}

/// The confirmation of an order as PDF: what was ordered, at which prices.
#[utoipa::path(
    get, path = "/orders/{id}/confirmation.pdf", params(("id" = String, Path, description = "The order's id")),
    responses(
        (status = 200, description = "The confirmation", content_type = "application/pdf", body = Vec<u8>),
        (status = 304, description = "The client has it already"),
        (status = 404, description = "Another's, cancelled, or never was"),
    )
)]
pub(crate) async fn get_order_confirmation(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    request: HttpRequest,
    path: Path<String>,
) -> Result<HttpResponse, Problem> {
    let of = PurchaseId::Order(id(&path)?);
    Ok(file(&request, app.shop.documents.confirmation(&caller, of).await?, "application/pdf"))
}
