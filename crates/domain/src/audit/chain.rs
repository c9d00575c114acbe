//! Following the chain of entries.

use thiserror::Error;

use crate::audit::entry::{AuditEntry, AuditMark};

/// How the trail was tampered with, or damaged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum AuditBroken {
    /// An entry is not there.
    #[error("entry {number} is missing")]
    Missing {
        /// The first one that is missing.
        number: u64,
    },
    /// An entry is not what was written: its fields do not have its hash.
    #[error("entry {number} was changed: its fields do not have the hash that is stored with it")]
    Changed {
        /// The entry.
        number: u64,
    },
    /// An entry does not continue the one before: one of them was replaced.
    #[error("entry {number} does not follow the entry before it: one of the two was replaced")]
    Unconnected {
        /// The second of the two.
        number: u64,
    },
    /// The newest entries are not there.
    #[error("entries {from} to {to} are missing: the trail was cut off")]
    CutOff {
        /// The first one that is missing.
        from: u64,
        /// The newest one that is known to have been written.
        to: u64,
    },
    /// An entry has another hash than the one that was noted of it.
    #[error("entry {number} has another hash than expected: it, or one before it, was rewritten")]
    Rewritten {
        /// The entry.
        number: u64,
    },
}

/// The entries that were followed so far, and what is known of entries to come.
#[derive(Debug, Clone)]
pub struct AuditChain {
    end: AuditMark,
    known: Vec<AuditMark>,
}

impl AuditChain {
    /// Before the first entry. `known` are marks that the entries have to have.
    #[must_use]
    pub fn new(known: Vec<AuditMark>) -> Self {
        Self { end: AuditMark::START, known }
    }

    /// The last entry that was followed.
    #[must_use]
    pub const fn end(&self) -> AuditMark {
        self.end
    }

    /// Follows the next entry.
    ///
    /// # Errors
    /// [`AuditBroken`] if it is not the one that was written after the last.
    pub fn follow(&mut self, entry: &AuditEntry) -> Result<(), AuditBroken> {
        let number = entry.number;
        let next = self.end.number.saturating_add(1);
        if number != next {
            return Err(AuditBroken::Missing { number: next });
        }
        if entry.previous != self.end.hash {
            return Err(AuditBroken::Unconnected { number });
        }
        let hash = entry.computed_hash();
        if entry.hash != hash {
            return Err(AuditBroken::Changed { number });
        }
        if self.known.iter().any(|mark| mark.number == number && mark.hash != hash) {
            return Err(AuditBroken::Rewritten { number });
        }
        self.end = AuditMark { number, hash };
        Ok(())
    }

