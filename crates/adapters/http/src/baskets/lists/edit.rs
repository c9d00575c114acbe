//! `PUT /lists/{id}`.

use actix_web::web::{self, Data, Path};
use domain::Text;
use ports::ListEdit;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::app_state::AppState;
use crate::baskets::lines::{SentLine, parsed};
use crate::extract::{Authenticated, Json, id};
use crate::problem::Problem;
use crate::wire::counts::ModifiedCount;
use crate::wire::fields::Fields;

/// What is to be changed of a list; what is not sent stays.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct EditedList {
    /// 1 to 80 characters.
    name: Option<String>,
    /// At most 1,000, in place of those that it has. Those of one product are summed.
    lines: Option<Vec<SentLine>>,
}

impl EditedList {
    fn parse(self) -> Result<ListEdit, Problem> {
        let mut fields = Fields::default();
        let name = fields.optional("name", "Name", self.name.as_deref(), Text::<80>::new);
        let lines = match self.lines {
            Some(lines) => parsed(&mut fields, lines).map(Some),
            None => Some(None),
        };
        fields.all((|| Some(ListEdit { name: name?, lines: lines? }))())
    }
}

/// Changes a list of one's own.
#[utoipa::path(
    put, path = "/lists/{id}", request_body = EditedList,
    params(("id" = String, Path, description = "The list's id")),
    responses(
        (status = 200, description = "1 if anything is different now, else 0", body = ModifiedCount),
        (status = 404, description = "No such list of one's own"),
        (status = 422, description = "Invalid"),
    )
)]
pub(crate) async fn edit_list(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
    Json(sent): Json<EditedList>,
) -> Result<web::Json<ModifiedCount>, Problem> {
    let changed = app.shop.baskets.edit_list(&caller, id(&path)?, sent.parse()?).await?;
    Ok(web::Json(changed.into()))
}
