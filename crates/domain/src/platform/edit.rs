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

impl<T> Edit<T> {
    /// The value of a field that had none.
    #[must_use]
    pub fn value(self) -> Option<T> {
        match self {
            Self::Keep => None,
            Self::Set(value) => value,
        }
    }
}
