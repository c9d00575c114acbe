use std::collections::HashMap;
use std::sync::Arc;

use domain::{Money, Percent, PriceListDetails, Role};
use ports::{
    Fingerprint, KeyDigest, MockCheckoutRepository, MockOrderRepository, MockPriceRepository, MockShippingMethods,
    MockTaxRates, PriceBook, PriceEpoch, RatesOn,
};

use super::*;
use crate::Ports;
use crate::checkout::judge_lines::tests::{by_id, part, selling};
use crate::checkout::tests::{checkout, holding};
use crate::testing::{address, caller, checkouts_on, customers_order, ports};

/// What these lines would be, with parts 4 and 5 for sale.
fn placing(lines: Vec<CheckoutLineCommand>) -> PlaceCheckout {
    PlaceCheckout {
        lines,
        name: Text::new("Nia").unwrap(),
        email: None,
        phone: Text::new("555 0100").unwrap(),
        address: address(),
        po_number: None,
        note: None,
        terms: Terms::Card,
        method: None,
        partial: false,
        idempotency_key: None,
        holds_claim: false,
    }
}

fn key() -> IdempotencyKey {
    IdempotencyKey { key: KeyDigest([7; 32]), fingerprint: Fingerprint([7; 32]) }
}

/// A shop that sells parts 4 and 5, delivers free and knows no taxes.
fn shop() -> Ports {
    let mut methods = MockShippingMethods::new();
    methods.expect_list().returning(|| Ok(Vec::new()));
    let mut rates = MockTaxRates::new();
    rates.expect_valid_on().returning(|_| Ok(RatesOn::default()));
    Ports {
        products: Arc::new(selling(vec![part(4, None), part(5, None)])),
        shipping_methods: Arc::new(methods),
        tax_rates: Arc::new(rates),
        ..ports()
    }
}

/// An order repository that places any order, under the id that is given or its own.
fn taking(under: Option<OrderId>) -> MockOrderRepository {
    let mut orders = MockOrderRepository::new();
    orders.expect_place().times(1).returning(move |new| Ok(under.unwrap_or(new.order.id)));
    orders.expect_find().returning(|id| Ok(Some(Order { id, ..customers_order() })));
    orders
}

async fn placed(ports: Ports, command: PlaceCheckout) -> Result<PlacedCheckout, Failure<PlaceCheckoutRefused>> {
    checkouts_on(&ports).place_checkout(&caller(Role::Customer), command).await
}

/// The lines that were refused, and whether the price of each has changed.
fn refused_lines(refused: Result<PlacedCheckout, Failure<PlaceCheckoutRefused>>) -> Vec<(u16, bool)> {
    let Err(Failure::Refused(PlaceCheckoutRefused::Lines(lines))) = refused else { panic!("{refused:?}") };
    let changed = |why: &LineRefused| matches!(why, LineRefused::Order(PlaceRefused::PriceChanged { .. }));
    lines.iter().map(|one| (one.line, changed(&one.why))).collect()
}

#[tokio::test]
async fn freight_and_tax_are_said_of_several_lines_and_not_of_one_alone() {
    for (lines, is_assessed) in [(vec![by_id(1, 4, 50)], false), (vec![by_id(1, 4, 50), by_id(2, 5, 50)], true)] {
        let service = checkouts_on(&shop());
        let checked = service.check_checkout(&caller(Role::Customer), &lines, Some(&address()), None).await.unwrap();
        assert_eq!(checked.lines.len(), lines.len());
        let goods = checked.assessed.map(|assessed| assessed.goods);
        assert_eq!(goods, is_assessed.then(|| Money::from_cents(2 * 649_950).unwrap()));
    }
}

#[tokio::test]
async fn a_repeat_returns_what_the_first_request_placed_and_judges_nothing() {
    let command = || PlaceCheckout { idempotency_key: Some(key()), ..placing(vec![by_id(1, 4, 50)]) };
    let stored = checkout(None, Vec::new());
    let mut checkouts = holding(&stored, &[]);
    checkouts.expect_placed_under().returning(move |_, _| Ok(Some(stored.id)));
    let first = placed(Ports { checkouts: Arc::new(checkouts), ..ports() }, command()).await.unwrap();
    assert!(first.is_repeat && matches!(first.placed, PlacedAs::Checkout(_)));

    let mut checkouts = MockCheckoutRepository::new();
    checkouts.expect_placed_under().returning(|_, _| Ok(None));
    let mut orders = crate::testing::holding(&customers_order());
    orders.expect_placed_under().returning(|_, _| Ok(Some(customers_order().id)));
    let ports = Ports { checkouts: Arc::new(checkouts), orders: Arc::new(orders), ..ports() };
    let first = placed(ports, command()).await.unwrap();
    assert!(first.is_repeat && matches!(&first.placed, PlacedAs::Order(order) if order.id == customers_order().id));
}

