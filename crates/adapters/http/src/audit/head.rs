//! `GET /audit/head`.

use actix_web::web::{self, Data};
use domain::hex;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app_state::AppState;
use crate::extract::Authenticated;
use crate::problem::Problem;

/// The newest entry of the trail. Whoever keeps it can prove later that nothing up to it was rewritten.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AuditHead)]
pub(crate) struct HeadView {
    /// Its number; 0 before the first.
    number: u64,
    /// Its hash, in hexadecimal.
    hash: String,
}

/// The newest entry's number and hash, for `driveline audit verify --expect` (admins).
#[utoipa::path(get, path = "/audit/head", responses((status = 200, description = "The newest entry", body = HeadView)))]
pub(crate) async fn get_audit_head(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
) -> Result<web::Json<HeadView>, Problem> {
    let head = app.shop.audit.head(&caller).await?;
    Ok(web::Json(HeadView { number: head.number, hash: hex(&head.hash) }))
}
