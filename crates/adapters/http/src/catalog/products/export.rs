//! `GET /products.csv`.

use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use ports::{Page, Pagination, ProductQuery};

use super::attributes;
use super::filter::Filter;
use crate::app_state::AppState;
use crate::extract::Authenticated;
use crate::problem::Problem;
use crate::wire::batches::BATCH;
use crate::wire::csv;
use crate::wire::page::PageQuery;

/// Products as CSV (admins), all that match. A cell that a spreadsheet would take for a formula has an apostrophe in front.
#[utoipa::path(
    get, path = "/products.csv", params(Filter),
    responses(
        (status = 200, description = attributes::export_description(),
            content_type = "text/csv", body = String,
            headers(("Content-Disposition" = String, description = "`attachment; filename=\"products-2026-11-21.csv\"`"))),
        (status = 422, description = "A parameter makes no sense"),
    )
)]
pub(crate) async fn export_products(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let filter = Filter::query(request.query_string(), &PageQuery::default())?;
    let now = app.clock.now();
    let read = move |after| {
        let (app, caller) = (app.clone(), caller.clone());
        let batch = ProductQuery { page: Pagination::batch(BATCH, after), ..filter.clone() };
        async move {
            let Page { items, next, .. } = app.shop.catalog.export_products(&caller, &batch).await?;
            Ok((items.into_iter().map(attributes::row).collect(), next))
        }
    };
    csv::send("products", now, attributes::header(), read).await
}
