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
    /// A payment of several orders settles the first of them alone.
    SettlesOnlyTheFirst,
    /// Of the unpaid orders of a checkout only the first is cancelled.
    CancelsOnlyTheFirst,
    /// A payment that came too late for one of its orders is refunded as a whole.
    SendsBackTheWholePayment,
    /// The refunds of an order are limited by what the payment brought for all of its orders.
    BoundsByThePayment,
    /// The shares of a payment are what the goods cost, without freight and tax.
    ForgetsFreightInShares,
    /// A payment is recorded as open beside one that pays for the same order.
    OpensBesides,
    /// A cancelled order returns its units once for each payment that it was in.
    ReturnsForEachPayment,
    /// A checkout's idempotency key is stored with it but never looked up.
    ForgetsKeysOfCheckouts,
    /// A checkout can be paid while its freight is not known.
    PaysBeforeFreight,
    /// A checkout is placed without the orders that something stands in the way of.
    PlacesWhatItCan,
    /// Products are read with tiers that begin at half the quantity.
    ReadsOtherTiers,
}
