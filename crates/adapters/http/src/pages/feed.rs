//! `GET /feeds/google.xml`.

use std::collections::HashMap;

use actix_web::HttpResponse;
use actix_web::http::header::CACHE_CONTROL;
use actix_web::web::{Bytes, Data};
use askama::Template;
use domain::{Gtin, PackSize, Product, ProductId, Size};
use futures_util::TryStreamExt;
use ports::ListedPart;

use super::address;
use crate::app_state::{AppState, Settings};
use crate::cache;
use crate::problem::Problem;
use crate::wire::batches::{BATCH, Batch, batches};
use crate::wire::money::Dollars;

/// An offer, in the words of Google's product data specification.
#[derive(Template)]
#[template(path = "feed_item.xml", escape = "html")]
struct Item {
    id: String,
    title: String,
    description: String,
    link: String,
    image: String,
    more_images: Vec<String>,
    is_available: bool,
    price: String,
    brand: Option<String>,
    gtin: Option<String>,
    mpn: Option<String>,
    product_type: String,
    /// Grams.
    weight: Option<u32>,
}

/// What is before the first offer.
#[derive(Template)]
#[template(path = "feed_head.xml", escape = "html")]
struct FeedHead<'a> {
    shop: &'a str,
    link: String,
}

/// How many further pictures an offer may have.
const MORE_IMAGES: usize = 10;

const END: &str = "</channel>\n</rss>\n";

/// Every part for sale, for programs of merchants: RSS 2.0 in the words of Google's product data specification.
#[utoipa::path(
    get, path = "/feeds/google.xml",
    responses((status = 200, description = "RSS 2.0", content_type = "application/xml", body = String))
)]
pub(crate) async fn get_merchant_feed(app: Data<AppState>) -> Result<HttpResponse, Problem> {
    let head = FeedHead { shop: app.settings.shop_name(), link: app.settings.address("/") };
    let head = head.render().map_err(|error| Problem::defect(&error))?;
    let read = move |after: i32| {
        let app = app.clone();
        async move { offers(&app, after).await }
    };
    let first = read(0).await?;
    let pieces = batches(first, read).map_ok(move |batch| {
        let mut xml = if batch.is_first { head.clone() } else { String::new() };
        for item in batch.items {
            // Writing to memory does not fail.
            xml.push_str(&item.render().unwrap_or_default());
        }
        if batch.is_last {
            xml.push_str(END);
        }
        Bytes::from(xml)
    });
    Ok(HttpResponse::Ok()
        .content_type("application/xml; charset=utf-8")
        .insert_header((CACHE_CONTROL, cache::FOR_AN_HOUR))
        .streaming(pieces))
}

async fn offers(app: &AppState, after: i32) -> Result<Batch<Item, i32>, Problem> {
    let catalog = &app.shop.catalog;
    let listed: Vec<ListedPart> = catalog.parts_after(after, None, BATCH).await?;
    let next = listed.last().filter(|_| listed.len() == BATCH as usize).map(|part| part.no);
    let ids: Vec<ProductId> = listed.iter().map(|part| part.id).collect();
    let products = catalog.products_for_sale(&ids).await?;
    let mut products: HashMap<ProductId, Product> = products.into_iter().map(|product| (product.id, product)).collect();
    let mut gtins = catalog.worldwide_gtins(&ids).await?;
    let items = listed.iter().filter_map(|part| {
        let product = products.remove(&part.id)?;
        Some(Item::new(&app.settings, &product, &part.slug(), gtins.remove(&part.id).as_ref()))
    });
    Ok((items.collect(), next))
}

impl Item {
    fn new(settings: &Settings, product: &Product, slug: &str, gtin: Option<&Gtin>) -> Self {
        let details = &product.details;
        let facts = &details.facts;
        let category = address::category_label(details.category);
        Self {
            id: product.id.to_string(),
            title: cut(details.name.as_str(), 150),
            description: cut(details.description.as_str(), 5_000),
            link: settings.address(&address::part(slug)),
            image: settings.picture(&details.img),
            more_images: details.further_pictures.iter().take(MORE_IMAGES).map(|img| settings.picture(img)).collect(),
            is_available: details.available.get() >= details.min_order.get(),
            price: format!("{} USD", Dollars(details.price.money()).plain()),
            brand: facts.brand.as_ref().map(|brand| cut(brand.as_str(), 70)),
            gtin: gtin.map(|gtin| gtin.as_str().to_owned()),
            mpn: details.part_number.as_ref().map(|number| cut(number.as_str(), 70)),
            product_type: match &facts.part_type {
                Some(part_type) => format!("{category} > {}", xml_text(part_type.as_str())),
                None => category.to_owned(),
            },
            // What is weighed is a pack, and what is offered a unit.
            weight: facts.weight.filter(|_| facts.pack_size == PackSize::ONE).map(Size::get),
        }
    }

    /// Whether merchants' programs can know the product by its numbers: by a GTIN, or by a brand and its number.
    fn is_identified(&self) -> bool {
        self.gtin.is_some() || (self.brand.is_some() && self.mpn.is_some())
    }
}

/// A text of at most so many characters.
fn cut(text: &str, most: usize) -> String {
    xml_text(text).chars().take(most).collect()
}

/// A text without the characters that XML cannot hold (XML 1.0, section 2.2).
fn xml_text(text: &str) -> String {
    text.chars()
        .filter(|c| !matches!(c, '\u{fffe}' | '\u{ffff}') && (!c.is_control() || matches!(c, '\n' | '\r' | '\t')))
        .collect()
}
