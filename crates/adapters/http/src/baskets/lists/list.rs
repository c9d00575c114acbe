//! `GET /lists`.

use actix_web::web::{self, Data};
use ports::ListSummary;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app_state::AppState;
use crate::extract::Authenticated;
use crate::problem::Problem;

/// A list without its lines.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ListSummary)]
pub(crate) struct SummaryView {
    /// `UUIDv7`.
    #[serde(rename = "_id")]
    id: String,
    name: String,
    /// How many lines it has.
    lines: usize,
    /// RFC 3339, UTC.
    changed_at: String,
}

impl From<ListSummary> for SummaryView {
    fn from(list: ListSummary) -> Self {
        Self {
            id: list.id.to_string(),
            name: list.name.into_string(),
            lines: list.lines,
            changed_at: list.changed_at.to_string(),
        }
    }
}

/// One's own lists, by name; at most 200.
#[utoipa::path(
    get, path = "/lists",
    responses((status = 200, description = "One's lists", body = [SummaryView]))
)]
pub(crate) async fn list_lists(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
) -> Result<web::Json<Vec<SummaryView>>, Problem> {
    let lists = app.shop.baskets.lists(&caller).await?;
    Ok(web::Json(lists.into_iter().map(Into::into).collect()))
}
