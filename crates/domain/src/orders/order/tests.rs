use std::num::{NonZeroU8, NonZeroU32};

use proptest::prelude::*;
use uuid::Uuid;

use super::*;
use crate::catalog::stock::TakeRefused;
use crate::orders::refusals::ReplayError;
use crate::orders::shipment::ShipUnitsRefused;
use crate::pricing::unit_price::UnitPrice;
use crate::{Category, MinOrder, Money, ProductDetails, ProductId, ShipmentId, Stock, Text};

fn product(available: i64) -> Product {
    let details = ProductDetails::new(
        Text::new("Ventilated brake disc").unwrap(),
        Text::new("A pair.").unwrap(),
        Category::Brakes,
        "/pictures/brake-disc-640.webp".parse().unwrap(),
        UnitPrice::from_dollars(129.99).unwrap(),
        MinOrder::effective(50).unwrap(),
        Stock::new(available).unwrap(),
    );
    Product { id: ProductId::new(Uuid::from_u128(1)), details, created_at: Timestamp::UNIX_EPOCH }
}

pub(crate) fn contact() -> Contact {
    Contact {
        name: Text::new("A Buyer").unwrap(),
        email: "buyer@example.com".parse().unwrap(),
        phone: Text::new("555 0100").unwrap(),
        address: Text::new("1 Workshop Lane").unwrap(),
    }
}

/// Units of a brake disc at a price in cents.
pub(crate) fn item(unit_price: i64, units: i64) -> Item {
    Item {
        product: ProductId::new(Uuid::from_u128(1)),
        name: Text::new("Ventilated brake disc").unwrap(),
        category: Category::Brakes,
        details: Text::new("A pair.").unwrap(),
        img: "/pictures/brake-disc-640.webp".parse().unwrap(),
        part_number: None,
        unit_price: UnitPrice::from_cents(unit_price).unwrap(),
        quantity: Quantity::new(units).unwrap(),
        total: Money::from_cents(unit_price * units).unwrap(),
        vehicle: None,
        purchase: None,
    }
}

fn order() -> Order {
    let id = OrderId::new(Uuid::from_u128(2));
    let customer = AccountId::new(Uuid::from_u128(3));
    let fifty = Quantity::new(50).unwrap();
    Order::place(id, customer, contact(), &product(500), fifty, product(500).details.price, Timestamp::UNIX_EPOCH)
        .unwrap()
}

fn meta(second: i64) -> EventMeta {
    EventMeta {
        event: EventId::new(Uuid::from_u128(u128::try_from(second).unwrap())),
        by: Actor::Shop,
        at: Timestamp::from_second(second).unwrap(),
    }
}

fn transaction(n: u8) -> TransactionId {
    format!("pi_{n}").parse().unwrap()
}

fn money_back(n: u8) -> MoneyBack {
    MoneyBack {
        transaction: transaction(n),
        refund: crate::RefundId::new(Uuid::from_u128(77)),
        amount: Money::from_cents(649_950).unwrap(),
    }
}

#[test]
fn after_a_failed_refund_the_order_owes_its_money_again() {
    let paid = order().settle(transaction(1), meta(1)).unwrap().after;
    let owing = paid.cancel_with_refund(meta(2)).unwrap().after;
    let refunded = owing.refund(transaction(1), meta(3)).unwrap().after;
    let anothers = refunded.clone().refund_failed(money_back(2), meta(4));
    assert_eq!(anothers.after.owed(), None);
    let failed = refunded.refund_failed(money_back(1), meta(4)).after;
    assert_eq!(failed.owed(), Some(&transaction(1)));
    assert!(failed.refund(transaction(1), meta(5)).is_ok());
}

