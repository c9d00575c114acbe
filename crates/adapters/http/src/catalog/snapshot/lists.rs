//! The sorted lists of a snapshot. A list holds the numbers of its products' slots, four bytes each, and is shared with
//! the next snapshot unless a product joined it, left it or moved in it.

use std::cmp::Ordering;
use std::sync::{Arc, OnceLock};

use domain::Category;
use ports::ProductCursor;

use super::columns::{self, Columns, Row};
use super::entry::Entry;

/// Which products a list is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Selection {
    pub(super) category: Option<Category>,
    /// Only those in stock.
    pub(super) in_stock: bool,
}

impl Selection {
    pub(super) fn all() -> impl Iterator<Item = Self> {
        let categories = std::iter::once(None).chain(Category::ALL.into_iter().map(Some));
        categories.flat_map(|category| [false, true].map(|in_stock| Self { category, in_stock }))
    }

    pub(super) fn has(self, entry: &Entry) -> bool {
        self.category.is_none_or(|category| category == entry.category) && (!self.in_stock || entry.in_stock)
    }

    /// Its place among [`Self::all`].
    pub(super) fn place(self) -> usize {
        2 * self.category.map_or(0, |category| usize::from(columns::place(category)) + 1) + usize::from(self.in_stock)
    }
}

/// Products in slots, in chunks that are shared with the next snapshot unless one of their products changed.
#[derive(Clone, Default)]
pub(super) struct Slots(Vec<Arc<Chunk>>);

const CHUNK: usize = 512;

#[derive(Default)]
struct Chunk {
    entries: Vec<Option<Arc<Entry>>>,
    /// Made when they are first asked for.
    columns: OnceLock<Columns>,
}

impl Chunk {
    fn columns(&self) -> &Columns {
        self.columns.get_or_init(|| Columns::of(&self.entries))
    }
}

/// For the next snapshot, in which a product will be another one.
impl Clone for Chunk {
    fn clone(&self) -> Self {
        Self { entries: self.entries.clone(), columns: OnceLock::new() }
    }
}

impl Slots {
    pub(super) fn get(&self, slot: u32) -> Option<&Arc<Entry>> {
        let slot = slot as usize;
        self.0.get(slot / CHUNK)?.entries.get(slot % CHUNK)?.as_ref()
    }

    /// Fills or empties a slot; the first free slot after all others may be filled too.
    pub(super) fn set(&mut self, slot: u32, entry: Option<Arc<Entry>>) {
        let slot = slot as usize;
        if slot / CHUNK == self.0.len() {
            self.0.push(Arc::new(Chunk { entries: Vec::with_capacity(CHUNK), columns: OnceLock::new() }));
        }
        let Some(chunk) = self.0.get_mut(slot / CHUNK) else { return };
        let chunk = Arc::make_mut(chunk);
        chunk.columns.take();
        if slot % CHUNK == chunk.entries.len() {
            chunk.entries.push(entry);
        } else if let Some(place) = chunk.entries.get_mut(slot % CHUNK) {
            *place = entry;
        }
    }

    pub(super) fn push(&mut self, entry: Entry) {
        self.set(u32::try_from(self.len()).unwrap_or(u32::MAX), Some(Arc::new(entry)));
    }

    pub(super) fn len(&self) -> usize {
        self.0.last().map_or(0, |last| (self.0.len() - 1) * CHUNK + last.entries.len())
    }

    /// The columns of all products, in the order of their slots.
    pub(super) fn columns(&self) -> impl Iterator<Item = &Columns> {
        self.0.iter().map(|chunk| chunk.columns())
    }

    /// What a product is counted by, and the values of its attributes.
    pub(super) fn row(&self, slot: u32) -> Option<(&Row, &[u32])> {
        let slot = slot as usize;
        self.0.get(slot / CHUNK)?.columns().row(slot % CHUNK)
    }
}

/// A list of slots in some order.
pub(super) type Sorted = Arc<Vec<u32>>;

/// The place before which an entry belongs in a sorted list, and whether it is there already.
pub(super) fn place(list: &[u32], slots: &Slots, compare: impl Fn(&Entry) -> Ordering) -> Result<usize, usize> {
    // A list names filled slots only.
    list.binary_search_by(|slot| slots.get(*slot).map_or(Ordering::Less, |entry| compare(entry)))
}

/// The place after a cursor's product in the direction of reading, or after where it would be if it has moved or gone.
pub(super) fn beyond(list: &[u32], slots: &Slots, cursor: &ProductCursor, is_backwards: bool) -> usize {
    match (place(list, slots, |entry| entry.compare_to(cursor)), is_backwards) {
        (Ok(at), false) => at + 1,
        (Err(at), false) => at,
        (Ok(at) | Err(at), true) => list.len() - at,
    }
}

/// A list without the items at some places and with others before some places; both ascending.
pub(super) fn edited(list: &[u32], leaving: &[usize], joining: &[(usize, u32)]) -> Vec<u32> {
    let mut new = Vec::with_capacity(list.len() + joining.len() - leaving.len().min(list.len()));
    let mut copied = 0;
    let mut joining = joining.iter().peekable();
    let copy = |new: &mut Vec<u32>, copied: &mut usize, to: usize| {
        new.extend_from_slice(list.get(*copied..to).unwrap_or_default());
        *copied = to;
    };
    for &left in leaving {
        while let Some((before, slot)) = joining.next_if(|(before, _)| *before <= left) {
            copy(&mut new, &mut copied, *before);
            new.push(*slot);
        }
        copy(&mut new, &mut copied, left);
        copied = left + 1;
    }
    for (before, slot) in joining {
        copy(&mut new, &mut copied, *before);
        new.push(*slot);
    }
    copy(&mut new, &mut copied, list.len());
    new
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_selection_has_a_place_of_its_own() {
        for (place, selection) in Selection::all().enumerate() {
            assert_eq!(selection.place(), place, "{selection:?}");
        }
        assert_eq!(Selection::all().count(), 18);
    }

    #[test]
    fn a_list_is_edited_in_one_pass() {
        let list = [10, 20, 30, 40];
        assert_eq!(edited(&list, &[], &[]), list);
        assert_eq!(edited(&list, &[0, 3], &[]), [20, 30]);
        assert_eq!(edited(&list, &[], &[(0, 1), (0, 2), (2, 3), (4, 4), (4, 5)]), [1, 2, 10, 20, 3, 30, 40, 4, 5]);
        assert_eq!(edited(&list, &[1, 2], &[(1, 1), (2, 2), (3, 3)]), [10, 1, 2, 3, 40]);
        assert_eq!(edited(&list, &[0, 1, 2, 3], &[(4, 9)]), [9]);
        assert_eq!(edited(&[], &[], &[(0, 9)]), [9]);
    }

    #[test]
    fn slots_are_filled_emptied_and_filled_again() {
        let mut slots = Slots::default();
        for slot in 0..1_000 {
            slots.set(slot, None);
        }
        assert_eq!(slots.len(), 1_000);
        assert!(slots.get(999).is_none() && slots.get(1_000).is_none());
    }
}
