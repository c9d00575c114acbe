//! Pages of orders and of accounts, and the sales figures.

use domain::Actor;
use domain::{Account, AccountId, Day, EventId, MinOrder, Order, OrderId, Product, Role, Text};
use ports::{
    AccountQuery, AccountSort, DayOfSales, OrderFilter, OrderQuery, OrderSort, OrderStates, Pagination, SortOrder,
};

use crate::world::{World, account, actor, at, id, meta, new_account, new_order, product, transaction};

const NEWEST: OrderSort = OrderSort::Placed(SortOrder::Descending);
const OLDEST: OrderSort = OrderSort::Placed(SortOrder::Ascending);
const CHEAPEST: OrderSort = OrderSort::Total(SortOrder::Ascending);
const DEAREST: OrderSort = OrderSort::Total(SortOrder::Descending);

/// Places an order of this many units at this time.
async fn placed(world: &World, customer: &Account, product: &Product, units: i64, second: i64) -> Order {
    let mut new = new_order(customer, product, units, None);
    new.order.placed_at = at(second);
    new.event = new.order.placed(EventId::new(id()), actor(customer));
    let id = world.orders().place(&new).await.unwrap();
    world.order(id).await
}

async fn found(world: &World, query: &OrderQuery) -> Vec<OrderId> {
    world.orders().list(query).await.unwrap().items.into_iter().map(|order| order.id).collect()
}

