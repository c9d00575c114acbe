//! Who ordered what and when, and what became of it.

use std::time::Duration;

use domain::Timestamp;

use super::super::catalogue::Item;
use super::super::range::Part;
use super::super::seed::CUSTOMER;

/// How far the history reaches back, in days.
const DAYS: u32 = 90;
/// Any number; another one makes another history.
const SEED: u64 = 1_992;

const MINUTE: Duration = Duration::from_mins(1);
const HOUR: Duration = Duration::from_hours(1);
const DAY: Duration = Duration::from_hours(24);

/// A customer of the history.
pub(super) struct Trade {
    /// The address of the account.
    pub(super) email: &'static str,
    /// The account's name.
    pub(super) account: &'static str,
    /// Whom the parts are for.
    pub(super) contact: &'static str,
    pub(super) phone: &'static str,
    pub(super) address: &'static str,
    /// How often this customer orders, against the others.
    weight: u32,
    /// What this customer buys, by the beginnings of part numbers.
    buys: &'static [&'static str],
}

/// The customers. Nobody can own these addresses (RFC 2606) and telephone numbers.
pub(super) const CUSTOMERS: &[Trade] = &[
    Trade {
        email: CUSTOMER,
        account: "Chris Customer",
        contact: "Chris Customer",
        phone: "+1 202 555 0134",
        address: "18 Garage Row\nDayton, OH 45402\nUnited States",
        weight: 2,
        buys: &["DL-BD", "DL-BP", "DL-OL", "DL-WI", "DL-OF"],
    },
    Trade {
        email: "parts@northside-auto.example",
        account: "Northside Auto",
        contact: "Dana Whitfield",
        phone: "+1 202 555 0111",
        address: "2200 Industrial Parkway\nToledo, OH 43604\nUnited States",
        weight: 6,
        buys: &["DL-BD", "DL-BP", "DL-BH", "DL-SK", "DL-OL", "DL-BA", "DL-OF", "DL-AF", "DL-WB", "DL-AL"],
    },
    Trade {
        email: "purchasing@lakeline-fleet.example",
        account: "Lakeline Fleet Services",
        contact: "Marcus Boyd",
        phone: "+1 202 555 0122",
        address: "Depot 4, 71 Harbor Street\nErie, PA 16507\nUnited States",
        weight: 5,
        buys: &["DL-TY", "DL-TA", "DL-OL", "DL-FA", "DL-SK", "DL-BA", "DL-SV", "DL-WF", "DL-CF"],
    },
    Trade {
        email: "workshop@summit-diesel.example",
        account: "Summit Diesel",
        contact: "Renee Alvarez",
        phone: "+1 202 555 0147",
        address: "905 Ridge Road\nDenver, CO 80216\nUnited States",
        weight: 4,
        buys: &["DL-TC", "DL-CL", "DL-TB", "DL-SK-2", "DL-GP", "DL-FF", "DL-DE"],
    },
    Trade {
        email: "orders@bluebird-vans.example",
        account: "Bluebird Vans",
        contact: "Owen Price",
        phone: "+1 202 555 0158",
        address: "Unit 12, Riverside Park\nLouisville, KY 40202\nUnited States",
        weight: 3,
        buys: &["DL-SA", "DL-BD-3040", "DL-BP-3041", "DL-TY-2156", "DL-TT", "DL-WB", "DL-SL"],
    },
    Trade {
        email: "buyer@crossroads-tire.example",
        account: "Crossroads Tire & Wheel",
        contact: "Priya Raman",
        phone: "+1 202 555 0169",
        address: "48 Crossroads Plaza\nKansas City, MO 64108\nUnited States",
        weight: 4,
        buys: &["DL-TY", "DL-AW", "DL-TA", "DL-TW"],
    },
    Trade {
        email: "stock@harbor-motors.example",
        account: "Harbor Motors",
        contact: "Luis Ortega",
        phone: "+1 202 555 0173",
        address: "300 Dockside Avenue\nBaltimore, MD 21230\nUnited States",
        weight: 3,
        buys: &["DL-SW", "DL-HL", "DL-BA", "DL-CO", "DL-TL", "DL-HB", "DL-CH"],
    },
    Trade {
        email: "service@pine-street.example",
        account: "Pine Street Garage",
        contact: "Hannah Cole",
        phone: "+1 202 555 0185",
        address: "77 Pine Street\nBurlington, VT 05401\nUnited States",
        weight: 2,
        buys: &["DL-OL", "DL-CO", "DL-BP", "DL-FA", "DL-SP", "DL-BF", "DL-WI"],
    },
];

