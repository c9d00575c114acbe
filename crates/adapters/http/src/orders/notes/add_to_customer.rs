//! `POST /user/{email}/notes`.

use actix_web::HttpResponse;
use actix_web::web::{Data, Path};
use application::NotesAbout;

use super::view::NewNote;
use crate::app_state::AppState;
use crate::extract::{Authenticated, IdempotencyKeyHeader, Json};
use crate::problem::Problem;
use crate::wire::counts::InsertedId;

/// Writes an internal note about a customer (admins).
#[utoipa::path(
    post, path = "/user/{email}/notes", request_body = NewNote,
    params(("email" = String, Path, description = "The account's e-mail")),
    responses(
        (status = 201, description = "Written", body = InsertedId),
        (status = 404, description = "No account has that e-mail"),
        (status = 422, description = "Invalid"),
    )
)]
pub(crate) async fn add_customer_note(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    IdempotencyKeyHeader(idempotency_key): IdempotencyKeyHeader,
    path: Path<String>,
    Json(sent): Json<NewNote>,
) -> Result<HttpResponse, Problem> {
    let about = NotesAbout::Customer(&path);
    let written = app.shop.orders.add_note(&caller, about, sent.parse()?, idempotency_key).await?;
    Ok(HttpResponse::Created().json(InsertedId::of(&written)))
}
