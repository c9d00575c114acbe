//! Finding products by words, numbers and facts, and counting what can be chosen.

use std::sync::atomic::{AtomicU64, Ordering};

use async_trait::async_trait;
use domain::{
    Actor, Attribute, AttributeValue, Category, MinOrder, Money, NumberKind, PartFacts, PartNumber, Product,
    ProductDetails, ProductId, Stock, Text, Timestamp, UnitPrice,
};
use uuid::Uuid;

use crate::{
    AttributeFilter, AttributeMatch, CatalogSearch, NewProduct, Page, Pagination, PartRepository, ProductCursor,
    ProductQuery, ProductRepository, ProductSort, SortOrder,
};

/// An empty shop whose search is judged.
#[async_trait]
pub trait Shop: Send + Sync {
    fn products(&self) -> &dyn ProductRepository;
    fn parts(&self) -> &dyn PartRepository;
    fn search(&self) -> &dyn CatalogSearch;
    /// Returns once the search knows of all changes.
    async fn settle(&self);
}

/// A text that is known to be one.
#[must_use]
pub fn text<const MAX: usize>(text: &str) -> Text<MAX> {
    Text::new(text).unwrap()
}

fn product(name: &str) -> Product {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    let details = ProductDetails::new(
        text(name),
        text("A pair, drilled and vented."),
        Category::Brakes,
        "/pictures/brake-disc-640.webp".parse().unwrap(),
        price(12_999),
        MinOrder::effective(50).unwrap(),
        Stock::new(500).unwrap(),
    );
    let id = ProductId::new(Uuid::from_u128(u128::from(NEXT.fetch_add(1, Ordering::Relaxed)) << 32));
    Product { id, details, created_at: Timestamp::from_second(1_700_000_000).unwrap() }
}

fn price(cents: i64) -> UnitPrice {
    UnitPrice::new(Money::from_cents(cents).unwrap()).unwrap()
}

fn part(name: &str, brand: &str, number: &str) -> Product {
    let mut part = product(name);
    part.details.part_number = Some(text(number));
    part.details.facts = PartFacts { brand: Some(text(brand)), ..PartFacts::NONE };
    part
}

/// A number as it is entered.
#[must_use]
pub fn number(kind: NumberKind, shown: &str, brand: Option<&str>) -> PartNumber {
    PartNumber { kind, shown: text(shown), brand: brand.map(text), note: None, since: None }
}

/// An attribute as it is entered.
#[must_use]
pub fn attribute(name: &str, written: &str) -> Attribute {
    Attribute { name: text(name), value: AttributeValue::written(written).unwrap() }
}

/// A search as it is typed.
#[must_use]
pub fn search(asked: &str) -> ProductQuery {
    ProductQuery { search: Some(asked.to_owned()), ..ProductQuery::default() }
}

/// A number as it is asked for.
#[must_use]
pub fn numbered(asked: &str) -> ProductQuery {
    ProductQuery { number: Some(asked.to_owned()), ..ProductQuery::default() }
}

async fn add(shop: &dyn Shop, product: Product) -> Product {
    let new = NewProduct { product: product.clone(), by: Actor::Shop, idempotency_key: None };
    shop.products().add(&new).await.unwrap();
    product
}

async fn set(shop: &dyn Shop, part: &Product, numbers: &[PartNumber]) {
    shop.parts().set_numbers(part.id, numbers).await.unwrap().unwrap();
}

/// A page of products, as `GET /products` lists them.
async fn found(shop: &dyn Shop, query: &ProductQuery) -> Page<Product, ProductCursor> {
    if !query.is_search() {
        return shop.products().list(query).await.unwrap();
    }
    let Page { items: hits, total, next } = shop.search().search(query).await.unwrap();
    let ids: Vec<ProductId> = hits.iter().map(|hit| hit.id).collect();
    let products = shop.products().find_all(&ids, query.archived).await.unwrap();
    let with = |id: &ProductId| products.iter().find(|product| product.id == *id).cloned();
    Page { items: ids.iter().filter_map(with).collect(), total, next }
}

