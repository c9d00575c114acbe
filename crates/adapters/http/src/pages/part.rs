//! `GET /parts/{slug}`.

use actix_web::http::StatusCode;
use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse};
use domain::{Product, ProductId, one_line};
use ports::ListedPart;

use super::card::Card;
use super::frame::{self, Head};
use super::part_view::{Fit, GonePage, PartPage, ReviewShown, numbers};
use super::{address, json_ld};
use crate::app_state::AppState;
use crate::catalog::fitments::ranges::{Range, ranges};
use crate::extract::wants_html;
use crate::problem::Problem;

/// How many reviews a page shows.
const REVIEWS: u32 = 5;

/// How many ranges of vehicles a page shows.
const FITS: usize = 120;

/// How long a description for search engines may be, in characters.
const DESCRIPTION: usize = 160;

/// The page of a part, for everybody: `{brand}-{number}-{name}`, or `{name}-{short id}` for a part without a brand or a number.
/// Its id, and any slug that it had under another name, lead to its own address.
#[utoipa::path(
    get, path = "/parts/{slug}", params(("slug" = String, Path, description = "The part's slug, or its id")),
    responses(
        (status = 200, description = "The page", content_type = "text/html", body = String),
        (status = 301, description = "The part's own address"),
        (status = 404, description = "No such part"),
        (status = 410, description = "It is not sold any more; `replacedBy` if another is sold in its place"),
    )
)]
pub(crate) async fn get_part_page(
    app: Data<AppState>,
    path: Path<String>,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let slug = path.to_ascii_lowercase();
    let part = match slug.parse::<ProductId>() {
        Ok(id) => app.shop.catalog.listed_part(id).await?,
        Err(_) => app.shop.catalog.part_by_slug(&slug).await?,
    };
    let Some(part) = part else { return frame::not_found(&app, &request) };
    let own = part.slug();
    if own != *path {
        return Ok(frame::moved_to(&address::part(&own)));
    }
    match app.shop.catalog.product(part.id).await? {
        Some(product) => show(&app, &request, &product, &own).await,
        None => gone(&app, &request, &part).await,
    }
}

async fn show(app: &AppState, request: &HttpRequest, product: &Product, slug: &str) -> Result<HttpResponse, Problem> {
    let catalog = &app.shop.catalog;
    let known = catalog.part_numbers(product.id).await?.unwrap_or_default();
    let gtin = catalog.worldwide_gtins(&[product.id]).await?.remove(&product.id);
    let rating = catalog.rating_of(product.id).await?;
    let mut reviews = catalog.latest_reviews_of(product.id, REVIEWS).await?;
    reviews.reverse();
    let ranges = ranges(catalog.fitments(product.id).await?.unwrap_or_default());
    let page = PartPage {
        fits: ranges.iter().take(FITS).map(Fit::of).collect(),
        more_fits: ranges.len().saturating_sub(FITS),
        numbers: numbers(known),
        rating: rating.average().map(|average| (average, rating.reviews)),
        reviews: reviews.into_iter().map(ReviewShown::from).collect(),
        ..PartPage::new(product)
    };
    let path = address::part(slug);
    let url = app.settings.address(&path);
    let trail = [
        ("Home".to_owned(), "/".to_owned()),
        ("Shop".to_owned(), "/shop".to_owned()),
        (page.category.to_owned(), page.category_path.clone()),
        (page.name.clone(), path),
    ];
    let mut fits: Vec<String> = ranges.iter().take(FITS).map(Range::vehicle).collect();
    fits.dedup();
    let data = json_ld::PartData { url: &url, gtin: gtin.as_ref(), rating, fits: &fits };
    let head = Head {
        title: title(product),
        description: description(product),
        canonical: Some(url.clone()),
        kind: "product",
        picture: Some(app.settings.picture(&product.details.img)),
        shop: app.settings.shop_name().to_owned(),
        data: vec![
            json_ld::element(&json_ld::product(&app.settings, product, &data)),
            json_ld::element(&json_ld::breadcrumbs(&app.settings, &trail)),
        ],
    };
    frame::send(request, StatusCode::OK, &head, &page)
}

/// The page of a part that is not sold any more, with the way to the one that is sold in its place.
async fn gone(app: &AppState, request: &HttpRequest, part: &ListedPart) -> Result<HttpResponse, Problem> {
    let successor = app.shop.catalog.successor(part.id).await?;
    if !wants_html(request) {
        return Err(successor.map_or_else(Problem::no_longer_sold, |successor| Problem::replaced(&successor)));
    }
    let ids: Vec<ProductId> = successor.into_iter().collect();
    let slugs = app.shop.catalog.part_slugs(&ids).await?;
    let products = app.shop.catalog.products_for_sale(&ids).await?;
    let page = GonePage { name: part.name.to_string(), cards: Card::all(&products, &slugs) };
    frame::send(request, StatusCode::GONE, &Head::of_nothing(app, &page.name), &page)
}

/// What the part is called, with its brand and number where the name does not have them.
fn title(product: &Product) -> String {
    let details = &product.details;
    let name = one_line(details.name.as_str());
    let of = |text: Option<&str>| text.filter(|text| !name.contains(text)).map(one_line);
    let brand = of(details.facts.brand.as_ref().map(domain::Text::as_str));
    let number = of(details.part_number.as_ref().map(domain::Text::as_str));
    [brand, number, Some(name.clone())].into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// The part in a sentence or two.
fn description(product: &Product) -> String {
    let details = &product.details;
    let text = format!(
        "{} each, from {} units. {}",
        details.price.money(),
        details.min_order.get(),
        one_line(details.description.as_str())
    );
    if text.chars().count() <= DESCRIPTION {
        return text;
    }
    let cut: String = text.chars().take(DESCRIPTION - 1).collect();
    let end = cut.rfind(' ').unwrap_or(cut.len());
    format!("{}…", cut[..end].trim_end_matches([',', '.', ';', ' ']))
}
