//! `GET /user/{email}/notes`.

use actix_web::web::{self, Data, Path};
use application::NotesAbout;

use super::view::NoteView;
use crate::app_state::AppState;
use crate::extract::Authenticated;
use crate::problem::Problem;

/// The internal notes about a customer, latest first, at most the latest 200 (admins).
#[utoipa::path(
    get, path = "/user/{email}/notes",
    params(("email" = String, Path, description = "The account's e-mail")),
    responses(
        (status = 200, description = "Notes", body = [NoteView]),
        (status = 404, description = "No account has that e-mail"),
    )
)]
pub(crate) async fn list_customer_notes(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
) -> Result<web::Json<Vec<NoteView>>, Problem> {
    let notes = app.shop.orders.notes(&caller, NotesAbout::Customer(&path)).await?;
    Ok(web::Json(notes.into_iter().map(Into::into).collect()))
}
