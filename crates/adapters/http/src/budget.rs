//! What somebody who has not signed in may use up. Every route that is open to everybody has one of these in the table of
//! routes, and each of them a limit; a test spends each and looks whether anybody else notices.
//!
//! Two things are not a route's own. Stock is reserved by those who have signed in only: an account that never paid has
//! `UNPAID_ORDERS_NEW` unpaid orders at most. Bytes are held by whoever is connected, and bounded for everybody: by the number of
//! connections, the length of heads and bodies, and the time that each may take.

/// What is scarce about a call, and so what its own limit counts. All calls count against their client's limits of reads and
/// changes besides, and bodies, headers, connections and queues are bounded for everybody.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Budget {
    /// An answer from memory or by bounded statements. The limit on reads.
    Reading,
    /// A change of what is the caller's own or nobody's, by one statement. The limit on changes.
    Change,
    /// A row that stays. `STRANGERS_ROWS_RATE`; responses stored under an idempotency key count as well.
    Row,
    /// An e-mail to an address of the caller's choice. `EMAIL_LIMIT_PER_MINUTE`, and three within an hour to an address.
    Email,
    /// A password is hashed: queues by network, which are served in turn, and the limits on failed log-ins.
    Hash,
    /// A one-time link or a signed message, looked up or verified before anything is done. The limit on changes.
    Secret,
    /// A question to another company's server. A hundred and twenty a minute.
    Provider,
    /// A VIN is read. Sixty a minute.
    Vin,
    /// A line of the log. Ten a minute.
    LogLine,
}

impl Budget {
    #[cfg(test)]
    pub(crate) const ALL: [Self; 9] = [
        Self::Reading,
        Self::Change,
        Self::Row,
        Self::Email,
        Self::Hash,
        Self::Secret,
        Self::Provider,
        Self::Vin,
        Self::LogLine,
    ];
}
