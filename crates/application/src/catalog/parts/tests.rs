//! Numbers, brands, part types and synonyms: what the store answers is what the caller hears, if the caller may ask.

use std::sync::Arc;

use domain::{NumberKind, Product, Role};
use ports::{Hit, MockCatalogSearch, MockPartRepository, MockProductRepository, NumberHits, WriteError};
use uuid::Uuid;

use super::*;
use crate::testing::{caller, catalog, is_forbidden, product};

fn id(no: u128) -> ProductId {
    ProductId::new(Uuid::from_u128(no))
}

fn text<const MAX: usize>(words: &str) -> Text<MAX> {
    Text::new(words).unwrap()
}

fn brake_disc() -> PartType {
    PartType { id: 8, name: text("Brake disc"), category: Category::Brakes }
}

fn rotor() -> Synonym {
    Synonym { id: 9, word: text("rotor"), means: text("brake disc") }
}

fn number() -> PartNumber {
    PartNumber { kind: NumberKind::Oe, shown: text("34 11 6"), brand: Some(text("Acme")), note: None, since: None }
}

fn with(parts: MockPartRepository) -> Catalog {
    Catalog { parts: Arc::new(parts), ..catalog() }
}

fn searching(search: MockCatalogSearch) -> Catalog {
    Catalog { search: Arc::new(search), ..catalog() }
}

fn refusal(answer: &Result<(), Failure<EntryRefused>>) -> Option<EntryRefused> {
    match answer {
        Err(Failure::Refused(refusal)) => Some(*refusal),
        _ => None,
    }
}

fn hits(nos: &[u128]) -> Vec<Hit> {
    nos.iter().map(|no| Hit { id: id(*no), via: None }).collect()
}

#[tokio::test]
async fn a_number_leads_to_the_products_that_are_still_for_sale_best_first() {
    let mut search = MockCatalogSearch::new();
    search.expect_by_number().returning(|number| {
        Ok(match number {
            "b 12" => Some(NumberHits { tier: 3, hits: hits(&[2, 9, 1]) }),
            "gone" => Some(NumberHits { tier: 1, hits: hits(&[9]) }),
            _ => None,
        })
    });
    let mut products = MockProductRepository::new();
    products.expect_find_all().withf(|_, archived| !archived).returning(|ids, _| {
        let for_sale = [1, 2].map(|no| Product { id: id(no), ..product() });
        Ok(for_sale.into_iter().filter(|product| ids.contains(&product.id)).collect())
    });
    let catalog = Catalog { products: Arc::new(products), ..searching(search) };
    let found = |no| FoundProduct { product: Product { id: id(no), ..product() }, via: None, fit: None };
    let expected = Numbered { tier: 3, products: vec![found(2), found(1)] };
    assert_eq!(catalog.products_by_number("b 12").await.unwrap(), Some(expected));
    assert_eq!(catalog.products_by_number("gone").await.unwrap(), None);
    assert_eq!(catalog.products_by_number("unknown").await.unwrap(), None);
}

#[tokio::test]
async fn what_can_be_chosen_and_what_is_found_is_what_the_search_says() {
    let query = || ProductQuery { search: Some("disc".to_owned()), ..ProductQuery::default() };
    let candidate = |no| Candidate { no, rank: 1, positions: 2 };
    let mut search = MockCatalogSearch::new();
    search
        .expect_facets()
        .withf(move |asked| *asked == query())
        .returning(|_| Ok(Facets { total: 7, ..Facets::default() }));
    search
        .expect_candidates()
        .withf(move |asked| *asked == query())
        .returning(move |_| Ok(Some(vec![candidate(41), candidate(42)])));
    search.expect_placed().withf(|part_types| part_types == ["Brake pad"]).returning(move |_| Ok(vec![candidate(43)]));
    let catalog = searching(search);
    assert_eq!(catalog.facets(&query()).await.unwrap().total, 7);
    assert_eq!(catalog.candidates(&query()).await.unwrap(), Some(vec![candidate(41), candidate(42)]));
    assert_eq!(catalog.placed(&["Brake pad".to_owned()]).await.unwrap(), [candidate(43)]);
}

#[tokio::test]
async fn it_is_known_whether_the_search_forgives_slips() {
    for forgives in [true, false] {
        let mut search = MockCatalogSearch::new();
        search.expect_forgives_slips().returning(move || Ok(forgives));
        assert_eq!(searching(search).search_forgives_slips().await.unwrap(), forgives);
    }
}

#[tokio::test]
async fn everybody_reads_brands_part_types_numbers_and_successors_and_an_admin_the_synonyms() {
    let brand = || Brand { id: 7, name: text("Acme") };
    let mut parts = MockPartRepository::new();
    parts.expect_brands().returning(move || Ok(vec![brand()]));
    parts.expect_part_types().returning(|| Ok(vec![brake_disc()]));
    parts.expect_numbers().returning(|part| Ok((part == id(1)).then(|| vec![number()])));
    parts.expect_successor().returning(|part| Ok((part == id(1)).then(|| id(2))));
    parts.expect_synonyms().returning(|| Ok(vec![rotor()]));
    let catalog = with(parts);
    assert_eq!(catalog.brands().await.unwrap(), [brand()]);
    assert_eq!(catalog.part_types().await.unwrap(), [brake_disc()]);
    assert_eq!(catalog.part_numbers(id(1)).await.unwrap(), Some(vec![number()]));
    assert_eq!(catalog.part_numbers(id(2)).await.unwrap(), None);
    assert_eq!(catalog.successor(id(1)).await.unwrap(), Some(id(2)));
    assert_eq!(catalog.successor(id(2)).await.unwrap(), None);
    assert_eq!(catalog.synonyms(&caller(Role::Admin)).await.unwrap(), [rotor()]);
}

