//! The small responses that say what a change did.

use serde::Serialize;
use utoipa::ToSchema;

/// Something was created.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct InsertedId {
    /// The new thing's id.
    pub(crate) inserted_id: String,
}

impl InsertedId {
    pub(crate) fn of(id: &impl ToString) -> Self {
        Self { inserted_id: id.to_string() }
    }
}

/// Something was changed, or was so already.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ModifiedCount {
    /// 1 if this call changed it, else 0.
    pub(crate) modified_count: u8,
}

impl From<bool> for ModifiedCount {
    fn from(changed: bool) -> Self {
        Self { modified_count: changed.into() }
    }
}

/// Something was taken away, or was gone already.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DeletedCount {
    /// 1 if this call took it away, else 0.
    pub(crate) deleted_count: u8,
}

impl From<bool> for DeletedCount {
    fn from(deleted: bool) -> Self {
        Self { deleted_count: deleted.into() }
    }
}

/// An empty object.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Noted {}
