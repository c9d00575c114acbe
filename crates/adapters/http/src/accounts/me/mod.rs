//! One's own account.

pub(crate) mod get;
pub(crate) mod update;
pub(crate) mod upload_photo;
pub(crate) mod view;
