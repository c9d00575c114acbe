//! Lists of what a search found: the database says which products that are, and the snapshot chooses among them, sorts and counts.

use std::sync::Arc;

use ports::{Candidate, ProductCursor, ProductQuery};

use super::columns::Choices;
use super::entry::Order;
use super::lists::{Selection, beyond};
use super::{Part, Snapshot, tag_of_all};

/// Up to how many products are sorted by themselves; of more, the sorted list of all products is gone through.
const FEW: usize = 500;
/// Ranks of [`Candidate::rank`].
const RANKS: u8 = 2;

impl Snapshot {
    /// The products of a query among those that were found, by rank and then in the query's order. `None` as of [`Self::part`].
    pub(crate) fn part_among(self: &Arc<Self>, query: &ProductQuery, candidates: &[Candidate]) -> Option<Part> {
        let (order, is_backwards) = Order::of(query.sort);
        let ranks = self.ranked(query, candidates, order)?;
        let cursor = query.page.after.as_ref();
        let mut from = 0;
        let mut list = Vec::with_capacity(ranks.iter().map(Vec::len).sum());
        let mut ends = Vec::with_capacity(ranks.len());
        for (rank, mut ranked) in ranks.into_iter().enumerate() {
            if let Some(cursor) = cursor.filter(|cursor| usize::from(cursor.rank) == rank) {
                from = list.len() + beyond(&ranked, &self.slots, cursor, is_backwards);
            }
            if is_backwards {
                ranked.reverse();
            }
            list.append(&mut ranked);
            ends.push(list.len());
        }
        let total = list.len();
        if cursor.is_some_and(|cursor| cursor.rank >= RANKS) {
            from = total;
        }
        let mut part = Part::cut(Arc::clone(self), Arc::new(list), false, from, query.page.limit);
        part.next = part.end().zip(part.last()).map(|(place, entry)| {
            let rank = ends.iter().position(|end| place < *end).unwrap_or_default();
            ProductCursor { rank: u8::try_from(rank).unwrap_or_default(), ..entry.cursor(order) }
        });
        part.tag = tag_of_all(&part);
        Some(part)
    }

    /// The slots of the products that meet the query, by their ranks, each in a list's order.
    fn ranked(&self, query: &ProductQuery, candidates: &[Candidate], order: Order) -> Option<Vec<Vec<u32>>> {
        let choices = Choices::beside(query, &self.names)?;
        let met = candidates.iter().filter_map(|Candidate { no, rank, positions }| {
            let (slot, (row, values)) = self.row_of(*no)?;
            (choices.missed(row, values, *positions) == 0).then_some((slot, *rank))
        });
        let met: Vec<(u32, u8)> = met.collect();
        let mut ranks = vec![Vec::new(); usize::from(RANKS)];
        if met.len() <= FEW {
            for (slot, rank) in met {
                ranks.get_mut(usize::from(rank))?.push(slot);
            }
            for ranked in &mut ranks {
                ranked.sort_unstable_by(|one, other| match (self.slots.get(*one), self.slots.get(*other)) {
                    (Some(one), Some(other)) => one.compare(other, order),
                    _ => std::cmp::Ordering::Equal,
                });
            }
            return Some(ranks);
        }
        let mut by_slot = vec![RANKS; self.slots.len()];
        for (slot, rank) in met {
            *by_slot.get_mut(slot as usize)? = rank;
        }
        let selection = Selection { category: query.category, in_stock: query.in_stock };
        let whole = self.lists.get(selection.place())?.get(order as usize)?;
        for slot in whole.iter() {
            let rank = by_slot.get(*slot as usize).copied().unwrap_or(RANKS);
            if let Some(ranked) = ranks.get_mut(usize::from(rank)) {
                ranked.push(*slot);
            }
        }
        Some(ranks)
    }
}