fn search(asked: &str) -> OrderQuery {
    OrderQuery { search: Some(asked.to_owned()), ..OrderQuery::default() }
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_orders_neither_repeat_nor_skip_in_any_sort_order() {
    let world = World::fresh().await;
    let customer = world.customer("customer@example.com").await;
    let product = world.product(50_000).await;
    for n in 0..17 {
        // Times and totals repeat, so that only the id distinguishes some orders.
        placed(&world, &customer, &product, 50 + n % 3, n % 4).await;
    }
    let gone = placed(&world, &customer, &product, 50, 2).await;
    world.write(&gone.cancel(meta(20, Actor::Shop)).unwrap()).await;
    for sort in [NEWEST, OLDEST, CHEAPEST, DEAREST] {
        let whole = world.orders().list(&OrderQuery { sort, ..OrderQuery::default() }).await.unwrap();
        assert_eq!((whole.items.len(), whole.total, whole.next), (17, 17, None), "{sort:?}");
        let sorted = |a: &Order, b: &Order| match sort {
            NEWEST => a.placed_at >= b.placed_at,
            OLDEST => a.placed_at <= b.placed_at,
            CHEAPEST => a.item.total <= b.item.total,
            DEAREST => a.item.total >= b.item.total,
        };
        assert!(whole.items.is_sorted_by(sorted), "{sort:?}");
        for limit in [1, 5, 16, 17, 18] {
            let mut query = OrderQuery { sort, page: Pagination::first(limit), ..OrderQuery::default() };
            let mut seen = Vec::new();
            loop {
                let page = world.orders().list(&query).await.unwrap();
                assert_eq!(page.total, 17);
                seen.extend(page.items);
                let Some(next) = page.next else { break };
                assert_eq!(seen.last().map(|order| order.id), Some(next));
                query.page.after = Some(next);
            }
            assert_eq!(seen, whole.items, "{sort:?} by {limit}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancelled_order_still_works_as_a_cursor_and_an_unknown_one_ends_the_list() {
    let world = World::fresh().await;
    let customer = world.customer("customer@example.com").await;
    let product = world.product(5_000).await;
    let first = placed(&world, &customer, &product, 50, 1).await;
    let second = placed(&world, &customer, &product, 50, 2).await;
    let third = placed(&world, &customer, &product, 50, 3).await;
    world.write(&second.clone().cancel(meta(20, Actor::Shop)).unwrap()).await;
    let after = |order, sort| OrderQuery {
        page: Pagination { after: Some(order), ..Pagination::first(9) },
        sort,
        ..OrderQuery::default()
    };
    assert_eq!(found(&world, &after(second.id, NEWEST)).await, [first.id]);
    assert_eq!(found(&world, &after(second.id, OLDEST)).await, [third.id]);
    let nowhere = world.orders().list(&after(OrderId::new(id()), NEWEST)).await.unwrap();
    assert_eq!((nowhere.items.len(), nowhere.total, nowhere.next), (0, 2, None));
    let uncounted = OrderQuery { page: Pagination::batch(1, None), ..OrderQuery::default() };
    let page = world.orders().list(&uncounted).await.unwrap();
    assert_eq!((page.items.len(), page.total, page.next), (1, 0, Some(third.id)));
}

#[tokio::test(flavor = "multi_thread")]
async fn every_search_word_must_occur_in_the_order() {
    let world = World::fresh().await;
    let (ada, bob) = (world.customer("ada@example.com").await, world.customer("bob@example.org").await);
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
        // A word does not match across two fields.
        ("comdisc", vec![]),
        ("a\u{1}b", vec![]),
        ("\0", vec![]),
    ] {
        assert_eq!(found(&world, &search(asked)).await, expected, "{asked:?}");
    }
    let page = world.orders().list(&OrderQuery { page: Pagination::first(1), ..search("example") }).await.unwrap();
    assert_eq!((page.items.len(), page.total, page.next), (1, 2, Some(two.id)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_of_a_search_is_counted_no_further_than_asked_and_every_other_list_to_its_end() {
    let world = World::fresh().await;
    let customer = world.customer("ada@example.com").await;
    let product = world.product(50_000).await;
    for second in 0..6 {
        placed(&world, &customer, &product, 50, second).await;
    }
    let totals = async |asked: &str, most, page| {
        let query = OrderQuery { page, counted_up_to: most, ..search(asked) };
        let page = world.orders().list(&query).await.unwrap();
        (page.total, page.next)
    };
    let (total, next) = totals("ada@", Some(4), Pagination::first(2)).await;
    assert_eq!(total, 4);
    assert_eq!(totals("ada@", Some(4), Pagination { after: next, ..Pagination::first(2) }).await.0, 4);
    assert_eq!(totals("ada@", Some(7), Pagination { after: next, ..Pagination::first(2) }).await.0, 6);
    assert_eq!(totals("ada@", Some(4), Pagination::first(6)).await, (6, None), "all of them are on the page");
    assert_eq!(totals("ada@", Some(4), Pagination::first(5)).await.0, 5, "never less than the page shows");
    assert_eq!(totals("ada@", None, Pagination::first(2)).await.0, 6);
    assert_eq!(totals("", Some(4), Pagination::first(2)).await.0, 6, "no word, so it is no search");
    assert_eq!(totals("nobody", Some(4), Pagination::first(2)).await, (0, None));
}

/// An unpaid order, a paid one, one shipped on account, one paid and shipped, a cancelled one and a refunded one.
async fn one_of_each(world: &World) -> [Order; 4] {
    let customer = world.customer("customer@example.com").await;
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
async fn each_state_filter_returns_its_orders_and_the_counts_agree() {
    let world = World::fresh().await;
    assert_eq!(world.orders().states().await.unwrap(), OrderStates::default());
    let [waiting, paid, on_account, done] = one_of_each(&world).await.map(|order| order.id);
    let state = |state| OrderQuery { state, sort: OLDEST, ..OrderQuery::default() };
    assert_eq!(found(&world, &state(OrderFilter::NotCancelled)).await, [waiting, paid, on_account, done]);
    assert_eq!(found(&world, &state(OrderFilter::Waiting)).await, [waiting, paid]);
    assert_eq!(found(&world, &state(OrderFilter::Ready)).await, [paid]);
    assert_eq!(found(&world, &state(OrderFilter::Shipped)).await, [on_account, done]);
    assert_eq!(found(&world, &state(OrderFilter::Unpaid)).await, [waiting, on_account]);
    let states = world.orders().states().await.unwrap();
    let standing = OrderStates { waiting: 2, ready: 1, unpaid: 2, reserved: 1, paid: 2, shipped: 2, ..states };
    assert_eq!(states, OrderStates { refunded: 1, cancelled: 2, all: 6, ..standing });
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_period_includes_its_first_and_its_last_day_and_is_counted() {
    let world = World::fresh().await;
    let customer = world.customer("customer@example.com").await;
    let product = world.product(50_000).await;
    // In seconds after `at(0)`, which is at 22:13:20.
    let midnight = 86_400 - (22 * 3_600 + 13 * 60 + 20);
    let mut placed_at = Vec::new();
    for second in [midnight - 1, midnight, midnight + 86_399, midnight + 86_400] {
        placed_at.push(placed(&world, &customer, &product, 50, second).await.id);
    }
    let [before, first, last, after] = placed_at[..] else { panic!("four were placed") };
    let day = Day::of(at(midnight));
    let period = |from, to| OrderQuery { from, to, sort: OLDEST, page: Pagination::first(9), ..OrderQuery::default() };
    for (from, to, expected) in [
        (Some(day), Some(day), vec![first, last]),
        (Some(day), None, vec![first, last, after]),
        (None, Some(day), vec![before, first, last]),
        (None, None, vec![before, first, last, after]),
    ] {
        let page = world.orders().list(&period(from, to)).await.unwrap();
        assert_eq!(page.items.iter().map(|order| order.id).collect::<Vec<_>>(), expected);
        assert_eq!(page.total, expected.len() as u64);
    }
    let most = OrderQuery { counted_up_to: Some(1), page: Pagination::first(1), ..period(Some(day), Some(day)) };
    assert_eq!(world.orders().list(&most).await.unwrap().total, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_days_sales_begin_and_end_at_midnight_in_utc() {
    let world = World::fresh().await;
    let customer = world.customer("customer@example.com").await;
    let product = world.product(50_000).await;
    // In seconds after `at(0)`, which is at 22:13:20.
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
    // Paid in the last second of the day, and in the first second of the next.
    let sales_of = |day, orders, units: i64| DayOfSales {
        day,
        orders,
        paid: domain::Money::from_cents(12_999 * units).unwrap(),
        returned_cents: 0,
    };
    world.write(&first.settle(transaction(1), meta(midnight + 86_399, Actor::Shop)).unwrap()).await;
    world.write(&last.settle(transaction(2), meta(midnight + 86_400, Actor::Shop)).unwrap()).await;
    assert_eq!(world.orders().sales(today, today).await.unwrap(), [sales_of(today, 2, 51)]);
    let (yesterday, tomorrow) = (today.earlier(1), Day::of(today.ends()));
    assert_eq!(
        world.orders().sales(yesterday, tomorrow).await.unwrap(),
        [sales_of(yesterday, 1, 0), sales_of(today, 2, 51), sales_of(tomorrow, 1, 52)]
    );
    assert_eq!(world.orders().sales(today.earlier(9), today.earlier(2)).await.unwrap(), []);
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_sales_of_a_past_day_never_change_and_refunds_count_on_their_own_day() {
    let world = World::fresh().await;
    let customer = world.customer("customer@example.com").await;
    let product = world.product(50_000).await;
    let midnight = 86_400 - (22 * 3_600 + 13 * 60 + 20);
    let today = Day::of(at(midnight));
    let order = placed(&world, &customer, &product, 50, midnight + 1).await;
    let paid = world.write(&order.settle(transaction(1), meta(midnight + 2, Actor::Shop)).unwrap()).await;
    let closed = world.orders().sales(today, today).await.unwrap();
    assert_eq!((closed[0].paid.cents(), closed[0].revenue_cents()), (649_950, 649_950));

    let owing = world.write(&paid.cancel_with_refund(meta(midnight + 86_400, Actor::Shop)).unwrap()).await;
    world.write(&owing.refund(transaction(1), meta(midnight + 86_401, Actor::Shop)).unwrap()).await;
    let again = world.orders().sales(today, today).await.unwrap();
    assert_eq!(
        (again[0].paid, again[0].returned_cents),
        (closed[0].paid, 0),
        "orders may be cancelled, past revenue stays"
    );
    let next = Day::of(today.ends());
    let after = world.orders().sales(next, next).await.unwrap();
    assert_eq!((after[0].paid.cents(), after[0].returned_cents, after[0].revenue_cents()), (0, 649_950, -649_950));
    world.assert_sound();
}

#[tokio::test(flavor = "multi_thread")]
async fn low_stock_lists_products_below_two_minimum_orders_emptiest_first() {
    let world = World::fresh().await;
    let min_order = MinOrder::effective(100).unwrap();
    let mut raised = product("Raised", i64::from(min_order.low_stock_below()) - 1);
    raised.details.min_order = min_order;
    let raised = world.add(raised).await;
    let mut enough = product("Enough", i64::from(min_order.low_stock_below()));
    enough.details.min_order = min_order;
    world.add(enough).await;
    let (low, empty) = (world.product(99).await, world.product(0).await);
    world.product(100).await;
    let gone = world.product(1).await;
    world.products().archive(gone.id, &domain::Actor::Shop, at(9)).await.unwrap();
    let ids = |products: Vec<Product>| products.into_iter().map(|product| product.id).collect::<Vec<_>>();
    assert_eq!(ids(world.products().running_low(10).await.unwrap()), [empty.id, low.id, raised.id]);
    assert_eq!(ids(world.products().running_low(2).await.unwrap()), [empty.id, low.id]);
}

async fn signed_up(world: &World, email: &str, name: &str, second: i64, role: Role) -> AccountId {
    let mut account = account(email, role);
    account.display_name = Text::new(name).unwrap();
    account.created_at = at(second);
    world.accounts().add(&new_account(&account)).await.unwrap();
    account.id
}

async fn found_accounts(world: &World, query: &AccountQuery) -> Vec<AccountId> {
    world.accounts().list(query).await.unwrap().items.into_iter().map(|one| one.account.id).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_accounts_neither_repeat_nor_skip_in_any_sort_order() {
    let world = World::fresh().await;
    for n in 0..11 {
        signed_up(&world, &format!("p{}@example.com", (n * 7) % 11), "Customer", n % 3, Role::Customer).await;
    }
    // Some have spent the same.
    world.sql("UPDATE customer_totals SET spent_cents = length(email) % 2 * 100 FROM accounts WHERE id = account_id");
    let created = [SortOrder::Ascending, SortOrder::Descending].map(AccountSort::Created);
    for sort in created.into_iter().chain([AccountSort::Email, AccountSort::Spent]) {
        let whole = world.accounts().list(&AccountQuery { sort, ..AccountQuery::default() }).await.unwrap();
        assert_eq!((whole.total, whole.next), (11, None));
        for limit in [1, 4, 10, 11, 12] {
            let mut query = AccountQuery { sort, page: Pagination::first(limit), ..AccountQuery::default() };
            let mut seen = Vec::new();
            loop {
                let page = world.accounts().list(&query).await.unwrap();
                assert_eq!(page.total, 11);
                seen.extend(page.items);
                let Some(next) = page.next else { break };
                query.page.after = Some(next);
            }
            assert_eq!(seen, whole.items, "{sort:?} by {limit}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn accounts_are_found_by_name_and_email_and_filtered_by_role() {
    let world = World::fresh().await;
    let ada = signed_up(&world, "ada@example.com", "Ada Ärger", 1, Role::Admin).await;
    let bob = signed_up(&world, "bob@example.com", "Bob", 2, Role::Customer).await;
    let cleo = signed_up(&world, "cleo@example.org", "Bobby Cleo", 3, Role::Customer).await;
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
        assert_eq!(found_accounts(&world, &search(asked)).await, expected, "{asked:?}");
    }
    let role = |role| AccountQuery { role: Some(role), ..AccountQuery::default() };
    assert_eq!(found_accounts(&world, &role(Role::Admin)).await, [ada]);
    assert_eq!(found_accounts(&world, &role(Role::Customer)).await, [bob, cleo]);

    // The new name is found and the old one is not; the e-mail address stays.
    world.accounts().update(bob, Some(Text::new("Robert").unwrap()), domain::Edit::Keep).await.unwrap();
    assert_eq!(found_accounts(&world, &search("robert bob@")).await, [bob]);
    assert_eq!(found_accounts(&world, &search("customer")).await, []);

    // A removed account still works as a cursor.
    world.accounts().remove(&"bob@example.com".parse().unwrap(), at(9)).await.unwrap();
    let after =
        AccountQuery { page: Pagination { after: Some(bob), ..Pagination::first(5) }, ..AccountQuery::default() };
    assert_eq!(found_accounts(&world, &after).await, [cleo]);
    let nowhere = Pagination { after: Some(AccountId::new(id())), ..Pagination::whole() };
    let nowhere = AccountQuery { page: nowhere, ..AccountQuery::default() };
    let page = world.accounts().list(&nowhere).await.unwrap();
    assert_eq!((page.items.len(), page.total, page.next), (0, 2, None));
}
