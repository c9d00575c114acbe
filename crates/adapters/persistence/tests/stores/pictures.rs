//! Several pictures of a product.

use domain::{Actor, Pictures, Product, ProductEdit};
use ports::{Editing, ProductQuery, ProductRepository};

use crate::world::{World, at, concurrently, id};

fn pictures(names: &[&str]) -> Pictures {
    Pictures::new(names.iter().map(|name| format!("/images/{name}.webp").parse().unwrap()).collect()).unwrap()
}

async fn shown(world: &World, product: &Product) -> Vec<String> {
    let found = world.products().find(product.id).await.unwrap().unwrap();
    names(&found)
}

fn names(product: &Product) -> Vec<String> {
    let name = |img: &str| img.trim_start_matches("/images/").trim_end_matches(".webp").to_owned();
    product.details.pictures().map(|img| name(img.as_str())).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn pictures_are_replaced_in_their_order_and_the_first_one_is_the_products() {
    let world = World::fresh().await;
    let [product, other] = [world.product(500).await, world.product(500).await];
    for wanted in [&["a", "b", "c"][..], &["c", "a"], &["x"], &["x", "c"]] {
        assert_eq!(world.products().set_pictures(product.id, &pictures(wanted)).await.unwrap(), Some(true));
        assert_eq!(shown(&world, &product).await, wanted);
        // A repeated call.
        assert_eq!(world.products().set_pictures(product.id, &pictures(wanted)).await.unwrap(), Some(false));
    }
    let twelve: Vec<String> = (0..12).map(|n| n.to_string()).collect();
    let twelve: Vec<&str> = twelve.iter().map(String::as_str).collect();
    assert_eq!(world.products().set_pictures(product.id, &pictures(&twelve)).await.unwrap(), Some(true));
    assert_eq!(shown(&world, &product).await, twelve);
    // Lists are read with them, too, and no product gets another's.
    let listed = world.found(&ProductQuery::default()).await.items;
    let of = |id| names(listed.iter().find(|product| product.id == id).unwrap());
    assert_eq!((of(product.id).len(), of(other.id).len()), (12, 1));
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_product_is_added_with_its_pictures() {
    let world = World::fresh().await;
    let mut new = crate::world::product("Disc", 500);
    new.details.further_pictures = pictures(&["a", "b", "c"]).further().to_vec();
    let added = world.add(new).await;
    assert_eq!(world.products().find(added.id).await.unwrap().unwrap(), added);
}

#[tokio::test(flavor = "multi_thread")]
async fn only_products_for_sale_get_pictures() {
    let world = World::fresh().await;
    let product = world.product(500).await;
    assert_eq!(world.products().set_pictures(product.id, &pictures(&["a", "b"])).await.unwrap(), Some(true));
    assert!(world.products().archive(product.id, &Actor::Shop, at(60)).await.unwrap());
    assert_eq!(world.products().set_pictures(product.id, &pictures(&["c"])).await.unwrap(), None);
    let unknown = domain::ProductId::new(id());
    assert_eq!(world.products().set_pictures(unknown, &pictures(&["c"])).await.unwrap(), None);
    // It comes back as it was.
    assert_eq!(world.products().restore(product.id).await.unwrap(), Some(true));
    assert_eq!(shown(&world, &product).await, ["a", "b"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_further_picture_that_becomes_the_first_one_is_not_shown_twice() {
    let world = World::fresh().await;
    let product = world.product(500).await;
    world.products().set_pictures(product.id, &pictures(&["a", "b", "c"])).await.unwrap();
    let wanted = ProductEdit { img: Some("/images/b.webp".parse().unwrap()), ..ProductEdit::default() };
    let editing = Editing { product: product.id, wanted, seen: ProductEdit::default(), by: Actor::Shop, at: at(50) };
    assert!(world.products().edit(&editing).await.unwrap());
    assert_eq!(shown(&world, &product).await, ["b", "c"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn new_pictures_date_the_product_and_others_hear_of_them_even_if_the_first_one_stays() {
    let world = World::fresh().await;
    let product = world.product(500).await;
    world.products().set_pictures(product.id, &pictures(&["a"])).await.unwrap();
    world.sql("UPDATE products SET changed_at = '2000-01-01'");
    let state = world.products().state().await.unwrap();
    let changes = world.database.catalog_changes();
    changes.take();

    assert_eq!(world.products().set_pictures(product.id, &pictures(&["a", "b"])).await.unwrap(), Some(true));
    assert_eq!(world.count("SELECT count(*) FROM products WHERE changed_at > '2001-01-01'"), 1);
    assert_ne!(world.products().state().await.unwrap(), state);
    assert!(changes.take().products.contains(&product.id));
    // And nothing is dated by what changes nothing.
    world.sql("UPDATE products SET changed_at = '2000-01-01'");
    assert_eq!(world.products().set_pictures(product.id, &pictures(&["a", "b"])).await.unwrap(), Some(false));
    assert_eq!(world.count("SELECT count(*) FROM products WHERE changed_at > '2001-01-01'"), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_concurrent_calls_one_is_last_and_none_is_mixed() {
    let world = World::with_pool(8).await;
    let product = world.product(500).await;
    let set = concurrently(8, |n| {
        let database = world.database.clone();
        let id = product.id;
        let wanted = pictures(&[&format!("{n}-a"), &format!("{n}-b"), &format!("{n}-c")]);
        async move { ProductRepository::set_pictures(&database, id, &wanted).await.unwrap() }
    });
    assert_eq!(set.await, vec![Some(true); 8]);
    let kept = shown(&world, &product).await;
    let last = kept[0].trim_end_matches("-a");
    assert_eq!(kept, ["a", "b", "c"].map(|name| format!("{last}-{name}")));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_database_refuses_a_thirteenth_picture() {
    let world = World::fresh().await;
    world.product(500).await;
    world.refuses(
        "INSERT INTO product_pictures (product_no, place, img) SELECT no, 12, '/a.webp' FROM products",
        "product_pictures_place_check",
    );
    world.refuses(
        "INSERT INTO product_pictures (product_no, place, img) SELECT no, 1, '' FROM products",
        "product_pictures_img_check",
    );
}