#[test]
fn a_shipped_order_can_be_refunded_and_stays_shipped() {
    let shipped = order().ship(meta(1)).unwrap().after;
    assert_eq!(shipped.clone().refund(transaction(1), meta(2)), Err(RefundRefused::NotRefundable));
    let paid = shipped.settle(transaction(1), meta(2)).unwrap().after;
    let refunded = paid.refund(transaction(1), meta(3)).unwrap().after;
    assert!(refunded.is_shipped() && !refunded.is_cancelled());
    assert_eq!(refunded.clone().settle(transaction(1), meta(4)), Err(SettleRefused::BySame));
    assert_eq!(refunded.cancel_with_refund(meta(4)), Err(CancelRefused::Shipped));
}

#[test]
fn an_orders_total_is_the_products_price_times_the_units() {
    assert_eq!(order().item.total.cents(), 649_950);
}

#[test]
fn an_order_beyond_the_stock_is_refused_with_what_is_left() {
    let id = OrderId::new(Uuid::from_u128(2));
    let customer = AccountId::new(Uuid::from_u128(3));
    let refused = Order::place(
        id,
        customer,
        contact(),
        &product(60),
        Quantity::new(61).unwrap(),
        product(60).details.price,
        Timestamp::UNIX_EPOCH,
    );
    assert_eq!(refused, Err(PlaceRefused::Stock(TakeRefused::NotEnough { left: Stock::new(60).unwrap() })));
}

#[test]
fn a_paid_order_cannot_be_cancelled() {
    let paid = order().settle(transaction(1), meta(1)).unwrap().after;
    assert_eq!(paid.cancel(meta(2)), Err(CancelRefused::Paid));
}

#[test]
fn an_unpaid_order_ships_on_account_and_stays_payable() {
    let shipped = order().ship(meta(1)).unwrap();
    assert_eq!(shipped.event.kind, OrderEventKind::Shipped { on_account: true });
    assert!(!shipped.after.is_paid());
    assert!(shipped.after.settle(transaction(1), meta(2)).is_ok());
}

#[test]
fn settling_twice_distinguishes_the_same_payment_from_another() {
    let paid = order().settle(transaction(1), meta(1)).unwrap().after;
    assert_eq!(paid.clone().settle(transaction(1), meta(2)), Err(SettleRefused::BySame));
    assert_eq!(paid.settle(transaction(2), meta(2)), Err(SettleRefused::ByAnother));
}

#[test]
fn a_payment_for_a_cancelled_order_is_refunded_once() {
    let cancelled = order().cancel(meta(1)).unwrap().after;
    assert_eq!(cancelled.clone().settle(transaction(1), meta(2)), Err(SettleRefused::Cancelled));
    let refunded = cancelled.refund(transaction(1), meta(3)).unwrap().after;
    assert_eq!(refunded.refund(transaction(1), meta(4)), Err(RefundRefused::Refunded));
}

#[test]
fn a_cancelled_paid_order_owes_its_money_until_it_is_refunded() {
    let paid = order().settle(transaction(1), meta(1)).unwrap().after;
    assert_eq!(paid.owed(), None);
    let cancelled_paid = paid.cancel_with_refund(meta(2)).unwrap();
    assert_eq!(cancelled_paid.event.kind, OrderEventKind::Cancelled);
    let owing = cancelled_paid.after;
    assert_eq!(owing.owed(), Some(&transaction(1)));
    assert_eq!(owing.clone().refund(transaction(2), meta(3)), Err(RefundRefused::ByAnother));
    let refunded = owing.refund(transaction(1), meta(3)).unwrap().after;
    assert_eq!(refunded.owed(), None);
    assert_eq!(refunded.cancel_with_refund(meta(4)), Err(CancelRefused::Cancelled));
}

#[test]
fn only_an_unshipped_order_is_cancelled_with_a_refund_and_an_unpaid_one_owes_nothing() {
    assert_eq!(order().cancel_with_refund(meta(1)), Ok(order().cancel(meta(1)).unwrap()));
    let paid = order().settle(transaction(1), meta(1)).unwrap().after;
    let shipped = paid.ship(meta(2)).unwrap().after;
    assert_eq!(shipped.cancel_with_refund(meta(3)), Err(CancelRefused::Shipped));
}

