//! What can be chosen in memory, against the plain answer: all products, filtered and counted one facet after the other.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use domain::{
    Attribute, AttributeValue, Category, Measure, Money, PartFacts, Position, Product, ProductId, Text, fold,
};
use ports::{
    AttributeFilter, AttributeMatch, Candidate, FacetValue, Facets, PRICE_BANDS, Pagination, ProductQuery, ProductSort,
    SortOrder,
};
use uuid::Uuid;

use super::tests::{Dice, ids, loaded, no, numbered, part};

const BRANDS: [&str; 4] = ["Brembo", "ATE", "Øst", "brembo two"];
const TYPES: [&str; 3] = ["Brake disc", "Oil filter", "Bulb"];
const WORDS: [&str; 4] = ["vented", "Vented", "solid", "yes"];

fn text<const MAX: usize>(text: &str) -> Text<MAX> {
    Text::new(text).unwrap()
}

fn one<'a>(dice: &mut Dice, among: &[&'a str]) -> &'a str {
    among[dice.throw(u32::try_from(among.len()).unwrap()) as usize]
}

fn measure(text: &str) -> Measure {
    text.parse().unwrap()
}

/// A product with facts, of which it may lack any.
pub(super) fn product(dice: &mut Dice, id: u128) -> Product {
    let mut product = dice.product(id);
    let mut attributes = Vec::new();
    if dice.throw(3) > 0 {
        let diameter = measure(one(dice, &["280", "300", "312.5"]));
        attributes
            .push(Attribute { name: text("Diameter"), value: AttributeValue::Number(diameter, Some(text("mm"))) });
    }
    if dice.throw(3) > 0 {
        attributes.push(Attribute { name: text("Kind"), value: AttributeValue::Words(text(one(dice, &WORDS))) });
    }
    if dice.throw(2) > 0 {
        attributes.push(Attribute { name: text("Coated"), value: AttributeValue::Flag(dice.throw(2) > 0) });
    }
    product.details.facts = PartFacts {
        brand: (dice.throw(5) > 0).then(|| text(one(dice, &BRANDS))),
        part_type: (dice.throw(5) > 0).then(|| text(one(dice, &TYPES))),
        attributes,
        ..PartFacts::NONE
    };
    let cents = [500, 1_000, 2_499, 30_000][dice.throw(4) as usize];
    product.details.price = domain::UnitPrice::new(Money::from_cents(cents).unwrap()).unwrap();
    product
}

/// Adds, changes and removes so many products, of so many ids from 1 on; some of them are the same. What a snapshot has to know of it.
pub(super) fn change(
    dice: &mut Dice,
    products: &mut BTreeMap<Uuid, Product>,
    many: u32,
    ids: u32,
) -> HashMap<ProductId, Option<(Product, i32)>> {
    let mut changes = HashMap::new();
    for _ in 0..many {
        let id = u128::from(1 + dice.throw(ids));
        let now = (dice.throw(4) > 0).then(|| product(dice, id));
        match &now {
            Some(now) => drop(products.insert(now.id.uuid(), now.clone())),
            None => drop(products.remove(&Uuid::from_u128(id))),
        }
        changes.insert(ProductId::new(Uuid::from_u128(id)), now.as_ref().map(numbered));
    }
    changes
}