async fn names(shop: &dyn Shop, query: &ProductQuery) -> Vec<String> {
    found(shop, query).await.items.into_iter().map(|product| product.details.name.into_string()).collect()
}

/// What a query finds: names, each with why.
async fn hits(shop: &dyn Shop, query: &ProductQuery) -> Vec<(String, Option<String>)> {
    let hits = shop.search().search(query).await.unwrap().items;
    let ids: Vec<ProductId> = hits.iter().map(|hit| hit.id).collect();
    let products = shop.products().find_all(&ids, query.archived).await.unwrap();
    let name = |id| products.iter().find(|product| product.id == id).unwrap().details.name.to_string();
    hits.into_iter().map(|hit| (name(hit.id), hit.via.map(|via| via.to_string()))).collect()
}

/// A number finds its part however it is written, and says why.
pub async fn numbers(shop: &dyn Shop) {
    let disc = add(shop, part("Front disc", "Driveline", "DL-BD-3120")).await;
    add(shop, part("Rear disc", "Driveline", "DL-BD-3121")).await;
    let numbers = [
        number(NumberKind::Gtin, "4006381333931", None),
        number(NumberKind::Oe, "1K0 615 301 AA", Some("VW")),
        number(NumberKind::Competitor, "09.A820.11", Some("BREMBO")),
        number(NumberKind::Superseded, "3047-A", None),
        number(NumberKind::Supplier, "S-778899", None),
    ];
    set(shop, &disc, &numbers).await;
    shop.settle().await;
    let entered = shop.parts().numbers(disc.id).await.unwrap().unwrap()[1].since.unwrap();
    let month = entered.strftime("%Y-%m").to_string();
    for (asked, via) in [
        ("DLBD3120", None),
        ("dl bd 3120", None),
        ("Driveline DL.BD.3120", None),
        ("DL-\u{412}D-3120", None),
        ("4006381333931", Some("GTIN 4006381333931".to_owned())),
        ("1K0615301AA", Some("same as VW 1K0 615 301 AA".to_owned())),
        ("brembo 09a82011", Some("same as BREMBO 09.A820.11".to_owned())),
        ("3047a", Some(format!("replaces 3047-A since {month}"))),
        ("s778899", Some("supplier's number S-778899".to_owned())),
    ] {
        let found = vec![("Front disc".to_owned(), via)];
        assert_eq!(hits(shop, &numbered(asked)).await, found, "number {asked}");
        let by_search = hits(shop, &search(asked)).await;
        assert_eq!(by_search.first(), found.first(), "search {asked}");
    }
    // Only one of the two has exactly this number; the other is found by its beginning.
    let begun = hits(shop, &numbered("DLBD312")).await;
    assert_eq!(begun.len(), 2);
    assert!(begun.iter().all(|(_, via)| via.as_deref().unwrap().starts_with("number begins with DL-BD-312")));
    let misread = hits(shop, &numbered("DL-8D-3I2O")).await;
    assert_eq!(misread, [("Front disc".to_owned(), Some("perhaps you meant DL-BD-3120".to_owned()))]);
    let close = hits(shop, &numbered("DLBD3X20")).await;
    assert_eq!(close.first().unwrap().1.as_deref(), Some("close to DL-BD-3120"));
    for nothing in ["ZZZZ99999", "--", "", "x", "\0", "1"] {
        assert_eq!(hits(shop, &numbered(nothing)).await, [], "{nothing:?}");
    }
    for (asked, tier) in [
        ("DLBD3120", 1),
        ("4006381333931", 2),
        ("3047a", 3),
        ("09A82011", 4),
        ("DLBD31", 5),
        ("DL8D3I2O", 6),
        ("DLBD3X20", 7),
    ] {
        assert_eq!(shop.search().by_number(asked).await.unwrap().map(|found| found.tier), Some(tier), "{asked}");
    }
    // A number ends the search, unless its part is none of those that are wanted.
    let of_bosch = ProductQuery { brands: vec!["Bosch".to_owned()], ..numbered("DLBD3120") };
    assert_eq!(hits(shop, &of_bosch).await, []);
}