#[test]
fn a_timeline_that_the_rules_could_not_produce_is_refused() {
    let order = order();
    let placed = order.placed(EventId::new(Uuid::from_u128(9)), Actor::Shop);
    let cancelled = order.clone().cancel(meta(1)).unwrap().event;
    let paid = order.settle(transaction(1), meta(2)).unwrap().event;
    assert_eq!(Order::replay([]), Err(ReplayError::NoBeginning));
    assert_eq!(Order::replay([&cancelled]), Err(ReplayError::NoBeginning));
    assert_eq!(Order::replay([&placed, &cancelled, &paid]), Err(ReplayError::Refused));
}

fn shipment() -> ShipmentId {
    ShipmentId::new(Uuid::from_u128(77))
}

#[test]
fn an_order_of_which_units_have_left_is_shipped_with_the_last_and_never_cancelled() {
    let units = |n| NonZeroU32::new(n).unwrap();
    let part = order().ship_units(shipment(), units(20), meta(1)).unwrap();
    assert_eq!(part.event.kind, OrderEventKind::PartShipped { shipment: shipment(), units: units(20) });
    let part = part.after;
    assert_eq!((part.units_left(), part.is_shipped_in_part(), part.is_shipped()), (30, true, false));
    assert_eq!(part.clone().cancel(meta(2)), Err(CancelRefused::Shipped));
    let too_many = part.clone().ship_units(shipment(), units(31), meta(2));
    assert_eq!(too_many, Err(ShipUnitsRefused::TooMany { left: 30 }));
    let rest = part.clone().ship_units(shipment(), units(30), meta(2)).unwrap();
    assert_eq!(rest, part.ship(meta(2)).unwrap(), "the last units are the order");
    assert_eq!((rest.after.units_left(), rest.after.shipped_units), (0, 50));
    let again = rest.after.ship_units(shipment(), units(1), meta(3));
    assert_eq!(again, Err(ShipUnitsRefused::Order(ShipRefused::Shipped)));
}

#[derive(Debug, Clone)]
enum Move {
    Cancel,
    CancelWithRefund,
    Ship,
    ShipUnits(u8),
    Settle(u8),
    Refund(u8),
    RefundFails(u8),
}

fn any_move() -> impl Strategy<Value = Move> {
    prop_oneof![
        Just(Move::Cancel),
        Just(Move::CancelWithRefund),
        Just(Move::Ship),
        (1..40_u8).prop_map(Move::ShipUnits),
        (0..3_u8).prop_map(Move::Settle),
        (0..3_u8).prop_map(Move::Refund),
        (0..3_u8).prop_map(Move::RefundFails),
    ]
}

proptest! {
    #[test]
    fn any_sequence_of_moves_keeps_the_order_valid_and_replayable(
        moves in proptest::collection::vec(any_move(), 0..12),
    ) {
        let mut order = order();
        let mut timeline = vec![order.placed(EventId::new(Uuid::from_u128(99)), Actor::Shop)];
        for (second, a_move) in (1..).zip(moves) {
            let before = order.state.clone();
            let meta = meta(second);
            let changed = match a_move {
                Move::Cancel => order.clone().cancel(meta).ok(),
                Move::CancelWithRefund => order.clone().cancel_with_refund(meta).ok(),
                Move::Ship => order.clone().ship(meta).ok(),
                Move::ShipUnits(n) => {
                    order.clone().ship_units(shipment(), NonZeroU32::from(NonZeroU8::new(n).unwrap()), meta).ok()
                }
                Move::Settle(n) => order.clone().settle(transaction(n), meta).ok(),
                Move::Refund(n) => order.clone().refund(transaction(n), meta).ok(),
                Move::RefundFails(n) => Some(order.clone().refund_failed(money_back(n), meta)),
            };
            let Some(change) = changed else { continue };
            prop_assert_eq!(&change.before, &before);
            let may_keep_state =
                matches!(change.event.kind, OrderEventKind::RefundFailed(_) | OrderEventKind::PartShipped { .. });
            prop_assert!(may_keep_state || change.after.state != before);
            order = change.after;
            timeline.push(change.event);

            let cancelled = order.is_cancelled();
            let shipped = order.is_shipped();
            prop_assert!(!(cancelled && shipped));
            let quantity = order.item.quantity.get();
            prop_assert_eq!(order.shipped_units == quantity, shipped);
            prop_assert!(order.shipped_units <= quantity && (order.shipped_units == 0 || !cancelled));
            prop_assert_eq!(order.owed().is_some(), cancelled && order.is_paid());
            let refunded = matches!(order.state.payment(), Payment::Refunded { .. });
            prop_assert!(cancelled || shipped || !refunded);
        }
        prop_assert_eq!(Order::replay(&timeline), Ok(order));
    }
}

