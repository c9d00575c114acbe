//! `GET /audit`.

use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use ports::AuditQuery;

use super::filter::Filter;
use super::view::EntryView;
use crate::app_state::AppState;
use crate::extract::{Authenticated, query};
use crate::problem::Problem;
use crate::wire::page::{self, PageQuery};

/// What admins changed, latest first, or the requested page of it (admins).
#[utoipa::path(
    get, path = "/audit", params(PageQuery, Filter),
    responses(
        (status = 200, description = "Entries", body = [EntryView],
            headers(
                ("X-Total-Count" = u64, description = "How many there are over all pages; of a filter up to 1,000"),
                ("Link" = String, description = "The next page, if there is one: `<...>; rel=\"next\"`"),
            )),
        (status = 422, description = "A parameter makes no sense"),
    )
)]
pub(crate) async fn list_audit_entries(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let AuditQuery { filter, page } = query::<Filter>(&request)?.parse(&query(&request)?)?;
    let read = move |page| {
        let (app, caller, query) = (app.clone(), caller.clone(), AuditQuery { filter: filter.clone(), page });
        async move { Ok(app.shop.audit.entries(&caller, &query).await?) }
    };
    page::send::<EntryView, _, _, _>(&request, page, read).await
}
