//! `GET /orders/{id}/notes`.

use actix_web::web::{self, Data, Path};
use application::NotesAbout;

use super::view::NoteView;
use crate::app_state::AppState;
use crate::extract::{Authenticated, id};
use crate::problem::Problem;

/// The internal notes about an order, cancelled or not, latest first, at most the latest 200 (admins).
#[utoipa::path(
    get, path = "/orders/{id}/notes",
    params(("id" = String, Path, description = "The order's id")),
    responses(
        (status = 200, description = "Notes", body = [NoteView]),
        (status = 404, description = "No such order"),
    )
)]
pub(crate) async fn list_order_notes(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
) -> Result<web::Json<Vec<NoteView>>, Problem> {
    let notes = app.shop.orders.notes(&caller, NotesAbout::Order(id(&path)?)).await?;
    Ok(web::Json(notes.into_iter().map(Into::into).collect()))
}
