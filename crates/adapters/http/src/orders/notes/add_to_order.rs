//! `POST /orders/{id}/notes`.

use actix_web::HttpResponse;
use actix_web::web::{Data, Path};
use application::NotesAbout;

use super::view::NewNote;
use crate::app_state::AppState;
use crate::extract::{Authenticated, IdempotencyKeyHeader, Json, id};
use crate::problem::Problem;
use crate::wire::counts::InsertedId;

/// Writes an internal note about an order, cancelled or not (admins).
#[utoipa::path(
    post, path = "/orders/{id}/notes", request_body = NewNote,
    params(("id" = String, Path, description = "The order's id")),
    responses(
        (status = 201, description = "Written", body = InsertedId),
        (status = 404, description = "No such order"),
        (status = 422, description = "Invalid"),
    )
)]
pub(crate) async fn add_order_note(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    IdempotencyKeyHeader(idempotency_key): IdempotencyKeyHeader,
    path: Path<String>,
    Json(sent): Json<NewNote>,
) -> Result<HttpResponse, Problem> {
    let about = NotesAbout::Order(id(&path)?);
    let written = app.shop.orders.add_note(&caller, about, sent.parse()?, idempotency_key).await?;
    Ok(HttpResponse::Created().json(InsertedId::of(&written)))
}
