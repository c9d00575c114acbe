//! What everybody may read, search engines above all: pages of parts and landing pages, with all they say in what is sent, and
//! the files by which they are found. A page is a frame of the web client, into which the server writes.

mod address;
mod card;
pub(crate) mod category;
pub(crate) mod feed;
mod frame;
mod json_ld;
pub(crate) mod part;
mod part_view;
mod picture;
pub(crate) mod robots;
pub(crate) mod security_txt;
pub(crate) mod sitemap;
pub(crate) mod vehicle;
