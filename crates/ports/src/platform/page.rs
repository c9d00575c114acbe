//! Pages of lists.

/// The direction of a sorted list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SortOrder {
    /// Smallest, oldest or A first.
    Ascending,
    /// Largest, newest or Z first.
    Descending,
}

/// The requested page of a list, with cursors of type `C`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pagination<C> {
    /// Page size; `None` for all.
    pub limit: Option<u32>,
    /// Only items after this cursor. It stays valid when its item changes or is removed; a cursor of an item that never
    /// existed ends the list.
    pub after: Option<C>,
    /// The total may be left at 0: a caller that reads every page does not need it.
    pub uncounted: bool,
}

impl<C> Default for Pagination<C> {
    fn default() -> Self {
        Self::whole()
    }
}

impl<C> Pagination<C> {
    /// The whole list.
    #[must_use]
    pub const fn whole() -> Self {
        Self { limit: None, after: None, uncounted: false }
    }

    /// The first page.
    #[must_use]
    pub const fn first(limit: u32) -> Self {
        Self { limit: Some(limit), after: None, uncounted: false }
    }

    /// One of the pages of a list that is read to its end, without the total.
    #[must_use]
    pub const fn batch(limit: u32, after: Option<C>) -> Self {
        Self { limit: Some(limit), after, uncounted: true }
    }

    /// Whether the whole list is requested.
    #[must_use]
    pub const fn is_whole(&self) -> bool {
        self.limit.is_none() && self.after.is_none()
    }
}

/// A page of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page<T, C> {
    /// The items of this page.
    pub items: Vec<T>,
    /// How many match, over all pages.
    pub total: u64,
    /// The cursor for the next page; `None` on the last one.
    pub next: Option<C>,
}

impl<T, C> Page<T, C> {
    /// A page without items. `total` is not 0 if only the pages before it have some.
    #[must_use]
    pub const fn empty(total: u64) -> Self {
        Self { items: Vec::new(), total, next: None }
    }
}
