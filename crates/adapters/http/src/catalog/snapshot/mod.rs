//! The catalogue in memory, as it is sent: an immutable snapshot of all products for sale and of the latest reviews.
//!
//! A product is held as its JSON, so that a list is made by copying bytes. The next snapshot shares all with the last
//! but the products that changed and the lists that they moved in. It never decides a sale: that does the database.

mod columns;
mod entry;
mod facets;
mod found;
mod lists;
mod names;
mod reviews;
mod rounds;
mod sent;
mod store;

#[cfg(test)]
mod choice_tests;
#[cfg(test)]
mod found_tests;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::Arc;

use actix_web::web::Bytes;
use application::FoundProduct;
use domain::{Product, ProductId, Review};
use ports::{ProductCursor, ProductQuery};
use serde_json::Error;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use self::columns::{Choices, Columns, Row};
pub(crate) use self::entry::Entry;
use self::entry::Order;
use self::lists::{Selection, Slots, Sorted, beyond, edited, place};
use self::names::Names;
pub(crate) use self::reviews::reviews_of;
use self::reviews::{ReviewEntry, public_reviews, review_entries};
use self::sent::{array, join, tag_of};
pub use self::store::CatalogSnapshot;
use crate::cache::{PublicJson, hex_tag};
use crate::problem::Problem;
use crate::wire::page::PAGE_MAX;

/// How many of the latest reviews are held: as many as one request may ask for.
pub(crate) const REVIEWS: u32 = 1_000;

/// The catalogue at one moment.
#[derive(Clone)]
pub(crate) struct Snapshot {
    /// Of two snapshots of this process the later one has the higher number.
    number: u64,
    slots: Slots,
    /// What its products' facts are numbers of.
    names: Arc<Names>,
    /// Slots that are empty.
    free: Vec<u32>,
    by_id: Sorted,
    /// The slots of products by their numbers.
    by_number: Arc<Vec<u32>>,
    /// By [`Selection::place`] and [`Order`].
    lists: Vec<[Sorted; 3]>,
    /// The sum of its products' digests, by [`Selection::place`]: a list's tag without reading the list.
    sums: Vec<u128>,
    reviews: Arc<Vec<ReviewEntry>>,
}

/// A part of a list of products.
pub(crate) struct Part {
    snapshot: Arc<Snapshot>,
    list: Sorted,
    is_backwards: bool,
    /// Places in the direction of reading.
    from: usize,
    to: usize,
    /// How many products the whole list has.
    pub(crate) total: usize,
    /// Where the next page begins, if there is one.
    pub(crate) next: Option<ProductCursor>,
    /// A weak tag of the part and the total.
    pub(crate) tag: String,
}

impl Part {
    /// So many products of a list, or all from a place on.
    fn cut(snapshot: Arc<Snapshot>, list: Sorted, is_backwards: bool, from: usize, limit: Option<u32>) -> Self {
        let total = list.len();
        let to = from.saturating_add(limit.map_or(usize::MAX, |limit| limit as usize)).min(total);
        Self { snapshot, list, is_backwards, from, to, total, next: None, tag: String::new() }
    }

    /// The place of its last product, if others follow.
    fn end(&self) -> Option<usize> {
        self.to.checked_sub(1).filter(|_| self.to < self.total && self.to > self.from)
    }

    /// Its last product, if others follow.
    fn last(&self) -> Option<&Arc<Entry>> {
        self.entry(self.end()?)
    }

    /// The number of the snapshot that it is of.
    pub(crate) fn snapshot_number(&self) -> u64 {
        self.snapshot.number
    }

    pub(crate) fn len(&self) -> usize {
        self.to - self.from
    }

    /// The JSON of the products from one place of the part to another, with commas between.
    pub(crate) fn json(&self, from: usize, to: usize) -> Vec<u8> {
        let mut json = Vec::new();
        let entries = (from..to.min(self.len())).filter_map(|place| self.entry(self.from + place));
        join(&mut json, entries.map(|entry| entry.listed()));
        json
    }