/// Any of the choices, mostly none of each.
pub(super) fn query(dice: &mut Dice) -> ProductQuery {
    let mut query = ProductQuery { page: Pagination::whole(), ..ProductQuery::default() };
    if dice.throw(4) == 0 {
        query.category = Some(Category::ALL[dice.throw(3) as usize]);
    }
    query.in_stock = dice.throw(4) == 0;
    if dice.throw(3) == 0 {
        query.brands = vec![one(dice, &BRANDS).to_uppercase(), "unheard of".to_owned()];
    }
    if dice.throw(3) == 0 {
        query.part_types = vec![one(dice, &TYPES).to_lowercase()];
    }
    if dice.throw(4) == 0 {
        query.min_price = Some(Money::from_cents(1_000).unwrap());
    }
    if dice.throw(4) == 0 {
        query.max_price = Some(Money::from_cents(2_499).unwrap());
    }
    for (name, matches) in [
        ("diameter", AttributeMatch::Within(Some(measure("290")), None)),
        ("KIND", AttributeMatch::OneOf(vec!["VENTED".to_owned(), "yes".to_owned()])),
        ("coated", AttributeMatch::OneOf(vec!["yes".to_owned()])),
        ("Diameter", AttributeMatch::OneOf(vec!["280.0".to_owned(), "solid".to_owned()])),
    ] {
        let is_new = query.attributes.iter().all(|filter| fold(&filter.name) != fold(name));
        if is_new && dice.throw(4) == 0 {
            query.attributes.push(AttributeFilter { name: name.to_owned(), matches });
        }
    }
    query.sort =
        [ProductSort::Newest, ProductSort::Price(SortOrder::Ascending), ProductSort::Name][dice.throw(3) as usize];
    query
}

fn shown(value: &AttributeValue) -> String {
    match value {
        AttributeValue::Number(number, _) => number.to_string(),
        AttributeValue::Words(words) => words.as_str().to_owned(),
        AttributeValue::Flag(flag) => if *flag { "yes" } else { "no" }.to_owned(),
    }
}

fn has_attribute(product: &Product, filter: &AttributeFilter) -> bool {
    product.details.facts.attributes.iter().any(|Attribute { name, value }| {
        fold(name.as_str()) == fold(&filter.name)
            && match (&filter.matches, value) {
                (AttributeMatch::Within(from, to), AttributeValue::Number(number, _)) => {
                    from.is_none_or(|from| *number >= from) && to.is_none_or(|to| *number <= to)
                }
                (AttributeMatch::Within(..), _) => false,
                (AttributeMatch::OneOf(wanted), AttributeValue::Number(number, _)) => {
                    wanted.iter().any(|one| one.parse::<Measure>().is_ok_and(|one| one == *number))
                }
                (AttributeMatch::OneOf(wanted), value) => wanted.iter().any(|one| fold(one) == fold(&shown(value))),
            }
    })
}

fn is_named<const MAX: usize>(name: Option<&Text<MAX>>, wanted: &[String]) -> bool {
    wanted.is_empty() || name.is_some_and(|name| wanted.iter().any(|one| fold(one) == fold(name.as_str())))
}

fn meets(product: &Product, query: &ProductQuery) -> bool {
    let details = &product.details;
    query.category.is_none_or(|category| details.category == category)
        && (!query.in_stock || details.available.can_fill(details.min_order))
        && is_named(details.facts.brand.as_ref(), &query.brands)
        && is_named(details.facts.part_type.as_ref(), &query.part_types)
        && query.min_price.is_none_or(|least| details.price.money() >= least)
        && query.max_price.is_none_or(|most| details.price.money() <= most)
        && query.attributes.iter().all(|filter| has_attribute(product, filter))
}

/// Counts of products by some name, most frequent first.
fn counted(names: impl Iterator<Item = String>) -> Vec<FacetValue> {
    let mut counts: BTreeMap<String, (String, u64)> = BTreeMap::new();
    for name in names {
        let (first, count) = counts.entry(fold(&name)).or_insert_with(|| (name.clone(), 0));
        *first = first.clone().min(name);
        *count += 1;
    }
    let mut values: Vec<(String, u64)> = counts.into_values().collect();
    values.sort_by(|(name, count), (other, others)| others.cmp(count).then_with(|| fold(name).cmp(&fold(other))));
    values.into_iter().map(|(name, count)| FacetValue { value: name.clone(), name, count }).collect()
}

