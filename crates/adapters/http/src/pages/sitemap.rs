//! `GET /sitemap.xml` and `GET /sitemaps/{name}`.

use std::time::Duration;

use actix_web::HttpRequest;
use actix_web::HttpResponse;
use actix_web::http::header::CACHE_CONTROL;
use actix_web::web::{Bytes, Data, Path};
use domain::{Category, Timestamp};
use futures_util::TryStreamExt;
use ports::{ListedPart, Pagination, PartsBlock, ProductQuery};
use tokio::sync::Mutex;

use super::{address, frame, vehicle};
use crate::app_state::AppState;
use crate::cache::{self, tagged};
use crate::problem::Problem;
use crate::wire::batches::{Batch, batches};

/// How many addresses one file may list (sitemaps.org).
const LISTED: i32 = 50_000;

/// How many are read at once.
const AT_ONCE: u32 = 5_000;

/// How long what is listed is kept: finding when each block of parts changed reads every part.
const KEPT: Duration = Duration::from_mins(10);

const XML: &str = "application/xml; charset=utf-8";
const NAMESPACE: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";

/// The client's own pages for everybody.
const SCREENS: [&str; 8] = ["/", "/shop", "/about", "/contact", "/shipping", "/return-policy", "/terms", "/privacy"];

/// The blocks of parts and the pages of vehicles.
#[derive(Clone)]
struct Known {
    blocks: Vec<PartsBlock>,
    vehicles: Vec<String>,
}

/// What is listed, and when that was read.
#[derive(Default)]
pub(crate) struct KnownPages(Mutex<Option<(Timestamp, Known)>>);

impl KnownPages {
    async fn get(&self, app: &AppState) -> Result<Known, Problem> {
        let now = app.clock.now();
        // Whoever else asks meanwhile waits for the same answer.
        let mut known = self.0.lock().await;
        if let Some((read, pages)) = known.as_ref()
            && now < *read + KEPT
        {
            return Ok(pages.clone());
        }
        let blocks = app.shop.catalog.blocks_of_parts(LISTED).await?;
        let pages = Known { blocks, vehicles: vehicle::paths(app).await? };
        *known = Some((now, pages.clone()));
        Ok(pages)
    }
}

fn day_and_time(at: Timestamp) -> String {
    at.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// The list of all lists of pages.
#[utoipa::path(
    get, path = "/sitemap.xml",
    responses((status = 200, description = "An index of sitemaps", content_type = "application/xml", body = String))
)]
pub(crate) async fn get_sitemap(
    app: Data<AppState>,
    pages: Data<KnownPages>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let Known { blocks, vehicles } = pages.get(&app).await?;
    let mut xml = format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<sitemapindex xmlns=\"{NAMESPACE}\">\n");
    let entry =
        |path: &str, changed: &str| format!("<sitemap><loc>{}</loc>{changed}</sitemap>\n", app.settings.address(path));
    xml += &entry("/sitemaps/shop.xml", "");
    if !vehicles.is_empty() {
        xml += &entry("/sitemaps/vehicles.xml", "");
    }
    for block in blocks {
        let changed = format!("<lastmod>{}</lastmod>", day_and_time(block.changed_at));
        xml += &entry(&format!("/sitemaps/parts-{}.xml", block.nth + 1), &changed);
    }
    xml += "</sitemapindex>\n";
    let tag = cache::tag(xml.as_bytes());
    Ok(tagged(&request, HttpResponse::Ok(), &tag, cache::FOR_AN_HOUR, XML, xml))
}

/// A list of pages: `shop.xml`, of the shop's own and of its categories, `vehicles.xml`, or `parts-1.xml` and so on, of the parts.
#[utoipa::path(
    get, path = "/sitemaps/{name}", params(("name" = String, Path, description = "As the index names it")),
    responses(
        (status = 200, description = "At most 50,000 addresses", content_type = "application/xml", body = String),
        (status = 404, description = "No such list"),
    )
)]
pub(crate) async fn get_sitemap_part(
    app: Data<AppState>,
    pages: Data<KnownPages>,
    name: Path<String>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    match name.as_str() {
        "shop.xml" => return of_shop(&app, &request).await,
        "vehicles.xml" => return Ok(of_paths(&app, &request, pages.get(&app).await?.vehicles)),
        _ => {}
    }
    let nth = name.strip_prefix("parts-").and_then(|name| name.strip_suffix(".xml")).and_then(|nth| nth.parse().ok());
    match nth.filter(|nth: &i32| (1..=i32::MAX / LISTED).contains(nth)) {
        Some(nth) => of_parts(app, nth - 1, &request).await,
        None => frame::not_found(&app, &request),
    }
}

async fn of_shop(app: &AppState, request: &HttpRequest) -> Result<HttpResponse, Problem> {
    let mut paths: Vec<String> = SCREENS.map(str::to_owned).into();
    for category in Category::ALL {
        let page = Pagination::batch(1, None);
        let query = ProductQuery { category: Some(category), page, ..ProductQuery::default() };
        // The page of a category without parts is not there.
        if !app.shop.catalog.browse_products(&query).await?.items.is_empty() {
            paths.push(address::category(category));
        }
    }
    Ok(of_paths(app, request, paths))
}

fn of_paths(app: &AppState, request: &HttpRequest, paths: Vec<String>) -> HttpResponse {
    let mut xml = head();
    for path in paths {
        xml += &entry(&app.settings.address(&path), "");
    }
    xml += END;
    let tag = cache::tag(xml.as_bytes());
    tagged(request, HttpResponse::Ok(), &tag, cache::FOR_AN_HOUR, XML, xml)
}

async fn of_parts(app: Data<AppState>, nth: i32, request: &HttpRequest) -> Result<HttpResponse, Problem> {
    let up_to = Some((nth + 1) * LISTED);
    let read = move |after: i32| {
        let app = app.clone();
        async move { Ok(batch(app.shop.catalog.parts_after(after, up_to, AT_ONCE).await?)) }
    };
    let first: Batch<ListedPart, i32> = read(nth * LISTED).await?;
    if first.0.is_empty() {
        return Err(Problem::not_found());
    }
    let address = request.app_data::<Data<AppState>>().map(|app| app.settings.address("")).unwrap_or_default();
    let pieces = batches(first, read).map_ok(move |batch| {
        let mut xml = if batch.is_first { head() } else { String::new() };
        for part in &batch.items {
            // A slug holds nothing that XML would read otherwise.
            let (slug, changed) = (part.slug(), day_and_time(part.changed_at));
            xml += &entry(&format!("{address}{}", address::part(&slug)), &format!("<lastmod>{changed}</lastmod>"));
        }
        if batch.is_last {
            xml += END;
        }
        Bytes::from(xml)
    });
    Ok(HttpResponse::Ok().content_type(XML).insert_header((CACHE_CONTROL, cache::FOR_AN_HOUR)).streaming(pieces))
}

fn batch(parts: Vec<ListedPart>) -> Batch<ListedPart, i32> {
    let next = parts.last().filter(|_| parts.len() == AT_ONCE as usize).map(|part| part.no);
    (parts, next)
}

fn entry(address: &str, changed: &str) -> String {
    format!("<url><loc>{address}</loc>{changed}</url>\n")
}

fn head() -> String {
    format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"{NAMESPACE}\">\n")
}

const END: &str = "</urlset>\n";
