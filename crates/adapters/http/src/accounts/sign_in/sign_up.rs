//! `POST /auth/signup`.

use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use application::SignUp;
use domain::{ClientNetwork, Email, Password, Text};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::accounts::me::view::AccountView;
use crate::accounts::sign_in::cookies::answer_signed_in;
use crate::app_state::AppState;
use crate::extract::Json;
use crate::middleware::client_address::client_network;
use crate::problem::Problem;
use crate::wire::fields::{Fields, filled};

/// The data to sign up with.
#[derive(Deserialize, ToSchema)]
#[schema(as = NewPerson)]
pub(crate) struct NewAccount {
    /// Up to 120 characters.
    #[schema(required, nullable = false)]
    name: Option<String>,
    #[schema(required, nullable = false)]
    email: Option<String>,
    /// 6 to 128 characters, and not one of the most common.
    #[schema(required, nullable = false, format = "password")]
    password: Option<String>,
}

impl NewAccount {
    fn parse(self, from: ClientNetwork) -> Result<SignUp, Problem> {
        let mut fields = Fields::default();
        let name = fields.required("name", "Name", self.name.as_deref(), Text::new);
        let email = fields.required("email", "Email", filled(self.email.as_deref()), str::parse::<Email>);
        let password = fields.required("password", "Password", self.password.as_deref(), |typed| {
            let chosen = Password::choose(typed)?;
            match (&name, &email) {
                (Some(name), Some(email)) => chosen.of(name.as_str(), email),
                _ => Ok(chosen),
            }
        });
        let whole = (|| Some(SignUp { name: name?, email: email?, password: password?, from }))();
        fields.all(whole)
    }
}

/// Creates an account and signs in.
#[utoipa::path(
    post, path = "/auth/signup", request_body = NewAccount,
    responses(
        (status = 201, description = "Signed up and in: sets the cookies `session`, `signed-in` and `device`", body = AccountView),
        (status = 409, description = "The e-mail has an account"),
        (status = 422, description = "Invalid"),
        (status = 429, description = "Too many"),
    )
)]
pub(crate) async fn sign_up(
    app: Data<AppState>,
    request: HttpRequest,
    Json(sent): Json<NewAccount>,
) -> Result<HttpResponse, Problem> {
    let from = client_network(&request, &app.settings);
    let signed_in = app.shop.signing_in.sign_up(sent.parse(from)?).await?;
    Ok(answer_signed_in(HttpResponse::Created(), &app, &request, signed_in).await)
}