    /// Its products.
    pub(crate) fn ids(&self) -> Vec<ProductId> {
        (self.from..self.to).filter_map(|place| self.entry(place)).map(|entry| ProductId::new(entry.id)).collect()
    }

    /// The whole part as a JSON array.
    pub(crate) fn array(&self) -> Bytes {
        array((0..self.len()).filter_map(|place| self.entry(self.from + place)).map(|entry| entry.listed()))
    }

    fn entry(&self, place: usize) -> Option<&Arc<Entry>> {
        let place = if self.is_backwards { self.list.len().checked_sub(place + 1)? } else { place };
        self.snapshot.slots.get(*self.list.get(place)?)
    }
}

impl Snapshot {
    /// A snapshot of the products in these slots, which are all filled and have these names, and of these reviews.
    fn of(number: u64, slots: Slots, names: Arc<Names>, reviews: Vec<Review>) -> Result<Self, Error> {
        let count = u32::try_from(slots.len()).unwrap_or(u32::MAX);
        let mut by_id: Vec<u32> = (0..count).collect();
        by_id.sort_unstable_by_key(|slot| slots.get(*slot).map(|entry| entry.id));
        let wholes = Order::ALL.map(|order| {
            let mut whole = by_id.clone();
            whole.sort_unstable_by(|one, other| match (slots.get(*one), slots.get(*other)) {
                (Some(one), Some(other)) => one.compare(other, order),
                _ => std::cmp::Ordering::Equal,
            });
            whole
        });
        let lists = Selection::all().map(|selection| {
            wholes.each_ref().map(|whole| {
                let is_in = |slot: &u32| slots.get(*slot).is_some_and(|entry| selection.has(entry));
                let mut list: Vec<u32> = whole.iter().copied().filter(is_in).collect();
                list.shrink_to_fit();
                Arc::new(list)
            })
        });
        let lists: Vec<[Sorted; 3]> = lists.collect();
        let sums = lists.iter().map(|[list, ..]| {
            let entries = list.iter().filter_map(|slot| slots.get(*slot));
            entries.fold(0_u128, |sum, entry| sum.wrapping_add(u128::from_be_bytes(entry.digest)))
        });
        let sums = sums.collect();
        let mut by_number = Vec::new();
        for slot in by_id.iter().copied() {
            note(&mut by_number, slots.get(slot), slot);
        }
        by_number.shrink_to_fit();
        let (by_id, by_number) = (Arc::new(by_id), Arc::new(by_number));
        let reviews = review_entries(reviews)?;
        Ok(Self { number, free: Vec::new(), by_id, by_number, lists, sums, slots, names, reviews })
    }

    pub(crate) const fn number(&self) -> u64 {
        self.number
    }

    /// The next snapshot, with other reviews.
    fn with_reviews(&self, number: u64, reviews: Vec<Review>) -> Result<Self, Error> {
        Ok(Self { number, reviews: review_entries(reviews)?, ..self.clone() })
    }

    /// The next snapshot: these products as they are now with their numbers, `None` for one that is not for sale.
    fn with(&self, number: u64, products: HashMap<ProductId, Option<(Product, i32)>>) -> Result<Self, Error> {
        let mut next = Self { number, ..self.clone() };
        let mut changes = Vec::with_capacity(products.len());
        for (id, product) in products {
            let old = self.slot(id.uuid());
            let new = product.map(|(product, no)| Entry::new(product, no, &mut next.names)).transpose()?.map(Arc::new);
            let before = old.and_then(|slot| self.slots.get(slot)).cloned();
            if before.as_ref().map(|entry| entry.digest) == new.as_ref().map(|entry| entry.digest) {
                continue;
            }
            let slot = old.unwrap_or_else(|| next.free_slot());
            next.slots.set(slot, new.clone());
            if before.is_none() {
                note(Arc::make_mut(&mut next.by_number), new.as_ref(), slot);
            }
            if new.is_none() {
                next.free.push(slot);
            }
            changes.push(Moved { slot, before, after: new });
        }
        next.by_id = changed(&self.by_id, &self.slots, &changes, |_| true, |one, other| one.id.cmp(&other.id));
        for selection in Selection::all() {
            let at = selection.place();
            for order in Order::ALL {
                let list = &self.lists[at][order as usize];
                next.lists[at][order as usize] = changed(
                    list,
                    &self.slots,
                    &changes,
                    |entry| selection.has(entry),
                    |one, other| one.compare(other, order),
                );
            }
            for Moved { before, after, .. } in &changes {
                let digest = |entry: &Option<Arc<Entry>>| {
                    let entry = entry.as_ref().filter(|entry| selection.has(entry));
                    entry.map_or(0, |entry| u128::from_be_bytes(entry.digest))
                };
                next.sums[at] = next.sums[at].wrapping_sub(digest(before)).wrapping_add(digest(after));
            }
        }
        Ok(next)
    }

