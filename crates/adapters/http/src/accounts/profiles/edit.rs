//! `PUT /info`.

use actix_web::HttpRequest;
use actix_web::web::{self, Data};
use ports::Saved;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::accounts::profiles::fields::NewInfo;
use crate::accounts::profiles::get::Whose;
use crate::app_state::AppState;
use crate::extract::{Authenticated, Json, query};
use crate::problem::Problem;
use crate::wire::counts::ModifiedCount;

/// The fields of a profile, as the Update form sends them; what is not sent stays.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct UpdatedInfo {
    /// Up to 200 characters.
    #[serde(rename = "updatedStudyIn")]
    study_in: Option<String>,
    /// Up to 200 characters.
    #[serde(rename = "updatedLivesIn")]
    lives_in: Option<String>,
    /// Up to 40 characters.
    #[serde(rename = "updatedPhone")]
    phone: Option<String>,
    /// An http(s) address.
    #[serde(rename = "updatedFacebook")]
    facebook: Option<String>,
    /// An http(s) address.
    #[serde(rename = "updatedLinkedIn")]
    linkedin: Option<String>,
    /// The same under its other spelling.
    #[serde(rename = "updatedLinkedin")]
    linkedin_too: Option<String>,
    /// An http(s) address.
    #[serde(rename = "updatedGithub")]
    github: Option<String>,
}

impl From<UpdatedInfo> for NewInfo {
    fn from(sent: UpdatedInfo) -> Self {
        Self {
            study_in: sent.study_in,
            lives_in: sent.lives_in,
            phone: sent.phone,
            facebook: sent.facebook,
            linkedin: sent.linkedin,
            linkedin_too: sent.linkedin_too,
            github: sent.github,
        }
    }
}

/// Edits one's own profile, and makes one if there is none.
#[utoipa::path(
    put, path = "/info", params(Whose), request_body = UpdatedInfo,
    responses(
        (status = 200, description = "1 if anything is different now, else 0", body = ModifiedCount),
        (status = 403, description = "Another's"),
        (status = 422, description = "Invalid"),
    )
)]
pub(crate) async fn edit_profile(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    request: HttpRequest,
    Json(sent): Json<UpdatedInfo>,
) -> Result<web::Json<ModifiedCount>, Problem> {
    let whose = query::<Whose>(&request)?;
    let edit = NewInfo::from(sent).parse("updated")?;
    let (_, saved) = app.shop.accounts.edit_profile(&caller, whose.email.as_deref(), &edit).await?;
    Ok(web::Json((saved != Saved::Same).into()))
}
