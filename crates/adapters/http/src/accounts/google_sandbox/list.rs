//! `GET /sandbox/google`: where `demo` offers fictitious accounts.

use std::fmt::Write;

use actix_web::http::header::CACHE_CONTROL;
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};

use super::visit::{Visit, whole};
use crate::app_state::AppState;
use crate::extract::query;
use crate::problem::Problem;
use crate::wire::query::in_query;

/// Offers fictitious accounts, where Google would ask for a password (`demo` only).
#[utoipa::path(
    get, path = "/sandbox/google", params(Visit),
    responses(
        (status = 200, description = "A page with accounts to choose from", content_type = "text/html", body = String),
        (status = 400, description = "Not begun at the shop"),
        (status = 404, description = "No sandbox"),
    )
)]
pub(crate) async fn list_sandbox_accounts(app: Data<AppState>, request: HttpRequest) -> Result<HttpResponse, Problem> {
    let sandbox = app.sandbox_accounts.as_ref().ok_or_else(Problem::not_found)?;
    let visit = query::<Visit>(&request)?;
    let (state, nonce, challenge) = whole(&visit)?;
    let mut choices = String::new();
    for account in sandbox.accounts() {
        let parameters = format!(
            "subject={}&state={}&nonce={}&challenge={}",
            in_query(&account.google.subject),
            in_query(state),
            in_query(nonce),
            in_query(challenge)
        );
        let verified = if account.email_is_authoritative { "e-mail verified" } else { "e-mail not verified" };
        // Writing to a string does not fail.
        let _ = write!(
            choices,
            "<li><a href=\"/sandbox/google/continue?{}\"><strong>{}</strong><span>{} ({verified})</span></a></li>",
            in_html(&parameters),
            in_html(account.name.as_deref().unwrap_or("Somebody")),
            in_html(account.email.as_str()),
        );
    }
    let cancel = format!("/auth/google/callback?error=access_denied&state={}", in_query(state));
    let page = PAGE.replace("{choices}", &choices).replace("{cancel}", &in_html(&cancel));
    Ok(HttpResponse::Ok()
        .insert_header((CACHE_CONTROL, "no-store"))
        .content_type("text/html; charset=utf-8")
        .body(page))
}

fn in_html(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;").replace('\'', "&#39;")
}

const PAGE: &str = include_str!("page.html");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn user_input_is_escaped_in_html() {
        assert_eq!(in_html("\"><script>"), "&quot;&gt;&lt;script&gt;");
    }
}
