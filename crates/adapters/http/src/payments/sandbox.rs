//! The sandboxes' side of the browser: where `demo` accepts test cards, and where it offers fictitious accounts.

use std::fmt::Write;

use actix_web::http::header::{CACHE_CONTROL, LOCATION};
use actix_web::web::{self, Data};
use actix_web::{HttpRequest, HttpResponse};
use ports::Card;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::app_state::AppState;
use crate::extract::{Json, query};
use crate::problem::{Problem, ProblemView};
use crate::wire::fields::Fields;
use crate::wire::query::in_query;
use crate::wire::whole::Whole;

/// A card as typed.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TypedCard {
    #[schema(required, nullable = false)]
    number: Option<String>,
    #[schema(required, nullable = false, value_type = i64)]
    exp_month: Option<Whole>,
    #[schema(required, nullable = false, value_type = i64)]
    exp_year: Option<Whole>,
    #[schema(required, nullable = false)]
    cvc: Option<String>,
}

/// The card's holder.
#[derive(Deserialize, ToSchema)]
#[expect(dead_code, reason = "part of the wire; the sandbox has no use for it")]
pub(crate) struct BillingDetails {
    name: Option<String>,
    email: Option<String>,
}

/// A card to pay with.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Confirmation {
    #[schema(required, nullable = false)]
    client_secret: Option<String>,
    #[schema(required, nullable = false)]
    card: Option<TypedCard>,
    #[expect(dead_code, reason = "part of the wire; the sandbox has no use for it")]
    billing_details: Option<BillingDetails>,
}

impl Confirmation {
    fn parse(self) -> Result<(String, Card), Problem> {
        let mut fields = Fields::default();
        let secret = fields.required::<_, _, &str>("clientSecret", "Client secret", self.client_secret, Ok);
        let card = fields.required::<_, _, &str>("card", "Card", self.card, Ok);
        let card = card.and_then(|card| {
            let number = fields.required::<_, _, &str>("card.number", "Card number", card.number, Ok);
            let month = fields.required::<_, _, &str>("card.expMonth", "Expiry month", card.exp_month, |n| Ok(n.0));
            let year = fields.required::<_, _, &str>("card.expYear", "Expiry year", card.exp_year, |n| Ok(n.0));
            let cvc = fields.required::<_, _, &str>("card.cvc", "CVC", card.cvc, Ok);
            Some(Card { number: number?, exp_month: month?, exp_year: year?, cvc: cvc? })
        });
        fields.all((|| Some((secret?, card?)))())
    }
}

/// A payment that went through.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Confirmed {
    /// The payment's id: the order's transaction id from now on.
    id: String,
    status: ConfirmedStatus,
}

/// The status of a payment that was not refused.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ConfirmedStatus {
    Succeeded,
}

