//! `GET /info`.

use actix_web::HttpRequest;
use actix_web::web::{self, Data};
use domain::{Caller, Profile, Text};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::app_state::AppState;
use crate::extract::{Authenticated, query};
use crate::problem::Problem;

/// The More info card.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Info {
    email: String,
    #[schema(required)]
    study_in: Option<String>,
    #[schema(required)]
    lives_in: Option<String>,
    #[schema(required)]
    phone: Option<String>,
    #[schema(required)]
    facebook: Option<String>,
    #[schema(required)]
    linkedin: Option<String>,
    #[schema(required)]
    github: Option<String>,
}

impl Info {
    fn of(caller: &Caller, profile: Profile) -> Self {
        Self {
            email: caller.email.to_string(),
            study_in: profile.study_in.map(Text::into_string),
            lives_in: profile.lives_in.map(Text::into_string),
            phone: profile.phone.map(Text::into_string),
            facebook: profile.facebook.map(|link| link.to_string()),
            linkedin: profile.linkedin.map(|link| link.to_string()),
            github: profile.github.map(|link| link.to_string()),
        }
    }
}

/// Whose profile.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Whose {
    /// One's own e-mail; may be left out.
    pub(super) email: Option<String>,
}

/// One's own profile, or `null`.
#[utoipa::path(
    get, path = "/info", params(Whose),
    responses(
        (status = 200, description = "The profile, or null if there is none", body = Option<Info>),
        (status = 403, description = "Another's"),
    )
)]
pub(crate) async fn get_profile(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    request: HttpRequest,
) -> Result<web::Json<Option<Info>>, Problem> {
    let whose = query::<Whose>(&request)?;
    let profile = app.shop.accounts.profile(&caller, whose.email.as_deref()).await?;
    Ok(web::Json(profile.map(|profile| Info::of(&caller, profile))))
}
