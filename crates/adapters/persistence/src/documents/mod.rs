//! Documents: what was issued, what purchases say, and the seller.

mod printed;
mod repository;
