//! `GET /lists/{id}`.

use actix_web::web::{self, Data, Path};
use application::ListView;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app_state::AppState;
use crate::baskets::lines::LineView;
use crate::extract::{Authenticated, id};
use crate::problem::Problem;

/// A saved list.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = SavedList)]
pub(crate) struct ListAnswer {
    /// `UUIDv7`.
    #[serde(rename = "_id")]
    id: String,
    name: String,
    /// Each product once, as it stands now.
    lines: Vec<LineView>,
    /// RFC 3339, UTC.
    changed_at: String,
}

impl From<ListView> for ListAnswer {
    fn from(view: ListView) -> Self {
        let lines = view.list.lines.iter().zip(&view.rows).map(|(kept, row)| LineView::of(kept, row)).collect();
        Self {
            id: view.list.id.to_string(),
            name: view.list.name.into_string(),
            lines,
            changed_at: view.list.changed_at.to_string(),
        }
    }
}

/// One list of one's own.
#[utoipa::path(
    get, path = "/lists/{id}",
    params(("id" = String, Path, description = "The list's id")),
    responses(
        (status = 200, description = "The list", body = ListAnswer),
        (status = 404, description = "No such list of one's own"),
    )
)]
pub(crate) async fn get_list(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
) -> Result<web::Json<ListAnswer>, Problem> {
    Ok(web::Json(app.shop.baskets.list(&caller, id(&path)?).await?.into()))
}
