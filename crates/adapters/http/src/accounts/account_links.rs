//! The links in account e-mails: choosing another password, and confirming an address.

use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse, web};
use domain::{Account, Email, Password};
use ports::AccountToken;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::accounts::auth::filled;
use crate::accounts::newsletter::Noted;
use crate::app_state::AppState;
use crate::extract::{Authenticated, Json, session_secret};
use crate::middleware::client_address::client_network;
use crate::problem::{Problem, ProblemView};
use crate::wire::counts::DeletedCount;
use crate::wire::fields::Fields;

/// Whose password was forgotten.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct ForgottenPassword {
    #[schema(required, nullable = false)]
    email: Option<String>,
}

/// Sends an e-mail with a link to choose another password. The response is the same whether or not the address has an
/// account.
#[utoipa::path(
    post, path = "/auth/password/forgot", tag = "identity", request_body = ForgottenPassword,
    responses(
        (status = 202, description = "If the address has an account, an e-mail is on its way", body = Noted),
        (status = 422, description = "No address", body = ProblemView, content_type = "application/problem+json"),
        (status = 429, description = "Too many", body = ProblemView, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn forgot(app: Data<AppState>, Json(sent): Json<ForgottenPassword>) -> Result<HttpResponse, Problem> {
    let mut fields = Fields::default();
    let email = fields.required("email", "Email", filled(sent.email.as_deref()), str::parse::<Email>);
    app.shop.request_password_reset(&fields.all(email)?).await?;
    Ok(HttpResponse::Accepted().json(Noted {}))
}

/// Another password, and the token that allows to choose it.
#[derive(Deserialize, ToSchema)]
pub(crate) struct NewPassword {
    /// The token of the e-mail's link.
    #[schema(required, nullable = false)]
    token: Option<String>,
    /// 6 to 128 characters, and not one of the most common.
    #[schema(required, nullable = false, format = "password")]
    password: Option<String>,
}

impl NewPassword {
    fn parse(self) -> Result<(AccountToken, Password), Problem> {
        let mut fields = Fields::default();
        let token = token(&mut fields, self.token);
        let password = fields.required("password", "Password", self.password.as_deref(), Password::choose);
        fields.all((|| Some((token?, password?)))())
    }
}

/// Whose password it is.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PasswordOf {
    email: String,
}

/// Chooses another password by the link of an e-mail. Every session of the account ends, and so does every other such
/// link.
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
    app: Data<AppState>,
    request: HttpRequest,
    Json(sent): Json<NewPassword>,
) -> Result<web::Json<PasswordOf>, Problem> {
    let from = client_network(&request, &app.settings);
    let (token, password) = sent.parse()?;
    let email = app.shop.reset_password(&token, password, from).await?;
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
        Self { email: account.email.to_string(), verified: account.proved_at.is_some() }
    }
}

