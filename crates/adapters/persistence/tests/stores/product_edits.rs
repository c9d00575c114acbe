//! Editing products, and bringing archived ones back.

use domain::{Actor, Category, Edit, EditRefused, FactsEdit, MinOrder, Product, ProductEdit, Role, Text};
use ports::{Editing, OrderRepository, Pagination, ProductQuery, ProductRepository, StockEventKind, WriteError};

use crate::world::{World, actor, at, concurrently, price, product};

fn editing(product: &Product, wanted: ProductEdit, seen: ProductEdit) -> Editing {
    Editing { product: product.id, wanted, seen, by: Actor::Shop, at: at(50) }
}

fn named(name: &str) -> ProductEdit {
    ProductEdit { name: Some(Text::new(name).unwrap()), ..ProductEdit::default() }
}

async fn read(world: &World, product: &Product) -> Product {
    world.products().find(product.id).await.unwrap().unwrap()
}

fn archived() -> ProductQuery {
    ProductQuery { archived: true, ..ProductQuery::default() }
}

fn search(asked: &str) -> ProductQuery {
    ProductQuery { search: Some(asked.to_owned()), ..ProductQuery::default() }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_edit_reaches_every_attribute_but_the_stock_and_searches_find_the_new_ones() {
    let world = World::fresh().await;
    let customer = world.customer("customer@example.com").await;
    let before = world.product(500).await;
    let order = world.fifty(&customer, &before).await;
    let wanted = ProductEdit {
        facts: FactsEdit::default(),
        name: Some(Text::new("Ölfilter XL").unwrap()),
        description: Some(Text::new("Another one.").unwrap()),
        part_number: Edit::Set(Some(Text::new("OF-77").unwrap())),
        category: Some(Category::OilsAndFluids),
        img: Some("/images/other.webp".parse().unwrap()),
        price: Some(price(777)),
        min_order: Some(MinOrder::effective(80).unwrap()),
    };
    assert!(world.products().edit(&editing(&before, wanted.clone(), ProductEdit::default())).await.unwrap());

    let mut expected = before.clone();
    expected.details = before.details.edited(&wanted, &ProductEdit::default()).unwrap();
    expected.details.available = domain::Stock::new(450).unwrap();
    assert_eq!(read(&world, &before).await, expected);
    for (asked, found) in [("ölfilter", 1), ("of-77", 1), ("oils and", 1), ("brake", 0)] {
        assert_eq!(world.found(&search(asked)).await.items.len(), found, "{asked}");
    }
    // The order keeps its snapshot.
    let kept = OrderRepository::find(&world.database, order.id).await.unwrap().unwrap();
    assert_eq!((kept.item.name, kept.item.unit_price), (before.details.name.clone(), before.details.price));

    let without = ProductEdit { part_number: Edit::Set(None), ..ProductEdit::default() };
    assert!(world.products().edit(&editing(&before, without, ProductEdit::default())).await.unwrap());
    assert_eq!(read(&world, &before).await.details.part_number, None);
    assert_eq!(world.found(&search("of-77")).await.items, []);
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stale_edit_is_refused_with_the_product_and_a_repeated_one_changes_nothing() {
    let world = World::fresh().await;
    let product = world.product(500).await;
    let seen = named(product.details.name.as_str());
    let mine = editing(&product, named("Mine"), seen.clone());
    assert!(world.products().edit(&mine).await.unwrap());
    assert!(!world.products().edit(&mine).await.unwrap());

    let stale = world.products().edit(&editing(&product, named("Theirs"), seen)).await;
    let now = read(&world, &product).await;
    assert_eq!(now.details.name.as_str(), "Mine");
    assert!(matches!(stale, Err(WriteError::Refused(EditRefused::Changed { now: told })) if *told == now));
    // Without what was seen, nothing is compared.
    assert!(world.products().edit(&editing(&product, named("Theirs"), ProductEdit::default())).await.unwrap());
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn of_concurrent_edits_of_the_same_attribute_one_wins() {
    let world = World::with_pool(8).await;
    let product = world.product(500).await;
    let won = concurrently(8, |n| {
        let database = world.database.clone();
        let mine = editing(&product, named(&format!("Name {n}")), named(product.details.name.as_str()));
        async move { ProductRepository::edit(&database, &mine).await.is_ok() }
    })
    .await;
    assert_eq!(won.iter().filter(|won| **won).count(), 1, "{won:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_price_that_is_edited_is_in_the_history() {
    let world = World::fresh().await;
    let admin = world.account_as("admin@example.com", Role::Admin).await;
    let product = world.product(500).await;
    let wanted = ProductEdit { price: Some(price(4_200)), ..named("Renamed") };
    let edit = Editing { by: actor(&admin), ..editing(&product, wanted, ProductEdit::default()) };
    world.products().edit(&edit).await.unwrap();
    world.products().edit(&edit).await.unwrap();
    let history = world.products().stock_history(product.id, 10).await.unwrap().unwrap();
    let [event] = history.as_slice() else { panic!("{history:?}") };
    assert_eq!(event.by, actor(&admin));
    assert!(
        matches!(event.what, StockEventKind::Restocked { arriving, price: now } if arriving.get() == 0 && now == price(4_200))
    );
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn an_archived_product_cannot_be_edited_and_comes_back_as_it_was() {
    let world = World::fresh().await;
    let admin = world.account_as("admin@example.com", Role::Admin).await;
    let (gone, stays) = (world.product(500).await, world.add(product("Stays", 100)).await);
    assert_eq!(world.products().restore(gone.id).await.unwrap(), Some(false));
    assert_eq!(world.products().list(&archived()).await.unwrap().total, 0);
    world.products().archive(gone.id, &actor(&admin), at(60)).await.unwrap();

    let listed = world.products().list(&archived()).await.unwrap();
    assert_eq!((listed.items, listed.total), (vec![gone.clone()], 1));
    assert_eq!(world.products().list(&ProductQuery::default()).await.unwrap().items, [stays]);
    let refused = world.products().edit(&editing(&gone, named("Mine"), ProductEdit::default())).await;
    assert!(matches!(refused, Err(WriteError::Refused(EditRefused::Unknown))), "{refused:?}");

    assert_eq!(world.products().restore(gone.id).await.unwrap(), Some(true));
    assert_eq!(world.products().restore(gone.id).await.unwrap(), Some(false));
    assert_eq!(read(&world, &gone).await, gone);
    assert_eq!(world.products().list(&archived()).await.unwrap().total, 0);
    assert!(world.products().archive(gone.id, &Actor::Shop, at(70)).await.unwrap());
    let never = domain::ProductId::new(crate::world::id());
    assert_eq!(world.products().restore(never).await.unwrap(), None);
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn archived_products_are_searched_and_paged_like_those_for_sale() {
    let world = World::fresh().await;
    for n in 0..5 {
        let one = world.add(product(&format!("Disc {n}"), 500)).await;
        world.products().archive(one.id, &Actor::Shop, at(60)).await.unwrap();
    }
    world.product(500).await;
    let mut query = ProductQuery { page: Pagination::first(2), ..archived() };
    let mut seen = Vec::new();
    loop {
        let page = world.products().list(&query).await.unwrap();
        assert_eq!(page.total, 5);
        seen.extend(page.items.into_iter().map(|product| product.id));
        let Some(next) = page.next else { break };
        query.page.after = Some(next);
    }
    assert_eq!(seen.len(), 5);
    let found = world.found(&ProductQuery { archived: true, ..search("disc 3") }).await;
    assert_eq!(found.total, 1);
}
