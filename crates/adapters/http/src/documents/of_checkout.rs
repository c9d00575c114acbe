//! Documents about a checkout.

use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse};
use ports::PurchaseId;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::app_state::AppState;
use crate::documents::sent::file;
use crate::extract::{Authenticated, id, query};
use crate::problem::Problem;

/// The packing slip of a checkout as PDF: place, part numbers and quantities, without prices.
#[utoipa::path(
    get, path = "/checkouts/{id}/packing-slip.pdf", params(("id" = String, Path, description = "The checkout's id")),
    responses(
        (status = 200, description = "The packing slip", content_type = "application/pdf", body = Vec<u8>),
        (status = 304, description = "The client has it already"),
        (status = 404, description = "Another's, cancelled, or never was"),
    )
)]
pub(crate) async fn get_checkout_packing_slip(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    request: HttpRequest,
    path: Path<String>,
) -> Result<HttpResponse, Problem> {
    let of = PurchaseId::Checkout(id(&path)?);
    Ok(file(&request, app.shop.documents.packing_slip(&caller, of).await?, "application/pdf"))
}

/// The most packing slips that are drawn at once.
const SLIPS_MAX: usize = 100;

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct SlipsQuery {
    /// The ids of 1 to 100 checkouts, with commas between them.
    ids: String,
}

/// The packing slips of several checkouts as one PDF (admins), in their order, each beginning on a page of its own. Checkouts that
/// were cancelled are left out.
#[utoipa::path(
    get, path = "/allCheckouts/packing-slips.pdf", params(SlipsQuery),
    responses(
        (status = 200, description = "The packing slips", content_type = "application/pdf", body = Vec<u8>),
        (status = 304, description = "The client has it already"),
        (status = 404, description = "None of them is there"),
    )
)]
pub(crate) async fn get_packing_slips(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let SlipsQuery { ids } = query(&request)?;
    let wrong = || Problem::invalid_field("ids", format!("Name 1 to {SLIPS_MAX} checkouts by their ids"));
    let ids: Vec<PurchaseId> = ids
        .split(',')
        .map(|id| id.trim().parse().map(PurchaseId::Checkout))
        .collect::<Result<_, _>>()
        .map_err(|_| wrong())?;
    if ids.len() > SLIPS_MAX {
        return Err(wrong());
    }
    Ok(file(&request, app.shop.documents.packing_slips(&caller, &ids).await?, "application/pdf"))
}

/// The confirmation of a checkout as PDF: what was ordered, at which prices.
#[utoipa::path(
    get, path = "/checkouts/{id}/confirmation.pdf", params(("id" = String, Path, description = "The checkout's id")),
    responses(
        (status = 200, description = "The confirmation", content_type = "application/pdf", body = Vec<u8>),
        (status = 304, description = "The client has it already"),
        (status = 404, description = "Another's, cancelled, or never was"),
    )
)]
pub(crate) async fn get_checkout_confirmation(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    request: HttpRequest,
    path: Path<String>,
) -> Result<HttpResponse, Problem> {
    let of = PurchaseId::Checkout(id(&path)?);
    Ok(file(&request, app.shop.documents.confirmation(&caller, of).await?, "application/pdf"))
}