#[tokio::test]
async fn the_numbers_of_a_part_are_replaced_if_it_is_for_sale_and_they_are_allowed() {
    let mut parts = MockPartRepository::new();
    parts.expect_set_numbers().withf(|_, numbers| numbers == [number()]).times(3).returning(|part, _| {
        if part == id(3) {
            return Err(WriteError::Refused(PartRefused::ChainTooLong));
        }
        Ok((part == id(1)).then_some(()))
    });
    let (catalog, admin) = (with(parts), caller(Role::Admin));
    catalog.set_part_numbers(&admin, id(1), &[number()]).await.unwrap();
    let unknown = catalog.set_part_numbers(&admin, id(2), &[number()]).await;
    assert!(matches!(unknown, Err(Failure::Denied(Denied::NotFound))), "{unknown:?}");
    let refused = catalog.set_part_numbers(&admin, id(3), &[number()]).await;
    assert!(matches!(refused, Err(Failure::Refused(PartRefused::ChainTooLong))), "{refused:?}");
}

#[tokio::test]
async fn what_an_admin_adds_gets_the_id_that_the_store_gives_it() {
    let mut parts = MockPartRepository::new();
    parts.expect_add_brand().withf(|name| name.as_str() == "Acme").returning(|_| Ok(7));
    parts
        .expect_add_part_type()
        .withf(|name, category| *name == brake_disc().name && *category == Category::Brakes)
        .returning(|_, _| Ok(8));
    parts
        .expect_add_synonym()
        .withf(|word, means| *word == rotor().word && *means == rotor().means)
        .returning(|_, _| Ok(9));
    let (catalog, admin) = (with(parts), caller(Role::Admin));
    assert_eq!(catalog.add_brand(&admin, &text("Acme")).await.unwrap(), 7);
    assert_eq!(catalog.add_part_type(&admin, &brake_disc().name, Category::Brakes).await.unwrap(), 8);
    assert_eq!(catalog.add_synonym(&admin, &rotor().word, &rotor().means).await.unwrap(), 9);
}

#[tokio::test]
async fn an_entry_that_others_use_or_that_makes_no_sense_is_refused() {
    let refused = |why| Err(WriteError::Refused(why));
    let mut parts = MockPartRepository::new();
    parts
        .expect_rename_brand()
        .withf(|id, name| *id == 7 && name.as_str() == "Acme")
        .returning(move |_, _| refused(EntryRefused::NameTaken));
    parts.expect_remove_brand().withf(|id| *id == 7).returning(move |_| refused(EntryRefused::InUse(3)));
    parts
        .expect_edit_part_type()
        .withf(|edited| *edited == brake_disc())
        .returning(move |_| refused(EntryRefused::Unknown));
    parts.expect_remove_part_type().withf(|id| *id == 8).returning(move |_| refused(EntryRefused::InUse(4)));
    parts.expect_edit_synonym().withf(|edited| *edited == rotor()).returning(move |_| refused(EntryRefused::Itself));
    parts.expect_remove_synonym().withf(|id| *id == 9).returning(move |_| refused(EntryRefused::Unknown));
    let (catalog, admin) = (with(parts), caller(Role::Admin));
    let answer = catalog.rename_brand(&admin, 7, &text("Acme")).await;
    assert_eq!(refusal(&answer), Some(EntryRefused::NameTaken));
    assert_eq!(refusal(&catalog.remove_brand(&admin, 7).await), Some(EntryRefused::InUse(3)));
    assert_eq!(refusal(&catalog.edit_part_type(&admin, &brake_disc()).await), Some(EntryRefused::Unknown));
    assert_eq!(refusal(&catalog.remove_part_type(&admin, 8).await), Some(EntryRefused::InUse(4)));
    assert_eq!(refusal(&catalog.edit_synonym(&admin, &rotor()).await), Some(EntryRefused::Itself));
    assert_eq!(refusal(&catalog.remove_synonym(&admin, 9).await), Some(EntryRefused::Unknown));
}

#[tokio::test]
async fn a_customer_changes_none_of_it_and_sees_no_synonyms() {
    // No repository may be called.
    let (catalog, customer) = (catalog(), caller(Role::Customer));
    let answers = [
        is_forbidden(&catalog.set_part_numbers(&customer, id(1), &[number()]).await),
        is_forbidden(&catalog.add_brand(&customer, &text("Acme")).await),
        is_forbidden(&catalog.rename_brand(&customer, 7, &text("Acme")).await),
        is_forbidden(&catalog.remove_brand(&customer, 7).await),
        is_forbidden(&catalog.add_part_type(&customer, &brake_disc().name, Category::Brakes).await),
        is_forbidden(&catalog.edit_part_type(&customer, &brake_disc()).await),
        is_forbidden(&catalog.remove_part_type(&customer, 8).await),
        is_forbidden(&catalog.synonyms(&customer).await),
        is_forbidden(&catalog.add_synonym(&customer, &rotor().word, &rotor().means).await),
        is_forbidden(&catalog.edit_synonym(&customer, &rotor()).await),
        is_forbidden(&catalog.remove_synonym(&customer, 9).await),
    ];
    assert_eq!(answers, [true; 11]);
}
