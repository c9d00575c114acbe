//! What can be ordered of what lines ask for.

use super::line::AskedUnits;
use super::note::Note;
use crate::{MinOrder, PackSize, ProductDetails, Stock};

/// How a line stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RowStatus {
    /// It can be ordered as it is.
    Ok,
    /// Another product is sold in its place, and stands on the line.
    Replaced,
    /// Several products have its number.
    Choose,
    /// Its quantity was changed.
    Adjusted,
    /// Nothing of it can be ordered: too few are in stock.
    Short,
    /// It cannot be read, or there is no such part.
    Unknown,
    /// Its price is another one than was shown.
    Moved,
}

impl RowStatus {
    /// Every status.
    pub const ALL: [Self; 7] =
        [Self::Ok, Self::Replaced, Self::Choose, Self::Adjusted, Self::Short, Self::Unknown, Self::Moved];

    /// The name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Replaced => "replaced",
            Self::Choose => "choose",
            Self::Adjusted => "adjusted",
            Self::Short => "short",
            Self::Unknown => "unknown",
            Self::Moved => "moved",
        }
    }
}

/// What limits the quantity of a product.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The effective minimum.
    pub minimum: MinOrder,
    /// It is sold in multiples of this.
    pub pack: PackSize,
    /// Units in stock.
    pub available: Stock,
}

impl Limits {
    /// The limits of a product.
    #[must_use]
    pub const fn of(details: &ProductDetails) -> Self {
        Self { minimum: details.min_order, pack: details.facts.pack_size, available: details.available }
    }
}

/// A line of a product, and how many units it asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AskedLine {
    /// The line's number, for sentences about other lines.
    pub line: u32,
    /// The units.
    pub asked: AskedUnits,
}

/// What becomes of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judged {
    /// How it stands: ok, adjusted, short or unknown.
    pub status: RowStatus,
    /// The units that can be ordered, or that were asked for if nothing can be; 0 if those are not known.
    pub quantity: u32,
    /// What is to be said about it.
    pub notes: Vec<Note>,
}

/// Judges all lines of one product: what they ask for together is held against minimum, packs and stock. What is missing goes to
/// the last line, what is too much is taken from the last lines first.
#[must_use]
pub fn judge(limits: Limits, lines: &[AskedLine]) -> Vec<Judged> {
    let minimum = limits.minimum.get();
    let units = |asked: AskedUnits| match asked {
        AskedUnits::Missing => minimum,
        AskedUnits::Units(units) => units.get(),
        AskedUnits::Refused(_) => 0,
    };
    let mut quantities: Vec<u32> = lines.iter().map(|line| units(line.asked)).collect();
    let sum: u64 = quantities.iter().map(|quantity| u64::from(*quantity)).sum();
    let allotted = (sum > 0).then(|| allot(limits, sum));
    if let Some(Allotment::Units(allotted, _)) = &allotted {
        distribute(&mut quantities, sum, *allotted);
    }
    let mut first = None;
    let mut judged = Vec::new();
    for (line, quantity) in lines.iter().zip(quantities) {
        let AskedLine { line: number, asked } = *line;
        if let AskedUnits::Refused(fault) = asked {
            judged.push(Judged { status: RowStatus::Unknown, quantity: 0, notes: vec![Note::Units(fault)] });
            continue;
        }
        let mut notes = Vec::new();
        let status = match &allotted {
            Some(Allotment::Units(_, why)) if quantity > 0 => {
                let is_missing = asked == AskedUnits::Missing;
                notes.extend(is_missing.then_some(Note::NoQuantity { minimum }));
                let is_changed = quantity != units(asked);
                let changed = Note::Changed { from: units(asked), to: quantity };
                notes.extend((is_changed && !is_missing).then_some(changed));
                notes.extend(why.iter().filter(|_| is_changed).cloned());
                if is_changed || is_missing { RowStatus::Adjusted } else { RowStatus::Ok }
            }
            Some(Allotment::Units(..)) => {
                notes.push(Note::AllTaken { left: limits.available.get() });
                RowStatus::Short
            }
            Some(Allotment::Short) | None => {
                notes.push(Note::Short { left: limits.available.get(), minimum });
                RowStatus::Short
            }
        };
        match first {
            None => first = Some(number),
            Some(line) => notes.push(Note::Together { line, units: sum }),
        }
        let quantity = if status == RowStatus::Short { units(asked) } else { quantity };
        judged.push(Judged { status, quantity, notes });
    }
    judged
}

/// What can be ordered of a product.
enum Allotment {
    /// So many units, and why not as many as were asked for.
    Units(u32, Vec<Note>),
    /// None.
    Short,
}

