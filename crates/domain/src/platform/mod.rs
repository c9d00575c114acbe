//! Ids, texts, days and money: what every subject is made of.

pub mod day;
pub mod edit;
pub mod id;
pub mod money;
pub mod text;
