//! A snapshot against the plain answer: all products in a map, filtered and sorted for each query.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use domain::{
    Category, MinOrder, Money, Product, ProductDetails, ProductId, Rating, Review, ReviewId, Stock, Text, Timestamp,
    UnitPrice,
};
use ports::{Pagination, ProductQuery, ProductSort, SortOrder};
use serde_json::Value;
use uuid::Uuid;

use super::entry::Entry;
use super::lists::{Selection, Slots};
use super::{Part, Snapshot};
use crate::catalog::products::attributes::ProductView;

const SORTS: [ProductSort; 4] = [
    ProductSort::Newest,
    ProductSort::Price(SortOrder::Ascending),
    ProductSort::Price(SortOrder::Descending),
    ProductSort::Name,
];

/// A generator of numbers that is the same in every run (Steele and others, 2014: `SplitMix`).
pub(super) struct Dice(pub(super) u64);

impl Dice {
    pub(super) fn throw(&mut self, sides: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        u32::try_from((mixed ^ (mixed >> 31)) % u64::from(sides)).unwrap()
    }

    /// Few values for each attribute, so that many products share them.
    pub(super) fn product(&mut self, id: u128) -> Product {
        let name = ["Disc", "disc", "Öl", "öl 5W", "belt", "Belt A"][self.throw(6) as usize];
        let details = ProductDetails::new(
            Text::new(name).unwrap(),
            Text::new("Tested.").unwrap(),
            Category::ALL[self.throw(3) as usize],
            "/pictures/a.webp".parse().unwrap(),
            UnitPrice::new(Money::from_cents(100 + i64::from(self.throw(5))).unwrap()).unwrap(),
            MinOrder::effective(50).unwrap(),
            Stock::new(i64::from(self.throw(4) * 30)).unwrap(),
        );
        let created_at = Timestamp::from_second(1_700_000_000 + i64::from(self.throw(10))).unwrap();
        Product { id: ProductId::new(Uuid::from_u128(id)), details, created_at }
    }
}

fn plain_answer(products: &BTreeMap<Uuid, Product>, query: &ProductQuery) -> Vec<Uuid> {
    let mut found: Vec<&Product> = products
        .values()
        .filter(|product| query.category.is_none_or(|category| product.details.category == category))
        .filter(|product| !query.in_stock || product.details.available.get() >= product.details.min_order.get())
        .collect();
    found.sort_by_key(|product| product.id);
    match query.sort {
        ProductSort::Newest => found.sort_by_key(|product| product.created_at),
        ProductSort::Price(_) => found.sort_by_key(|product| product.details.price),
        ProductSort::Name => found.sort_by_key(|product| domain::fold(product.details.name.as_str())),
    }
    if matches!(query.sort, ProductSort::Newest | ProductSort::Price(SortOrder::Descending)) {
        found.reverse();
    }
    found.into_iter().map(|product| product.id.uuid()).collect()
}

pub(super) fn ids(json: &[u8]) -> Vec<Uuid> {
    let products: Vec<Value> = serde_json::from_slice(json).unwrap();
    products.iter().map(|product| product["_id"].as_str().unwrap().parse().unwrap()).collect()
}

pub(super) fn part(snapshot: &Arc<Snapshot>, query: &ProductQuery) -> Part {
    snapshot.part(query).unwrap()
}

/// The number of a product with a small id.
pub(super) fn no(product: &Product) -> i32 {
    i32::try_from(product.id.uuid().as_u128()).unwrap()
}

pub(super) fn numbered(product: &Product) -> (Product, i32) {
    (product.clone(), no(product))
}

pub(super) fn loaded<'a>(products: impl Iterator<Item = &'a Product>) -> Snapshot {
    let (mut slots, mut names) = (Slots::default(), Arc::default());
    for product in products {
        slots.push(Entry::new(product.clone(), no(product), &mut names).unwrap());
    }
    Snapshot::of(1, slots, names, Vec::new()).unwrap()
}

