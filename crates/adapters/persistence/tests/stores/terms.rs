//! Shipping methods, tax rates, exemptions and address books.

use domain::{
    ADDRESSES_MAX, Account, Address, AddressId, BasisPoints, Divisor, Exemption, ExemptionId, ExemptionKind, Grams,
    KeptAddress, Money, PalletRate, ShippingMethod, ShippingMethodId, ShippingTerms, TaxRate, TaxRateId, Text,
    TypedAddress, Validity, WeightBand, WeightBands,
};
use ports::{
    AddressBook, AddressBookFull, ExemptionRepeated, Exemptions, MethodNameTaken, NewAddress, RatesOverlap,
    ShippingMethods, TaxRates, WriteError,
};

use crate::world::{World, at, concurrently, id, key};

fn money(cents: i64) -> Money {
    Money::from_cents(cents).unwrap()
}

fn terms(name: &str) -> ShippingTerms {
    let band = |grams, cents| WeightBand { up_to: Grams::new(grams).unwrap(), price: money(cents) };
    ShippingTerms {
        name: Text::new(name).unwrap(),
        countries: Some(vec!["DE".parse().unwrap(), "US".parse().unwrap()]),
        divisor: Divisor::new(6_000).unwrap(),
        free_over: Some(money(14_000)),
        bands: WeightBands::new(vec![band(800, 4_900), band(20_000, 7_900)]).unwrap(),
        per_extra_kg: money(225),
        pallet: Some(PalletRate { from: Grams::new(100_000).unwrap(), per_pallet: None }),
    }
}

