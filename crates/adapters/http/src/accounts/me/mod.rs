//! One's own account.

pub(crate) mod rename;
pub(crate) mod show;
pub(crate) mod upload_photo;
pub(crate) mod view;