/// An archived part leads to the one that replaces it.
pub async fn replacements(shop: &dyn Shop) {
    let mut parts = Vec::new();
    for nth in 0..9 {
        parts.push(add(shop, part(&format!("Pump {nth}"), "Driveline", &format!("WP-100{nth}"))).await);
    }
    for nth in 1..9 {
        let superseded = number(NumberKind::Superseded, &format!("WP-100{}", nth - 1), None);
        set(shop, &parts[nth], &[superseded]).await;
        let at = Timestamp::from_second(1_700_000_060).unwrap();
        assert!(shop.products().archive(parts[nth - 1].id, &Actor::Shop, at).await.unwrap());
    }
    shop.settle().await;
    for asked in ["WP1000", "WP 1005"] {
        let found = hits(shop, &numbered(asked)).await;
        assert_eq!(found.len(), 1, "{asked}");
        assert_eq!(found[0].0, "Pump 8");
        assert!(found[0].1.as_deref().unwrap().starts_with("replaces WP-100"), "{found:?}");
    }
    let archived = ProductQuery { archived: true, ..search("pump") };
    assert_eq!(found(shop, &archived).await.total, 8);
    assert_eq!(names(shop, &search("pump")).await, ["Pump 8"]);
}

/// All words in any order, sizes, synonyms and slips find a part.
pub async fn words(shop: &dyn Shop) {
    let mut tire = product("205/55 R16 91V all-season tire");
    tire.details.category = Category::Tires;
    add(shop, tire).await;
    add(shop, product("70 Ah starter battery, 12 V")).await;
    add(shop, product("170 Ah starter battery, 12 V")).await;
    add(shop, product("312 mm front brake disc, vented")).await;
    add(shop, product("5W-30 engine oil")).await;
    add(shop, product("100% *synthetic* _grease_ \\ 1?")).await;
    shop.settle().await;
    for (asked, found) in [
        ("vented brake", vec!["312 mm front brake disc, vented"]),
        ("disc front 312mm", vec!["312 mm front brake disc, vented"]),
        ("rotor", vec!["312 mm front brake disc, vented"]),
        ("brake rotor", vec!["312 mm front brake disc, vented"]),
        ("205/55R16", vec!["205/55 R16 91V all-season tire"]),
        ("205-55-16", vec!["205/55 R16 91V all-season tire"]),
        ("2055516", vec!["205/55 R16 91V all-season tire"]),
        ("tyres 205/55 r16", vec!["205/55 R16 91V all-season tire"]),
        ("70Ah", vec!["70 Ah starter battery, 12 V"]),
        ("battery 70 ah", vec!["70 Ah starter battery, 12 V"]),
        ("batery 70ah", vec!["70 Ah starter battery, 12 V"]),
        ("5W30", vec!["5W-30 engine oil"]),
        ("5w-30 oil", vec!["5W-30 engine oil"]),
        ("oil -", vec!["5W-30 engine oil"]),
        ("ventted brake", vec!["312 mm front brake disc, vented"]),
        ("brake windmill", vec![]),
        ("a\0b", vec![]),
        ("100% *s", vec!["100% *synthetic* _grease_ \\ 1?"]),
        ("*12", vec![]),
        ("3?2", vec![]),
        ("_grease_ \\", vec!["100% *synthetic* _grease_ \\ 1?"]),
    ] {
        assert_eq!(names(shop, &search(asked)).await, found, "{asked}");
    }
    // Any run of signs within one text.
    for asked in ["0 Ah start", "disc, v", "-season t"] {
        assert!(!names(shop, &search(asked)).await.is_empty(), "{asked}");
    }
    assert_eq!(found(shop, &search("")).await.total, 6);
    let id = shop.parts().add_synonym(&text("Kolben"), &text("engine oil")).await.unwrap();
    assert_eq!(names(shop, &search("kolben")).await, ["5W-30 engine oil"]);
    shop.parts().remove_synonym(id).await.unwrap();
    assert_eq!(names(shop, &search("kolben")).await, [] as [&str; 0]);
}

