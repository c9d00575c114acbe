//! The trail of what admins changed. Entries are written by triggers; see `migrations/0091_audit_trail`.

mod rows;
mod scope;
mod trail;
