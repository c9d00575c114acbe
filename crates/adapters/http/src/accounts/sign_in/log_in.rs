//! `POST /auth/login`.

use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use application::LogIn;
use domain::{ClientNetwork, Email};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::accounts::me::view::AccountView;
use crate::accounts::sign_in::cookies::answer_signed_in;
use crate::app_state::AppState;
use crate::extract::{Json, device_cookie};
use crate::middleware::client_address::client_network;
use crate::problem::Problem;
use crate::wire::fields::{Fields, filled};

/// The credentials to sign in with.
#[derive(Deserialize, ToSchema)]
pub(crate) struct Credentials {
    #[schema(required, nullable = false)]
    email: Option<String>,
    #[schema(required, nullable = false, format = "password")]
    password: Option<String>,
}

impl Credentials {
    fn parse(self, from: ClientNetwork, device_cookie: Option<String>) -> Result<LogIn, Problem> {
        let mut fields = Fields::default();
        let email = fields.required("email", "Email", filled(self.email.as_deref()), str::parse::<Email>);
        let typed = self.password.filter(|typed| !typed.is_empty());
        let password = fields.required::<_, _, &str>("password", "Password", typed, Ok);
        let whole = (|| Some(LogIn { email: email?, password: password?, from, device_cookie }))();
        fields.all(whole)
    }
}

/// Signs in with a password.
#[utoipa::path(
    post, path = "/auth/login", request_body = Credentials,
    responses(
        (status = 200, description = "Signed in: sets the cookies `session`, `signed-in` and `device`", body = AccountView),
        (status = 401, description = "Wrong e-mail or password"),
        (status = 422, description = "Invalid"),
        (status = 429, description = "Too many wrong passwords"),
    )
)]
pub(crate) async fn log_in(
    app: Data<AppState>,
    request: HttpRequest,
    Json(sent): Json<Credentials>,
) -> Result<HttpResponse, Problem> {
    let from = client_network(&request, &app.settings);
    let device = device_cookie(&request, &app.settings);
    let signed_in = app.shop.signing_in.log_in(sent.parse(from, device)?).await?;
    Ok(answer_signed_in(HttpResponse::Ok(), &app, &request, signed_in).await)
}
