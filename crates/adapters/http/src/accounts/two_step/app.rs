//! `POST`, `PUT` and `DELETE /auth/second-factor/app`.

use std::fmt::Write as _;

use actix_web::web::{self, Data};
use ports::{AppSetup, FactorName};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::accounts::two_step::recovery_codes::RecoveryCodes;
use crate::app_state::AppState;
use crate::extract::{Authenticated, Json};
use crate::problem::Problem;
use crate::wire::counts::DeletedCount;
use crate::wire::fields::{Fields, filled};

/// What an authenticator app is set up with.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AppKey {
    /// To be typed into the app, in base32.
    secret: String,
    /// The same as an `otpauth:` link.
    link: String,
    /// The link as a QR code.
    qr: QrPicture,
}

/// A QR code as a path of SVG.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct QrPicture {
    /// Its width and height, in modules, without the quiet zone of four that belongs around it.
    size: usize,
    /// The dark modules, as the `d` of a path in a view box of `size`.
    path: String,
}

impl From<AppSetup> for AppKey {
    fn from(setup: AppSetup) -> Self {
        let qr = QrPicture { size: setup.qr.len(), path: path_of(&setup.qr) };
        Self { secret: setup.secret.expose().to_owned(), link: setup.link, qr }
    }
}

/// A rectangle for each run of dark modules.
fn path_of(rows: &[Vec<bool>]) -> String {
    let mut path = String::new();
    for (y, row) in rows.iter().enumerate() {
        let mut x = 0;
        for run in row.chunk_by(|one, next| one == next) {
            if run.first() == Some(&true) {
                let width = run.len();
                // A `String` takes everything.
                let _ = write!(path, "M{x} {y}h{width}v1h-{width}z");
            }
            x += run.len();
        }
    }
    path
}

/// A code of an authenticator app.
#[derive(Deserialize, ToSchema)]
pub(crate) struct AppCode {
    /// Six digits.
    #[schema(required, nullable = false)]
    code: Option<String>,
}

impl AppCode {
    pub(super) fn parse(self) -> Result<String, Problem> {
        let mut fields = Fields::default();
        let code =
            fields.required::<_, _, &str>("code", "Code", filled(self.code.as_deref()), |code| Ok(code.to_owned()));
        fields.all(code)
    }
}

/// Makes a secret for an authenticator app. The app is a second factor once a code confirms it, within ten minutes.
///
/// Asks for a fresh proof of the second factor, or for a fresh sign-in where there is none yet.
#[utoipa::path(
    post, path = "/auth/second-factor/app",
    responses(
        (status = 200, description = "What to set the app up with", body = AppKey),
        (status = 409, description = "The account's e-mail is not confirmed"),
    )
)]
pub(crate) async fn begin_app(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
) -> Result<web::Json<AppKey>, Problem> {
    Ok(web::Json(app.shop.two_step.begin_app(&caller).await?.into()))
}

/// Adds the authenticator app that was set up, in place of an earlier one. With the first second factor the account gets
/// recovery codes, and its other sessions end.
#[utoipa::path(
    put, path = "/auth/second-factor/app", request_body = AppCode,
    responses(
        (status = 200, description = "Added; recovery codes if it is the first factor, else none", body = RecoveryCodes),
        (status = 409, description = "No app was set up within ten minutes, or the account's e-mail is not confirmed"),
        (status = 422, description = "The code is not the one that the app shows"),
    )
)]
pub(crate) async fn confirm_app(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    Json(sent): Json<AppCode>,
) -> Result<web::Json<RecoveryCodes>, Problem> {
    let codes = app.shop.two_step.confirm_app(&caller, &sent.parse()?).await?;
    Ok(web::Json(RecoveryCodes::of(&codes)))
}

/// Removes the authenticator app. With the last second factor go the recovery codes.
#[utoipa::path(
    delete, path = "/auth/second-factor/app",
    responses(
        (status = 200, description = "1 if this call removed it, else 0", body = DeletedCount),
        (status = 409, description = "It is the last second factor, and an admin needs one"),
    )
)]
pub(crate) async fn remove_app(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
) -> Result<web::Json<DeletedCount>, Problem> {
    Ok(web::Json(app.shop.two_step.remove_factor(&caller, FactorName::App).await?.into()))
}

#[cfg(test)]
mod tests {
    use super::path_of;

    #[test]
    fn each_run_of_dark_modules_is_a_rectangle() {
        let rows = [vec![true, true, false, true], vec![false; 4], vec![false, true, true, true]];
        assert_eq!(path_of(&rows), "M0 0h2v1h-2zM3 0h1v1h-1zM1 2h3v1h-3z");
    }
}
