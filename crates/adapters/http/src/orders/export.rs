//! `GET /allOrders.csv`.

use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use ports::{OrderQuery, Page, Pagination};

use super::list_all::Filter;
use super::view::{self, COLUMNS, OrderView};
use crate::app_state::AppState;
use crate::extract::{Authenticated, query};
use crate::problem::Problem;
use crate::wire::batches::BATCH;
use crate::wire::csv;
use crate::wire::page::PageQuery;

/// All orders that match as CSV (admins). A cell that a spreadsheet would take for a formula has an apostrophe in
/// front.
#[utoipa::path(
    get, path = "/allOrders.csv", params(Filter),
    responses(
        (status = 200, description = view::export_description(),
            content_type = "text/csv", body = String,
            headers(("Content-Disposition" = String, description = "`attachment; filename=\"orders-2026-11-21.csv\"`"))),
        (status = 422, description = "A parameter makes no sense"),
    )
)]
pub(crate) async fn export_orders(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let filter = query::<Filter>(&request)?.parse(&PageQuery::default())?;
    let now = app.clock.now();
    let read = move |after| {
        let (app, caller) = (app.clone(), caller.clone());
        let batch = OrderQuery { page: Pagination::batch(BATCH, after), ..filter.clone() };
        async move {
            let Page { items, next, .. } = app.shop.orders.list_orders(&caller, &batch).await?;
            Ok((items.into_iter().map(|order| OrderView::from(order).cells().into()).collect(), next))
        }
    };
    csv::send("orders", now, &COLUMNS, read).await
}
