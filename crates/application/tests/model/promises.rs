//! What must hold in every state, and what has to be reached for that to mean anything.

use domain::Payment;
use domain::orders::state::OrderState;
use stateright::Property;

use crate::shop::{Shop, intent_of};
use crate::world::{Intent, Recorded, Refunded, Standing, World};

pub(crate) const STOCK: &str = "what is in stock and in standing orders is what there was, and never less than none";
pub(crate) const ONE_OPEN: &str = "an order has one open payment at most";
pub(crate) const BACK_ONCE: &str = "no money goes back twice";
pub(crate) const VERIFIED: &str = "an order is paid by a payment that succeeded";
pub(crate) const OWED: &str = "a cancelled order that was paid has a refund on record";
pub(crate) const MONEY: &str = "once all is quiet, money either pays its order or has gone back";
pub(crate) const ENDS: &str = "whatever was cut off, the background jobs alone bring it to an end";
pub(crate) const UNPAID_FOR: &str = "no money that pays an order has gone back";

pub(crate) fn all() -> Vec<Property<Shop>> {
    vec![
        Property::always(STOCK, stock),
        Property::always(ONE_OPEN, one_open),
        Property::always(BACK_ONCE, |_, world: &World| world.intents.iter().all(|intent| intent.back <= 1)),
        Property::always(VERIFIED, verified),
        Property::always(OWED, owed),
        Property::always(MONEY, money),
        Property::always(ENDS, |shop: &Shop, world: &World| {
            !world.running.is_empty() || shop.after_the_jobs(world).is_quiet()
        }),
        Property::always(UNPAID_FOR, unpaid_for),
        Property::sometimes("an order is paid and shipped", |_, world| {
            states(world).any(|state| matches!(state, OrderState::Shipped { payment: Payment::Paid { .. }, .. }))
        }),
        Property::sometimes("an order is cancelled unpaid", |_, world| {
            states(world).any(|state| matches!(state, OrderState::Cancelled { payment: Payment::Unpaid, .. }))
        }),
        Property::sometimes("an order is cancelled and refunded", |_, world| {
            states(world).any(|state| matches!(state, OrderState::Cancelled { payment: Payment::Refunded { .. }, .. }))
        }),
        Property::sometimes("all is quiet after a payment", |_, world: &World| {
            world.is_quiet() && world.intents.iter().any(|intent| intent.standing == Standing::Succeeded)
        }),
        Property::sometimes("a payment is opened at the provider and never recorded", |_, world: &World| {
            world.is_quiet() && world.recorded.contains(&Recorded::Unknown)
        }),
    ]
}

fn states(world: &World) -> impl Iterator<Item = &OrderState> {
    world.orders.iter().flatten().map(|row| &row.0)
}

fn stock(shop: &Shop, world: &World) -> bool {
    let standing = states(world).filter(|state| !matches!(state, OrderState::Cancelled { .. })).count();
    world.stock >= 0 && usize::try_from(world.stock).is_ok_and(|left| left + standing == usize::from(shop.lots))
}

fn one_open(shop: &Shop, world: &World) -> bool {
    (0..shop.customers).all(|order| world.recorded_as(order, Recorded::Open).count() <= 1)
}

fn verified(_: &Shop, world: &World) -> bool {
    states(world)
        .filter_map(|state| state.transaction())
        .all(|payment| world.intents[intent_of(payment)].standing == Standing::Succeeded)
}

fn owed(_: &Shop, world: &World) -> bool {
    states(world).all(|state| match state {
        OrderState::Cancelled { payment: Payment::Paid { transaction, .. }, .. } => {
            world.refunds[intent_of(transaction)] != Refunded::No
        }
        _ => true,
    })
}

fn money(_: &Shop, world: &World) -> bool {
    let came = |intent: &Intent| world.intents[*intent].standing == Standing::Succeeded;
    !world.is_quiet()
        || (0..world.intents.len())
            .filter(came)
            .all(|intent| world.is_paid_by(intent) != (world.intents[intent].back > 0))
}

/// Goods of a refund that is on record are not called paid once it has gone through and all is quiet.
fn unpaid_for(_: &Shop, world: &World) -> bool {
    !world.is_quiet()
        || (0..world.intents.len()).all(|one| !world.is_paid_by(one) || world.refunds[one] == Refunded::No)
}
