//! A product's stock on the wire, one file per action.

pub(crate) mod correct;
pub(crate) mod history;
pub(crate) mod view;