fn allot(limits: Limits, sum: u64) -> Allotment {
    let (minimum, size, available) = (limits.minimum.get(), limits.pack.get(), limits.available.get());
    if !limits.available.can_fill(limits.minimum) {
        return Allotment::Short;
    }
    let mut why = Vec::new();
    if sum < u64::from(minimum) {
        why.push(Note::Minimum(minimum));
    }
    let least = sum.max(u64::from(minimum));
    let packed = least.div_ceil(u64::from(size)) * u64::from(size);
    let fitting = u32::try_from(packed).ok().filter(|packed| *packed <= available);
    let units = fitting.unwrap_or_else(|| {
        let full = available - available % size;
        if full >= minimum { full } else { available }
    });
    if u64::from(available) < sum {
        why.push(Note::Stock { left: available });
    }
    if fitting.is_none_or(|packed| u64::from(packed) != least) && units.is_multiple_of(size) && size > 1 {
        why.push(Note::Packs { size, to: units });
    }
    Allotment::Units(units, why)
}

/// Gives the last line what is missing, or takes from the last lines what is too much.
fn distribute(quantities: &mut [u32], sum: u64, allotted: u32) {
    if let Some(missing) = u64::from(allotted).checked_sub(sum) {
        // The last one that asks for any.
        let last = quantities.iter_mut().rev().find(|quantity| **quantity > 0);
        if let Some(last) = last {
            *last = last.saturating_add(u32::try_from(missing).unwrap_or(u32::MAX));
        }
        return;
    }
    let mut over = sum - u64::from(allotted);
    for quantity in quantities.iter_mut().rev() {
        let taken = u32::try_from(over).unwrap_or(u32::MAX).min(*quantity);
        *quantity -= taken;
        over -= u64::from(taken);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::baskets::note::message;
    use crate::baskets::units::{Units, UnitsFault};

    fn limits(minimum: i64, pack: i64, available: i64) -> Limits {
        Limits {
            minimum: MinOrder::effective(minimum).unwrap(),
            pack: PackSize::new(pack).unwrap(),
            available: Stock::new(available).unwrap(),
        }
    }

    fn asked(units: i64) -> AskedUnits {
        match units {
            -1 => AskedUnits::Missing,
            _ => Units::new(units).map_or_else(AskedUnits::Refused, AskedUnits::Units),
        }
    }

    fn judged(limits: Limits, quantities: &[i64]) -> Vec<(RowStatus, u32, String)> {
        let lines: Vec<_> =
            (1..).zip(quantities).map(|(line, units)| AskedLine { line, asked: asked(*units) }).collect();
        judge(limits, &lines).into_iter().map(|one| (one.status, one.quantity, message(&one.notes))).collect()
    }

    #[test]
    fn every_status_has_its_name_on_the_wire() {
        let names = ["ok", "replaced", "choose", "adjusted", "short", "unknown", "moved"];
        assert_eq!(RowStatus::ALL.map(RowStatus::as_str), names);
    }

    #[test]
    fn one_line_is_raised_to_minimum_and_packs_and_lowered_to_the_stock() {
        use RowStatus::{Adjusted, Ok, Short, Unknown};
        for (limits, asked, status, quantity, sentence) in [
            (limits(50, 1, 500), 60, Ok, 60, ""),
            (limits(50, 1, 60), 60, Ok, 60, ""),
            (limits(50, 1, 500), 10, Adjusted, 50, "Raised from 10 to 50. The minimum order is 50."),
            (limits(120, 1, 500), 60, Adjusted, 120, "Raised from 60 to 120. The minimum order is 120."),
            (limits(50, 1, 500), -1, Adjusted, 50, "There is no quantity on this line: the minimum order is 50."),
            (limits(50, 12, 500), 60, Ok, 60, ""),
            (limits(50, 12, 500), 61, Adjusted, 72, "Raised from 61 to 72. Sold in packs of 12: 72 are full packs."),
            (
                limits(50, 12, 500),
                10,
                Adjusted,
                60,
                "Raised from 10 to 60. The minimum order is 50. Sold in packs of 12: 60 are full packs.",
            ),
            (
                limits(50, 12, 500),
                -1,
                Adjusted,
                60,
                "There is no quantity on this line: the minimum order is 50. Sold in packs of 12: 60 are full packs.",
            ),
            (limits(50, 12, 65), 65, Adjusted, 60, "Lowered from 65 to 60. Sold in packs of 12: 60 are full packs."),
            (limits(50, 1, 55), 60, Adjusted, 55, "Lowered from 60 to 55. Only 55 are in stock."),
            (
                limits(50, 12, 65),
                70,
                Adjusted,
                60,
                "Lowered from 70 to 60. Only 65 are in stock. Sold in packs of 12: 60 are full packs.",
            ),
            (limits(50, 12, 65), 61, Adjusted, 60, "Lowered from 61 to 60. Sold in packs of 12: 60 are full packs."),
            (limits(50, 40, 60), 70, Adjusted, 60, "Lowered from 70 to 60. Only 60 are in stock."),
            (limits(50, 40, 60), 60, Ok, 60, ""),
            (limits(50, 1, 49), 60, Short, 60, "Only 49 are in stock, fewer than the minimum order of 50."),
            (limits(50, 1, 0), 60, Short, 60, "Out of stock."),
            (limits(50, 1, 500), 0, Unknown, 0, "The quantity must be at least 1."),
            (limits(50, 1, 0), 0, Unknown, 0, "The quantity must be at least 1."),
        ] {
            let expected = vec![(status, quantity, sentence.to_owned())];
            assert_eq!(judged(limits, &[asked]), expected, "{asked} of {limits:?}");
        }
    }

    #[test]
    fn lines_of_one_product_are_judged_by_their_sum() {
        use RowStatus::{Adjusted, Ok, Short, Unknown};
        let rows = |rows: &[(RowStatus, u32, &str)]| -> Vec<_> {
            rows.iter().map(|(status, quantity, message)| (*status, *quantity, (*message).to_owned())).collect()
        };
        let together = "Line 1 has the same part: 60 together.";
        assert_eq!(judged(limits(50, 1, 500), &[30, 30]), rows(&[(Ok, 30, ""), (Ok, 30, together)]));
        assert_eq!(
            judged(limits(50, 1, 500), &[20, 10]),
            rows(&[
                (Ok, 20, ""),
                (Adjusted, 30, "Raised from 10 to 30. The minimum order is 50. Line 1 has the same part: 30 together.")
            ])
        );
        assert_eq!(
            judged(limits(50, 1, 100), &[60, 60, 60]),
            rows(&[
                (Ok, 60, ""),
                (Adjusted, 40, "Lowered from 60 to 40. Only 100 are in stock. Line 1 has the same part: 180 together."),
                (Short, 60, "The lines above take all 100 that are in stock. Line 1 has the same part: 180 together."),
            ])
        );
        assert_eq!(
            judged(limits(50, 1, 500), &[0, 60]),
            rows(&[(Unknown, 0, "The quantity must be at least 1."), (Ok, 60, "")]),
        );
        assert_eq!(
            judged(limits(50, 1, 500), &[10, 0]),
            rows(&[
                (Adjusted, 50, "Raised from 10 to 50. The minimum order is 50."),
                (Unknown, 0, "The quantity must be at least 1."),
            ])
        );
        assert_eq!(judged(limits(50, 1, 500), &[0, 0]).len(), 2);
        assert_eq!(judged(limits(50, 1, 500), &[]), []);
        let fault = Note::Units(UnitsFault::Zero);
        assert_eq!(judge(limits(50, 1, 9), &[AskedLine { line: 1, asked: asked(0) }])[0].notes, [fault]);
    }

    proptest! {
        #[test]
        fn what_is_allotted_can_be_ordered_and_is_changed_only_with_a_sentence(
            minimum in 1_i64..300, pack in 1_i64..60, available in 0_i64..1_000,
            quantities in prop::collection::vec(prop_oneof![Just(-1_i64), 0_i64..400], 1..6),
        ) {
            let limits = limits(minimum, pack, available);
            let lines: Vec<_> =
                (1..).zip(&quantities).map(|(line, units)| AskedLine { line, asked: asked(*units) }).collect();
            let judged = judge(limits, &lines);
            prop_assert_eq!(judged.len(), lines.len());
            let is_ordered = |one: &&Judged| matches!(one.status, RowStatus::Ok | RowStatus::Adjusted);
            let sum: u64 = judged.iter().filter(is_ordered).map(|one| u64::from(one.quantity)).sum();
            if sum > 0 {
                prop_assert!(sum <= u64::from(limits.available.get()) && sum >= u64::from(limits.minimum.get()));
            }
            for (line, one) in lines.iter().zip(&judged) {
                match one.status {
                    RowStatus::Ok => prop_assert_eq!(line.asked, asked(i64::from(one.quantity))),
                    _ => prop_assert!(!one.notes.is_empty()),
                }
            }
        }
    }
}
