//! Prices: what products cost, and the lists that prices come from.

pub(crate) mod ladder;
pub(crate) mod lists;
pub(crate) mod of_list;
pub(crate) mod quote;
pub(crate) mod refusals;
pub(crate) mod tiers;
pub(crate) mod view;