fn assert_counts(facets: &Facets, products: &[Product], query: &ProductQuery) {
    let but = |change: fn(&mut ProductQuery)| {
        let mut without = query.clone();
        change(&mut without);
        products.iter().filter(|product| meets(product, &without)).collect::<Vec<&Product>>()
    };
    assert_eq!(facets.total, but(|_| ()).len() as u64);
    let brands = but(|query| query.brands.clear());
    let brand = |product: &&Product| product.details.facts.brand.as_ref().map(|name| name.as_str().to_owned());
    assert_eq!(facets.brands, counted(brands.iter().filter_map(brand)));
    let of_types = but(|query| query.part_types.clear());
    let named = |product: &&Product| product.details.facts.part_type.as_ref().map(|name| name.as_str().to_owned());
    assert_eq!(facets.part_types, counted(of_types.iter().filter_map(named)));
    let categories = but(|query| query.category = None);
    for category in Category::ALL {
        let expected = categories.iter().filter(|product| product.details.category == category).count() as u64;
        let count = facets.categories.iter().find(|(one, _)| *one == category).map_or(0, |(_, count)| *count);
        assert_eq!(count, expected, "{category}");
    }
    let in_stock = but(|query| query.in_stock = true).len() as u64;
    assert_eq!(facets.in_stock, in_stock);
    let at_prices = but(|query| (query.min_price, query.max_price) = (None, None));
    for (place, from) in PRICE_BANDS.into_iter().enumerate() {
        let to = PRICE_BANDS.get(place + 1).copied();
        let is_in = |cents: i64| cents >= from && to.is_none_or(|to| cents < to);
        let expected = at_prices.iter().filter(|product| is_in(product.details.price.money().cents())).count() as u64;
        let bucket = facets.prices.iter().find(|band| band.from == from);
        assert_eq!(bucket.map_or(0, |band| band.count), expected, "from {from}");
        assert!(bucket.is_none_or(|band| band.to == to.map(|to| to - 1)));
    }
    for name in ["Diameter", "Kind", "Coated"] {
        let mut without = query.clone();
        without.attributes.retain(|filter| fold(&filter.name) != fold(name));
        let counting = products.iter().filter(|product| meets(product, &without));
        let values = counting.flat_map(|product| &product.details.facts.attributes);
        let mut expected = counted(values.filter(|one| one.name.as_str() == name).map(|one| shown(&one.value)));
        let facet = facets.attributes.iter().find(|facet| facet.name == name);
        expected.sort_by(|one, other| other.count.cmp(&one.count).then_with(|| one.name.cmp(&other.name)));
        if name == "Diameter" {
            expected.sort_by_key(|value| measure(&value.value));
            assert!(facet.is_none_or(|facet| facet.unit.as_deref() == Some("mm")));
        }
        assert_eq!(facet.map_or(&[][..], |facet| &facet.values), expected, "{name} of {query:?}");
    }
}

#[test]
fn what_can_be_chosen_is_what_the_lists_have_while_products_change() {
    let mut dice = Dice(11);
    let mut products: BTreeMap<Uuid, Product> =
        (0..700).map(|id| product(&mut dice, id)).map(|product| (product.id.uuid(), product)).collect();
    let mut snapshot = Arc::new(loaded(products.values()));
    let mut narrowed = 0;
    for number in 2..30 {
        let all: Vec<Product> = products.values().cloned().collect();
        for _ in 0..10 {
            let query = query(&mut dice);
            assert_counts(&snapshot.facets(&query).unwrap(), &all, &query);
            let list = part(&snapshot, &query);
            let mut found = ids(&list.array());
            found.sort_unstable();
            let expected: Vec<Uuid> =
                all.iter().filter(|product| meets(product, &query)).map(|product| product.id.uuid()).collect();
            assert_eq!(found, expected, "{query:?}");
            assert_eq!(list.total, expected.len());
            narrowed += usize::from(!expected.is_empty() && expected.len() < all.len());
        }
        let many = [1, 5, 200][dice.throw(3) as usize];
        let changes = change(&mut dice, &mut products, many, 900);
        snapshot = Arc::new(snapshot.with(number, changes).unwrap());
    }
    assert!(narrowed > 100, "{narrowed} lists with some of the products");
}