#[test]
fn an_order_that_left_before_there_were_shipments_left_in_one() {
    let id = ShipmentId::new(order().id.uuid());
    let shipped = order().ship(meta(7)).unwrap().after;
    let whole = crate::Shipment {
        id,
        order: order().id,
        units: NonZeroU32::new(50).unwrap(),
        tracking: crate::orders::shipment::Tracking::default(),
        sent_at: meta(7).at,
    };
    assert_eq!(shipped.shipments(Vec::new()), std::slice::from_ref(&whole));
    let stored = vec![crate::Shipment { id: shipment(), ..whole }];
    assert_eq!(shipped.shipments(stored.clone()), stored);
    assert_eq!(order().shipments(Vec::new()), []);
}

#[test]
fn nothing_of_an_order_has_left_at_first_and_nothing_leaves_once_it_is_cancelled() {
    assert_eq!((order().units_left(), order().is_shipped_in_part()), (50, false));
    let cancelled = order().cancel(meta(1)).unwrap().after;
    assert_eq!(cancelled.clone().ship(meta(2)), Err(ShipRefused::Cancelled));
    let refused = cancelled.ship_units(shipment(), NonZeroU32::new(1).unwrap(), meta(2));
    assert_eq!(refused, Err(ShipUnitsRefused::Order(ShipRefused::Cancelled)));
}

fn charges(shipping: i64, tax: i64) -> Charges {
    Charges { shipping: Money::from_cents(shipping).unwrap(), tax: Money::from_cents(tax).unwrap() }
}

fn line_of_a_checkout(charges: Option<Charges>) -> Order {
    let checkout = CheckoutId::new(Uuid::from_u128(8));
    let line = Some(crate::CheckoutLine { checkout, line: 2, charges });
    order().bought(Purchase { line, po_number: None })
}

#[test]
fn what_is_due_is_goods_freight_and_tax() {
    assert_eq!((order().due().cents(), order().checkout()), (649_950, None));
    let line = line_of_a_checkout(Some(charges(1_000, 300)));
    assert_eq!(line.due().cents(), 651_250);
    assert_eq!(line.checkout(), Some(CheckoutId::new(Uuid::from_u128(8))));
    assert_eq!(line_of_a_checkout(None).due().cents(), 649_950);
    let beyond = Charges { shipping: Money::MAX, tax: Money::ZERO };
    assert_eq!(line_of_a_checkout(Some(beyond)).due(), Money::MAX);
}

