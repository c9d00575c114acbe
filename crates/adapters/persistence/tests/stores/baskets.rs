//! Carts, saved lists, and parts by many numbers at once.

use domain::{
    Account, AskedNumber, BasketLine, LISTS_MAX, ListId, Money, NumberKind, PartFacts, PartKey, Product, ProductId,
    Text, Units,
};
use ports::contract::searching::{number, text};
use ports::{
    Cart, CartRepository, ListEdit, ListRepository, ListsFull, NewList, NumberMatch, OrderedParts, SavedList,
    StoreError, WriteError,
};

use crate::world::{World, actor, at, concurrently, id, key, product};

fn line(product: ProductId, units: i64, cents: Option<i64>) -> BasketLine {
    let shown = cents.map(|cents| Money::from_cents(cents).unwrap());
    BasketLine { product, units: Units::new(units).unwrap(), shown }
}

fn some_lines(count: usize) -> Vec<BasketLine> {
    (0..count).map(|_| line(ProductId::new(id()), 50, None)).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cart_reads_back_and_only_the_version_that_was_seen_is_replaced() {
    let world = World::fresh().await;
    let (ada, ben) = (world.customer("ada@example.com").await.id, world.customer("ben@example.com").await.id);
    let carts: &dyn CartRepository = &world.database;
    assert_eq!(carts.cart(ada).await.unwrap(), Cart { version: 0, lines: Vec::new() });
    let lines = vec![line(ProductId::new(id()), 60, Some(123)), line(ProductId::new(id()), 1_000_000_000, None)];
    assert_eq!(carts.save(ada, 1, &lines, at(1)).await.unwrap(), None, "there is no version 1 yet");
    assert_eq!(carts.save(ada, 0, &lines, at(1)).await.unwrap(), Some(1));
    assert_eq!(carts.cart(ada).await.unwrap(), Cart { version: 1, lines });
    assert_eq!(carts.save(ada, 0, &[], at(2)).await.unwrap(), None);
    assert_eq!(carts.save(ada, 1, &[], at(2)).await.unwrap(), Some(2));
    assert_eq!(carts.save(ada, 1, &[], at(3)).await.unwrap(), None);
    assert_eq!(carts.cart(ada).await.unwrap(), Cart { version: 2, lines: Vec::new() });
    assert_eq!(carts.cart(ben).await.unwrap(), Cart::default());
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_that_save_the_same_version_at_once_one_succeeds() {
    let world = World::with_pool(8).await;
    let ada = world.customer("ada@example.com").await.id;
    for seen in 0..3 {
        let saved = concurrently(8, |_| {
            let (database, lines) = (world.database.clone(), some_lines(1));
            async move { database.save(ada, seen, &lines, at(1)).await.unwrap().map(|version| (version, lines)) }
        })
        .await;
        let saved: Vec<_> = saved.into_iter().flatten().collect();
        assert_eq!(saved.len(), 1);
        let (version, lines) = saved[0].clone();
        assert_eq!(world.database.cart(ada).await.unwrap(), Cart { version, lines });
        assert_eq!(version, seen + 1);
    }
}

fn new_list(account: &Account, name: &str, lines: Vec<BasketLine>) -> NewList {
    let list = SavedList { id: ListId::new(id()), name: Text::new(name).unwrap(), lines, changed_at: at(1) };
    NewList { account: account.id, list, idempotency_key: None }
}

#[tokio::test(flavor = "multi_thread")]
async fn lists_read_back_change_and_go_and_only_for_their_account() {
    let world = World::fresh().await;
    let lists: &dyn ListRepository = &world.database;
    let (ada, ben) = (world.customer("ada@example.com").await, world.customer("ben@example.com").await);
    let (weekly, brakes) = (new_list(&ada, "Weekly", some_lines(2)), new_list(&ada, "Brakes", Vec::new()));
    for new in [&weekly, &brakes] {
        assert_eq!(lists.add_list(new).await.unwrap(), new.list.id);
    }
    let shown = async |account: &Account| -> Vec<(String, usize)> {
        let all = lists.lists(account.id).await.unwrap();
        all.into_iter().map(|list| (list.name.into_string(), list.lines)).collect()
    };
    assert_eq!(shown(&ada).await, [("Brakes".to_owned(), 0), ("Weekly".to_owned(), 2)]);
    assert_eq!(shown(&ben).await, []);
    let weekly = weekly.list;
    assert_eq!(lists.list(ada.id, weekly.id).await.unwrap(), Some(weekly.clone()));
    assert_eq!(lists.list(ben.id, weekly.id).await.unwrap(), None);

    let edit = |name: Option<&str>, lines: Option<Vec<BasketLine>>| ListEdit {
        name: name.map(|name| Text::new(name).unwrap()),
        lines,
    };
    let fewer = edit(None, Some(some_lines(1)));
    assert_eq!(lists.edit_list(ben.id, weekly.id, &fewer, at(2)).await.unwrap(), None);
    assert_eq!(lists.edit_list(ada.id, weekly.id, &fewer, at(2)).await.unwrap(), Some(true));
    assert_eq!(lists.edit_list(ada.id, weekly.id, &fewer, at(3)).await.unwrap(), Some(false), "it is so already");
    assert_eq!(lists.edit_list(ada.id, weekly.id, &edit(None, None), at(3)).await.unwrap(), Some(false));
    assert_eq!(lists.edit_list(ada.id, weekly.id, &edit(Some("Daily"), None), at(3)).await.unwrap(), Some(true));
    let changed = lists.list(ada.id, weekly.id).await.unwrap().unwrap();
    assert_eq!((changed.name.as_str(), changed.lines.len(), changed.changed_at), ("Daily", 1, at(3)));

    assert!(!lists.remove_list(ben.id, weekly.id).await.unwrap());
    assert!(lists.remove_list(ada.id, weekly.id).await.unwrap());
    assert!(!lists.remove_list(ada.id, weekly.id).await.unwrap());
    assert_eq!(shown(&ada).await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_has_at_most_two_hundred_lists_however_many_are_added_at_once() {
    let world = World::with_pool(8).await;
    let (ada, ben) = (world.customer("ada@example.com").await, world.customer("ben@example.com").await);
    world.database.add_list(&new_list(&ben, "Mine", Vec::new())).await.unwrap();
    for _ in 0..LISTS_MAX - 3 {
        world.database.add_list(&new_list(&ada, "Many", Vec::new())).await.unwrap();
    }
    let added = concurrently(8, |_| {
        let (database, new) = (world.database.clone(), new_list(&ada, "Last", Vec::new()));
        async move { database.add_list(&new).await }
    })
    .await;
    assert_eq!(added.iter().filter(|added| added.is_ok()).count(), 3);
    assert!(added.iter().all(|added| matches!(added, Ok(_) | Err(WriteError::Refused(ListsFull)))), "{added:?}");
    assert_eq!(world.database.lists(ada.id).await.unwrap().len(), LISTS_MAX);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_with_the_same_key_is_added_once() {
    let world = World::with_pool(8).await;
    let ada = world.customer("ada@example.com").await;
    let keyed = |n: u8| NewList { idempotency_key: Some(key(n)), ..new_list(&ada, "Weekly", Vec::new()) };
    let added = concurrently(8, |_| {
        let (database, new) = (world.database.clone(), keyed(1));
        async move { database.add_list(&new).await.unwrap() }
    })
    .await;
    assert!(added.iter().all(|id| *id == added[0]), "{added:?}");
    assert_eq!(world.database.lists(ada.id).await.unwrap().len(), 1);
    let mut other = keyed(1);
    other.idempotency_key = Some(ports::IdempotencyKey { fingerprint: key(2).fingerprint, ..key(1) });
    assert!(matches!(world.database.add_list(&other).await, Err(WriteError::Store(StoreError::KeyReused))));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_removed_accounts_cart_and_lists_are_gone() {
    let world = World::fresh().await;
    let (ada, ben) = (world.customer("ada@example.com").await, world.customer("ben@example.com").await);
    for account in [&ada, &ben] {
        world.database.save(account.id, 0, &some_lines(1), at(1)).await.unwrap();
        world.database.add_list(&new_list(account, "Weekly", Vec::new())).await.unwrap();
    }
    world.accounts().remove(&ada.email, at(20)).await.unwrap();
    for (account, kept) in [(&ada, 0), (&ben, 1)] {
        assert_eq!(world.database.cart(account.id).await.unwrap().lines.len(), kept);
        assert_eq!(world.database.lists(account.id).await.unwrap().len(), kept);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_database_keeps_the_bounds_of_carts_and_lists() {
    let world = World::fresh().await;
    let ada = world.customer("ada@example.com").await;
    world.database.save(ada.id, 0, &some_lines(1_000), at(1)).await.unwrap();
    world.database.add_list(&new_list(&ada, "Weekly", some_lines(1_000))).await.unwrap();
    let too_many = "lines = (SELECT jsonb_agg(n) FROM generate_series(1, 1001) AS n)";
    for (table, set, by) in [
        ("carts", "version = 0", "carts_version_counts"),
        ("carts", too_many, "carts_have_at_most_1000_lines"),
        ("carts", "lines = '{}'", "carts_have_at_most_1000_lines"),
        ("lists", too_many, "lists_have_at_most_1000_lines"),
        ("lists", "lines = '{}'", "lists_have_at_most_1000_lines"),
        ("lists", "name = ''", "lists_name_is_short"),
        ("lists", "name = repeat('a', 81)", "lists_name_is_short"),
        ("lists", "once_key = sha256('a')", "lists_once_is_whole"),
        ("lists", "once_key = 'a', once_fingerprint = sha256('a')", "lists_once_key_is_a_hash"),
        ("lists", "once_fingerprint = 'a', once_key = sha256('a')", "lists_once_fingerprint_is_a_hash"),
    ] {
        world.refuses(&format!("UPDATE {table} SET {set}"), by);
    }
}

async fn part(world: &World, name: &str, brand: &str, number: &str) -> Product {
    let mut part = product(name, 500);
    part.details.part_number = Some(text(number));
    part.details.facts = PartFacts { brand: Some(text(brand)), ..PartFacts::NONE };
    world.add(part).await
}

fn asked(numbers: &[&str]) -> Vec<AskedNumber> {
    numbers.iter().map(|number| AskedNumber::new(number).unwrap()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn many_numbers_lead_to_their_products_at_once() {
    let world = World::fresh().await;
    let (bosch, ate) = (part(&world, "B", "Bosch", "0 986 479").await, part(&world, "A", "ATE", "0986479").await);
    let own = part(&world, "C", "Driveline", "DL-1").await;
    let numbers = [number(NumberKind::Oe, "1K0 615", Some("VW")), number(NumberKind::Gtin, "4006381333931", None)];
    world.parts().set_numbers(own.id, &numbers).await.unwrap();
    let next = part(&world, "D", "Driveline", "DL-2").await;
    let old = part(&world, "E", "Driveline", "OLD-1").await;
    let gone = part(&world, "F", "Driveline", "GONE-1").await;
    world.parts().set_numbers(next.id, &[number(NumberKind::Superseded, "OLD-1", None)]).await.unwrap();
    let by = actor(&world.customer("ada@example.com").await);
    for product in [&old, &gone] {
        world.products().archive(product.id, &by, at(30)).await.unwrap();
    }
    let found = world
        .database
        .by_numbers(&asked(&[
            "0986479",
            "bosch 0986479",
            "dl1",
            "1k0-615",
            "4006381333931",
            "OLD-1",
            "GONE-1",
            "NOTHING-9",
            "a\0 dl1",
        ]))
        .await
        .unwrap();
    let shown = |found: &[NumberMatch]| -> Vec<(ProductId, u8, Option<String>, bool)> {
        let via = |one: &NumberMatch| one.via.as_ref().map(ToString::to_string);
        found.iter().map(|one| (one.product, one.tier, via(one), one.is_archived)).collect()
    };
    assert_eq!(shown(&found[0]), [(ate.id, 1, None, false), (bosch.id, 1, None, false)]);
    assert_eq!(shown(&found[1]), [(bosch.id, 1, None, false)]);
    assert_eq!(shown(&found[2]), [(own.id, 1, None, false)]);
    assert_eq!(shown(&found[3]), [(own.id, 4, Some("same as VW 1K0 615".to_owned()), false)]);
    assert_eq!(shown(&found[4]), [(own.id, 2, Some("GTIN 4006381333931".to_owned()), false)]);
    assert_eq!((found[5][0].product, found[5][0].tier, found[5][0].is_archived), (next.id, 3, false));
    assert_eq!(shown(&found[6]), [(gone.id, 1, None, true)]);
    assert_eq!(found[7..], [[], []]);
    assert_eq!(world.database.by_numbers(&[]).await.unwrap(), [] as [Vec<NumberMatch>; 0]);

    let successors = world.database.successors(&[old.id, gone.id, own.id]).await.unwrap();
    assert_eq!(successors.into_iter().collect::<Vec<_>>(), [(old.id, next.id)]);
}

#[tokio::test(flavor = "multi_thread")]
async fn numbers_that_are_close_are_named_closest_first() {
    let world = World::fresh().await;
    let (first, second) = (part(&world, "A", "X", "DL-BD-3120").await, part(&world, "B", "X", "DL-BD-3121").await);
    part(&world, "C", "X", "QQ-7").await;
    let keys: Vec<PartKey> =
        ["DLBD312O", "DLBD3122", "ZZZZ9999"].into_iter().map(|key| PartKey::new(key).unwrap()).collect();
    let close = world.database.close_to(&keys).await.unwrap();
    assert_eq!(close[0][0], first.id, "O is 0");
    assert_eq!(close[1].len(), 2);
    assert!(close[1].contains(&first.id) && close[1].contains(&second.id));
    assert_eq!(close[2], []);

    world.sql("DROP EXTENSION pg_trgm CASCADE");
    let close = world.database.close_to(&keys).await.unwrap();
    assert_eq!((close[0].as_slice(), close[1].len()), (&[first.id][..], 0), "without trigrams only what is misread");
}
