//! All accounts, for admins.

pub(crate) mod is_admin;
pub(crate) mod list;
pub(crate) mod make_admin;
pub(crate) mod remove;
pub(crate) mod unmake_admin;