/// A shop of a few parts that differ in everything that can be chosen.
pub async fn assorted(shop: &dyn Shop) {
    let brands = ["Driveline", "Bosch", "Brembo"];
    let types = ["Brake disc", "Brake pad set", "Starter battery"];
    let categories = [Category::Brakes, Category::Batteries];
    for nth in 0..24_u8 {
        let mut one = product(&format!("Part {nth} {}", if nth % 2 == 0 { "disc" } else { "pad" }));
        one.details.available = Stock::new(40 + 10 * i64::from(nth % 3)).unwrap();
        one.details.category = categories[usize::from(nth % 2)];
        one.details.price = price(500 * (i64::from(nth) / 2 + 1));
        one.details.part_number = Some(text(&format!("DL-{}", 3000 + u32::from(nth))));
        one.details.facts.brand = (nth % 4 != 3).then(|| text(brands[usize::from(nth % 4 % 3)]));
        one.details.facts.part_type = (nth % 5 != 4).then(|| text(types[usize::from(nth % 3)]));
        one.details.facts.attributes = vec![attribute("Size", &format!("{} mm", nth % 6))];
        if nth % 2 == 0 {
            let color = ["red", "black", "Red"][usize::from(nth / 2 % 3)];
            one.details.facts.attributes.push(attribute("Color", color));
            one.details.facts.attributes.push(attribute("Vented", if nth % 4 == 0 { "yes" } else { "no" }));
        }
        add(shop, one).await;
    }
    shop.settle().await;
}

/// Every combination of what the tests choose, or rather some of them.
fn queries() -> Vec<ProductQuery> {
    let some = |name: &str| if name.is_empty() { Vec::new() } else { vec![name.to_owned()] };
    let filter = |chosen: &str| {
        let (name, value) = chosen.split_once('=')?;
        let matches = match value.split_once("..") {
            Some((from, to)) => AttributeMatch::Within(from.parse().ok(), to.parse().ok()),
            None => AttributeMatch::OneOf(vec![value.to_owned()]),
        };
        Some(AttributeFilter { name: name.to_owned(), matches })
    };
    let mut all = Vec::new();
    for asked in ["", "disc", "part 1", "DL-30", "DL-3004", "nothing of it"] {
        for brand in ["", "driveLINE", "Bosch"] {
            for part_type in ["", "Brake disc", "61"] {
                for chosen in ["", "size=3", "Size=1..4", "Size=2..", "COLOR=red", "Vented=yes"] {
                    for bits in 0..8_u8 {
                        all.push(ProductQuery {
                            search: (!asked.is_empty()).then(|| asked.to_owned()),
                            category: (bits & 1 > 0).then_some(Category::Brakes),
                            brands: some(brand),
                            part_types: some(part_type),
                            max_price: (bits & 2 > 0).then(|| price(3_000).money()),
                            min_price: (bits & 6 == 6).then(|| price(1_000).money()),
                            attributes: filter(chosen).into_iter().collect(),
                            in_stock: bits & 4 > 0,
                            ..ProductQuery::default()
                        });
                    }
                }
            }
        }
    }
    // A step that has no divisor in common with the choices meets all of each of them.
    all.into_iter().step_by(53).collect()
}

/// What can be chosen is counted as it is listed, and a choice does not narrow its own facet.
pub async fn facets(shop: &dyn Shop) {
    assorted(shop).await;
    for query in queries() {
        counted_as_listed(shop, &query).await;
    }
    let red = AttributeFilter { name: "Color".to_owned(), matches: AttributeMatch::OneOf(vec!["red".to_owned()]) };
    let facets =
        shop.search().facets(&ProductQuery { attributes: vec![red], ..ProductQuery::default() }).await.unwrap();
    assert_eq!(facets.total, 8);
    let color = facets.attributes.first().unwrap();
    let values: Vec<_> = color.values.iter().map(|value| value.count).collect();
    assert_eq!((color.name.as_str(), values), ("Color", vec![8, 4]), "it is first, and black can be chosen still");
    let brands: Vec<_> = facets.brands.iter().map(|brand| brand.name.as_str()).collect();
    assert_eq!(brands, ["Brembo", "Driveline"]);
}