#[test]
fn pages_of_a_narrowed_list_follow_each_other() {
    let mut dice = Dice(5);
    let products: Vec<Product> = (0..300).map(|id| product(&mut dice, id)).collect();
    let snapshot = Arc::new(loaded(products.iter()));
    for sort in [ProductSort::Newest, ProductSort::Price(SortOrder::Descending), ProductSort::Name] {
        let query = |page| ProductQuery { brands: vec!["brembo".to_owned()], sort, page, ..ProductQuery::default() };
        let whole = ids(&part(&snapshot, &query(Pagination::whole())).array());
        let (mut paged, mut after) = (Vec::new(), None);
        loop {
            let page = part(&snapshot, &query(Pagination { limit: Some(7), after, uncounted: false }));
            assert_eq!(page.total, whole.len());
            paged.extend(ids(&page.array()));
            after = page.next;
            if after.is_none() {
                break;
            }
        }
        assert!(whole.len() > 20 && paged == whole);
    }
}

#[test]
fn what_fits_a_vehicle_is_counted_by_position_too() {
    let mut dice = Dice(9);
    let products: Vec<Product> = (0..400).map(|id| product(&mut dice, id)).collect();
    let snapshot = Arc::new(loaded(products.iter()));
    let [one, other, never] = [Position::ALL[0], Position::ALL[1], Position::ALL[2]];
    let bit = Position::bit;
    // Every second product fits; the first of four at both positions, the third at one of them. One more is not for sale.
    let fitting = |place: usize| match place % 4 {
        0 => Some(bit(one) | bit(other)),
        2 => Some(bit(one)),
        _ => None,
    };
    let unknown = Candidate { no: 9_999, rank: 0, positions: bit(one) };
    let listed = products
        .iter()
        .enumerate()
        .filter_map(|(place, product)| Some(Candidate { no: no(product), rank: 0, positions: fitting(place)? }));
    let listed: Vec<Candidate> = listed.chain([unknown]).collect();
    let those = |positions: &dyn Fn(u32) -> bool| -> Vec<Product> {
        let are = |(place, _): &(usize, &Product)| fitting(*place).is_some_and(positions);
        products.iter().enumerate().filter(are).map(|(_, product)| product.clone()).collect()
    };
    for _ in 0..40 {
        let query = query(&mut dice);
        let facets = snapshot.facets_among(&query, &listed).unwrap();
        assert_counts(&facets, &those(&|_| true), &query);
        for position in [one, other, never] {
            let there = those(&|positions| positions & bit(position) != 0);
            let expected = there.iter().filter(|product| meets(product, &query)).count() as u64;
            let count = facets.positions.iter().find(|(known, _)| *known == position).map_or(0, |(_, count)| *count);
            assert_eq!(count, expected, "{position} of {query:?}");
        }
        // The choice of a position narrows all but the positions.
        let at_other = ProductQuery { positions: vec![other], ..query.clone() };
        let narrowed = snapshot.facets_among(&at_other, &listed).unwrap();
        assert_counts(&narrowed, &those(&|positions| positions & bit(other) != 0), &query);
        assert_eq!(narrowed.positions, facets.positions);
    }
}

#[test]
fn what_products_do_not_have_in_memory_is_left_to_the_database() {
    let mut dice = Dice(2);
    let products: Vec<Product> = (0..10).map(|id| product(&mut dice, id)).collect();
    let snapshot = Arc::new(loaded(products.iter()));
    for query in [
        ProductQuery { part_types: vec!["12".to_owned()], ..ProductQuery::default() },
        ProductQuery { positions: vec![Position::ALL[0]], ..ProductQuery::default() },
        ProductQuery { number: Some("0 986".to_owned()), ..ProductQuery::default() },
        ProductQuery { archived: true, ..ProductQuery::default() },
    ] {
        assert!(snapshot.facets(&query).is_none(), "{query:?}");
        assert!(snapshot.part(&query).is_none(), "{query:?}");
    }
}