/// Every list, whole and page by page.
fn assert_same(snapshot: &Arc<Snapshot>, products: &BTreeMap<Uuid, Product>) {
    for Selection { category, in_stock } in Selection::all() {
        for sort in SORTS {
            let query = |page| ProductQuery { category, in_stock, sort, page, ..ProductQuery::default() };
            let expected = plain_answer(products, &query(Pagination::whole()));
            let whole = part(snapshot, &query(Pagination::whole()));
            assert_eq!(ids(&whole.array()), expected, "{category:?} {in_stock} {sort:?}");
            assert!(whole.total == expected.len() && whole.next.is_none());
            let (mut paged, mut after) = (Vec::new(), None);
            loop {
                let page = part(snapshot, &query(Pagination { limit: Some(7), after, uncounted: false }));
                assert!(page.len() <= 7 && page.total == expected.len());
                paged.extend(ids(&page.array()));
                after = page.next;
                if after.is_none() {
                    break;
                }
            }
            assert_eq!(paged, expected, "{category:?} {in_stock} {sort:?} in pages");
        }
    }
}

#[test]
fn a_snapshot_that_is_brought_up_to_date_answers_as_the_plain_list_does() {
    let mut dice = Dice(7);
    let mut products: BTreeMap<Uuid, Product> =
        (0..600).map(|id| dice.product(id)).map(|product| (product.id.uuid(), product)).collect();
    let mut snapshot = Arc::new(loaded(products.values()));
    assert_same(&snapshot, &products);
    for number in 2..40 {
        // One product, some, or many; added, changed, archived, added again, or the same as before.
        let many = [1, 1, 20, 300][dice.throw(4) as usize];
        let mut changes = HashMap::new();
        for _ in 0..many {
            let id = u128::from(dice.throw(900));
            let product = match dice.throw(4) {
                0 => None,
                1 => products.get(&Uuid::from_u128(id)).cloned(),
                _ => Some(dice.product(id)),
            };
            changes.insert(ProductId::new(Uuid::from_u128(id)), product);
        }
        for (id, product) in &changes {
            match product {
                Some(product) => drop(products.insert(id.uuid(), product.clone())),
                None => drop(products.remove(&id.uuid())),
            }
        }
        let before = Arc::clone(&snapshot);
        let whole = part(&before, &ProductQuery::default()).array();
        let changes = changes.into_iter().map(|(id, product)| (id, product.as_ref().map(numbered))).collect();
        snapshot = Arc::new(snapshot.with(number, changes).unwrap());
        assert_eq!(part(&before, &ProductQuery::default()).array(), whole, "a snapshot never changes");
        assert_same(&snapshot, &products);
        for (id, product) in &products {
            let entry = snapshot.product(product.id).unwrap();
            assert_eq!(entry.id, *id);
        }
        assert!(snapshot.product(ProductId::new(Uuid::from_u128(5_000))).is_none());
    }
    // The same tags as those of another copy of the program, which has just read everything.
    let other = Arc::new(loaded(products.values()));
    for sort in SORTS {
        for page in [Pagination::whole(), Pagination::first(20)] {
            let query = ProductQuery { sort, page, ..ProductQuery::default() };
            assert_eq!(part(&snapshot, &query).tag, part(&other, &query).tag);
        }
    }
    assert_eq!(snapshot.sums, other.sums);
}

