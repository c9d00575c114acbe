//! Names of indexes.

/// What the names of all indexes of the shop begin with.
pub(crate) const OURS: &str = "driveline-products-";
/// The alias that searches ask. Its number is that of the fields, and is raised with every change of the mapping or of what documents
/// hold: then a new program fills an index of its own, and the one before goes on in its own.
pub(crate) const SERVED: &str = "driveline-products-1";
