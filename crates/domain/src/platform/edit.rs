//! What somebody who edits a thing says about one part of it.

/// What becomes of one field.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Edit<T> {
    /// It stays as it is.
    #[default]
    Keep,
    /// It becomes this; `None` empties it.
    Set(Option<T>),
}
