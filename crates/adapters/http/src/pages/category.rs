//! `GET /shop/{category}`.

use actix_web::http::StatusCode;
use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse};
use askama::Template;
use domain::{Category, Product, ProductId};
use ports::{Page, Pagination, ProductQuery};

use super::card::Card;
use super::frame::{self, Head};
use super::{address, json_ld};
use crate::app_state::AppState;
use crate::problem::Problem;

/// How many parts a landing page shows.
const SHOWN: u32 = 48;

/// A landing page: parts, and the ways to others.
#[derive(Template)]
#[template(path = "landing.html")]
pub(crate) struct LandingPage {
    pub(crate) heading: String,
    /// What the parts are, in a sentence.
    pub(crate) text: String,
    /// Names and paths of the pages above this one.
    pub(crate) trail: Vec<(String, String)>,
    pub(crate) cards: Vec<Card>,
    /// How many parts there are.
    pub(crate) total: u64,
    /// Where all of them are listed, with filters.
    pub(crate) all: String,
    /// What the other pages are called together.
    pub(crate) others_label: &'static str,
    /// Names and paths of other pages.
    pub(crate) others: Vec<(String, String)>,
}

/// The landing page of a category: its newest parts. Nothing is at the address of a category without parts.
#[utoipa::path(
    get, path = "/shop/{category}",
    params(("category" = String, Path, description = "The category in lower case, with hyphens: `oils-and-fluids`")),
    responses(
        (status = 200, description = "The page", content_type = "text/html", body = String),
        (status = 404, description = "No such category, or no part in it"),
    )
)]
pub(crate) async fn get_category_page(
    app: Data<AppState>,
    path: Path<String>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let category = Category::ALL.into_iter().find(|category| address::category_slug(*category) == *path);
    let Some(category) = category else { return frame::not_found(&app, &request) };
    let query = ProductQuery { category: Some(category), page: Pagination::first(SHOWN), ..ProductQuery::default() };
    let Page { items, total, .. } = app.shop.catalog.browse_products(&query).await?;
    if items.is_empty() {
        return frame::not_found(&app, &request);
    }
    let products: Vec<Product> = items.into_iter().map(|found| found.product).collect();
    let ids: Vec<ProductId> = products.iter().map(|product| product.id).collect();
    let cards = Card::all(&products, &app.shop.catalog.part_slugs(&ids).await?);
    let label = address::category_label(category);
    let page = LandingPage {
        heading: label.to_owned(),
        text: format!("{label} in bulk, from 50 units, with live prices and stock."),
        trail: vec![("Shop".to_owned(), "/shop".to_owned())],
        cards,
        total,
        all: format!("/shop?category={}", category.as_str().replace(' ', "+")),
        others_label: "Other categories",
        others: others(category),
    };
    send(&app, &request, &page, &address::category(category))
}

/// Sends a landing page.
///
/// # Errors
/// As [`frame::send`].
pub(crate) fn send(
    app: &AppState,
    request: &HttpRequest,
    page: &LandingPage,
    path: &str,
) -> Result<HttpResponse, Problem> {
    let home = ("Home".to_owned(), "/".to_owned());
    let here = (page.heading.clone(), path.to_owned());
    let trail: Vec<(String, String)> = [home].into_iter().chain(page.trail.iter().cloned()).chain([here]).collect();
    let mut parts: Vec<String> = page.cards.iter().map(|card| card.path.clone()).collect();
    if parts.is_empty() {
        parts = page.others.iter().map(|(_, path)| path.clone()).collect();
    }
    let picture = page.cards.first().map(|card| card.img.clone());
    let head = Head {
        title: page.heading.clone(),
        description: page.text.clone(),
        canonical: Some(app.settings.address(path)),
        kind: "website",
        picture: picture.map(|img| if img.starts_with('/') { app.settings.address(&img) } else { img }),
        shop: app.settings.shop_name().to_owned(),
        data: vec![
            json_ld::element(&json_ld::list(&app.settings, &page.heading, path, &parts)),
            json_ld::element(&json_ld::breadcrumbs(&app.settings, &trail)),
        ],
    };
    frame::send(request, StatusCode::OK, &head, page)
}

fn others(category: Category) -> Vec<(String, String)> {
    let others = Category::ALL.into_iter().filter(|other| *other != category);
    others.map(|other| (address::category_label(other).to_owned(), address::category(other))).collect()
}
