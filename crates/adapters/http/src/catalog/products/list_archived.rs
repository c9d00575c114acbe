//! `GET /archivedProducts`.

use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use ports::{Page, Pagination, ProductQuery};

use super::attributes::ProductView;
use super::filter::Filter;
use crate::app_state::AppState;
use crate::extract::{Authenticated, query};
use crate::problem::Problem;
use crate::wire::cursor::ProductCursorToken;
use crate::wire::page::{self, PageQuery};

/// Archived products (admins).
#[utoipa::path(
    get, path = "/archivedProducts", params(PageQuery, Filter),
    responses(
        (status = 200, description = "Archived products", body = [ProductView],
            headers(
                ("X-Total-Count" = u64, description = "How many match, over all pages"),
                ("Link" = String, description = "The next page, if there is one: `<...>; rel=\"next\"`"),
            )),
        (status = 422, description = "A parameter makes no sense"),
    )
)]
pub(crate) async fn list_archived_products(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let products = Filter::query(request.query_string(), &query(&request)?)?;
    let Pagination { limit, after, uncounted } = products.page.clone();
    let page = Pagination { limit, after: after.map(ProductCursorToken), uncounted };
    page::send::<ProductView, _, _, _>(&request, page, move |Pagination { limit, after, uncounted }| {
        let (app, caller) = (app.clone(), caller.clone());
        let page = Pagination { limit, after: after.map(|ProductCursorToken(after)| after), uncounted };
        let products = ProductQuery { page, ..products.clone() };
        async move {
            let Page { items, total, next } = app.shop.catalog.archived_products(&caller, products).await?;
            Ok(Page { items, total, next: next.map(ProductCursorToken) })
        }
    })
    .await
}