async fn counted_as_listed(shop: &dyn Shop, query: &ProductQuery) {
    let total = async |chosen: ProductQuery| found(shop, &chosen).await.total;
    let facets = shop.search().facets(query).await.unwrap();
    assert_eq!(facets.total, total(query.clone()).await, "{query:?}");
    for value in &facets.brands {
        let chosen = ProductQuery { brands: vec![value.value.clone()], ..query.clone() };
        assert_eq!(value.count, total(chosen).await, "{value:?} of {query:?}");
    }
    for value in &facets.part_types {
        let chosen = ProductQuery { part_types: vec![value.value.clone()], ..query.clone() };
        assert_eq!(value.count, total(chosen).await, "{value:?} of {query:?}");
    }
    for (category, count) in &facets.categories {
        let chosen = ProductQuery { category: Some(*category), ..query.clone() };
        assert_eq!(*count, total(chosen).await, "{category} of {query:?}");
    }
    let chosen = ProductQuery { in_stock: true, ..query.clone() };
    assert_eq!(facets.in_stock, total(chosen).await, "{query:?}");
    for band in &facets.prices {
        let money = |cents| Money::from_cents(cents).unwrap();
        let (min_price, max_price) = (Some(money(band.from)), band.to.map(money));
        let chosen = ProductQuery { min_price, max_price, ..query.clone() };
        assert_eq!(band.count, total(chosen).await, "{band:?} of {query:?}");
    }
    for attribute in &facets.attributes {
        for value in &attribute.values {
            let matches = AttributeMatch::OneOf(vec![value.value.clone()]);
            let others = query.attributes.iter().filter(|filter| !filter.name.eq_ignore_ascii_case(&attribute.name));
            let filter = AttributeFilter { name: attribute.name.clone(), matches };
            let attributes = others.cloned().chain([filter]).collect();
            let chosen = ProductQuery { attributes, ..query.clone() };
            assert_eq!(value.count, total(chosen).await, "{value:?} of {query:?}");
        }
    }
}

/// Pages neither repeat nor skip, and exact numbers come first.
pub async fn pages(shop: &dyn Shop) {
    assorted(shop).await;
    let by_name = ProductQuery { sort: ProductSort::Name, ..search("DL-3000") };
    let oldest = found(shop, &by_name).await.items.remove(0);
    set(shop, &oldest, &[number(NumberKind::Competitor, "DL-30", Some("Other"))]).await;
    shop.settle().await;
    let sorts = [
        ProductSort::Newest,
        ProductSort::Name,
        ProductSort::Price(SortOrder::Ascending),
        ProductSort::Price(SortOrder::Descending),
    ];
    for sort in sorts {
        let whole = found(shop, &ProductQuery { sort, ..search("DL-30") }).await.items;
        assert_eq!(whole.len(), 24);
        assert_eq!(whole[0].id, oldest.id, "{sort:?}");
        // Behind the one that has the number they stand as they do where nothing is searched.
        let listed = shop.products().list(&ProductQuery { sort, ..ProductQuery::default() }).await.unwrap().items;
        let others: Vec<_> = listed.iter().map(|product| product.id).filter(|id| *id != oldest.id).collect();
        assert_eq!(whole[1..].iter().map(|product| product.id).collect::<Vec<_>>(), others, "{sort:?}");
        for limit in [1, 5, 23, 24] {
            let mut query = ProductQuery { sort, page: Pagination::first(limit), ..search("DL-30") };
            let mut seen = Vec::new();
            loop {
                let page = shop.search().search(&query).await.unwrap();
                assert_eq!(page.total, 24);
                seen.extend(page.items.into_iter().map(|hit| hit.id));
                let Some(next) = page.next else { break };
                query.page.after = Some(next);
            }
            assert_eq!(seen, whole.iter().map(|product| product.id).collect::<Vec<_>>(), "{sort:?} {limit}");
        }
    }
}
