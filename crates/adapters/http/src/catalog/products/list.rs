//! `GET /products`.

use actix_web::http::StatusCode;
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use ports::{Page, Pagination, ProductQuery};

use super::attributes::{ProductView, views};
use super::filter::Filter;
use crate::app_state::AppState;
use crate::cache;
use crate::extract::parsed;
use crate::problem::Problem;
use crate::wire::array;
use crate::wire::batches::BATCH;
use crate::wire::cursor::ProductCursorToken;
use crate::wire::page::{self, PageQuery};

/// The headers of a page, and its products.
type OnePage = (Vec<(&'static str, String)>, Vec<ProductView>);

/// The products for a path and a query string that requests a page, and the headers to send with them.
///
/// # Errors
/// [`Problem`] if a parameter is invalid or the whole list is requested, or if the store failed.
pub(crate) async fn find(app: &AppState, path: &str, query: &str) -> Result<OnePage, Problem> {
    let products = parse(query)?;
    if products.page.limit.is_none() {
        return Err(Problem::bad_request("A page is shorter than the whole list"));
    }
    one_page(app, path, query, &products).await
}

fn parse(query: &str) -> Result<ProductQuery, Problem> {
    parsed::<Filter>(query)?.parse(&parsed(query)?)
}

async fn one_page(app: &AppState, path: &str, query: &str, products: &ProductQuery) -> Result<OnePage, Problem> {
    let Page { items, total, next } = app.shop.catalog.browse_products(products).await?;
    Ok((page::headers(path, query, total, next.map(ProductCursorToken)), views(items)))
}

/// All products that match. A list that fits one page is tagged by its content. A longer list is never in memory as a
/// whole, so its tag is made of the state of all products instead.
async fn whole(app: Data<AppState>, request: &HttpRequest, query: ProductQuery) -> Result<HttpResponse, Problem> {
    let with = |page| ProductQuery { page, ..query.clone() };
    let page = Pagination { limit: Some(BATCH), ..query.page.clone() };
    let uncounted = query.page.after.is_none();
    let first = app.shop.catalog.browse_products(&with(Pagination { uncounted, ..page.clone() })).await?;
    let mut response = HttpResponse::Ok();
    if first.next.is_none() {
        let total = if uncounted { first.items.len().to_string() } else { first.total.to_string() };
        response.insert_header((page::TOTAL, total));
        return cache::json(request, response, &views(first.items));
    }
    // Read before the list: if the list changes meanwhile, it is sent under a tag that is already outdated.
    let state = app.shop.catalog.state_of_products().await?;
    let tag = cache::tag(format!("{state} {}", request.uri()).as_bytes());
    cache::set_tag(&mut response, &tag);
    if cache::has_already(request, &tag) {
        return Ok(response.status(StatusCode::NOT_MODIFIED).finish());
    }
    let first = app.shop.catalog.browse_products(&with(page)).await?;
    response.insert_header((page::TOTAL, first.total.to_string()));
    let read = move |after| {
        let (app, batch) = (app.clone(), ProductQuery { page: Pagination::batch(BATCH, Some(after)), ..query.clone() });
        async move {
            let Page { items, next, .. } = app.shop.catalog.browse_products(&batch).await?;
            Ok((views(items), next))
        }
    };
    Ok(array::send(response, (views(first.items), first.next), read))
}

/// All products, or the requested page of them.
#[utoipa::path(
    get, path = "/products", params(PageQuery, Filter),
    responses(
        (status = 200, description = "Products", body = [ProductView],
            headers(
                ("X-Total-Count" = u64, description = "How many match, over all pages"),
                ("Link" = String, description = "The next page, if there is one: `<...>; rel=\"next\"`"),
            )),
        (status = 422, description = "A parameter makes no sense"),
    )
)]
pub(crate) async fn list_products(app: Data<AppState>, request: HttpRequest) -> Result<HttpResponse, Problem> {
    let products = parse(request.query_string())?;
    if products.page.limit.is_none() {
        return whole(app, &request, products).await;
    }
    let (headers, views) = one_page(&app, request.path(), request.query_string(), &products).await?;
    let mut response = HttpResponse::Ok();
    for header in headers {
        response.insert_header(header);
    }
    cache::json(&request, response, &views)
}
