//! `GET /audit.csv`.

use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use ports::{AuditQuery, Page, Pagination};

use super::filter::Filter;
use super::view::{COLUMNS, cells};
use crate::app_state::AppState;
use crate::extract::{Authenticated, query};
use crate::problem::Problem;
use crate::wire::batches::BATCH;
use crate::wire::csv;
use crate::wire::page::PageQuery;

/// What admins changed as CSV, latest first (admins). A cell that a spreadsheet would take for a formula has an apostrophe in front.
#[utoipa::path(
    get, path = "/audit.csv", params(Filter),
    responses(
        (status = 200, description = format!("A file: `{}`", COLUMNS.join(",")),
            content_type = "text/csv", body = String,
            headers(("Content-Disposition" = String, description = "`attachment; filename=\"audit-2026-11-21.csv\"`"))),
        (status = 422, description = "A parameter makes no sense"),
    )
)]
pub(crate) async fn export_audit(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let filter = query::<Filter>(&request)?.parse(&PageQuery::default())?.filter;
    let now = app.clock.now();
    let read = move |after| {
        let (app, caller) = (app.clone(), caller.clone());
        let batch = AuditQuery { filter: filter.clone(), page: Pagination::batch(BATCH, after) };
        async move {
            let Page { items, next, .. } = app.shop.audit.entries(&caller, &batch).await?;
            Ok((items.into_iter().map(cells).collect(), next))
        }
    };
    csv::send("audit", now, COLUMNS, read).await
}
