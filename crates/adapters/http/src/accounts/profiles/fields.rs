//! The fields of a profile, as forms send them.

use domain::accounts::profile::{Link, ProfileEdit};
use domain::{Edit, Text};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::problem::Problem;
use crate::wire::fields::Fields;

/// The fields of a profile, as the Add Info form sends them.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NewInfo {
    /// Up to 200 characters.
    pub(super) study_in: Option<String>,
    /// Up to 200 characters.
    pub(super) lives_in: Option<String>,
    /// Up to 40 characters.
    pub(super) phone: Option<String>,
    /// An http(s) address.
    pub(super) facebook: Option<String>,
    /// An http(s) address.
    pub(super) linkedin: Option<String>,
    /// The same under its other spelling.
    #[serde(rename = "linkedIn")]
    pub(super) linkedin_too: Option<String>,
    /// An http(s) address.
    pub(super) github: Option<String>,
}

impl NewInfo {
    /// `prefix` is what the form's field names begin with, so that an error names the field as it was sent.
    pub(super) fn parse(self, prefix: &str) -> Result<ProfileEdit, Problem> {
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
