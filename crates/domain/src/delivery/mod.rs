//! Where goods go and what it costs to bring them there: countries, addresses, freight.

pub mod address;
pub mod address_book;
pub mod address_format;
pub mod carrier;
pub mod country;
mod country_table;
pub mod freight;
mod regions;
pub mod shipping_method;
