//! Products, their stock, and customers' reviews.

pub mod asked_number;
pub mod edit;
pub mod fitment;
pub mod part_facts;
pub mod part_number;
pub mod pictures;
pub mod product;
pub mod quantity;
pub mod review;
pub mod search_words;
pub mod slug;
pub mod stock;
pub mod wanted_words;
