//! One field of a partial update.

/// What a partial update does with one field.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Edit<T> {
    /// The field was not sent and keeps its value.
    #[default]
    Keep,
    /// The field takes this value; `None` clears it.
    Set(Option<T>),
}