#[test]
fn an_unmoved_list_is_shared_with_the_next_snapshot() {
    let mut dice = Dice(1);
    let mut product = dice.product(1);
    product.details.available = Stock::new(500).unwrap();
    let others: Vec<Product> = (2..50).map(|id| dice.product(id)).collect();
    let snapshot = Arc::new(loaded(std::iter::once(&product).chain(&others)));
    let tag = part(&snapshot, &ProductQuery::default()).tag;
    product.details.available = Stock::new(450).unwrap();
    let next = Arc::new(snapshot.with(2, HashMap::from([(product.id, Some(numbered(&product)))])).unwrap());
    for (before, after) in snapshot.lists.iter().flatten().zip(next.lists.iter().flatten()) {
        assert!(Arc::ptr_eq(before, after));
    }
    assert_ne!(part(&next, &ProductQuery::default()).tag, tag);
    // Out of stock: it leaves the lists of what can be ordered, and no other.
    product.details.available = Stock::new(0).unwrap();
    let last = Arc::new(next.with(3, HashMap::from([(product.id, Some(numbered(&product)))])).unwrap());
    let moved = next.lists.iter().flatten().zip(last.lists.iter().flatten());
    assert_eq!(moved.filter(|(before, after)| !Arc::ptr_eq(before, after)).count(), 6);
}

#[test]
fn a_search_is_left_to_the_database() {
    let snapshot = Arc::new(loaded(std::iter::empty()));
    let query = ProductQuery { search: Some("disc".to_owned()), ..ProductQuery::default() };
    assert!(snapshot.part(&query).is_none());
    assert_eq!(part(&snapshot, &ProductQuery::default()).array(), "[]");
}

#[test]
fn the_latest_reviews_are_the_last_ones_and_tagged_by_what_they_are() {
    let review = |n: u128| Review {
        id: ReviewId::new(Uuid::from_u128(n)),
        name: Text::new("Ada").unwrap(),
        author: None,
        part: None,
        is_verified: false,
        details: Text::new("Sturdy.").unwrap(),
        rating: Rating::new(5).unwrap(),
        created_at: Timestamp::UNIX_EPOCH,
    };
    let snapshot = loaded(std::iter::empty()).with_reviews(2, (1..=30).map(review).collect()).unwrap();
    let latest = snapshot.latest_reviews(2);
    assert_eq!(ids(&latest.json), [29, 30].map(Uuid::from_u128));
    assert_eq!(ids(&snapshot.latest_reviews(1_000).json).len(), 30);
    assert_ne!(latest.tag, snapshot.latest_reviews(3).tag);
    let fewer = loaded(std::iter::empty()).with_reviews(2, (29..=30).map(review).collect()).unwrap();
    assert_eq!(latest.tag, fewer.latest_reviews(2).tag);
}

#[test]
fn a_list_has_one_picture_of_a_product_and_the_product_itself_all() {
    let mut dice = Dice(3);
    let mut products = [dice.product(1), dice.product(2)];
    products[0].details.further_pictures =
        vec!["/pictures/b.webp".parse().unwrap(), "/pictures/c.webp".parse().unwrap()];
    let snapshot = Arc::new(loaded(products.iter()));
    let listed = part(&snapshot, &ProductQuery::default());
    let listed: Vec<Value> = serde_json::from_slice(&listed.array()).unwrap();
    assert!(listed.iter().all(|product| product["img"] == "/pictures/a.webp" && product.get("images").is_none()));
    for product in &products {
        let entry = snapshot.product(product.id).unwrap();
        let alone = serde_json::to_vec(&ProductView::whole(product.clone())).unwrap();
        assert_eq!(*entry.json, *alone, "as it is sent when it is read from the database");
    }
    let whole: Value = serde_json::from_slice(&snapshot.product(products[0].id).unwrap().json).unwrap();
    assert_eq!(whole["images"], serde_json::json!(["/pictures/a.webp", "/pictures/b.webp", "/pictures/c.webp"]));

    // Pictures in another order are another state of the product.
    let mut turned = products[0].clone();
    turned.details.further_pictures.reverse();
    let next = snapshot.with(2, HashMap::from([(turned.id, Some(numbered(&turned)))])).unwrap();
    assert_ne!(next.product(turned.id).unwrap().digest, snapshot.product(turned.id).unwrap().digest);
}