fn rate(country: &str, region: Option<&str>, from: &str, until: Option<&str>) -> TaxRate {
    TaxRate {
        id: TaxRateId::new(id()),
        country: country.parse().unwrap(),
        region: region.map(|region| Text::new(region).unwrap()),
        name: Text::new("VAT").unwrap(),
        basis_points: BasisPoints::new(1_900).unwrap(),
        valid: Validity::new(from.parse().unwrap(), until.map(|until| until.parse().unwrap())).unwrap(),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn methods_read_back_beside_the_one_that_every_shop_has() {
    let world = World::fresh().await;
    let methods: &dyn ShippingMethods = &world.database;
    let standard = methods.list().await.unwrap().remove(0);
    assert_eq!((standard.terms.name.as_str(), standard.terms.free_over), ("Standard", Some(money(14_000))));
    let id = methods.add(&terms("Express")).await.unwrap();
    let mut express = ShippingMethod { id, terms: terms("Express") };
    assert_eq!(methods.list().await.unwrap(), [standard.clone(), express.clone()]);
    let taken = methods.add(&terms("STANDARD")).await;
    assert!(matches!(taken, Err(WriteError::Refused(MethodNameTaken))), "{taken:?}");
    express.terms.countries = None;
    express.terms.pallet = None;
    assert!(methods.replace(&express).await.unwrap());
    assert_eq!(methods.list().await.unwrap()[1], express);
    let nobody = ShippingMethod { id: ShippingMethodId(99), ..express };
    assert!(!methods.replace(&ShippingMethod { terms: terms("Other"), ..nobody }).await.unwrap());
    assert!(methods.remove(id).await.unwrap() && !methods.remove(id).await.unwrap());

    let bare = world.product(100).await;
    assert_eq!(methods.unweighed().await.unwrap().into_iter().map(|product| product.id).collect::<Vec<_>>(), [bare.id]);
}

#[tokio::test(flavor = "multi_thread")]
async fn rates_of_a_place_never_share_a_day_even_if_they_are_added_at_once() {
    let world = World::fresh().await;
    let rates: &dyn TaxRates = &world.database;
    assert!(!rates.valid_on("2026-11-26".parse().unwrap()).await.unwrap().any);
    let first = rate("DE", None, "2025-01-01", Some("2025-12-31"));
    rates.add(std::slice::from_ref(&first)).await.unwrap();
    let (later, of_region) = (rate("DE", None, "2026-01-01", None), rate("DE", Some("Bavaria"), "2025-01-01", None));
    rates.add(&[later.clone(), of_region.clone()]).await.unwrap();
    assert_eq!(rates.list().await.unwrap(), [first.clone(), later.clone(), of_region.clone()]);
    let on = rates.valid_on("2025-12-31".parse().unwrap()).await.unwrap();
    assert!(on.any && on.rates.contains(&first) && on.rates.contains(&of_region) && on.rates.len() == 2, "{on:?}");
    let before = rates.valid_on("2024-12-31".parse().unwrap()).await.unwrap();
    assert!(before.any && before.rates.is_empty());

    let both = [rate("FR", None, "2026-01-01", None), rate("DE", Some("BAVARIA"), "2026-01-01", None)];
    assert!(matches!(rates.add(&both).await, Err(WriteError::Refused(RatesOverlap))));
    assert_eq!(rates.list().await.unwrap().len(), 3, "all or none");
    let moved = TaxRate { valid: first.valid, ..later.clone() };
    assert!(matches!(rates.replace(&moved).await, Err(WriteError::Refused(RatesOverlap))));
    assert!(rates.replace(&TaxRate { basis_points: BasisPoints::ZERO, ..later.clone() }).await.unwrap());
    assert!(!rates.replace(&rate("IT", None, "2026-01-01", None)).await.unwrap());
    assert!(rates.remove(later.id).await.unwrap() && !rates.remove(later.id).await.unwrap());

    let added = concurrently(8, |_| {
        let database = world.database.clone();
        async move { TaxRates::add(&database, &[rate("IT", None, "2026-01-01", None)]).await.is_ok() }
    })
    .await;
    assert_eq!(added.into_iter().filter(|added| *added).count(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn exemptions_are_one_of_a_kind_and_go_with_their_account() {
    let world = World::fresh().await;
    let exemptions: &dyn Exemptions = &world.database;
    let (ada, ben) = (world.customer("ada@example.com").await, world.customer("ben@example.com").await);
    let of = |account: &Account| Exemption {
        id: ExemptionId::new(id()),
        account: account.id,
        kind: ExemptionKind::ReverseCharge,
        country: "DE".parse().unwrap(),
        region: None,
        number: Text::new("DE123456789").unwrap(),
        valid_until: Some("2027-12-31".parse().unwrap()),
        checked_at: Some(at(5)),
    };
    let (first, second) = (of(&ada), of(&ben));
    exemptions.add(&first, at(10)).await.unwrap();
    exemptions.add(&second, at(20)).await.unwrap();
    let twice = exemptions.add(&of(&ada), at(30)).await;
    assert!(matches!(twice, Err(WriteError::Refused(ExemptionRepeated))), "{twice:?}");
    let listed: Vec<String> =
        exemptions.list().await.unwrap().into_iter().map(|listed| listed.email.to_string()).collect();
    assert_eq!(listed, ["ben@example.com", "ada@example.com"]);
    assert_eq!(exemptions.of(ada.id).await.unwrap(), std::slice::from_ref(&first));
    assert!(exemptions.remove(first.id).await.unwrap() && !exemptions.remove(first.id).await.unwrap());
    world.accounts().remove(&ben.email, at(40)).await.unwrap();
    assert_eq!(exemptions.of(ben.id).await.unwrap(), []);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_database_refuses_what_the_rules_refuse() {
    let world = World::fresh().await;
    let insert = |columns: &str, values: &str| format!("INSERT INTO tax_rates ({columns}) VALUES ({values})");
    let columns = "id, country, region_key, name, basis_points, valid_from, valid_until";
    for (values, by) in [
        ("gen_random_uuid(), 'de', '', 'VAT', 1, '2026-01-01', NULL", "tax_rates_country_is_a_code"),
        ("gen_random_uuid(), 'DE', 'x', 'VAT', 1, '2026-01-01', NULL", "tax_rates_region_has_a_key"),
        ("gen_random_uuid(), 'DE', '', '', 1, '2026-01-01', NULL", "tax_rates_have_a_name"),
        ("gen_random_uuid(), 'DE', '', 'VAT', 10001, '2026-01-01', NULL", "tax_rates_are_a_part"),
        ("gen_random_uuid(), 'DE', '', 'VAT', 1, '2026-01-02', '2026-01-01'", "tax_rates_end_after_they_begin"),
    ] {
        world.refuses(&insert(columns, values), by);
    }
    for (set, by) in [
        ("name = ''", "shipping_methods_have_a_name"),
        ("countries = '{}'", "shipping_methods_countries_are_some"),
        ("divisor = 0", "shipping_methods_divisor_is_positive"),
        ("free_over_cents = -1", "shipping_methods_free_over_fits"),
        ("bands = '[]'", "shipping_methods_bands_are_a_list"),
        ("per_extra_kg_cents = -1", "shipping_methods_extra_fits"),
        ("pallet_from_grams = 0", "shipping_methods_pallets_begin"),
        ("per_pallet_cents = 1", "shipping_methods_pallets_have_a_weight"),
    ] {
        world.refuses(&format!("UPDATE shipping_methods SET {set}"), by);
    }
    world.product(100).await;
    world.refuses("UPDATE products SET tax_class = 'reduced'", "products_tax_class_is_known");
}

fn address(account: &Account, city: &str, is_default: bool, second: i64) -> NewAddress {
    let typed = TypedAddress {
        line1: Some("1 Workshop Lane"),
        city: Some(city),
        postcode: Some("10115"),
        country: Some("DE"),
        ..TypedAddress::default()
    };
    let kept = KeptAddress {
        id: AddressId::new(id()),
        name: Text::new("Nia").unwrap(),
        phone: Some(Text::new("555 0100").unwrap()),
        address: Address::new(&typed).unwrap(),
        is_default,
        added_at: at(second),
    };
    NewAddress { account: account.id, kept, idempotency_key: None }
}

#[tokio::test(flavor = "multi_thread")]
async fn addresses_read_back_only_to_their_account_and_one_is_the_default() {
    let world = World::fresh().await;
    let book: &dyn AddressBook = &world.database;
    let (ada, ben) = (world.customer("ada@example.com").await, world.customer("ben@example.com").await);
    let first = book.add(&address(&ada, "Berlin", false, 10)).await.unwrap();
    assert!(first.is_default, "the first one is in any case");
    let keyed = NewAddress { idempotency_key: Some(key(1)), ..address(&ada, "Bonn", true, 20) };
    let second = book.add(&keyed).await.unwrap();
    assert_eq!(second, keyed.kept);
    assert_eq!(
        book.add(&NewAddress { idempotency_key: Some(key(1)), ..address(&ada, "Ulm", true, 30) }).await.unwrap(),
        second
    );
    let before = KeptAddress { is_default: false, ..first.clone() };
    assert_eq!(book.list(ada.id).await.unwrap(), [second.clone(), before.clone()]);
    assert_eq!(book.list(ben.id).await.unwrap(), []);

    let chosen = KeptAddress { is_default: true, added_at: at(99), ..before };
    assert_eq!(book.replace(ben.id, &chosen).await.unwrap(), None, "another's is not found");
    assert_eq!(book.replace(ada.id, &chosen).await.unwrap(), Some(first.clone()), "it keeps its time");
    assert_eq!(book.list(ada.id).await.unwrap()[0], first);
    assert!(!book.remove(ben.id, first.id).await.unwrap());
    assert!(book.remove(ada.id, first.id).await.unwrap() && !book.remove(ada.id, first.id).await.unwrap());
    world.accounts().remove(&ada.email, at(100)).await.unwrap();
    assert_eq!(book.list(ada.id).await.unwrap(), [], "where somebody lived goes with the account");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_book_never_grows_beyond_its_end() {
    let world = World::fresh().await;
    let ada = world.customer("ada@example.com").await;
    for nth in 0..i64::try_from(ADDRESSES_MAX).unwrap() - 1 {
        AddressBook::add(&world.database, &address(&ada, "Berlin", false, nth)).await.unwrap();
    }
    let added = concurrently(6, |_| {
        let (database, ada) = (world.database.clone(), ada.clone());
        async move { AddressBook::add(&database, &address(&ada, "Bonn", true, 1_000)).await }
    })
    .await;
    let full = |added: &Result<_, _>| matches!(added, Err(WriteError::Refused(AddressBookFull)));
    assert_eq!(added.iter().filter(|added| added.is_ok()).count(), 1);
    assert!(added.iter().filter(|added| added.is_err()).all(full), "{added:?}");
    assert_eq!(world.count("SELECT count(*) FROM addresses WHERE is_default"), 1);
}
