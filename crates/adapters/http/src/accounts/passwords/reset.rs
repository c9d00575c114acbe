//! `POST /auth/password/reset`.

use actix_web::web::Data;
use actix_web::{HttpRequest, web};
use domain::Password;
use ports::AccountToken;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::accounts::verification::token::token;
use crate::app_state::AppState;
use crate::extract::Json;
use crate::middleware::client_address::client_network;
use crate::problem::Problem;
use crate::wire::fields::Fields;

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
    pub(crate) fn parse(self) -> Result<(AccountToken, Password), Problem> {
        let mut fields = Fields::default();
        let token = token(&mut fields, self.token);
        let password = fields.required("password", "Password", self.password.as_deref(), Password::choose);
        fields.all((|| Some((token?, password?)))())
    }
}

/// Whose password it is.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PasswordOf {
    pub(crate) email: String,
}

/// Chooses another password by the link of an e-mail. Every session of the account ends, and so does every other such
/// link.
#[utoipa::path(
    post, path = "/auth/password/reset", request_body = NewPassword,
    responses(
        (status = 200, description = "Done; nobody is signed in by it", body = PasswordOf),
        (status = 410, description = "The link was used or is too old"),
        (status = 422, description = "Invalid"),
        (status = 429, description = "Too many"),
    )
)]
pub(crate) async fn reset_password(
    app: Data<AppState>,
    request: HttpRequest,
    Json(sent): Json<NewPassword>,
) -> Result<web::Json<PasswordOf>, Problem> {
    let from = client_network(&request, &app.settings);
    let (token, password) = sent.parse()?;
    let email = app.shop.account_links.reset_password(&token, password, from).await?;
    Ok(web::Json(PasswordOf { email: email.to_string() }))
}