#[tokio::test]
async fn one_line_alone_is_a_plain_order_under_the_key_of_its_request() {
    for (po_number, holds_claim) in [(None, false), (Some(Text::new("PO 7").unwrap()), true)] {
        let mut orders = MockOrderRepository::new();
        let wanted = po_number.clone();
        orders
            .expect_place()
            .times(1)
            .withf(move |new| {
                let purchase = new.order.item.purchase.as_deref();
                let is_plain = new.order.checkout().is_none();
                let po_number = purchase.and_then(|purchase| purchase.po_number.clone());
                is_plain
                    && (purchase.is_some(), po_number) == (wanted.is_some(), wanted.clone())
                    && (new.idempotency_key, new.holds_claim) == (Some(key()), holds_claim)
            })
            .returning(|new| Ok(new.order.id));
        orders.expect_placed_under().returning(|_, _| Ok(None));
        orders.expect_find().returning(|id| Ok(Some(Order { id, ..customers_order() })));
        let mut checkouts = MockCheckoutRepository::new();
        checkouts.expect_placed_under().returning(|_, _| Ok(None));
        let command =
            PlaceCheckout { po_number, holds_claim, idempotency_key: Some(key()), ..placing(vec![by_id(1, 4, 50)]) };
        let ports = Ports { orders: Arc::new(orders), checkouts: Arc::new(checkouts), ..shop() };
        assert!(!placed(ports, command).await.unwrap().is_repeat);
    }
}

#[tokio::test]
async fn what_the_store_says_was_placed_before_is_a_repeat() {
    let ports = Ports { orders: Arc::new(taking(Some(customers_order().id))), ..shop() };
    assert!(placed(ports, placing(vec![by_id(1, 4, 50)])).await.unwrap().is_repeat);
    for before in [None, Some(checkout(None, Vec::new()).id)] {
        let mut checkouts = holding(&checkout(None, Vec::new()), &[]);
        checkouts.expect_place().times(1).returning(move |new| {
            assert_eq!(new.orders.len(), 2);
            let number = domain::CheckoutNumber::new(1).unwrap();
            Ok(before.map_or(CheckoutPlaced::Now { id: new.checkout.id, number }, CheckoutPlaced::Before))
        });
        let ports = Ports { checkouts: Arc::new(checkouts), ..shop() };
        let placed = placed(ports, placing(vec![by_id(1, 4, 50), by_id(2, 5, 50)])).await.unwrap();
        assert_eq!(placed.is_repeat, before.is_some());
    }
}

#[tokio::test]
async fn lines_are_left_out_only_if_the_customer_said_so_and_some_remain() {
    let lines = || vec![by_id(1, 4, 49), by_id(2, 5, 50)];
    assert_eq!(refused_lines(placed(shop(), placing(lines())).await), [(1, false)]);
    let ports = Ports { orders: Arc::new(taking(None)), ..shop() };
    let done = placed(ports, PlaceCheckout { partial: true, ..placing(lines()) }).await.unwrap();
    assert_eq!(done.refused.iter().map(|one| one.line).collect::<Vec<_>>(), [1]);
    let nothing = PlaceCheckout { partial: true, ..placing(vec![by_id(1, 4, 49)]) };
    assert_eq!(refused_lines(placed(shop(), nothing).await), [(1, false)]);
}

/// A line of 50 units of part 4 whose goods were shown at this price.
fn shown(dollars: f64) -> PlaceCheckout {
    placing(vec![CheckoutLineCommand { shown: Some(dollars), ..by_id(1, 4, 50) }])
}

#[tokio::test]
async fn a_price_that_was_not_shown_is_refused_at_once_if_no_price_has_changed() {
    assert_eq!(refused_lines(placed(shop(), shown(5_849.50)).await), [(1, true)]);
}

#[tokio::test]
async fn a_price_that_this_instance_had_not_read_yet_is_read_before_it_is_refused() {
    let off = PriceListDetails {
        name: Text::new("Fleet").unwrap(),
        percent: Some(Percent::new(1_000).unwrap()),
        priority: 0,
        valid_from: None,
        valid_until: None,
    };
    let accounts = HashMap::from([(caller(Role::Customer).account, vec![1])]);
    let book = move |epoch, lists| PriceBook { epoch: PriceEpoch(epoch), lists, accounts: accounts.clone() };
    let mut books = vec![book(2, HashMap::from([(1, off)])), book(1, HashMap::new())];
    let mut prices = MockPriceRepository::new();
    prices.expect_epoch().returning(|| Ok(PriceEpoch(2)));
    prices.expect_book().times(2).returning(move || Ok(books.pop().unwrap()));
    let ports = Ports { prices: Arc::new(prices), orders: Arc::new(taking(None)), ..shop() };
    // A tenth off: 116.99 a unit.
    placed(ports, shown(5_849.50)).await.unwrap();
}
