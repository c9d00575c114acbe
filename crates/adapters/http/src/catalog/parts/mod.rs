//! Part numbers, brands, part types, synonyms and facets on the wire.

pub(crate) mod brands;
pub(crate) mod facets;
pub(crate) mod numbers;
pub(crate) mod part_types;
pub(crate) mod synonyms;
