//! Bugs that can be planted in the simulated ports.

/// One planted bug.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bug {
    /// A change is written even if the order has changed since it was read.
    AppliesBlindly,
    /// Units are sold without checking the stock.
    SellsWhatIsGone,
    /// A cancellation returns the units to stock twice.
    ReturnsTwice,
    /// The idempotency key is stored with the order but never looked up.
    ForgetsKeys,
    /// An order is acknowledged although the database call failed.
    AcknowledgesTooSoon,
    /// Every call to open a payment uses a new idempotency key.
    OpensAnew,
    /// A payment's amount is assumed to be the order's total.
    TrustsAmounts,
    /// A payment is assumed to be cancelled without asking Stripe.
    CancelsUnasked,
    /// A refund is assumed to be accepted although Stripe did not confirm it.
    RefundsOnFaith,
    /// A provider event is recorded as processed before it takes effect.
    RemembersTooSoon,
    /// An open payment is polled once and never again.
    LooksOnlyOnce,
    /// Due refunds are never leased.
    ForgetsDebts,
    /// A failed refund is taken to have succeeded.
    BelievesRefunds,
    /// A payment that Stripe does not know is taken to be cancelled.
    TakesUnknownForOver,
    /// A payment's disputes and refunds are never read.
    SeesNoDisputes,
}