/// Whether the caller's address is confirmed.
#[utoipa::path(
    get, path = "/auth/verification", tag = "identity", security(("session" = [])),
    responses(
        (status = 200, description = "Whether it was", body = Verification),
        (status = 401, description = "Nobody is signed in", body = ProblemView, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn verification(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
) -> Result<web::Json<Verification>, Problem> {
    Ok(web::Json(app.shop.me(&caller).await?.into()))
}

/// Sends the confirmation e-mail again; none if the address is confirmed.
#[utoipa::path(
    post, path = "/auth/verification", tag = "identity", security(("session" = [])),
    responses(
        (status = 202, description = "Noted", body = Noted),
        (status = 401, description = "Nobody is signed in", body = ProblemView, content_type = "application/problem+json"),
        (status = 429, description = "Too many", body = ProblemView, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn request_verification(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
) -> Result<HttpResponse, Problem> {
    app.shop.request_verification(&caller).await?;
    Ok(HttpResponse::Accepted().json(Noted {}))
}

/// The token of the e-mail's link.
#[derive(Deserialize, ToSchema)]
pub(crate) struct AddressProof {
    #[schema(required, nullable = false)]
    token: Option<String>,
}

impl AddressProof {
    pub(crate) fn parse(self) -> Result<AccountToken, Problem> {
        let mut fields = Fields::default();
        let token = token(&mut fields, self.token);
        fields.all(token)
    }
}

/// The token of the e-mail's link, and what shows that the account is one's own.
#[derive(Deserialize, ToSchema)]
pub(crate) struct OwnAddressProof {
    #[schema(required, nullable = false)]
    token: Option<String>,
    /// The account's password; not needed if the caller is signed in to the account.
    #[schema(format = "password")]
    password: Option<String>,
}

/// Confirms an address by the link of an e-mail, if the caller is signed in to its account or sends its password. The
/// link alone confirms nothing: someone else may have signed up with the address.
#[utoipa::path(
    post, path = "/auth/verification/confirm", tag = "identity", request_body = OwnAddressProof,
    responses(
        (status = 200, description = "Confirmed", body = Verification),
        (status = 409, description = "Neither signed in to the account nor its password", body = ProblemView, content_type = "application/problem+json"),
        (status = 410, description = "The link was used or is too old", body = ProblemView, content_type = "application/problem+json"),
        (status = 422, description = "Invalid, or the wrong password", body = ProblemView, content_type = "application/problem+json"),
        (status = 429, description = "Too many", body = ProblemView, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn confirm(
    app: Data<AppState>,
    request: HttpRequest,
    Json(sent): Json<OwnAddressProof>,
) -> Result<web::Json<Verification>, Problem> {
    let mut fields = Fields::default();
    let token = token(&mut fields, sent.token);
    let token = fields.all(token)?;
    let typed = sent.password.filter(|typed| !typed.is_empty());
    let session = session_secret(&request);
    let from = client_network(&request, &app.settings);
    let typed = typed.as_deref().map(|typed| (typed, from));
    let email = app.shop.verify_email(&token, session.as_ref(), typed).await?;
    Ok(web::Json(Verification { email: email.to_string(), verified: true }))
}

/// Takes over an account that someone else opened with the caller's address, by the link of the confirmation e-mail:
/// with another password, and without anything that opened it before.
#[utoipa::path(
    post, path = "/auth/verification/take-over", tag = "identity", request_body = NewPassword,
    responses(
        (status = 200, description = "Done; nobody is signed in by it", body = PasswordOf),
        (status = 410, description = "The link was used or is too old", body = ProblemView, content_type = "application/problem+json"),
        (status = 422, description = "Invalid", body = ProblemView, content_type = "application/problem+json"),
        (status = 429, description = "Too many", body = ProblemView, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn take_over(
    app: Data<AppState>,
    request: HttpRequest,
    Json(sent): Json<NewPassword>,
) -> Result<web::Json<PasswordOf>, Problem> {
    let (token, password) = sent.parse()?;
    let from = client_network(&request, &app.settings);
    let email = app.shop.take_account_over(&token, password, from).await?;
    Ok(web::Json(PasswordOf { email: email.to_string() }))
}

/// Deletes an account that someone else opened with the caller's address, by the link of the confirmation e-mail. The
/// address is free again.
#[utoipa::path(
    post, path = "/auth/verification/delete", tag = "identity", request_body = AddressProof,
    responses(
        (status = 200, description = "Deleted", body = DeletedCount),
        (status = 409, description = "An admin's account", body = ProblemView, content_type = "application/problem+json"),
        (status = 410, description = "The link was used or is too old", body = ProblemView, content_type = "application/problem+json"),
        (status = 422, description = "Invalid", body = ProblemView, content_type = "application/problem+json"),
        (status = 429, description = "Too many", body = ProblemView, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn delete(
    app: Data<AppState>,
    Json(sent): Json<AddressProof>,
) -> Result<web::Json<DeletedCount>, Problem> {
    app.shop.delete_unproved_account(&sent.parse()?).await?;
    Ok(web::Json(true.into()))
}

fn token(fields: &mut Fields, sent: Option<String>) -> Option<AccountToken> {
    let sent = sent.filter(|token| !token.is_empty());
    fields.required::<_, _, &str>("token", "Token", sent, |token| Ok(AccountToken::new(token)))
}