/// What became of an order, and when.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    /// It waits for its payment.
    Unpaid,
    Cancelled {
        at: Timestamp,
    },
    /// It is paid, and waits to be shipped.
    Waiting {
        paid_at: Timestamp,
    },
    Shipped {
        paid_at: Timestamp,
        shipped_at: Timestamp,
    },
    /// Shipped before it was paid, if it has been paid at all.
    OnAccount {
        shipped_at: Timestamp,
        paid_at: Option<Timestamp>,
    },
    Refunded {
        paid_at: Timestamp,
        at: Timestamp,
    },
    PartlyRefunded {
        paid_at: Timestamp,
        shipped_at: Timestamp,
        at: Timestamp,
    },
}

impl Fate {
    /// Whether the order's units are back in stock in the end.
    pub(super) const fn returns_its_units(self) -> bool {
        matches!(self, Self::Cancelled { .. } | Self::Refunded { .. })
    }
}

/// An order of the history.
pub(super) struct PlannedOrder {
    pub(super) by: &'static Trade,
    pub(super) part_number: &'static str,
    pub(super) quantity: i64,
    /// The price of the units that were damaged, if some were.
    pub(super) damaged_cents: i64,
    pub(super) placed_at: Timestamp,
    pub(super) fate: Fate,
}

/// The orders, oldest first; the same whenever it is asked with the same moment.
pub(super) fn plan(range: &[Part], opened: Timestamp) -> Vec<PlannedOrder> {
    let mut random = fastrand::Rng::with_seed(SEED);
    let mut orders = Vec::new();
    for age in (0..DAYS).rev() {
        for hours in hours_of(&mut random, age) {
            let placed_at = before(opened, DAY * age + hours);
            if let Some(order) = order(&mut random, range, opened, placed_at, age) {
                orders.push(order);
            }
        }
    }
    orders
}

/// How long before the end of its day each order of a day was placed, earliest first. Trade grows a little, and rests on one day
/// of seven.
fn hours_of(random: &mut fastrand::Rng, age: u32) -> Vec<Duration> {
    let count = match age {
        0 => 4,
        _ if age % 7 == 3 => random.u32(0..2),
        1..30 => random.u32(1..4),
        _ => random.u32(1..3),
    };
    let mut hours: Vec<Duration> = (0..count).map(|_| HOUR / 2 + MINUTE * random.u32(0..540)).collect();
    hours.sort_unstable();
    hours.reverse();
    hours
}

fn order(
    random: &mut fastrand::Rng,
    range: &[Part],
    opened: Timestamp,
    placed_at: Timestamp,
    age: u32,
) -> Option<PlannedOrder> {
    let by = customer(random)?;
    let choice: Vec<&Item> = range.iter().map(|part| &part.item).filter(|item| bought_by(by, item)).collect();
    let item = *choice.get(random.usize(0..choice.len().max(1)))?;
    let least = item.min_order.max(50);
    let quantity = least + 10 * random.i64(0..8);
    let fate = fate(random, opened, placed_at, age);
    Some(PlannedOrder { by, part_number: item.part_number, quantity, damaged_cents: 2 * item.cents, placed_at, fate })
}

fn customer(random: &mut fastrand::Rng) -> Option<&'static Trade> {
    let mut point = random.u32(0..CUSTOMERS.iter().map(|customer| customer.weight).sum());
    CUSTOMERS.iter().find(|customer| {
        let found = point < customer.weight;
        point = point.saturating_sub(customer.weight);
        found
    })
}

/// Whether a customer buys a product, and whether there is enough of it for a few orders.
fn bought_by(customer: &Trade, item: &Item) -> bool {
    item.available > 0 && customer.buys.iter().any(|start| item.part_number.starts_with(start))
}

