//! The promises that can be broken on purpose, in the simulated ports.

/// One broken promise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bug {
    /// A change is written whatever became of the order since it was judged.
    AppliesBlindly,
    /// Units are taken off the shelf without looking whether they are there.
    SellsWhatIsGone,
    /// A cancellation gives the units back twice.
    ReturnsTwice,
    /// The idempotency key is written beside the order, and not looked for.
    ForgetsKeys,
    /// An order counts as placed although the database did not answer.
    AcknowledgesTooSoon,
    /// Every call to open a payment goes out under a key of its own.
    OpensAnew,
    /// A payment is taken to be of the order's total without a look.
    TrustsAmounts,
    /// A payment is taken to be stopped without asking Stripe.
    CancelsUnasked,
    /// Money is taken to be on its way back although Stripe did not say so.
    RefundsOnFaith,
    /// A message is noted before it has had its effect.
    RemembersTooSoon,
    /// An open payment is looked at once and never again.
    LooksOnlyOnce,
    /// What is owed is not looked for.
    ForgetsDebts,
    /// A refund that failed is taken to have gone through.
    BelievesRefunds,
    /// A payment that Stripe does not know is taken to be over.
    TakesUnknownForOver,
    /// Nobody reads of a payment that it is disputed, or that its money went back.
    SeesNoDisputes,
}
