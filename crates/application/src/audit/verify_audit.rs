//! Recomputing the whole trail.

use domain::{AuditBroken, AuditChain, AuditMark};
use ports::StoreError;

use crate::Audit;

/// How many entries are read at once.
const BATCH: u32 = 2_000;

/// What a check of the trail found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AuditVerdict {
    /// The last entry that fits.
    pub end: AuditMark,
    /// What is wrong behind it.
    pub broken: Option<AuditBroken>,
}

impl Audit {
    /// Reads every entry and recomputes its hash, independently of the database. `known` are marks of earlier checks: entries up to
    /// them must not have changed. The trail may grow meanwhile.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed.
    pub async fn verify(&self, known: Vec<AuditMark>) -> Result<AuditVerdict, StoreError> {
        let head = self.trail.head().await?;
        let mut chain = AuditChain::new(known.into_iter().chain([head]).collect());
        loop {
            let entries = self.trail.after(chain.end().number, BATCH).await?;
            for entry in &entries {
                if let Err(broken) = chain.follow(entry) {
                    return Ok(AuditVerdict { end: chain.end(), broken: Some(broken) });
                }
            }
            if u32::try_from(entries.len()).is_ok_and(|read| read < BATCH) {
                return Ok(AuditVerdict { end: chain.end(), broken: chain.finish().err() });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use domain::{AuditEntry, Timestamp};
    use ports::MockAuditTrail;
    use uuid::Uuid;

    use super::*;

    fn trail(length: u64) -> Vec<AuditEntry> {
        let mut entries: Vec<AuditEntry> = Vec::new();
        for number in 1..=length {
            let previous = entries.last().map_or_else(|| AuditMark::START.hash.to_vec(), |entry| entry.hash.clone());
            let mut entry = AuditEntry {
                number,
                at: Timestamp::from_second(1_800_000_000).unwrap(),
                account: Uuid::from_u128(2),
                email: "admin@example.com".into(),
                operation: "addBrand".into(),
                method: "POST".into(),
                route: "/brands".into(),
                kind: "brand".into(),
                change: "added".into(),
                target: Some(number.to_string()),
                parent: None,
                before: None,
                after: Some("{}".into()),
                client_address: "203.0.113.9".into(),
                user_agent: None,
                request_id: "r".into(),
                previous,
                hash: Vec::new(),
            };
            entry.hash = entry.computed_hash().to_vec();
            entries.push(entry);
        }
        entries
    }

    fn audit(entries: Vec<AuditEntry>, head: AuditMark) -> Audit {
        let mut mock = MockAuditTrail::new();
        mock.expect_head().returning(move || Ok(head));
        mock.expect_after().returning(move |after, limit| {
            let limit = usize::try_from(limit).unwrap();
            Ok(entries.iter().filter(|entry| entry.number > after).take(limit).cloned().collect())
        });
        Audit::of(Arc::new(mock))
    }

    fn mark(entry: &AuditEntry) -> AuditMark {
        AuditMark { number: entry.number, hash: entry.computed_hash() }
    }

    #[tokio::test]
    async fn a_trail_of_several_batches_is_followed_past_the_head_that_was_read_first() {
        let entries = trail(5_000);
        let (head, end) = (mark(&entries[4_989]), mark(&entries[4_999]));
        let verdict = audit(entries, head).verify(Vec::new()).await.unwrap();
        assert_eq!(verdict, AuditVerdict { end, broken: None });
    }

    #[tokio::test]
    async fn entries_that_the_head_or_an_earlier_check_knows_of_are_missed() {
        let entries = trail(10);
        let (end, head) = (mark(&entries[7]), mark(&entries[9]));
        let cut = entries[..8].to_vec();
        let verdict = audit(cut.clone(), head).verify(Vec::new()).await.unwrap();
        assert_eq!(verdict.broken, Some(AuditBroken::CutOff { from: 9, to: 10 }));
        let verdict = audit(cut, end).verify(vec![head]).await.unwrap();
        assert_eq!(verdict.broken, Some(AuditBroken::CutOff { from: 9, to: 10 }));
    }

    #[tokio::test]
    async fn the_first_entry_that_does_not_fit_is_named() {
        let mut entries = trail(4_000);
        let head = mark(&entries[3_999]);
        entries[2_345].email = "nobody@example.com".into();
        entries[3_000].email = "nobody@example.com".into();
        let end = mark(&entries[2_344]);
        let verdict = audit(entries, head).verify(Vec::new()).await.unwrap();
        assert_eq!(verdict, AuditVerdict { end, broken: Some(AuditBroken::Changed { number: 2_346 }) });
    }
}