    fn free_slot(&mut self) -> u32 {
        self.free.pop().unwrap_or_else(|| u32::try_from(self.slots.len()).unwrap_or(u32::MAX))
    }

    fn slot(&self, id: Uuid) -> Option<u32> {
        let at = place(&self.by_id, &self.slots, |entry| entry.id.cmp(&id)).ok()?;
        self.by_id.get(at).copied()
    }

    /// The number of a product that it has.
    fn no_of(&self, id: ProductId) -> Option<i32> {
        self.slots.get(self.slot(id.uuid())?).map(|entry| entry.no)
    }

    /// The slot of the product with a number, and its row. Slots of products that are gone are given to others, so that the row is
    /// looked at; not the product itself, which is somewhere else in memory for each.
    fn row_of(&self, no: i32) -> Option<(u32, (&Row, &[u32]))> {
        let slot = *self.by_number.get(usize::try_from(no).ok()?)?;
        let row = self.slots.row(slot)?;
        (row.0.no == no).then_some((slot, row))
    }

    fn count(&self) -> u32 {
        u32::try_from(self.by_id.len()).unwrap_or(u32::MAX)
    }

    fn ids(&self) -> impl Iterator<Item = ProductId> {
        self.by_id.iter().filter_map(|slot| self.slots.get(*slot)).map(|entry| ProductId::new(entry.id))
    }

    /// Whether a product is in the snapshot as it is.
    fn has(&self, product: &Product) -> Result<bool, Error> {
        let Some(known) = self.product(product.id) else { return Ok(false) };
        Ok(known.digest == Entry::unnamed(product.clone())?.digest)
    }

    pub(crate) fn product(&self, id: ProductId) -> Option<&Arc<Entry>> {
        self.slots.get(self.slot(id.uuid())?)
    }

    /// The products for a query; `None` if it asks for more than products have in memory, see [`Choices::of`].
    pub(crate) fn part(self: &Arc<Self>, query: &ProductQuery) -> Option<Part> {
        let (order, is_backwards) = Order::of(query.sort);
        let selection = Selection { category: query.category, in_stock: query.in_stock };
        let list = &self.lists.get(selection.place())?[order as usize];
        let list = if query.is_plain() { Arc::clone(list) } else { Arc::new(self.chosen(list, query)?) };
        let from = query.page.after.as_ref().map_or(0, |cursor| beyond(&list, &self.slots, cursor, is_backwards));
        let mut part = Part::cut(Arc::clone(self), list, is_backwards, from, query.page.limit);
        part.next = part.last().map(|entry| entry.cursor(order));
        part.tag = if query.is_plain() { self.tag(&part, selection, order) } else { tag_of_all(&part) };
        Some(part)
    }

    /// The products of a list that meet a query, in the list's order.
    fn chosen(&self, list: &[u32], query: &ProductQuery) -> Option<Vec<u32>> {
        let choices = Choices::of(query, &self.names)?;
        let rows = self.slots.columns().flat_map(Columns::rows);
        let meets: Vec<bool> =
            rows.map(|row| row.is_some_and(|(row, values)| choices.missed(row, values, 0) == 0)).collect();
        let is_chosen = |slot: &u32| meets.get(*slot as usize).copied().unwrap_or_default();
        Some(list.iter().copied().filter(is_chosen).collect())
    }