    /// Whether nothing is missing after the last entry.
    ///
    /// # Errors
    /// [`AuditBroken::CutOff`] if more entries are known to have been written.
    pub fn finish(&self) -> Result<AuditMark, AuditBroken> {
        let newest = self.known.iter().map(|mark| mark.number).max().unwrap_or_default();
        if newest > self.end.number {
            return Err(AuditBroken::CutOff { from: self.end.number + 1, to: newest });
        }
        Ok(self.end)
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::Timestamp;

    fn entry(after: AuditMark, name: &str) -> AuditEntry {
        let mut entry = AuditEntry {
            number: after.number + 1,
            at: Timestamp::from_second(1_800_000_000).unwrap(),
            account: Uuid::from_u128(2),
            email: "admin@example.com".into(),
            operation: "editProduct".into(),
            method: "PATCH".into(),
            route: "/allProducts/{id}".into(),
            kind: "product".into(),
            change: "changed".into(),
            target: Some("7".into()),
            parent: None,
            before: Some("{\"name\": \"Disc\"}".into()),
            after: Some(format!("{{\"name\": \"{name}\"}}")),
            client_address: "203.0.113.9".into(),
            user_agent: None,
            request_id: "r".into(),
            previous: after.hash.to_vec(),
            hash: Vec::new(),
        };
        entry.hash = entry.computed_hash().to_vec();
        entry
    }

    fn trail(length: u64) -> Vec<AuditEntry> {
        let (mut end, mut entries) = (AuditMark::START, Vec::new());
        for n in 0..length {
            let next = entry(end, &format!("Disc {n} ü"));
            end = AuditMark { number: next.number, hash: next.computed_hash() };
            entries.push(next);
        }
        entries
    }

    fn verdict(entries: &[AuditEntry], known: &[AuditMark]) -> Result<AuditMark, AuditBroken> {
        let mut chain = AuditChain::new(known.to_vec());
        entries.iter().try_for_each(|entry| chain.follow(entry))?;
        chain.finish()
    }

    fn mark(entry: &AuditEntry) -> AuditMark {
        AuditMark { number: entry.number, hash: entry.computed_hash() }
    }

    #[test]
    fn an_untouched_trail_is_followed_to_its_end() {
        let entries = trail(5);
        assert_eq!(verdict(&entries, &[mark(&entries[2]), mark(&entries[4])]), Ok(mark(&entries[4])));
        assert_eq!(verdict(&[], &[AuditMark::START]), Ok(AuditMark::START));
    }

    #[test]
    fn every_field_of_an_entry_is_hashed_and_none_can_pass_for_its_neighbour() {
        let changes: [fn(&mut AuditEntry); 17] = [
            |entry| entry.at = Timestamp::from_second(1).unwrap(),
            |entry| entry.account = Uuid::from_u128(3),
            |entry| entry.email.push('x'),
            |entry| entry.operation.push('x'),
            |entry| entry.method.push('x'),
            |entry| entry.route.push('x'),
            |entry| entry.kind.push('x'),
            |entry| entry.change.push('x'),
            |entry| entry.target = None,
            |entry| entry.target = Some("8".into()),
            |entry| entry.parent = Some(String::new()),
            |entry| entry.before = None,
            |entry| entry.after = None,
            |entry| std::mem::swap(&mut entry.before, &mut entry.after),
            |entry| entry.client_address.push('x'),
            |entry| entry.user_agent = Some("-".into()),
            |entry| entry.request_id.push('x'),
        ];
        for (n, change) in changes.iter().enumerate() {
            let mut entries = trail(5);
            change(&mut entries[2]);
            assert_eq!(verdict(&entries, &[]), Err(AuditBroken::Changed { number: 3 }), "{n}");
        }
    }

    #[test]
    fn missing_entries_are_named() {
        let mut entries = trail(5);
        entries.remove(1);
        assert_eq!(verdict(&entries, &[]), Err(AuditBroken::Missing { number: 2 }));
        let entries = trail(5);
        assert_eq!(verdict(&entries[1..], &[]), Err(AuditBroken::Missing { number: 1 }));
        // The end alone shows nothing, unless somebody knows of more.
        assert_eq!(verdict(&entries[..3], &[]), Ok(mark(&entries[2])));
        assert_eq!(verdict(&entries[..3], &[mark(&entries[4])]), Err(AuditBroken::CutOff { from: 4, to: 5 }));
    }

    #[test]
    fn a_replaced_entry_and_a_rewritten_trail_are_found() {
        let mut entries = trail(5);
        entries[2] = entry(mark(&entries[1]), "Another");
        assert_eq!(verdict(&entries, &[]), Err(AuditBroken::Unconnected { number: 4 }));
        // All entries written anew, with hashes that fit: only who kept a mark can tell.
        let (known, mut end, mut rewritten) = (mark(&trail(5)[3]), AuditMark::START, Vec::new());
        for n in 0..5 {
            let next = entry(end, &format!("Forged {n}"));
            end = mark(&next);
            rewritten.push(next);
        }
        assert_eq!(verdict(&rewritten, &[]), Ok(end));
        assert_eq!(verdict(&rewritten, &[known]), Err(AuditBroken::Rewritten { number: 4 }));
    }

    #[test]
    fn a_mark_is_read_as_it_is_written() {
        let known = mark(&trail(1)[0]);
        assert_eq!(known.to_string().parse(), Ok(known));
        for text in [
            "",
            "1",
            "1:",
            "1:00",
            "x:",
            &known.to_string().replace(':', " "),
            &format!("1:{}", "ü".repeat(32)),
            &format!("1:{}", "+f".repeat(32)),
            &format!("{known}00"),
        ] {
            assert!(text.parse::<AuditMark>().is_err(), "{text}");
        }
    }
}
