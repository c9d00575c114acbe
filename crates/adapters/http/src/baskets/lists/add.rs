//! `POST /lists`.

use actix_web::HttpResponse;
use actix_web::web::Data;
use domain::Text;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::app_state::AppState;
use crate::baskets::lines::{SentLine, parsed};
use crate::extract::{Authenticated, IdempotencyKeyHeader, Json};
use crate::problem::Problem;
use crate::wire::counts::InsertedId;
use crate::wire::fields::Fields;

/// A list to be kept.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = NewList)]
pub(crate) struct SentList {
    /// 1 to 80 characters. Two lists may have the same.
    #[schema(required, nullable = false)]
    name: Option<String>,
    /// At most 1,000; none if left out. Those of one product are summed.
    lines: Option<Vec<SentLine>>,
}

/// Keeps a list.
#[utoipa::path(
    post, path = "/lists", request_body = SentList,
    responses(
        (status = 201, description = "Kept", body = InsertedId),
        (status = 409, description = "There are as many as one can keep (`most`)"),
        (status = 422, description = "Invalid"),
    )
)]
pub(crate) async fn add_list(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    IdempotencyKeyHeader(idempotency_key): IdempotencyKeyHeader,
    Json(sent): Json<SentList>,
) -> Result<HttpResponse, Problem> {
    let mut fields = Fields::default();
    let name = fields.required("name", "Name", sent.name.as_deref(), Text::<80>::new);
    let lines = parsed(&mut fields, sent.lines.unwrap_or_default());
    let (name, lines) = fields.all((|| Some((name?, lines?)))())?;
    let id = app.shop.baskets.add_list(&caller, name, &lines, idempotency_key).await?;
    Ok(HttpResponse::Created().json(InsertedId::of(&id)))
}
