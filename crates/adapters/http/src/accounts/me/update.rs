//! `PATCH /auth/me`.

use actix_web::web;
use actix_web::web::Data;
use domain::{Edit, PictureUrl, Text};
use serde::{Deserialize, Deserializer};
use utoipa::ToSchema;

use crate::accounts::me::view::AccountView;
use crate::app_state::AppState;
use crate::extract::{Authenticated, Json};
use crate::problem::Problem;
use crate::wire::fields::Fields;

/// The name and the picture to change; what is not sent stays.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Rename {
    /// Up to 120 characters.
    display_name: Option<String>,
    /// An http(s) address or a path of this shop; `null` removes the picture.
    #[serde(rename = "photoURL", default, deserialize_with = "sent")]
    #[schema(value_type = Option<String>)]
    photo_url: Edit<String>,
}

/// A field that was sent, even if it is `null`.
fn sent<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Edit<String>, D::Error> {
    Option::deserialize(deserializer).map(Edit::Set)
}

/// Changes the caller's display name and picture.
#[utoipa::path(
    patch, path = "/auth/me", request_body = Rename,
    responses(
        (status = 200, description = "Who is signed in, as it is now", body = AccountView),
        (status = 422, description = "Invalid"),
    )
)]
pub(crate) async fn update_me(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    Json(sent): Json<Rename>,
) -> Result<web::Json<AccountView>, Problem> {
    let mut fields = Fields::default();
    let name = fields.optional("displayName", "Display name", sent.display_name.as_deref(), Text::new);
    let photo = match sent.photo_url {
        Edit::Keep => Some(Edit::Keep),
        Edit::Set(photo) => {
            fields.optional("photoURL", "Photo", photo.as_deref(), str::parse::<PictureUrl>).map(Edit::Set)
        }
    };
    let (name, photo) = fields.all((|| Some((name?, photo?)))())?;
    Ok(web::Json(app.shop.accounts.edit_my_account(&caller, name, photo).await?.into()))
}
