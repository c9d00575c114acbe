//! Importing several products at once in one transaction.

use domain::Actor;
use domain::{Category, Product, Role};
use ports::{Imported, NewProducts, ProductQuery, ProductRepository, StoreError};

use crate::world::{World, actor, at, concurrently, key, product};

fn named(names: &[&str]) -> Vec<Product> {
    names.iter().map(|name| product(name, 500)).collect()
}

fn import(products: Vec<Product>) -> NewProducts {
    NewProducts { products, by: Actor::Shop, at: at(5), partial: false, idempotency_key: None }
}

async fn total(world: &World) -> u64 {
    world.products().list(&ProductQuery::default()).await.unwrap().total
}

#[tokio::test(flavor = "multi_thread")]
async fn an_import_adds_every_product_with_its_ledger_entry() {
    let world = World::fresh().await;
    let admin = world.account_as("admin@example.com", Role::Admin).await;
    let mut products = named(&["a", "b", "c"]);
    products[1].details.available = domain::Stock::NONE;
    let new = NewProducts { by: actor(&admin), ..import(products.clone()) };
    assert_eq!(world.products().add_all(&new).await.unwrap(), Imported { added: 3, duplicates: Vec::new() });
    for product in products {
        assert_eq!(world.products().find(product.id).await.unwrap(), Some(product));
    }
    assert_eq!(world.count("SELECT count(*) FROM stock_ledger WHERE actor_email = 'admin@example.com'"), 2);
    let none = world.products().add_all(&import(Vec::new())).await.unwrap();
    assert_eq!(none, Imported::default());
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn an_import_larger_than_one_statement_succeeds() {
    let world = World::fresh().await;
    let products: Vec<Product> = (0..5_000).map(|n| product(&format!("part {n}"), 100)).collect();
    assert_eq!(world.products().add_all(&import(products)).await.unwrap().added, 5_000);
    assert_eq!(total(&world).await, 5_000);
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_duplicate_refuses_the_whole_import_unless_it_is_partial() {
    let world = World::fresh().await;
    world.add(product("sold", 500)).await;
    let archived = world.add(product("archived", 500)).await;
    world.products().archive(archived.id, &domain::Actor::Shop, at(4)).await.unwrap();
    let mut products = named(&["a", "sold", "archived", "sold"]);
    products[3].details.category = Category::Tires;

    assert_eq!(world.products().duplicates(&products).await.unwrap(), [1]);
    let refused = world.products().add_all(&import(products.clone())).await.unwrap();
    assert_eq!(refused, Imported { added: 0, duplicates: vec![1] });
    assert_eq!((total(&world).await, world.count("SELECT count(*) FROM imports")), (1, 0));

    let partial = NewProducts { partial: true, ..import(products) };
    let results = world.products().add_all(&partial).await.unwrap();
    assert_eq!(results, Imported { added: 3, duplicates: vec![1] });
    assert_eq!(total(&world).await, 4);
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn an_import_that_fails_halfway_leaves_nothing_behind() {
    let world = World::fresh().await;
    // Product 1,500 of 1,501: an earlier statement has already added a thousand products and their ledger entries.
    world.sql(
        "CREATE FUNCTION stumble() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN IF NEW.name = 'part 1500' THEN RAISE EXCEPTION 'stumbled'; END IF; RETURN NEW; END $$;
        CREATE TRIGGER stumble BEFORE INSERT ON products FOR EACH ROW EXECUTE FUNCTION stumble()",
    );
    let products: Vec<Product> = (0..=1_500).map(|n| product(&format!("part {n}"), 100)).collect();
    let new = NewProducts { idempotency_key: Some(key(1)), ..import(products) };
    let failed = world.products().add_all(&new).await;
    assert!(matches!(failed, Err(StoreError::Internal(_))), "{failed:?}");
    for table in ["products", "stock_ledger", "imports"] {
        assert_eq!(world.count(&format!("SELECT count(*) FROM {table}")), 0, "{table}");
    }
    // The key is free again.
    world.sql("DROP TRIGGER stumble ON products");
    assert_eq!(world.products().add_all(&new).await.unwrap().added, 1_501);
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repeated_key_adds_nothing_and_returns_the_first_result() {
    let world = World::with_pool(8).await;
    world.add(product("sold", 500)).await;
    let results = concurrently(8, |_| {
        let database = world.database.clone();
        let new = NewProducts { partial: true, idempotency_key: Some(key(1)), ..import(named(&["a", "sold", "b"])) };
        async move { database.add_all(&new).await.unwrap() }
    })
    .await;
    assert!(results.iter().all(|one| *one == Imported { added: 2, duplicates: vec![1] }), "{results:?}");
    assert_eq!((total(&world).await, world.count("SELECT count(*) FROM imports")), (3, 1));
    world.refuses("DELETE FROM imports", "append-only");
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_concurrent_imports_of_the_same_products_one_adds_them() {
    let world = World::with_pool(4).await;
    let results = concurrently(2, |_| {
        let database = world.database.clone();
        let new = import((0..300).map(|n| product(&format!("part {n}"), 100)).collect());
        async move { database.add_all(&new).await.unwrap() }
    })
    .await;
    let mut added: Vec<usize> = results.iter().map(|one| one.added).collect();
    added.sort_unstable();
    assert_eq!(added, [0, 300]);
    assert_eq!(total(&world).await, 300);
    world.assert_sound();
}
