//! What somebody in a hurry would write instead.

use crate::promises;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flaw {
    /// The stock is read, and what is left written back later.
    StockReadBefore,
    /// A decision is written whatever the order has become in the meantime.
    WrittenUnseen,
    /// A second payment is opened beside one that is open.
    OpenedBeside,
    /// A payment counts as closed before the provider has confirmed that it is cancelled.
    ClosedBefore,
    /// Money that arrives for a cancelled order is taken note of, and kept.
    LateMoneyKept,
    /// A refund is requested without a key, so that the provider makes another one of each request.
    RefundWithoutKey,
    /// The order of a refund is cancelled first, and the refund recorded by a call of its own.
    RefundRecordedAfter,
}

impl Flaw {
    pub(crate) const ALL: [Self; 7] = [
        Self::StockReadBefore,
        Self::WrittenUnseen,
        Self::OpenedBeside,
        Self::ClosedBefore,
        Self::LateMoneyKept,
        Self::RefundWithoutKey,
        Self::RefundRecordedAfter,
    ];

    /// The promise that it breaks.
    pub(crate) fn breaks(self) -> &'static str {
        match self {
            Self::StockReadBefore => promises::STOCK,
            Self::OpenedBeside => promises::ONE_OPEN,
            Self::RefundWithoutKey => promises::BACK_ONCE,
            Self::RefundRecordedAfter => promises::OWED,
            Self::WrittenUnseen | Self::ClosedBefore | Self::LateMoneyKept => promises::MONEY,
        }
    }
}