fn fate(random: &mut fastrand::Rng, opened: Timestamp, placed_at: Timestamp, age: u32) -> Fate {
    let paid_at = after(placed_at, MINUTE * random.u32(2..25));
    let shipped_at = after(placed_at, HOUR * random.u32(20..50));
    let later = after(shipped_at, HOUR * random.u32(24..72));
    let draw = random.u32(0..100);
    let fate = match (age, draw) {
        (0, 0..50) => Fate::Unpaid,
        (0..3, _) | (3..7, 0..40) => Fate::Waiting { paid_at },
        (_, 40..45) => Fate::Cancelled { at: after(placed_at, MINUTE * 40) },
        (_, 45..49) => Fate::Refunded { paid_at, at: after(paid_at, HOUR * 5) },
        (7.., 49..52) => Fate::PartlyRefunded { paid_at, shipped_at, at: later },
        (10.., 52..56) => Fate::OnAccount { shipped_at, paid_at: Some(later) },
        (_, 56..58) => Fate::OnAccount { shipped_at, paid_at: None },
        _ => Fate::Shipped { paid_at, shipped_at },
    };
    // Nothing can have happened that is still to come.
    if fate.last().is_some_and(|last| last >= opened) { Fate::Waiting { paid_at: paid_at.min(opened) } } else { fate }
}

impl Fate {
    fn last(self) -> Option<Timestamp> {
        match self {
            Self::Unpaid => None,
            Self::Cancelled { at } | Self::Refunded { at, .. } | Self::PartlyRefunded { at, .. } => Some(at),
            Self::Shipped { shipped_at, .. } | Self::OnAccount { shipped_at, paid_at: None } => Some(shipped_at),
            Self::Waiting { paid_at } | Self::OnAccount { paid_at: Some(paid_at), .. } => Some(paid_at),
        }
    }
}

fn before(moment: Timestamp, span: Duration) -> Timestamp {
    moment.checked_sub(span).unwrap_or(Timestamp::MIN)
}

fn after(moment: Timestamp, span: Duration) -> Timestamp {
    moment.checked_add(span).unwrap_or(Timestamp::MAX)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::super::range::parts;
    use super::*;

    fn opened() -> Timestamp {
        "2026-11-24T10:00:00Z".parse().unwrap()
    }

    #[test]
    fn the_history_is_the_same_every_time_and_ends_before_it_is_asked_for() {
        let (first, second) = (plan(&parts().unwrap(), opened()), plan(&parts().unwrap(), opened()));
        assert!((110..220).contains(&first.len()), "{}", first.len());
        for (one, other) in first.iter().zip(&second) {
            assert_eq!(
                (one.by.email, one.part_number, one.quantity, one.placed_at, one.fate),
                (other.by.email, other.part_number, other.quantity, other.placed_at, other.fate)
            );
            assert!(one.placed_at < opened() && one.fate.last().is_none_or(|last| last <= opened()), "{:?}", one.fate);
        }
        assert!(first.is_sorted_by_key(|order| order.placed_at));
    }

    #[test]
    fn every_kind_of_order_and_every_customer_is_in_it() {
        let orders = plan(&parts().unwrap(), opened());
        let kinds: BTreeSet<_> =
            orders.iter().map(|order| format!("{:?}", std::mem::discriminant(&order.fate))).collect();
        assert_eq!(kinds.len(), 7);
        let customers: BTreeSet<_> = orders.iter().map(|order| order.by.email).collect();
        assert_eq!(customers.len(), CUSTOMERS.len());
        let unpaid = orders.iter().filter(|order| order.fate == Fate::Unpaid);
        for order in unpaid {
            assert!(after(order.placed_at, DAY) > opened(), "it would have lapsed");
        }
    }

    #[test]
    fn every_customer_buys_parts_that_the_shop_has() {
        for customer in CUSTOMERS {
            for start in customer.buys {
                assert!(parts().unwrap().iter().any(|part| part.item.part_number.starts_with(start)), "{start}");
            }
        }
    }
}