#[test]
fn freight_is_set_once_and_only_where_it_is_waited_for() {
    let waiting = line_of_a_checkout(None);
    let set = waiting.clone().set_freight(charges(1_000, 300), meta(1)).unwrap();
    assert_eq!(set.event.kind, OrderEventKind::FreightSet { charges: charges(1_000, 300) });
    assert_eq!((set.before, set.after.due().cents()), (OrderState::Placed, 651_250));
    assert_eq!(set.after.set_freight(charges(1, 0), meta(2)), Err(FreightRefused::NotWaiting));
    assert_eq!(order().set_freight(charges(1, 0), meta(1)), Err(FreightRefused::NotWaiting));
    let beyond = Charges { shipping: Money::MAX, tax: Money::ZERO };
    assert!(matches!(waiting.set_freight(beyond, meta(1)), Err(FreightRefused::Total(_))));
}

#[test]
fn a_reservation_ends_only_while_nothing_is_paid_or_has_left() {
    let until = meta(900).at;
    let assigned = StoreAssigned { number: None, reserved_until: Some(until) };
    let reserved = Order { assigned, ..order() };
    assert_eq!(reserved.reserved_until(), Some(until));
    assert_eq!(order().reserved_until(), None);
    let part = reserved.clone().ship_units(shipment(), NonZeroU32::new(1).unwrap(), meta(1)).unwrap().after;
    assert_eq!(part.reserved_until(), None);
    assert_eq!(reserved.clone().settle(transaction(1), meta(1)).unwrap().after.reserved_until(), None);
    assert_eq!(reserved.cancel(meta(1)).unwrap().after.reserved_until(), None);
}

#[test]
fn an_order_is_called_by_its_number_and_before_by_its_id() {
    assert_eq!(order().name(), order().id.to_string());
    let number = crate::OrderNumber::new(10_428).ok();
    assert_eq!(Order { assigned: StoreAssigned { number, reserved_until: None }, ..order() }.name(), "DL-10428");
    assert!(crate::OrderNumber::new(0).is_err() && crate::OrderNumber::new(1).is_ok());
}

#[test]
fn what_no_card_can_be_charged_with_goes_on_account() {
    assert!(order().is_payable_by_card());
    assert!(!line_of_a_checkout(Some(charges(99_999_999, 0))).is_payable_by_card());
}

#[test]
fn a_changed_price_names_the_total_that_it_makes() {
    let unit = UnitPrice::from_cents(250).unwrap();
    let total = Money::from_cents(12_500).unwrap();
    assert_eq!(order().item.price_changed(unit), PlaceRefused::PriceChanged { unit, total });
}

#[test]
fn only_what_is_a_note_is_noted() {
    let paid = OrderEventKind::Paid { transaction: transaction(1) };
    assert_eq!(order().note(paid, meta(1)), None);
    let noted = order().note(OrderEventKind::PartlyRefunded(money_back(1)), meta(1)).unwrap();
    assert_eq!((noted.before, noted.after), (OrderState::Placed, order()));
}

#[test]
fn a_reader_sees_their_own_address_an_admin_every_one_and_others_the_shop() {
    let (mine, others) = (AccountId::new(Uuid::from_u128(3)), AccountId::new(Uuid::from_u128(4)));
    let by = Actor::Account { id: mine, email: "buyer@example.com".parse().unwrap() };
    let event = order().placed(EventId::new(Uuid::from_u128(9)), by);
    assert_eq!(event.signature(Some(mine)), "buyer@example.com");
    assert_eq!(event.signature(None), "buyer@example.com");
    assert_eq!(event.signature(Some(others)), "Driveline");
    assert_eq!(order().placed(EventId::new(Uuid::from_u128(9)), Actor::Shop).signature(None), "Driveline");
}

#[test]
fn a_timeline_keeps_the_number_and_the_freight_that_was_set() {
    let number = crate::OrderNumber::new(10_428).ok();
    let assigned = StoreAssigned { number, reserved_until: Some(meta(900).at) };
    let order = Order { assigned, ..line_of_a_checkout(None) };
    let placed = order.placed(EventId::new(Uuid::from_u128(99)), Actor::Shop);
    let set = order.set_freight(charges(1_000, 300), meta(1)).unwrap();
    assert_eq!(Order::replay([&placed, &set.event]), Ok(set.after));
}
