//! What changed in the catalogue, for whoever keeps a copy of it in memory.

use std::collections::HashSet;

use domain::ProductId;

/// What has to be read again.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CatalogChange {
    /// Everything: it is not known what changed.
    pub everything: bool,
    /// These products; some may have been archived.
    pub products: HashSet<ProductId>,
    /// The reviews.
    pub reviews: bool,
}

impl CatalogChange {
    /// Whether nothing has to be read again.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        !self.everything && !self.reviews && self.products.is_empty()
    }
}

/// The changes of products and reviews that were committed, by this instance or any other. A change by this instance is
/// known before its caller hears that it was made.
#[cfg_attr(all(feature = "mock", not(test)), mockall::automock)]
pub trait CatalogChanges: Send + Sync {
    /// Whether there are changes that nobody has taken. Costs a few nanoseconds.
    fn is_pending(&self) -> bool;

    /// Whether every change is known that was committed longer than five seconds ago, by whichever instance.
    fn is_current(&self) -> bool;

    /// Takes the changes. Whoever reads after this call reads at least their state.
    fn take(&self) -> CatalogChange;

    /// Puts changes back that could not be read.
    fn put_back(&self, change: CatalogChange);
}
