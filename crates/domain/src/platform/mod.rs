//! Ids, text, days, money and the networks of clients: the value types that every subject uses.

pub mod cells;
pub mod client_network;
pub mod day;
pub mod edit;
pub mod folding;
pub mod id;
pub(crate) mod mask;
pub mod money;
pub mod name;
pub mod picture;
pub mod text;
