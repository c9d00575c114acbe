//! `POST /auth/second-factor/proof`, `POST /auth/second-factor/proof/passkey/options` and
//! `POST /auth/second-factor/proof/passkey`.

use actix_web::HttpResponse;
use actix_web::web::Data;
use serde::Deserialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::accounts::two_step::app::AppCode;
use crate::accounts::two_step::passkeys::{PasskeyOptions, credential, send_options};
use crate::app_state::AppState;
use crate::extract::{Authenticated, Json};
use crate::problem::Problem;
use crate::wire::fields::Fields;

/// A passkey's signature.
#[derive(Deserialize, ToSchema)]
pub(crate) struct Signature {
    /// The browser's `PublicKeyCredential` as its `toJSON` writes it.
    #[schema(required, nullable = false, value_type = Object)]
    credential: Option<Map<String, Value>>,
}

impl Signature {
    fn parse(self) -> Result<String, Problem> {
        let mut fields = Fields::default();
        let credential = credential(&mut fields, self.credential);
        fields.all(credential)
    }
}

/// Proves the session by a code of the authenticator app, or by a recovery code, which is used up.
#[utoipa::path(
    post, path = "/auth/second-factor/proof", request_body = AppCode,
    responses(
        (status = 204, description = "Proved, for this session"),
        (status = 409, description = "The account has no such second factor"),
        (status = 422, description = "The code is wrong, or was used before"),
        (status = 429, description = "Too many wrong codes"),
    )
)]
pub(crate) async fn prove_by_code(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    Json(sent): Json<AppCode>,
) -> Result<HttpResponse, Problem> {
    app.shop.two_step.prove_by_code(&caller, &sent.parse()?).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// The options with which a browser asks for a signature by one of the account's passkeys. They are good for one answer,
/// within ten minutes.
#[utoipa::path(
    post, path = "/auth/second-factor/proof/passkey/options",
    responses(
        (status = 200, description = "For `navigator.credentials.get`", body = PasskeyOptions),
        (status = 409, description = "The account has no passkey"),
    )
)]
pub(crate) async fn begin_proof_by_passkey(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
) -> Result<HttpResponse, Problem> {
    Ok(send_options(app.shop.two_step.begin_proof_by_passkey(&caller).await?))
}

/// Proves the session by a passkey's signature.
#[utoipa::path(
    post, path = "/auth/second-factor/proof/passkey", request_body = Signature,
    responses(
        (status = 204, description = "Proved, for this session"),
        (status = 409, description = "The account has no passkey"),
        (status = 422, description = "Not an answer to the options, or one by another passkey"),
    )
)]
pub(crate) async fn prove_by_passkey(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    Json(sent): Json<Signature>,
) -> Result<HttpResponse, Problem> {
    app.shop.two_step.prove_by_passkey(&caller, &sent.parse()?).await?;
    Ok(HttpResponse::NoContent().finish())
}
