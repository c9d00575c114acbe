//! `POST /feeds/{id}/apply`.

use actix_web::HttpResponse;
use actix_web::web::{Data, Path};
use domain::FeedConsent;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::app_state::AppState;
use crate::extract::{Authenticated, MaybeJson, id};
use crate::feeds::view::FeedDetailsView;
use crate::problem::Problem;
use crate::wire::fields::Fields;
use crate::wire::whole::Whole;

/// What somebody agrees to who has a feed applied.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ApplyFeed {
    /// `true`: rows that are refused are left out.
    partial: Option<bool>,
    /// The number `archived` of the feed, if much of a brand would be archived.
    #[schema(value_type = Option<i64>, minimum = 0)]
    confirm_archived: Option<Whole>,
}

impl ApplyFeed {
    fn parse(self) -> Result<FeedConsent, Problem> {
        let mut fields = Fields::default();
        let confirm_archived =
            fields.optional("confirmArchived", "Confirmed number", self.confirm_archived, |number| {
                u64::try_from(number.0).map_err(|_| "must not be negative")
            });
        let partial = self.partial.unwrap_or_default();
        let consent = confirm_archived.map(|confirm_archived| FeedConsent { partial, confirm_archived });
        fields.all(consent)
    }
}

/// Has a checked feed applied (admins). It is worked off afterwards, brand by brand.
#[utoipa::path(
    post, path = "/feeds/{id}/apply", request_body = Option<ApplyFeed>,
    params(("id" = String, Path, description = "The feed's id")),
    responses(
        (status = 202, description = "It is going to be applied", body = FeedDetailsView),
        (status = 404, description = "There is none"),
        (status = 409, description = "It is not checked (`state`), rows are refused (`refused`) and it is not partial, or \
            much of a brand would be archived (`archived`) and that number is not confirmed"),
        (status = 422, description = "Invalid"),
    )
)]
pub(crate) async fn apply_feed(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
    MaybeJson(sent): MaybeJson<ApplyFeed>,
) -> Result<HttpResponse, Problem> {
    let (feed, consent) = (id(&path)?, sent.unwrap_or_default().parse()?);
    app.shop.feeds.apply(&caller, feed, consent).await?;
    let details = app.shop.feeds.find(&caller, feed).await?;
    Ok(HttpResponse::Accepted().json(FeedDetailsView::from(details)))
}
