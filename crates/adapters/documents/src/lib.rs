//! Documents as customers get them: invoices, credit notes, packing slips and confirmations as PDF, and invoices as XML.
//!
//! The PDFs are PDF/A-3 and PDF/UA: their fonts are inside, only the characters that are used, and a screen reader finds the
//! table that a reader sees. An invoice carries its own XML.
//!
//! Architecture invariant: nothing here knows the time or chance. The same document always gives the same bytes.

mod draw;
mod drawer;
mod fonts;
mod layout;
mod pdf;
mod pool;
mod printed;
mod sheet;
mod sheets;
mod text;
mod ubl;
mod xml;

pub use drawer::{DocumentDrawer, StartError};

#[cfg(test)]
mod samples;
#[cfg(test)]
mod tests;