    /// Short parts are tagged by their products, in their order. A long one would take long to read, so that its tag is
    /// made of the list's sum: the order of a list follows from its products.
    fn tag(&self, part: &Part, selection: Selection, order: Order) -> String {
        if part.len() <= PAGE_MAX as usize {
            return tag_of_all(part);
        }
        let mut digest = Sha256::new();
        digest.update((part.total as u64).to_be_bytes());
        digest.update(self.sums.get(selection.place()).copied().unwrap_or_default().to_be_bytes());
        digest.update([order as u8, u8::from(part.is_backwards)]);
        digest.update((part.from as u64).to_be_bytes());
        hex_tag(&digest.finalize())
    }

    /// All reviews, if the snapshot holds all.
    pub(crate) fn all_reviews(&self) -> Option<PublicJson> {
        (self.reviews.len() < REVIEWS as usize).then(|| self.latest_reviews(REVIEWS))
    }

    /// The latest reviews as a JSON array, oldest first.
    pub(crate) fn latest_reviews(&self, limit: u32) -> PublicJson {
        let latest = &self.reviews[self.reviews.len().saturating_sub(limit as usize)..];
        public_reviews(latest, Some(self.number))
    }
}

/// The tag of a part, whatever list it is of.
fn tag_of_all(part: &Part) -> String {
    let entries = (part.from..part.to).filter_map(|place| part.entry(place));
    tag_of(part.total as u64, entries.map(|entry| &entry.digest))
}

/// Products that were read from the database, in the same form and under the same tag as from a snapshot.
///
/// # Errors
/// [`Problem`] if one cannot be written as JSON, which is a defect.
pub(crate) fn list_of(total: u64, products: Vec<FoundProduct>) -> Result<PublicJson, Problem> {
    let entries = products.into_iter().map(Entry::found).collect::<Result<Vec<_>, _>>();
    let entries = entries.map_err(|error| Problem::defect(&error))?;
    let tag = tag_of(total, entries.iter().map(|entry| &entry.digest));
    Ok(PublicJson { json: array(entries.iter().map(Entry::listed)), tag, snapshot: None })
}

/// Notes the slot of a product by its number.
fn note(by_number: &mut Vec<u32>, entry: Option<&Arc<Entry>>, slot: u32) {
    let Some(no) = entry.and_then(|entry| usize::try_from(entry.no).ok()) else { return };
    if by_number.len() <= no {
        by_number.resize(no + 1, u32::MAX);
    }
    if let Some(place) = by_number.get_mut(no) {
        *place = slot;
    }
}

/// A product that changed.
struct Moved {
    slot: u32,
    before: Option<Arc<Entry>>,
    after: Option<Arc<Entry>>,
}

/// A list after some products changed: the same one if none of them joined it, left it or moved in it.
fn changed(
    list: &Sorted,
    slots: &Slots,
    changes: &[Moved],
    is_in: impl Fn(&Entry) -> bool,
    compare: impl Fn(&Entry, &Entry) -> std::cmp::Ordering,
) -> Sorted {
    let mut leaving = Vec::new();
    let mut joining: Vec<(usize, &Arc<Entry>, u32)> = Vec::new();
    for Moved { slot, before, after } in changes {
        let before = before.as_ref().filter(|entry| is_in(entry));
        let after = after.as_ref().filter(|entry| is_in(entry));
        if let (Some(before), Some(after)) = (before, after)
            && compare(before, after).is_eq()
        {
            continue;
        }
        if let Some(Ok(at)) = before.map(|before| place(list, slots, |entry| compare(entry, before))) {
            leaving.push(at);
        }
        if let Some(after) = after {
            let (Ok(at) | Err(at)) = place(list, slots, |entry| compare(entry, after));
            joining.push((at, after, *slot));
        }
    }
    if leaving.is_empty() && joining.is_empty() {
        return Arc::clone(list);
    }
    leaving.sort_unstable();
    joining.sort_unstable_by(|(at, one, _), (other_at, other, _)| at.cmp(other_at).then_with(|| compare(one, other)));
    let joining: Vec<(usize, u32)> = joining.into_iter().map(|(at, _, slot)| (at, slot)).collect();
    Arc::new(edited(list, &leaving, &joining))
}
