//! The profiles of customers.

use actix_web::web::{self, Data};
use actix_web::{HttpRequest, HttpResponse};
use domain::accounts::profile::{Link, ProfileEdit};
use domain::{Caller, Edit, Profile, Text};
use ports::Saved;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::app_state::AppState;
use crate::extract::{Authenticated, Json, query};
use crate::problem::{Problem, ProblemView};
use crate::wire::counts::{InsertedId, ModifiedCount};
use crate::wire::fields::Fields;

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
    email: Option<String>,
}

/// One's own profile, or `null`.
#[utoipa::path(
    get, path = "/info", tag = "profile", params(Whose), security(("bearer" = [])),
    responses(
        (status = 200, description = "The profile, or null if there is none", body = Option<Info>),
        (status = 401, description = "Not signed in", body = ProblemView, content_type = "application/problem+json"),
        (status = 403, description = "Another's", body = ProblemView, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn show(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    request: HttpRequest,
) -> Result<web::Json<Option<Info>>, Problem> {
    let whose = query::<Whose>(&request)?;
    let profile = app.shop.profile(&caller, whose.email.as_deref()).await?;
    Ok(web::Json(profile.map(|profile| Info::of(&caller, profile))))
}

/// The fields of a profile, as the Add Info form sends them.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NewInfo {
    /// Up to 200 characters.
    study_in: Option<String>,
    /// Up to 200 characters.
    lives_in: Option<String>,
    /// Up to 40 characters.
    phone: Option<String>,
    /// An http(s) address.
    facebook: Option<String>,
    /// An http(s) address.
    linkedin: Option<String>,
    /// The same under its other spelling.
    #[serde(rename = "linkedIn")]
    linkedin_too: Option<String>,
    /// An http(s) address.
    github: Option<String>,
}

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

impl NewInfo {
    /// `prefix` is what the form's field names begin with, so that an error names the field as it was sent.
    fn parse(self, prefix: &str) -> Result<ProfileEdit, Problem> {
        let mut fields = Fields::default();
        let named = |field: &str| match prefix {
            "" => field.to_owned(),
            prefix => {
                let (first, rest) = field.split_at(1);
                format!("{prefix}{}{rest}", first.to_uppercase())
            }
        };
        let study_in = text(&mut fields, &named("studyIn"), "Study in", self.study_in.as_deref());
        let lives_in = text(&mut fields, &named("livesIn"), "Lives in", self.lives_in.as_deref());
        let phone = text(&mut fields, &named("phone"), "Phone", self.phone.as_deref());
        let facebook = link(&mut fields, &named("facebook"), "Facebook", self.facebook.as_deref());
        let linkedin = link(
            &mut fields,
            &named("linkedin"),
            "LinkedIn",
            self.linkedin.as_deref().or(self.linkedin_too.as_deref()),
        );
        let github = link(&mut fields, &named("github"), "GitHub", self.github.as_deref());
        let whole = (|| {
            Some(ProfileEdit {
                study_in: study_in?,
                lives_in: lives_in?,
                phone: phone?,
                facebook: facebook?,
                linkedin: linkedin?,
                github: github?,
            })
        })();
        fields.all(whole)
    }
}

fn text<const MAX: usize>(
    fields: &mut Fields,
    field: &str,
    label: &str,
    sent: Option<&str>,
) -> Option<Edit<Text<MAX>>> {
    let parsed = fields.optional(field, label, sent, |typed| Text::optional(Some(typed)))?;
    Some(parsed.map_or(Edit::Keep, Edit::Set))
}

fn link(fields: &mut Fields, field: &str, label: &str, sent: Option<&str>) -> Option<Edit<Link>> {
    let parsed = fields.optional(field, label, sent, |typed| match typed.trim() {
        "" => Ok(None),
        typed => typed.parse::<Link>().map(Some),
    })?;
    Some(parsed.map_or(Edit::Keep, Edit::Set))
}

/// Fills in one's own profile, whatever e-mail the body names.
#[utoipa::path(
    post, path = "/info", tag = "profile", request_body = NewInfo, security(("bearer" = [])),
    responses(
        (status = 201, description = "Stored", body = InsertedId),
        (status = 401, description = "Not signed in", body = ProblemView, content_type = "application/problem+json"),
        (status = 422, description = "Invalid", body = ProblemView, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn fill(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    request: HttpRequest,
    Json(sent): Json<NewInfo>,
) -> Result<HttpResponse, Problem> {
    let whose = query::<Whose>(&request)?;
    let (account, _) = app.shop.edit_profile(&caller, whose.email.as_deref(), &sent.parse("")?).await?;
    Ok(HttpResponse::Created().json(InsertedId::of(&account)))
}

/// Edits one's own profile, and makes one if there is none.
#[utoipa::path(
    put, path = "/info", tag = "profile", params(Whose), request_body = UpdatedInfo, security(("bearer" = [])),
    responses(
        (status = 200, description = "1 if anything is different now, else 0", body = ModifiedCount),
        (status = 401, description = "Not signed in", body = ProblemView, content_type = "application/problem+json"),
        (status = 403, description = "Another's", body = ProblemView, content_type = "application/problem+json"),
        (status = 422, description = "Invalid", body = ProblemView, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn edit(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    request: HttpRequest,
    Json(sent): Json<UpdatedInfo>,
) -> Result<web::Json<ModifiedCount>, Problem> {
    let whose = query::<Whose>(&request)?;
    let edit = NewInfo::from(sent).parse("updated")?;
    let (_, saved) = app.shop.edit_profile(&caller, whose.email.as_deref(), &edit).await?;
    Ok(web::Json((saved != Saved::Same).into()))
}
