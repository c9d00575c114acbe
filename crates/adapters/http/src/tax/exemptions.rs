//! `/exemptions`.

use actix_web::HttpResponse;
use actix_web::web::{self, Data, Path};
use application::{EnteredExemption, ExemptionState, NewExemption};
use domain::{Day, Email, ExemptionKind, Text};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::place::{country, region};
use crate::app_state::AppState;
use crate::extract::{Authenticated, Json, id};
use crate::problem::Problem;
use crate::wire::counts::{DeletedCount, InsertedId};
use crate::wire::enums::ExemptionKindName;
use crate::wire::fields::{Fields, filled};

/// What an exemption is good for today.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = ExemptionState)]
pub(crate) enum StateName {
    Valid,
    /// The number has not been confirmed: the normal tax applies.
    Unchecked,
    Expired,
}

/// An account pays no tax somewhere.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Exemption)]
pub(crate) struct ExemptionView {
    /// `UUIDv7`.
    #[serde(rename = "_id")]
    id: String,
    /// Whose account it is.
    email: String,
    kind: ExemptionKindName,
    /// ISO 3166-1 alpha-2.
    country: &'static str,
    /// Only there; null for the whole country.
    #[schema(required)]
    region: Option<String>,
    /// The certificate's number, or the VAT number.
    number: String,
    /// The last day; null for good.
    #[schema(required)]
    valid_until: Option<String>,
    state: StateName,
}

impl From<EnteredExemption> for ExemptionView {
    fn from(EnteredExemption { exemption, email, state }: EnteredExemption) -> Self {
        Self {
            id: exemption.id.to_string(),
            email: email.to_string(),
            kind: ExemptionKindName(exemption.kind),
            country: exemption.country.code(),
            region: exemption.region.map(Text::into_string),
            number: exemption.number.into_string(),
            valid_until: exemption.valid_until.map(|until| until.to_string()),
            state: match state {
                ExemptionState::Valid => StateName::Valid,
                ExemptionState::Unchecked => StateName::Unchecked,
                ExemptionState::Expired => StateName::Expired,
            },
        }
    }
}

/// An exemption, as it is sent.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SentExemption {
    /// Whose account it is.
    #[schema(required, nullable = false)]
    email: Option<String>,
    #[schema(required, nullable = false, value_type = ExemptionKindName)]
    kind: Option<String>,
    /// ISO 3166-1 alpha-2; of a reverse charge, the country of the VAT number.
    #[schema(required, nullable = false)]
    country: Option<String>,
    /// Only there: a code in Australia, Canada and the United States.
    region: Option<String>,
    /// Up to 40 characters; of a reverse charge, a VAT number of the country.
    #[schema(required, nullable = false)]
    number: Option<String>,
    /// The last day, as 2026-11-26; null for good.
    valid_until: Option<String>,
}

impl SentExemption {
    fn parse(self) -> Result<NewExemption, Problem> {
        let mut fields = Fields::default();
        let email = fields.required("email", "Email", filled(self.email.as_deref()), str::parse::<Email>);
        let kind = fields.required("kind", "Kind", filled(self.kind.as_deref()), |kind| {
            kind.parse::<ExemptionKind>().map_err(|_| "must be resale, government or reverse-charge")
        });
        let country = country(&mut fields, self.country.as_deref());
        let region = region(&mut fields, country, self.region.as_deref());
        let number = fields.required("number", "Number", filled(self.number.as_deref()), Text::new);
        let until = filled(self.valid_until.as_deref());
        let valid_until = fields.optional("validUntil", "Last day", until, str::parse::<Day>);
        let whole = (|| {
            Some(NewExemption {
                email: email?,
                kind: kind?,
                country: country?,
                region: region?,
                number: number?,
                valid_until: valid_until?,
            })
        })();
        fields.all(whole)
    }
}

/// The exemptions of all accounts (admins), those entered last first; at most 1,000.
#[utoipa::path(
    get, path = "/exemptions", responses((status = 200, description = "Exemptions", body = [ExemptionView]))
)]
pub(crate) async fn list_exemptions(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
) -> Result<web::Json<Vec<ExemptionView>>, Problem> {
    let exemptions = app.shop.tax.exemptions(&caller).await?;
    Ok(web::Json(exemptions.into_iter().map(Into::into).collect()))
}

/// Enters an exemption (admins). A reverse charge applies only once the country's register has confirmed its VAT number.
#[utoipa::path(
    post, path = "/exemptions", request_body = SentExemption,
    responses(
        (status = 201, description = "Entered", body = InsertedId),
        (status = 409, description = "The account has one of this kind for this place"),
        (status = 422, description = "Invalid; also if nobody has this address or this VAT number"),
    )
)]
pub(crate) async fn add_exemption(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    Json(sent): Json<SentExemption>,
) -> Result<HttpResponse, Problem> {
    let added = app.shop.tax.add_exemption(&caller, sent.parse()?).await?;
    Ok(HttpResponse::Created().json(InsertedId::of(&added)))
}

/// Removes an exemption (admins).
#[utoipa::path(
    delete, path = "/exemptions/{id}", params(("id" = String, Path, description = "The exemption's id")),
    responses(
        (status = 200, description = "Removed", body = DeletedCount),
        (status = 404, description = "No such exemption"),
    )
)]
pub(crate) async fn remove_exemption(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
) -> Result<web::Json<DeletedCount>, Problem> {
    app.shop.tax.remove_exemption(&caller, id(&path)?).await?;
    Ok(web::Json(true.into()))
}
