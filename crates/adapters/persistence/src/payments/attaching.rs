//! Recording that a payment was opened.

use diesel::prelude::*;
use domain::{CheckoutId, Payable, PaymentShare, Timestamp};
use jiff_diesel::ToDiesel;
use ports::{Attached, PaymentAttempt};
use uuid::Uuid;

use crate::platform::decode::RowDecoder;
use crate::schema::{checkouts, orders, payment_intents, payment_shares};

/// The payments of exactly this.
pub(crate) fn of(payable: Payable) -> payment_intents::BoxedQuery<'static, diesel::pg::Pg> {
    match payable {
        Payable::Order(id) => payment_intents::table.filter(payment_intents::order_id.eq(id.uuid())).into_boxed(),
        Payable::Checkout(id) => payment_intents::table.filter(payment_intents::checkout_id.eq(id.uuid())).into_boxed(),
    }
}

pub(crate) fn attach(connection: &mut PgConnection, intent: &PaymentAttempt, at: Timestamp) -> QueryResult<Attached> {
    let checkout = lock_checkout(connection, intent)?;
    // The locks keep the orders from being paid or cancelled until the payment is recorded.
    let is_payable = are_payable(connection, intent)? && !has_another(connection, intent, checkout)?;
    if !is_payable && intent.payable.order().is_some() {
        return Ok(Attached::Refused);
    }
    let (order, of_checkout) = match intent.payable {
        Payable::Order(id) => (Some(id.uuid()), None),
        Payable::Checkout(id) => (None, Some(id.uuid())),
    };
    let inserted = diesel::insert_into(payment_intents::table)
        .values((
            payment_intents::id.eq(intent.id.as_str()),
            payment_intents::order_id.eq(order),
            payment_intents::checkout_id.eq(of_checkout),
            payment_intents::amount_cents.eq(intent.amount.cents()),
            payment_intents::opened_at.eq(at.to_diesel()),
            payment_intents::closed_at.eq((!is_payable).then(|| at.to_diesel())),
        ))
        .on_conflict_do_nothing()
        .execute(connection)?;
    if inserted > 0 && of_checkout.is_some() {
        add_shares(connection, intent)?;
    }
    let open: Option<String> = of(intent.payable)
        .filter(payment_intents::closed_at.is_null())
        .select(payment_intents::id)
        .first(connection)
        .optional()?;
    Ok(match open {
        Some(id) if id == intent.id.as_str() => Attached::Open,
        Some(id) => Attached::Another(RowDecoder { what: "payment intent", id: &id }.parse("id", &id)?),
        // It is recorded as closed, or for something else: it can never be the open one of this.
        None => Attached::Refused,
    })
}

/// The checkout of the payment, or of the order that it is for. Its row is locked, so that a payment of the whole and one of
/// a line are not opened at the same time.
fn lock_checkout(connection: &mut PgConnection, intent: &PaymentAttempt) -> QueryResult<Option<CheckoutId>> {
    let id: Option<Uuid> = match intent.payable {
        Payable::Checkout(id) => Some(id.uuid()),
        Payable::Order(id) => {
            orders::table.find(id.uuid()).select(orders::checkout_id).first(connection).optional()?.flatten()
        }
    };
    let Some(id) = id else { return Ok(None) };
    checkouts::table.find(id).select(checkouts::id).for_update().first::<Uuid>(connection)?;
    Ok(Some(CheckoutId::new(id)))
}

/// Whether each order is unpaid, not cancelled, and has its share due.
fn are_payable(connection: &mut PgConnection, intent: &PaymentAttempt) -> QueryResult<bool> {
    let ids: Vec<Uuid> = intent.shares.iter().map(|share| share.order.uuid()).collect();
    let due = orders::total_cents + orders::shipping_cents + orders::tax_cents;
    let found: Vec<(Uuid, i64)> = orders::table
        .filter(orders::id.eq_any(ids))
        .filter(orders::payment_state.eq("unpaid"))
        .filter(orders::cancelled_at.is_null())
        .filter(orders::awaits_freight.eq(false))
        .order(orders::id)
        .select((orders::id, due))
        .for_share()
        .load(connection)?;
    let shares = || intent.shares.iter().map(|share| (share.order.uuid(), share.amount.cents()));
    Ok(!intent.shares.is_empty() && found.into_iter().eq(shares()))
}

/// Whether something else that overlaps with it has an open payment: its lines, or its checkout.
fn has_another(
    connection: &mut PgConnection,
    intent: &PaymentAttempt,
    checkout: Option<CheckoutId>,
) -> QueryResult<bool> {
    let Some(checkout) = checkout else { return Ok(false) };
    let open = payment_intents::table.filter(payment_intents::closed_at.is_null()).into_boxed();
    let others = match intent.payable {
        Payable::Order(_) => open.filter(payment_intents::checkout_id.eq(checkout.uuid())),
        Payable::Checkout(_) => {
            let lines: Vec<Uuid> = intent.shares.iter().map(|share| share.order.uuid()).collect();
            open.filter(payment_intents::order_id.eq_any(lines))
        }
    };
    Ok(others.select(payment_intents::id).first::<String>(connection).optional()?.is_some())
}

fn add_shares(connection: &mut PgConnection, intent: &PaymentAttempt) -> QueryResult<()> {
    let row = |share: &PaymentShare| {
        (
            payment_shares::intent_id.eq(intent.id.as_str().to_owned()),
            payment_shares::order_id.eq(share.order.uuid()),
            payment_shares::cents.eq(share.amount.cents()),
        )
    };
    let rows: Vec<_> = intent.shares.iter().map(row).collect();
    diesel::insert_into(payment_shares::table).values(rows).execute(connection).map(drop)
}
