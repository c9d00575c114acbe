//! `POST /auth/second-factor/passkeys/options`, `POST /auth/second-factor/passkeys` and
//! `DELETE /auth/second-factor/passkeys/{id}`.

use actix_web::HttpResponse;
use actix_web::http::header::ContentType;
use actix_web::web::{self, Data, Path};
use domain::{PasskeyId, Text};
use ports::FactorName;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::accounts::two_step::recovery_codes::RecoveryCodes;
use crate::app_state::AppState;
use crate::extract::{Authenticated, Json, id};
use crate::problem::Problem;
use crate::wire::counts::DeletedCount;
use crate::wire::fields::{Fields, filled};

/// Options for `navigator.credentials`, as `PublicKeyCredential.parseCreationOptionsFromJSON` and
/// `parseRequestOptionsFromJSON` read them.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PasskeyOptions {
    /// The challenge and what else the browser has to know.
    public_key: Map<String, Value>,
}

/// A passkey that a browser made.
#[derive(Deserialize, ToSchema)]
pub(crate) struct NewPasskey {
    /// What its owner calls it, 1 to 60 characters.
    #[schema(required, nullable = false, max_length = 60)]
    name: Option<String>,
    /// The browser's `PublicKeyCredential` as its `toJSON` writes it.
    #[schema(required, nullable = false, value_type = Object)]
    credential: Option<Map<String, Value>>,
}

impl NewPasskey {
    fn parse(self) -> Result<(Text<60>, String), Problem> {
        let mut fields = Fields::default();
        let name = fields.required("name", "Name", filled(self.name.as_deref()), Text::<60>::new);
        let credential = credential(&mut fields, self.credential);
        fields.all(name.zip(credential))
    }
}

/// A browser's `PublicKeyCredential`, which the library reads.
pub(super) fn credential(fields: &mut Fields, sent: Option<Map<String, Value>>) -> Option<String> {
    fields.required::<_, _, &str>("credential", "Passkey", sent, |sent| Ok(Value::Object(sent).to_string()))
}

/// Options are JSON already.
pub(super) fn send_options(options: String) -> HttpResponse {
    HttpResponse::Ok().content_type(ContentType::json()).body(options)
}

/// The options with which a browser makes a passkey. They are good for one answer, within ten minutes.
///
/// Asks for a fresh proof of the second factor, or for a fresh sign-in where there is none yet.
#[utoipa::path(
    post, path = "/auth/second-factor/passkeys/options",
    responses(
        (status = 200, description = "For `navigator.credentials.create`", body = PasskeyOptions),
        (status = 409, description = "The account's e-mail is not confirmed, or the shop's host is a number"),
    )
)]
pub(crate) async fn begin_passkey(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
) -> Result<HttpResponse, Problem> {
    Ok(send_options(app.shop.two_step.begin_passkey(&caller).await?))
}

/// Adds the passkey that a browser made. With the first second factor the account gets recovery codes, and its other sessions
/// end.
#[utoipa::path(
    post, path = "/auth/second-factor/passkeys", request_body = NewPasskey,
    responses(
        (status = 200, description = "Added; recovery codes if it is the first factor, else none", body = RecoveryCodes),
        (status = 409, description = "The options were not asked for within ten minutes, or used before"),
        (status = 422, description = "Invalid, not an answer to the options, or already somebody's"),
    )
)]
pub(crate) async fn add_passkey(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    Json(sent): Json<NewPasskey>,
) -> Result<web::Json<RecoveryCodes>, Problem> {
    let (name, credential) = sent.parse()?;
    let codes = app.shop.two_step.finish_passkey(&caller, name, &credential).await?;
    Ok(web::Json(RecoveryCodes::of(&codes)))
}

/// Removes a passkey. With the last second factor go the recovery codes.
#[utoipa::path(
    delete, path = "/auth/second-factor/passkeys/{id}",
    params(("id" = String, Path, description = "The passkey's id")),
    responses(
        (status = 200, description = "1 if this call removed it, else 0", body = DeletedCount),
        (status = 409, description = "It is the last second factor, and an admin needs one"),
    )
)]
pub(crate) async fn remove_passkey(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
) -> Result<web::Json<DeletedCount>, Problem> {
    let passkey: PasskeyId = id(&path)?;
    Ok(web::Json(app.shop.two_step.remove_factor(&caller, FactorName::Passkey(passkey)).await?.into()))
}
