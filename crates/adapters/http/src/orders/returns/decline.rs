//! `POST /returns/{id}/decline`.

use actix_web::web::{self, Data, Path};
use domain::Text;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::app_state::AppState;
use crate::extract::{Authenticated, Json, id};
use crate::problem::Problem;
use crate::wire::counts::ModifiedCount;
use crate::wire::fields::Fields;

/// Why a return is declined.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct Refusal {
    /// What the customer reads, up to 500 characters.
    #[schema(required, nullable = false)]
    answer: Option<String>,
}

/// Declines a return with a sentence that the customer reads (admins). The customer gets an e-mail.
#[utoipa::path(
    post, path = "/returns/{id}/decline", request_body = Refusal,
    params(("id" = String, Path, description = "The return's id")),
    responses(
        (status = 200, description = "1 if this call did it, 0 if it was declined before", body = ModifiedCount),
        (status = 404, description = "No such return"),
        (status = 409, description = "Accepted before"),
        (status = 422, description = "Invalid"),
    )
)]
pub(crate) async fn decline_return(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
    Json(sent): Json<Refusal>,
) -> Result<web::Json<ModifiedCount>, Problem> {
    let mut fields = Fields::default();
    let answer = fields.required("answer", "Answer", sent.answer.as_deref(), Text::<500>::new);
    let answer = fields.all(answer)?;
    Ok(web::Json(app.shop.orders.decline_return(&caller, id(&path)?, answer).await?.into()))
}
