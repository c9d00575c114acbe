//! The use cases, call by call. A step is one call to the database or to the provider, with what is decided on its answer.

use domain::orders::order::Change;
use domain::orders::state::OrderState;

use crate::flaw::Flaw;
use crate::shop::{Shop, intent_of, meta, order_of, payment_id};
use crate::world::{AtProvider, Intent, Recorded, Refunded, Row, Standing, Which, World};

/// A use case between two of its calls.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Run {
    /// Only with [`Flaw::StockReadBefore`]: what was read is about to be written.
    Place {
        order: Which,
        left: i8,
    },
    Open(Which, Opening),
    Cancel(Which, Cancelling),
    Settle(Intent, Settling, Then),
    PayBack(Intent, PayingBack),
    Ship(Which, Option<Row>),
    Refund(Which, Refunding),
    Reconcile(Intent, Reconciling),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Opening {
    /// To see whether one is open, and count those that were.
    Count,
    /// To read again whether it may be paid.
    Look(u8),
    AtProvider(u8),
    Attach(Intent),
    /// It must not be paid any more.
    TakeBack(Intent),
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Cancelling {
    Read,
    /// To find the payments that are open: before the order is cancelled (then it holds what was read), and once more after.
    Find(Option<Row>),
    AtProvider(Intent, Option<Row>),
    Close(Intent, Option<Row>),
    Write(Row),
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Settling {
    Read,
    Write(Row),
    Close,
}

/// What goes on after a payment is settled.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Then {
    Nothing,
    Cancel(Option<Row>),
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum PayingBack {
    /// To ask the provider for it.
    Request,
    /// To read the order, so that what the provider said is noted in one transaction with what follows for it.
    Read,
    Note(Row),
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Refunding {
    Read,
    Write(Row),
    /// Only with [`Flaw::RefundRecordedAfter`].
    Record(Intent),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Reconciling {
    Ask,
    Look,
    Stop,
    Close,
}

impl Run {
    /// Makes the next call of this use case, and returns how it goes on.
    pub(crate) fn step(self, shop: &Shop, world: &mut World) -> Option<Self> {
        match self {
            Self::Place { order, left } => {
                world.stock = left - 1;
                world.orders[order] = Some(Row(OrderState::Placed));
                None
            }
            Self::Open(order, at) => open(shop, world, order, at).map(|at| Self::Open(order, at)),
            Self::Cancel(order, at) => cancel(shop, world, order, at),
            Self::Settle(intent, at, then) => settle(shop, world, intent, at, then),
            Self::PayBack(intent, at) => pay_back(shop, world, intent, at).map(|at| Self::PayBack(intent, at)),
            Self::Ship(order, None) => world.orders[order].clone().map(|read| Self::Ship(order, Some(read))),
            Self::Ship(order, Some(read)) => {
                let change = order_of(&read).ship(meta()).ok()?;
                (!write(shop, world, order, &change)).then_some(Self::Ship(order, None))
            }
            Self::Refund(order, at) => refund(shop, world, order, at),
            Self::Reconcile(intent, at) => reconcile(world, intent, at),
        }
    }
}

/// The compare-and-set of an order's row; the units of a cancelled one return in the same transaction.
fn write(shop: &Shop, world: &mut World, order: Which, change: &Change) -> bool {
    let is_as_read = world.row(order) == Some(&change.before);
    if !is_as_read && shop.flaw != Some(Flaw::WrittenUnseen) {
        return false;
    }
    let was_standing = !world.is_cancelled(order);
    world.orders[order] = Some(Row(change.after.state.clone()));
    if was_standing && world.is_cancelled(order) {
        world.stock += 1;
    }
    true
}

fn open(shop: &Shop, world: &mut World, order: Which, at: Opening) -> Option<Opening> {
    match at {
        Opening::Count => {
            let beside = shop.flaw == Some(Flaw::OpenedBeside);
            if world.open_for(order).is_some() && !beside {
                return None;
            }
            let count = world.recorded_as(order, Recorded::Closed).count()
                + if beside { world.recorded_as(order, Recorded::Open).count() } else { 0 };
            u8::try_from(count).ok().filter(|number| *number < shop.attempts).map(Opening::Look)
        }
        Opening::Look(number) => world.may_be_paid(order).then_some(Opening::AtProvider(number)),
        Opening::AtProvider(number) => {
            let known = world.intents.iter().position(|intent| intent.order == order && intent.number == number);
            Some(Opening::Attach(known.unwrap_or_else(|| {
                world.intents.push(AtProvider { order, number, standing: Standing::Open, back: 0 });
                world.recorded.push(Recorded::Unknown);
                world.refunds.push(Refunded::No);
                world.intents.len() - 1
            })))
        }
        Opening::Attach(intent) => {
            let beside = shop.flaw == Some(Flaw::OpenedBeside);
            if world.recorded[intent] != Recorded::Unknown || world.open_for(order).is_some() && !beside {
                return None;
            }
            if !world.may_be_paid(order) {
                return Some(Opening::TakeBack(intent));
            }
            world.recorded[intent] = Recorded::Open;
            None
        }
        Opening::TakeBack(intent) => {
            cancel_at_provider(world, intent);
            None
        }
    }
}

/// The provider's answer: an open payment is cancelled from then on.
fn cancel_at_provider(world: &mut World, intent: Intent) -> Standing {
    let standing = &mut world.intents[intent].standing;
    if *standing == Standing::Open {
        *standing = Standing::Cancelled;
    }
    *standing
}

fn cancel(shop: &Shop, world: &mut World, order: Which, at: Cancelling) -> Option<Run> {
    let next = match at {
        Cancelling::Read => {
            let read = world.orders[order].clone()?;
            order_of(&read).cancel(meta()).ok()?;
            Cancelling::Find(Some(read))
        }
        Cancelling::Find(read) => match (world.open_for(order), read) {
            (Some(intent), read) if shop.flaw == Some(Flaw::ClosedBefore) => Cancelling::Close(intent, read),
            (Some(intent), read) => Cancelling::AtProvider(intent, read),
            (None, Some(read)) => Cancelling::Write(read),
            (None, None) => return None,
        },
        Cancelling::AtProvider(intent, read) => match cancel_at_provider(world, intent) {
            Standing::Succeeded => return Some(Run::Settle(intent, Settling::Read, Then::Cancel(read))),
            _ if shop.flaw == Some(Flaw::ClosedBefore) => Cancelling::Find(read),
            _ => Cancelling::Close(intent, read),
        },
        Cancelling::Close(intent, read) => {
            world.recorded[intent] = Recorded::Closed;
            if shop.flaw == Some(Flaw::ClosedBefore) {
                Cancelling::AtProvider(intent, read)
            } else {
                Cancelling::Find(read)
            }
        }
        Cancelling::Write(read) => {
            let change = order_of(&read).cancel(meta()).ok()?;
            if write(shop, world, order, &change) { Cancelling::Find(None) } else { Cancelling::Read }
        }
    };
    Some(Run::Cancel(order, next))
}

fn settle(shop: &Shop, world: &mut World, intent: Intent, at: Settling, then: Then) -> Option<Run> {
    let order = world.intents[intent].order;
    let next = match at {
        Settling::Read => Settling::Write(world.orders[order].clone()?),
        Settling::Write(read) => {
            use domain::orders::refusals::SettleRefused;
            match order_of(&read).settle(payment_id(intent), meta()) {
                Ok(change) if write(shop, world, order, &change) => Settling::Close,
                Ok(_) => Settling::Read,
                Err(SettleRefused::BySame) => Settling::Close,
                Err(SettleRefused::Cancelled) if shop.flaw == Some(Flaw::LateMoneyKept) => Settling::Close,
                Err(SettleRefused::Cancelled | SettleRefused::ByAnother) => {
                    if world.refunds[intent] == Refunded::No {
                        world.refunds[intent] = Refunded::Due;
                    }
                    Settling::Close
                }
            }
        }
        Settling::Close => {
            world.recorded[intent] = Recorded::Closed;
            return match then {
                Then::Nothing => None,
                Then::Cancel(read) => Some(Run::Cancel(order, Cancelling::Find(read))),
            };
        }
    };
    Some(Run::Settle(intent, next, then))
}

fn pay_back(shop: &Shop, world: &mut World, intent: Intent, at: PayingBack) -> Option<PayingBack> {
    let order = world.intents[intent].order;
    match at {
        PayingBack::Request => {
            let back = &mut world.intents[intent].back;
            // Under the refund's id the provider pays back once.
            *back = if shop.flaw == Some(Flaw::RefundWithoutKey) { *back + 1 } else { 1 };
            Some(PayingBack::Read)
        }
        PayingBack::Read => world.orders[order].clone().map(PayingBack::Note),
        PayingBack::Note(read) => {
            let is_written = match order_of(&read).refund(payment_id(intent), meta()) {
                Ok(change) => write(shop, world, order, &change),
                // Nothing follows for the order: only that it is still as it was read.
                Err(_) => world.orders[order].as_ref() == Some(&read),
            };
            if is_written {
                world.refunds[intent] = Refunded::Sent;
            }
            (!is_written).then_some(PayingBack::Read)
        }
    }
}

fn refund(shop: &Shop, world: &mut World, order: Which, at: Refunding) -> Option<Run> {
    let next = match at {
        Refunding::Read => {
            let read = world.orders[order].clone()?;
            read.0.paid_by()?;
            Refunding::Write(read)
        }
        Refunding::Write(read) => {
            let intent = intent_of(read.0.paid_by()?);
            // A full refund cancels an order that has not shipped, in the transaction that records it.
            match order_of(&read).cancel_with_refund(meta()) {
                Ok(change) if !write(shop, world, order, &change) => return Some(Run::Refund(order, Refunding::Read)),
                Ok(_) if shop.flaw == Some(Flaw::RefundRecordedAfter) => Refunding::Record(intent),
                _ => return record(world, intent),
            }
        }
        Refunding::Record(intent) => return record(world, intent),
    };
    Some(Run::Refund(order, next))
}

fn record(world: &mut World, intent: Intent) -> Option<Run> {
    (world.refunds[intent] == Refunded::No).then(|| {
        world.refunds[intent] = Refunded::Due;
        Run::PayBack(intent, PayingBack::Request)
    })
}

fn reconcile(world: &mut World, intent: Intent, at: Reconciling) -> Option<Run> {
    let next = match at {
        Reconciling::Ask => match world.intents[intent].standing {
            Standing::Succeeded => return Some(Run::Settle(intent, Settling::Read, Then::Nothing)),
            Standing::Cancelled => Reconciling::Close,
            Standing::Open => Reconciling::Look,
        },
        Reconciling::Look if world.is_cancelled(world.intents[intent].order) => Reconciling::Stop,
        Reconciling::Look => return None,
        Reconciling::Stop => match cancel_at_provider(world, intent) {
            Standing::Succeeded => return Some(Run::Settle(intent, Settling::Read, Then::Nothing)),
            Standing::Open | Standing::Cancelled => Reconciling::Close,
        },
        Reconciling::Close => {
            world.recorded[intent] = Recorded::Closed;
            return None;
        }
    };
    Some(Run::Reconcile(intent, next))
}
