//! Why the sums of a document are refused.

use thiserror::Error;

use crate::platform::money::MoneyError;

/// Why lines are no document's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum SumsRefused {
    /// There is no line.
    #[error("has no lines")]
    Empty,
    /// A line's goods are not unit price times quantity.
    #[error("has a line whose goods are not its price times its quantity")]
    Goods,
    /// A line has tax without a rate, or a rate that its category has not.
    #[error("has a line whose tax does not fit its rate")]
    Tax,
    /// Untaxed lines of a shop without taxes stand beside taxed ones.
    #[error("has taxed lines beside lines that no tax is for")]
    Mixed,
    /// The stored sums are not those of the lines.
    #[error("comes to another sum than its lines")]
    Sums,
    /// More than money can be.
    #[error(transparent)]
    TooLarge(#[from] MoneyError),
}