/// Pays with a test card (`demo` only; no money moves).
#[utoipa::path(
    post, path = "/sandbox/payment-intents/confirm", tag = "sandbox", request_body = Confirmation,
    responses(
        (status = 200, description = "Paid", body = Confirmed),
        (status = 402, description = "Refused, with the provider's sentence", body = ProblemView, content_type = "application/problem+json"),
        (status = 404, description = "No such payment, or no sandbox", body = ProblemView, content_type = "application/problem+json"),
        (status = 409, description = "The payment was cancelled", body = ProblemView, content_type = "application/problem+json"),
        (status = 422, description = "Invalid", body = ProblemView, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn confirm(
    app: Data<AppState>,
    Json(sent): Json<Confirmation>,
) -> Result<web::Json<Confirmed>, Problem> {
    let desk = app.test_card_endpoint.as_ref().ok_or_else(Problem::not_found)?;
    let (secret, card) = sent.parse()?;
    let intent = desk.confirm(&secret, &card).await?;
    // With Stripe a webhook would report the payment; here nothing but this call does.
    app.shop.payment_was_confirmed(&intent.id).await?;
    Ok(web::Json(Confirmed { id: intent.id.to_string(), status: ConfirmedStatus::Succeeded }))
}

/// The parameters that this shop sent the browser with.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Visit {
    state: Option<String>,
    nonce: Option<String>,
    challenge: Option<String>,
}

/// Offers fictitious accounts, where Google would ask for a password (`demo` only).
#[utoipa::path(
    get, path = "/sandbox/google", tag = "sandbox", params(Visit),
    responses(
        (status = 200, description = "A page with accounts to choose from", content_type = "text/html", body = String),
        (status = 404, description = "No sandbox", body = ProblemView, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn people(app: Data<AppState>, request: HttpRequest) -> Result<HttpResponse, Problem> {
    let sandbox = app.sandbox_accounts.as_ref().ok_or_else(Problem::not_found)?;
    let visit = query::<Visit>(&request)?;
    let (state, nonce, challenge) = whole(&visit)?;
    let mut choices = String::new();
    for person in sandbox.people() {
        let who = person.identity;
        let told = format!(
            "subject={}&state={}&nonce={}&challenge={}",
            in_query(&who.google.subject),
            in_query(state),
            in_query(nonce),
            in_query(challenge)
        );
        let verified = if who.email_is_authoritative { "e-mail verified" } else { "e-mail not verified" };
        // Writing to a string does not fail.
        let _ = write!(
            choices,
            "<li><a href=\"/sandbox/google/continue?{}\"><strong>{}</strong><span>{} ({verified})</span></a></li>",
            in_html(&told),
            in_html(who.name.as_deref().unwrap_or("Somebody")),
            in_html(who.email.as_str()),
        );
    }
    let cancel = format!("/auth/google/callback?error=access_denied&state={}", in_query(state));
    let page = PAGE.replace("{choices}", &choices).replace("{cancel}", &in_html(&cancel));
    Ok(HttpResponse::Ok()
        .insert_header((CACHE_CONTROL, "no-store"))
        .content_type("text/html; charset=utf-8")
        .body(page))
}

/// The account that the user has chosen.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Chosen {
    /// One of the offered accounts.
    subject: Option<String>,
    state: Option<String>,
    nonce: Option<String>,
    challenge: Option<String>,
}

/// Sends the browser back as Google would (`demo` only).
#[utoipa::path(
    get, path = "/sandbox/google/continue", tag = "sandbox", params(Chosen),
    responses(
        (status = 303, description = "Back to the shop with a code"),
        (status = 404, description = "No sandbox, or no such account", body = ProblemView, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn choose(app: Data<AppState>, request: HttpRequest) -> Result<HttpResponse, Problem> {
    let sandbox = app.sandbox_accounts.as_ref().ok_or_else(Problem::not_found)?;
    let chosen = query::<Chosen>(&request)?;
    let visit = Visit { state: chosen.state, nonce: chosen.nonce, challenge: chosen.challenge };
    let (state, nonce, challenge) = whole(&visit)?;
    let subject = chosen.subject.unwrap_or_default();
    let code = sandbox.choose(&subject, nonce, challenge).ok_or_else(Problem::not_found)?;
    let back = format!("/auth/google/callback?code={}&state={}", in_query(&code), in_query(state));
    Ok(HttpResponse::SeeOther().insert_header((LOCATION, back)).insert_header((CACHE_CONTROL, "no-store")).finish())
}

fn whole(visit: &Visit) -> Result<(&str, &str, &str), Problem> {
    match (&visit.state, &visit.nonce, &visit.challenge) {
        (Some(state), Some(nonce), Some(challenge)) => Ok((state, nonce, challenge)),
        _ => Err(Problem::bad_request("Please begin at Continue with Google")),
    }
}

/// The page's style sheet: the content security policy allows no inline one.
#[utoipa::path(
    get, path = "/sandbox/google.css", tag = "sandbox",
    responses(
        (status = 200, description = "The style sheet", content_type = "text/css", body = String),
        (status = 404, description = "No sandbox", body = ProblemView, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn style(app: Data<AppState>) -> Result<HttpResponse, Problem> {
    if app.sandbox_accounts.is_none() {
        return Err(Problem::not_found());
    }
    Ok(HttpResponse::Ok().content_type("text/css; charset=utf-8").body(STYLE))
}

fn in_html(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;").replace('\'', "&#39;")
}

const PAGE: &str = include_str!("sandbox.html");
const STYLE: &str = include_str!("sandbox.css");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn user_input_is_escaped_in_html() {
        assert_eq!(in_html("\"><script>"), "&quot;&gt;&lt;script&gt;");
    }
}
