//! What customers of the history wrote about parts that they had bought.

use std::time::Duration;

use super::plan::{Fate, PlannedOrder};

/// A review of the history. It is of the first part of this kind that the customer had bought and received by then.
pub(super) struct Opinion {
    /// The customer's account.
    pub(super) email: &'static str,
    /// The beginning of the part's number, which no other review has.
    pub(super) part: &'static str,
    /// How long before the demo was opened it was written, in hours.
    hours: u64,
    pub(super) rating: i64,
    pub(super) details: &'static str,
}

impl Opinion {
    /// How long before the demo was opened it was written.
    pub(super) const fn age(&self) -> Duration {
        Duration::from_hours(self.hours)
    }

    /// Whether it may be about what this order brought.
    pub(super) fn is_of(&self, order: &PlannedOrder) -> bool {
        let arrived = matches!(order.fate, Fate::Shipped { .. });
        arrived && order.by.email == self.email && order.part_number.starts_with(self.part)
    }
}

/// The reviews. Their texts fit every part whose number begins like that.
pub(super) const OPINIONS: &[Opinion] = &[
    Opinion {
        email: "parts@northside-auto.example",
        part: "DL-B",
        hours: 20,
        rating: 5,
        details: "Third order of these. Every box had its test slip, nothing came back from a customer, and the price on the invoice was the price on the page.",
    },
    Opinion {
        email: "workshop@summit-diesel.example",
        part: "DL-TC",
        hours: 44,
        rating: 5,
        details: "Fitted eleven so far. The gaskets and the oil line in the box saved us a second parts run each time. Boost curves match the originals on our bench.",
    },
    Opinion {
        email: "purchasing@lakeline-fleet.example",
        part: "DL-TY",
        hours: 130,
        rating: 4,
        details: "Balanced well and all of the same production week. One pallet came a day after the others, but support called us before we noticed.",
    },
    Opinion {
        email: "buyer@crossroads-tire.example",
        part: "DL-AW",
        hours: 220,
        rating: 4,
        details: "Clean castings and a finish that survives our tire machine. We'd like center caps in the box instead of a bag per pallet.",
    },
    Opinion {
        email: "stock@harbor-motors.example",
        part: "DL-SW",
        hours: 400,
        rating: 5,
        details: "Stitching is even and the hub fits without shims. Our customers ask for these by name now.",
    },
    Opinion {
        email: "service@pine-street.example",
        part: "DL-OL",
        hours: 560,
        rating: 5,
        details: "Right spec, fresh batch, and cheaper by the pallet than what the wholesaler down the road charges for drums.",
    },
    Opinion {
        email: "orders@bluebird-vans.example",
        part: "DL-BP",
        hours: 700,
        rating: 4,
        details: "They bed in quickly and stay quiet under load. The wear sensor cable could be an inch longer on the long-wheelbase vans.",
    },
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use domain::{Rating, Text, Timestamp};

    use super::super::plan::plan;
    use super::*;

    #[test]
    fn every_opinion_is_of_a_part_that_had_arrived_and_of_a_kind_of_its_own() {
        let opened: Timestamp = "2026-11-24T10:00:00Z".parse().unwrap();
        let orders = plan(&super::super::super::range::parts().unwrap(), opened);
        for opinion in OPINIONS {
            let written = opened.checked_sub(opinion.age()).unwrap();
            let has_arrived =
                |order: &PlannedOrder| matches!(order.fate, Fate::Shipped { shipped_at, .. } if shipped_at < written);
            let is_there = orders.iter().any(|order| opinion.is_of(order) && has_arrived(order));
            assert!(is_there, "{} writes of a part that never came", opinion.email);
            Rating::new(opinion.rating).unwrap();
            Text::<2000>::new(opinion.details).unwrap();
        }
        let kinds: BTreeSet<&str> = OPINIONS.iter().map(|opinion| opinion.part).collect();
        assert_eq!(kinds.len(), OPINIONS.len());
    }
}
