//! One entry of the audit trail.

use std::fmt::{self, Write};
use std::str::FromStr;

use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::Timestamp;

/// A SHA-256 hash of an entry.
pub type AuditHash = [u8; 32];

/// What an admin changed, as it was written down. Its texts are not parsed: whoever checks the trail reads what somebody may have
/// tampered with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditEntry {
    /// The entry's place in the trail, from 1, without gaps.
    pub number: u64,
    /// When the change was committed, by the database's clock, in whole microseconds.
    pub at: Timestamp,
    /// The admin's account.
    pub account: Uuid,
    /// The admin's e-mail address, as it was then.
    pub email: String,
    /// The operation, such as `editProduct`.
    pub operation: String,
    /// The HTTP method.
    pub method: String,
    /// The route's path, with the names of its parameters.
    pub route: String,
    /// The kind of what was changed, such as `product`.
    pub kind: String,
    /// `added`, `changed` or `removed`; `done` for what changes nothing that is stored, such as an export.
    pub change: String,
    /// The id of what was changed, if it has one.
    pub target: Option<String>,
    /// The id of what that belongs to, such as the product of a picture.
    pub parent: Option<String>,
    /// What it was, as JSON: of a change the columns that differ.
    pub before: Option<String>,
    /// What it is, as JSON: of a change the columns that differ.
    pub after: Option<String>,
    /// The network address that the request came from.
    pub client_address: String,
    /// What the client called itself.
    pub user_agent: Option<String>,
    /// The request's id, as in the log.
    pub request_id: String,
    /// The hash of the entry before; zeros for the first.
    pub previous: Vec<u8>,
    /// The hash of this entry, as it is stored.
    pub hash: Vec<u8>,
}

impl AuditEntry {
    /// The hash that the entry must have: SHA-256 of the hash of the entry before and of all its fields, each with its length in
    /// front, so that no two entries are written alike.
    #[must_use]
    pub fn computed_hash(&self) -> AuditHash {
        let (number, at, account) =
            (self.number.to_string(), self.at.as_microsecond().to_string(), self.account.to_string());
        let fields = [
            Some(number.as_str()),
            Some(&at),
            Some(&account),
            Some(&self.email),
            Some(&self.operation),
            Some(&self.method),
            Some(&self.route),
            Some(&self.kind),
            Some(&self.change),
            self.target.as_deref(),
            self.parent.as_deref(),
            self.before.as_deref(),
            self.after.as_deref(),
            Some(&self.client_address),
            self.user_agent.as_deref(),
            Some(&self.request_id),
        ];
        let mut hasher = Sha256::new();
        hasher.update(&self.previous);
        for field in fields {
            match field {
                None => hasher.update("-,"),
                Some(text) => {
                    hasher.update(format!("{}:", text.len()));
                    hasher.update(text);
                    hasher.update(",");
                }
            }
        }
        hasher.finalize().into()
    }
}

/// An entry's number and hash. Whoever keeps one can prove later that nothing up to it was rewritten.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AuditMark {
    /// The entry's number; 0 before the first.
    pub number: u64,
    /// Its hash.
    pub hash: AuditHash,
}

impl AuditMark {
    /// Before the first entry.
    pub const START: Self = Self { number: 0, hash: [0; 32] };
}

impl fmt::Display for AuditMark {
    /// `NUMBER:HASH`, the hash in hexadecimal.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.number, hex(&self.hash))
    }
}

/// A text that is not `NUMBER:HASH`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("it is a number, a colon and 64 hexadecimal digits")]
pub struct NoMark;

impl FromStr for AuditMark {
    type Err = NoMark;

    fn from_str(text: &str) -> Result<Self, NoMark> {
        let (number, digits) = text.trim().split_once(':').ok_or(NoMark)?;
        if digits.len() != 64 || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return Err(NoMark);
        }
        let mut hash = [0; 32];
        for (place, byte) in hash.iter_mut().enumerate() {
            let pair = digits.get(2 * place..2 * place + 2).ok_or(NoMark)?;
            *byte = u8::from_str_radix(pair, 16).map_err(|_| NoMark)?;
        }
        Ok(Self { number: number.parse().map_err(|_| NoMark)?, hash })
    }
}

/// Bytes in hexadecimal.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string does not fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
