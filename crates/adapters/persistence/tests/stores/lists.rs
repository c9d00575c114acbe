//! Lists of orders and of people in parts, and what the orders come to.

use domain::Actor;
use domain::{Account, AccountId, Day, EventId, MinOrder, Order, OrderId, Product, Role, Text};
use ports::{AccountQuery, AccountSort, DayOfSales, OrderQuery, OrderSort, OrderState, OrderStates};

use crate::world::{World, account, actor, at, id, meta, new_account, new_order, product, transaction};

/// Places an order of so many units at a moment.
async fn placed(world: &World, customer: &Account, product: &Product, units: i64, second: i64) -> Order {
    let mut new = new_order(customer, product, units, None);
    new.order.placed_at = at(second);
    new.event = new.order.placed(EventId::new(id()), actor(customer));
    let id = world.orders().place(&new).await.unwrap();
    world.order(id).await
}

async fn found(world: &World, query: &OrderQuery) -> Vec<OrderId> {
    world.orders().list(query).await.unwrap().orders.into_iter().map(|order| order.id).collect()
}

fn search(asked: &str) -> OrderQuery {
    OrderQuery { search: Some(asked.to_owned()), ..OrderQuery::default() }
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_orders_neither_repeat_nor_skip_whatever_their_order() {
    let world = World::fresh().await;
    let customer = world.person("buyer@example.com").await;
    let product = world.product(50_000).await;
    for n in 0..17 {
        // Moments and totals repeat, so that only the id tells some of them apart.
        placed(&world, &customer, &product, 50 + n % 3, n % 4).await;
    }
    let gone = placed(&world, &customer, &product, 50, 2).await;
    world.write(&gone.cancel(meta(20, Actor::Shop)).unwrap()).await;
    for sort in [OrderSort::Newest, OrderSort::Oldest, OrderSort::PriceUp, OrderSort::PriceDown] {
        let whole = world.orders().list(&OrderQuery { sort, ..OrderQuery::default() }).await.unwrap();
        assert_eq!((whole.orders.len(), whole.total, whole.next), (17, 17, None), "{sort:?}");
        let sorted = |a: &Order, b: &Order| match sort {
            OrderSort::Newest => a.placed_at >= b.placed_at,
            OrderSort::Oldest => a.placed_at <= b.placed_at,
            OrderSort::PriceUp => a.item.total <= b.item.total,
            OrderSort::PriceDown => a.item.total >= b.item.total,
        };
        assert!(whole.orders.is_sorted_by(sorted), "{sort:?}");
        for limit in [1, 5, 16, 17, 18] {
            let mut query = OrderQuery { sort, limit: Some(limit), ..OrderQuery::default() };
            let mut seen = Vec::new();
            loop {
                let page = world.orders().list(&query).await.unwrap();
                assert_eq!(page.total, 17);
                seen.extend(page.orders);
                let Some(next) = page.next else { break };
                assert_eq!(seen.last().map(|order| order.id), Some(next));
                query.after = Some(next);
            }
            assert_eq!(seen, whole.orders, "{sort:?} by {limit}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancelled_order_still_marks_its_place_and_one_that_never_was_ends_the_list() {
    let world = World::fresh().await;
    let customer = world.person("buyer@example.com").await;
    let product = world.product(5_000).await;
    let first = placed(&world, &customer, &product, 50, 1).await;
    let second = placed(&world, &customer, &product, 50, 2).await;
    let third = placed(&world, &customer, &product, 50, 3).await;
    world.write(&second.clone().cancel(meta(20, Actor::Shop)).unwrap()).await;
    let after = |order, sort| OrderQuery { after: Some(order), sort, limit: Some(9), ..OrderQuery::default() };
    assert_eq!(found(&world, &after(second.id, OrderSort::Newest)).await, [first.id]);
    assert_eq!(found(&world, &after(second.id, OrderSort::Oldest)).await, [third.id]);
    let nowhere = world.orders().list(&after(OrderId::new(id()), OrderSort::Newest)).await.unwrap();
    assert_eq!((nowhere.orders.len(), nowhere.total, nowhere.next), (0, 2, None));
    let uncounted = OrderQuery { limit: Some(1), uncounted: true, ..OrderQuery::default() };
    let page = world.orders().list(&uncounted).await.unwrap();
    assert_eq!((page.orders.len(), page.total, page.next), (1, 0, Some(third.id)));
}

#[tokio::test(flavor = "multi_thread")]
async fn every_word_of_a_search_has_to_occur_somewhere_in_the_order() {
    let world = World::fresh().await;
    let (ada, bob) = (world.person("ada@example.com").await, world.person("bob@example.org").await);
    let disc = world.add(product("Ventilated brake disc", 5_000)).await;
    let tyre = world.add(product("Winter TYRE Öl-proof", 5_000)).await;
    let one = placed(&world, &ada, &disc, 50, 1).await;
    let two = placed(&world, &bob, &tyre, 50, 2).await;
    let whole_id = one.id.to_string();
    for (asked, expected) in [
        ("", vec![two.id, one.id]),
        ("åse", vec![two.id, one.id]),
        ("ÅSE disc", vec![one.id]),
        ("disc ada@EXAMPLE.com o'neil", vec![one.id]),
        ("öl-PROOF", vec![two.id]),
        ("0100 tyre", vec![two.id]),
        (whole_id.as_str(), vec![one.id]),
        ("disc tyre", vec![]),
        ("%", vec![]),
        ("_", vec![]),
        // A word is not found across two parts.
        ("comdisc", vec![]),
        ("a\u{1}b", vec![]),
        ("\0", vec![]),
    ] {
        assert_eq!(found(&world, &search(asked)).await, expected, "{asked:?}");
    }
    let page = world.orders().list(&OrderQuery { limit: Some(1), ..search("example") }).await.unwrap();
    assert_eq!((page.orders.len(), page.total, page.next), (1, 2, Some(two.id)));
}

/// An order that waits unpaid, a paid one, one shipped on account, a paid and shipped one, a cancelled and a refunded one.
async fn one_of_each(world: &World) -> [Order; 4] {
    let customer = world.person("buyer@example.com").await;
    let product = world.product(5_000).await;
    let waiting = placed(world, &customer, &product, 50, 1).await;
    let paid = placed(world, &customer, &product, 51, 2).await;
    let paid = world.write(&paid.settle(transaction(1), meta(20, Actor::Shop)).unwrap()).await;
    let on_account = placed(world, &customer, &product, 52, 3).await;
    let on_account = world.write(&on_account.ship(meta(20, Actor::Shop)).unwrap()).await;
    let done = placed(world, &customer, &product, 53, 4).await;
    let done = world.write(&done.settle(transaction(2), meta(20, Actor::Shop)).unwrap()).await;
    let done = world.write(&done.ship(meta(21, Actor::Shop)).unwrap()).await;
    let cancelled = placed(world, &customer, &product, 54, 5).await;
    world.write(&cancelled.cancel(meta(20, Actor::Shop)).unwrap()).await;
    let refunded = placed(world, &customer, &product, 55, 6).await;
    let refunded = world.write(&refunded.cancel(meta(20, Actor::Shop)).unwrap()).await;
    world.write(&refunded.refund(transaction(3), meta(21, Actor::Shop)).unwrap()).await;
    [waiting, paid, on_account, done]
}

#[tokio::test(flavor = "multi_thread")]
async fn each_state_shows_its_orders_and_the_counts_say_the_same() {
    let world = World::fresh().await;
    assert_eq!(world.orders().states().await.unwrap(), OrderStates::default());
    let [waiting, paid, on_account, done] = one_of_each(&world).await.map(|order| order.id);
    let state = |state| OrderQuery { state, sort: OrderSort::Oldest, ..OrderQuery::default() };
    assert_eq!(found(&world, &state(OrderState::Standing)).await, [waiting, paid, on_account, done]);
    assert_eq!(found(&world, &state(OrderState::Waiting)).await, [waiting, paid]);
    assert_eq!(found(&world, &state(OrderState::Shipped)).await, [on_account, done]);
    assert_eq!(found(&world, &state(OrderState::Unpaid)).await, [waiting, on_account]);
    let states = world.orders().states().await.unwrap();
    assert_eq!(states, OrderStates { waiting: 2, unpaid: 2, paid: 2, shipped: 2 });
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_days_sales_begin_and_end_at_midnight_in_utc() {
    let world = World::fresh().await;
    let customer = world.person("buyer@example.com").await;
    let product = world.product(50_000).await;
    // In seconds after the shop's first moment, which is at 22:13:20.
    let midnight = 86_400 - (22 * 3_600 + 13 * 60 + 20);
    let today = Day::of(at(midnight));
    assert_eq!(today.begins(), at(midnight));
    placed(&world, &customer, &product, 50, midnight - 1).await;
    let first = placed(&world, &customer, &product, 51, midnight).await;
    let last = placed(&world, &customer, &product, 52, midnight + 86_399).await;
    placed(&world, &customer, &product, 53, midnight + 86_400).await;
    let cancelled = placed(&world, &customer, &product, 54, midnight + 5).await;
    world.write(&cancelled.cancel(meta(midnight + 9, Actor::Shop)).unwrap()).await;
    let refunded = placed(&world, &customer, &product, 55, midnight + 6).await;
    let refunded = world.write(&refunded.cancel(meta(midnight + 9, Actor::Shop)).unwrap()).await;
    world.write(&refunded.refund(transaction(3), meta(midnight + 10, Actor::Shop)).unwrap()).await;
    // Paid in the last second of the day, and in the first of the next.
    let told = |day, orders, units: i64| DayOfSales {
        day,
        orders,
        paid: domain::Money::from_cents(12_999 * units).unwrap(),
        returned_cents: 0,
    };
    world.write(&first.settle(transaction(1), meta(midnight + 86_399, Actor::Shop)).unwrap()).await;
    world.write(&last.settle(transaction(2), meta(midnight + 86_400, Actor::Shop)).unwrap()).await;
    assert_eq!(world.orders().sales(today, today).await.unwrap(), [told(today, 2, 51)]);
    let (yesterday, tomorrow) = (today.earlier(1), Day::of(today.ends()));
    assert_eq!(
        world.orders().sales(yesterday, tomorrow).await.unwrap(),
        [told(yesterday, 1, 0), told(today, 2, 51), told(tomorrow, 1, 52)]
    );
    assert_eq!(world.orders().sales(today.earlier(9), today.earlier(2)).await.unwrap(), []);
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_closed_day_came_to_never_changes_and_refunds_stand_on_their_own_day() {
    let world = World::fresh().await;
    let customer = world.person("buyer@example.com").await;
    let product = world.product(50_000).await;
    let midnight = 86_400 - (22 * 3_600 + 13 * 60 + 20);
    let today = Day::of(at(midnight));
    let order = placed(&world, &customer, &product, 50, midnight + 1).await;
    let paid = world.write(&order.settle(transaction(1), meta(midnight + 2, Actor::Shop)).unwrap()).await;
    let closed = world.orders().sales(today, today).await.unwrap();
    assert_eq!((closed[0].paid.cents(), closed[0].revenue_cents()), (649_950, 649_950));

    let owing = world.write(&paid.cancel_paid(meta(midnight + 86_400, Actor::Shop)).unwrap()).await;
    world.write(&owing.refund(transaction(1), meta(midnight + 86_401, Actor::Shop)).unwrap()).await;
    let again = world.orders().sales(today, today).await.unwrap();
    assert_eq!((again[0].paid, again[0].returned_cents), (closed[0].paid, 0), "orders may go, revenue does not");
    let next = Day::of(today.ends());
    let after = world.orders().sales(next, next).await.unwrap();
    assert_eq!((after[0].paid.cents(), after[0].returned_cents, after[0].revenue_cents()), (0, 649_950, -649_950));
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_runs_low_has_less_than_two_of_the_least_orders_and_comes_emptiest_first() {
    let world = World::fresh().await;
    let mut raised = product("Raised", 199);
    raised.min_order = MinOrder::effective(100).unwrap();
    let raised = world.add(raised).await;
    let mut enough = product("Enough", 200);
    enough.min_order = MinOrder::effective(100).unwrap();
    world.add(enough).await;
    let (low, empty) = (world.product(99).await, world.product(0).await);
    world.product(100).await;
    let gone = world.product(1).await;
    world.products().archive(gone.id, &domain::Actor::Shop, at(9)).await.unwrap();
    let ids = |products: Vec<Product>| products.into_iter().map(|product| product.id).collect::<Vec<_>>();
    assert_eq!(ids(world.products().running_low(10).await.unwrap()), [empty.id, low.id, raised.id]);
    assert_eq!(ids(world.products().running_low(2).await.unwrap()), [empty.id, low.id]);
}

async fn person(world: &World, email: &str, name: &str, second: i64, role: Role) -> AccountId {
    let mut somebody = account(email, role);
    somebody.display_name = Text::new(name).unwrap();
    somebody.created_at = at(second);
    world.accounts().add(&new_account(&somebody)).await.unwrap();
    somebody.id
}

async fn people(world: &World, query: &AccountQuery) -> Vec<AccountId> {
    world.accounts().list(query).await.unwrap().accounts.into_iter().map(|account| account.id).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_people_neither_repeat_nor_skip_whatever_their_order() {
    let world = World::fresh().await;
    for n in 0..11 {
        person(&world, &format!("p{}@example.com", (n * 7) % 11), "Somebody", n % 3, Role::Customer).await;
    }
    for sort in [AccountSort::Oldest, AccountSort::Newest, AccountSort::Email] {
        let whole = world.accounts().list(&AccountQuery { sort, ..AccountQuery::default() }).await.unwrap();
        assert_eq!((whole.total, whole.next), (11, None));
        for limit in [1, 4, 10, 11, 12] {
            let mut query = AccountQuery { sort, limit: Some(limit), ..AccountQuery::default() };
            let mut seen = Vec::new();
            loop {
                let page = world.accounts().list(&query).await.unwrap();
                assert_eq!(page.total, 11);
                seen.extend(page.accounts);
                let Some(next) = page.next else { break };
                query.after = Some(next);
            }
            assert_eq!(seen, whole.accounts, "{sort:?} by {limit}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn people_are_found_by_name_and_address_and_told_apart_by_role() {
    let world = World::fresh().await;
    let ada = person(&world, "ada@example.com", "Ada Ärger", 1, Role::Admin).await;
    let bob = person(&world, "bob@example.com", "Bob", 2, Role::Customer).await;
    let cleo = person(&world, "cleo@example.org", "Bobby Cleo", 3, Role::Customer).await;
    let search = |asked: &str| AccountQuery { search: Some(asked.to_owned()), ..AccountQuery::default() };
    for (asked, expected) in [
        ("BOB", vec![bob, cleo]),
        ("ärger ada", vec![ada]),
        ("example.ORG bobby", vec![cleo]),
        ("bob@example", vec![bob]),
        ("%", vec![]),
        ("ärgerada@", vec![]),
        ("\u{1}", vec![]),
    ] {
        assert_eq!(people(&world, &search(asked)).await, expected, "{asked:?}");
    }
    let role = |role| AccountQuery { role: Some(role), ..AccountQuery::default() };
    assert_eq!(people(&world, &role(Role::Admin)).await, [ada]);
    assert_eq!(people(&world, &role(Role::Customer)).await, [bob, cleo]);

    // A new name is found and the old one is not; the address stays.
    world.accounts().rename(bob, Some(Text::new("Robert").unwrap()), domain::Edit::Keep).await.unwrap();
    assert_eq!(people(&world, &search("robert bob@")).await, [bob]);
    assert_eq!(people(&world, &search("somebody")).await, []);

    // Somebody who was removed still marks their place.
    world.accounts().remove(&"bob@example.com".parse().unwrap(), at(9)).await.unwrap();
    let after = AccountQuery { after: Some(bob), limit: Some(5), ..AccountQuery::default() };
    assert_eq!(people(&world, &after).await, [cleo]);
    let nowhere = AccountQuery { after: Some(AccountId::new(id())), ..AccountQuery::default() };
    let page = world.accounts().list(&nowhere).await.unwrap();
    assert_eq!((page.accounts.len(), page.total, page.next), (0, 2, None));
}
