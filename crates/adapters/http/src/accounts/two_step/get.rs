//! `GET /auth/second-factor`.

use actix_web::web::{self, Data};
use application::FactorsView;
use domain::SecondFactor;
use ports::{StoredApp, StoredFactors, StoredPasskey};
use serde::Serialize;
use utoipa::ToSchema;

use crate::app_state::AppState;
use crate::extract::Authenticated;
use crate::problem::Problem;

/// What the account proves itself with beside a password or Google.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::struct_excessive_bools, reason = "each is a question of its own to a client")]
pub(crate) struct SecondFactors {
    /// Whether the account has to have a second factor: it is an admin's, and the shop asks it of them.
    required: bool,
    /// Whether the account has one.
    enrolled: bool,
    /// Whether this session has proved it. Until then nothing but this, signing out and proving it is open to the session.
    proved: bool,
    /// When this session last proved it, RFC 3339; `null` if it did not.
    #[schema(required)]
    proved_at: Option<String>,
    /// Whether a code of an authenticator app proves it.
    by_app: bool,
    /// Whether a passkey proves it.
    by_passkey: bool,
    /// The host name at which passkeys are made and used; `null` where browsers make none, because the shop's host is a
    /// number.
    #[schema(required)]
    passkey_host: Option<String>,
    /// The factors; `null` until the session has proved one.
    #[schema(required)]
    factors: Option<Factors>,
}

/// The factors of an account.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Factors {
    /// Whether the account may add one: its e-mail is confirmed, or it is an admin's.
    may_add: bool,
    /// When the authenticator app was added, RFC 3339; `null` if there is none.
    #[schema(required)]
    app_added_at: Option<String>,
    /// The passkeys, oldest first.
    passkeys: Vec<PasskeyView>,
    /// How many recovery codes are left of ten.
    recovery_codes: u32,
}

/// A passkey.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PasskeyView {
    /// `UUIDv7`.
    #[serde(rename = "_id")]
    id: String,
    /// What its owner calls it.
    name: String,
    /// RFC 3339, UTC.
    added_at: String,
    /// RFC 3339, UTC; `null` if it was never used.
    #[schema(required)]
    last_used_at: Option<String>,
}

impl From<StoredPasskey> for PasskeyView {
    fn from(passkey: StoredPasskey) -> Self {
        Self {
            id: passkey.id.to_string(),
            name: passkey.name.into_string(),
            added_at: passkey.added_at.to_string(),
            last_used_at: passkey.last_used_at.map(|at| at.to_string()),
        }
    }
}

impl From<StoredFactors> for Factors {
    fn from(stored: StoredFactors) -> Self {
        Self {
            may_add: stored.may_add,
            app_added_at: stored.app.map(|StoredApp { added_at, .. }| added_at.to_string()),
            passkeys: stored.passkeys.into_iter().map(PasskeyView::from).collect(),
            recovery_codes: stored.recovery_codes,
        }
    }
}

impl From<FactorsView> for SecondFactors {
    fn from(view: FactorsView) -> Self {
        let proved_at = if let SecondFactor::Proved(at) = view.session { Some(at.to_string()) } else { None };
        Self {
            required: view.required,
            enrolled: view.has_app || view.has_passkey,
            proved: proved_at.is_some(),
            proved_at,
            by_app: view.has_app,
            by_passkey: view.has_passkey,
            passkey_host: view.passkey_host,
            factors: view.factors.map(Factors::from),
        }
    }
}

/// What the caller's account proves itself with beside a password or Google.
#[utoipa::path(
    get, path = "/auth/second-factor",
    responses(
        (status = 200, description = "What there is, and how far this session has proved it", body = SecondFactors),
    )
)]
pub(crate) async fn get_second_factor(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
) -> Result<web::Json<SecondFactors>, Problem> {
    Ok(web::Json(app.shop.two_step.factors(&caller).await?.into()))
}
