//! `GET /sandbox/google.css`.

use actix_web::HttpResponse;
use actix_web::web::Data;

use crate::app_state::AppState;
use crate::problem::Problem;

/// The page's style sheet: the content security policy allows no inline one.
#[utoipa::path(
    get, path = "/sandbox/google.css",
    responses(
        (status = 200, description = "The style sheet", content_type = "text/css", body = String),
        (status = 404, description = "No sandbox"),
    )
)]
pub(crate) async fn get_sandbox_style(app: Data<AppState>) -> Result<HttpResponse, Problem> {
    if app.sandbox_accounts.is_none() {
        return Err(Problem::not_found());
    }
    Ok(HttpResponse::Ok().content_type("text/css; charset=utf-8").body(STYLE))
}

const STYLE: &str = include_str!("style.css");
