//! What the links in letters are for: another password, and a confirmed address.

use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse, web};
use domain::{Account, Email, Password};
use ports::AccountToken;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::client_address::client_network;
use crate::extract::{Entered, Json};
use crate::problem::{Problem, ProblemView};
use crate::routes::auth::filled;
use crate::routes::newsletter::Noted;
use crate::site::Site;
use crate::wire::fields::Fields;

/// Whose password was forgotten.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct ForgottenPassword {
    #[schema(required, nullable = false)]
    email: Option<String>,
}

/// Asks for a letter with a link by which another password can be chosen. The answer is the same whether or not the address
/// has an account.
#[utoipa::path(
    post, path = "/auth/password/forgot", tag = "identity", request_body = ForgottenPassword,
    responses(
        (status = 202, description = "If the address has an account, a letter is on its way", body = Noted),
        (status = 422, description = "No address", body = ProblemView, content_type = "application/problem+json"),
        (status = 429, description = "Too many", body = ProblemView, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn forgot(site: Data<Site>, Json(sent): Json<ForgottenPassword>) -> Result<HttpResponse, Problem> {
    let mut fields = Fields::default();
    let email = fields.required("email", "Email", filled(sent.email.as_deref()), str::parse::<Email>);
    site.shop.ask_for_password_reset(&fields.all(email)?).await?;
    Ok(HttpResponse::Accepted().json(Noted {}))
}

/// Another password, and the proof that it may be chosen.
#[derive(Deserialize, ToSchema)]
pub(crate) struct NewPassword {
    /// What the link in the letter holds.
    #[schema(required, nullable = false)]
    token: Option<String>,
    /// 6 to 128 characters, and not one of the most common.
    #[schema(required, nullable = false, format = "password")]
    password: Option<String>,
}

/// Whose password it is.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PasswordOf {
    email: String,
}

/// Chooses another password by the link of a letter. Every session of the account ends, and so does every other such link.
#[utoipa::path(
    post, path = "/auth/password/reset", tag = "identity", request_body = NewPassword,
    responses(
        (status = 200, description = "Done; nobody is signed in by it", body = PasswordOf),
        (status = 410, description = "The link was used or is too old", body = ProblemView, content_type = "application/problem+json"),
        (status = 422, description = "Invalid", body = ProblemView, content_type = "application/problem+json"),
        (status = 429, description = "Too many", body = ProblemView, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn reset(
    site: Data<Site>,
    request: HttpRequest,
    Json(sent): Json<NewPassword>,
) -> Result<web::Json<PasswordOf>, Problem> {
    let from = client_network(&request, &site.settings.trusted_proxies);
    let mut fields = Fields::default();
    let token = token(&mut fields, sent.token);
    let password = fields.required("password", "Password", sent.password.as_deref(), Password::choose);
    let (token, password) = fields.all((|| Some((token?, password?)))())?;
    let email = site.shop.reset_password(&token, &password, from).await?;
    Ok(web::Json(PasswordOf { email: email.to_string() }))
}

/// Whether the caller's address is confirmed.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Verification {
    email: String,
    verified: bool,
}

impl From<Account> for Verification {
    fn from(account: Account) -> Self {
        Self { email: account.email.to_string(), verified: account.email_verified_at.is_some() }
    }
}

/// Whether it was proved that mail to the caller's address reaches them.
#[utoipa::path(
    get, path = "/auth/verification", tag = "identity", security(("session" = [])),
    responses(
        (status = 200, description = "Whether it was", body = Verification),
        (status = 401, description = "Nobody is signed in", body = ProblemView, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn verification(
    site: Data<Site>,
    Entered(caller): Entered,
) -> Result<web::Json<Verification>, Problem> {
    Ok(web::Json(site.shop.me(&caller).await?.into()))
}

/// Sends the letter that asks to confirm the address again; none if it is confirmed.
#[utoipa::path(
    post, path = "/auth/verification", tag = "identity", security(("session" = [])),
    responses(
        (status = 202, description = "Noted", body = Noted),
        (status = 401, description = "Nobody is signed in", body = ProblemView, content_type = "application/problem+json"),
        (status = 429, description = "Too many", body = ProblemView, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn ask_for_verification(site: Data<Site>, Entered(caller): Entered) -> Result<HttpResponse, Problem> {
    site.shop.ask_for_verification(&caller).await?;
    Ok(HttpResponse::Accepted().json(Noted {}))
}

/// What the link in the letter holds.
#[derive(Deserialize, ToSchema)]
pub(crate) struct AddressProof {
    #[schema(required, nullable = false)]
    token: Option<String>,
}

/// Confirms an address by the link of a letter. Whoever has it need not be signed in.
#[utoipa::path(
    post, path = "/auth/verification/confirm", tag = "identity", request_body = AddressProof,
    responses(
        (status = 200, description = "Confirmed", body = Verification),
        (status = 410, description = "The link was used or is too old", body = ProblemView, content_type = "application/problem+json"),
        (status = 422, description = "Invalid", body = ProblemView, content_type = "application/problem+json"),
        (status = 429, description = "Too many", body = ProblemView, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn confirm(
    site: Data<Site>,
    Json(sent): Json<AddressProof>,
) -> Result<web::Json<Verification>, Problem> {
    let mut fields = Fields::default();
    let token = token(&mut fields, sent.token);
    let email = site.shop.verify_email(&fields.all(token)?).await?;
    Ok(web::Json(Verification { email: email.to_string(), verified: true }))
}

fn token(fields: &mut Fields, sent: Option<String>) -> Option<AccountToken> {
    let sent = sent.filter(|token| !token.is_empty());
    fields.required::<_, _, &str>("token", "Token", sent, |token| Ok(AccountToken::new(token)))
}
