//! `GET /products`.

use actix_web::http::StatusCode;
use actix_web::web::{Bytes, Data};
use actix_web::{HttpRequest, HttpResponse};
use application::FoundProduct;
use futures_util::stream;
use ports::{Page, Pagination, ProductCursor, ProductQuery};

use super::attributes::{ProductView, views};
use super::filter::Filter;
use crate::app_state::AppState;
use crate::cache::{self, PublicJson};
use crate::catalog::snapshot::{Part, list_of};
use crate::extract::parsed;
use crate::problem::Problem;
use crate::wire::array;
use crate::wire::batches::BATCH;
use crate::wire::cursor::ProductCursorToken;
use crate::wire::page::{self, PageQuery};

/// A list, as it is sent.
pub(crate) struct ProductList {
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) products: PublicJson,
}

impl ProductList {
    fn of(part: &Part, path: &str, query: &str) -> Self {
        let next = part.next.clone().map(ProductCursorToken);
        Self { headers: page::headers(path, query, part.total as u64, next), products: json(part) }
    }

    /// As it was read from the database.
    fn read(path: &str, query: &str, page: Page<FoundProduct, ProductCursor>) -> Result<Self, Problem> {
        let Page { items, total, next } = page;
        let headers = page::headers(path, query, total, next.map(ProductCursorToken));
        Ok(Self { headers, products: list_of(total, items)? })
    }

    fn send(self, request: &HttpRequest) -> HttpResponse {
        let mut response = HttpResponse::Ok();
        for header in self.headers {
            response.insert_header(header);
        }
        self.products.send(request, response)
    }
}

fn json(part: &Part) -> PublicJson {
    PublicJson { json: part.array(), tag: part.tag.clone(), snapshot: Some(part.snapshot_number()) }
}

/// The page of products that a path and a query string request.
///
/// # Errors
/// [`Problem`] if a parameter is invalid or the whole list is requested, or if the store failed.
pub(crate) async fn find(app: &AppState, path: &str, query: &str) -> Result<ProductList, Problem> {
    let products = parse(query)?;
    if products.page.limit.is_none() {
        return Err(Problem::bad_request("The limit is too large for this list"));
    }
    one_page(app, path, query, &products).await
}

fn parse(query: &str) -> Result<ProductQuery, Problem> {
    Filter::query(query, &parsed(query)?)
}

async fn one_page(app: &AppState, path: &str, query: &str, products: &ProductQuery) -> Result<ProductList, Problem> {
    if let Some(part) = from_memory(app, products).await {
        return Ok(ProductList::of(&part, path, query));
    }
    if let Some(part) = found(app, products).await? {
        let Some(fit) = &products.fit else {
            let mut list = ProductList::of(&part, path, query);
            // What is found changes without the snapshot: by a number, a synonym.
            list.products.snapshot = None;
            return Ok(list);
        };
        let items = app.shop.catalog.products_for(&fit.wanted, part.ids()).await?;
        return ProductList::read(path, query, Page { items, total: part.total as u64, next: part.next });
    }
    ProductList::read(path, query, app.shop.catalog.browse_products(products).await?)
}

/// The products for a query as the snapshot has them; `None` if the database has to be asked.
async fn from_memory(app: &AppState, products: &ProductQuery) -> Option<Part> {
    app.catalog_snapshot.current().await?.part(products)
}

/// What a search finds, chosen and sorted by the snapshot; `None` if the database has to do that as well.
async fn found(app: &AppState, query: &ProductQuery) -> Result<Option<Part>, Problem> {
    // The parts of one type that fit a vehicle are few, and the database finds them by that alone.
    let is_narrow = query.fit.is_some() && !query.part_types.is_empty();
    if !query.is_search() || is_narrow {
        return Ok(None);
    }
    let Some(snapshot) = app.catalog_snapshot.current().await else { return Ok(None) };
    let candidates = app.shop.catalog.candidates(query).await?;
    Ok(candidates.and_then(|candidates| snapshot.part_among(query, &candidates)))
}

/// All products of a part of the snapshot, copied from it while they are sent.
fn stream_part(request: &HttpRequest, part: Part) -> HttpResponse {
    let mut response = HttpResponse::Ok();
    response.insert_header((page::TOTAL, part.total.to_string()));
    cache::set_tag(&mut response, &part.tag);
    if cache::has_already(request.headers(), &part.tag) {
        return response.status(StatusCode::NOT_MODIFIED).finish();
    }
    let batch = BATCH as usize;
    let batches = (0..part.len().div_ceil(batch)).map(move |nth| {
        let (from, to) = (nth * batch, (nth + 1) * batch);
        let mut json = part.json(from, to);
        json.insert(0, if nth == 0 { b'[' } else { b',' });
        if to >= part.len() {
            json.push(b']');
        }
        Ok::<_, std::convert::Infallible>(Bytes::from(json))
    });
    response.content_type("application/json").streaming(stream::iter(batches))
}

/// All products that match. A list that fits one page is tagged by its content. A longer list is never in memory as a
/// whole, so its tag is made of the state of all products instead.
async fn whole(app: Data<AppState>, request: &HttpRequest, query: ProductQuery) -> Result<HttpResponse, Problem> {
    if let Some(part) = from_memory(&app, &query).await {
        if part.len() > BATCH as usize {
            return Ok(stream_part(request, part));
        }
        let headers = vec![(page::TOTAL, part.total.to_string())];
        return Ok(ProductList { headers, products: json(&part) }.send(request));
    }
    let with = |page| ProductQuery { page, ..query.clone() };
    let page = Pagination { limit: Some(BATCH), ..query.page.clone() };
    let uncounted = query.page.after.is_none();
    let first = app.shop.catalog.browse_products(&with(Pagination { uncounted, ..page.clone() })).await?;
    let mut response = HttpResponse::Ok();
    if first.next.is_none() {
        let total = if uncounted { first.items.len() as u64 } else { first.total };
        response.insert_header((page::TOTAL, total.to_string()));
        return Ok(list_of(total, first.items)?.send(request, response));
    }
    // What fits a vehicle changes without its product.
    if query.fit.is_none() && query.positions.is_empty() {
        // Read before the list: if the list changes meanwhile, it is sent under a tag that is already outdated.
        let state = app.shop.catalog.state_of_products().await?;
        let tag = cache::tag(format!("{state} {}", request.uri()).as_bytes());
        cache::set_tag(&mut response, &tag);
        if cache::has_already(request.headers(), &tag) {
            return Ok(response.status(StatusCode::NOT_MODIFIED).finish());
        }
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
    Ok(one_page(&app, request.path(), request.query_string(), &products).await?.send(&request))
}
