//! Products that are added together.

use domain::Actor;
use domain::{Category, Product, Role};
use ports::{Imported, NewProducts, ProductQuery, ProductRepository, StoreError};

use crate::world::{World, actor, at, at_once, key, product};

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
async fn products_come_together_each_with_its_entry_in_the_ledger() {
    let world = World::fresh().await;
    let admin = world.person_as("admin@example.com", Role::Admin).await;
    let mut products = named(&["a", "b", "c"]);
    products[1].available = domain::Stock::NONE;
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
async fn more_than_one_statement_can_take_come_together_all_the_same() {
    let world = World::fresh().await;
    let products: Vec<Product> = (0..5_000).map(|n| product(&format!("part {n}"), 100)).collect();
    assert_eq!(world.products().add_all(&import(products)).await.unwrap().added, 5_000);
    assert_eq!(total(&world).await, 5_000);
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn one_whose_like_is_for_sale_keeps_the_others_out_unless_they_are_wanted_without_it() {
    let world = World::fresh().await;
    world.add(product("sold", 500)).await;
    let archived = world.add(product("archived", 500)).await;
    world.products().archive(archived.id, &domain::Actor::Shop, at(4)).await.unwrap();
    let mut products = named(&["a", "sold", "archived", "sold"]);
    products[3].category = Category::Tires;

    assert_eq!(world.products().duplicates(&products).await.unwrap(), [1]);
    let refused = world.products().add_all(&import(products.clone())).await.unwrap();
    assert_eq!(refused, Imported { added: 0, duplicates: vec![1] });
    assert_eq!((total(&world).await, world.count("SELECT count(*) FROM imports")), (1, 0));

    let partial = NewProducts { partial: true, ..import(products) };
    let told = world.products().add_all(&partial).await.unwrap();
    assert_eq!(told, Imported { added: 3, duplicates: vec![1] });
    assert_eq!(total(&world).await, 4);
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn an_import_that_fails_half_way_leaves_nothing_behind() {
    let world = World::fresh().await;
    // The last of many: by then a statement has added a thousand products and their entries.
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
    // Its key is free again.
    world.sql("DROP TRIGGER stumble ON products");
    assert_eq!(world.products().add_all(&new).await.unwrap().added, 1_501);
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_key_again_adds_nothing_and_gets_the_first_answer() {
    let world = World::with_pool(8).await;
    world.add(product("sold", 500)).await;
    let told = at_once(8, |_| {
        let database = world.database.clone();
        let new = NewProducts { partial: true, idempotency_key: Some(key(1)), ..import(named(&["a", "sold", "b"])) };
        async move { database.add_all(&new).await.unwrap() }
    })
    .await;
    assert!(told.iter().all(|one| *one == Imported { added: 2, duplicates: vec![1] }), "{told:?}");
    assert_eq!((total(&world).await, world.count("SELECT count(*) FROM imports")), (3, 1));
    world.refuses("DELETE FROM imports", "append-only");
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_imports_of_the_same_products_at_the_same_moment_one_adds_them() {
    let world = World::with_pool(4).await;
    let told = at_once(2, |_| {
        let database = world.database.clone();
        let new = import((0..300).map(|n| product(&format!("part {n}"), 100)).collect());
        async move { database.add_all(&new).await.unwrap() }
    })
    .await;
    let mut added: Vec<usize> = told.iter().map(|one| one.added).collect();
    added.sort_unstable();
    assert_eq!(added, [0, 300]);
    assert_eq!(total(&world).await, 300);
    world.assert_sound();
}
