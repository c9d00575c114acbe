//! Reading the trail, and noting exports and uploads.

use domain::{AuditEntry, AuditMark, Caller, Permission};
use ports::{AuditNote, AuditQuery, Page, StoreError};

use crate::{Audit, Failure};

impl Audit {
    /// The entries that match, the newest first.
    ///
    /// # Errors
    /// [`Failure::Denied`] to anyone but an admin.
    pub async fn entries(&self, caller: &Caller, query: &AuditQuery) -> Result<Page<AuditEntry, u64>, Failure> {
        caller.require(Permission::ReadAudit)?;
        Ok(self.trail.list(query).await?)
    }

    /// The newest entry's number and hash.
    ///
    /// # Errors
    /// [`Failure::Denied`] to anyone but an admin.
    pub async fn head(&self, caller: &Caller) -> Result<AuditMark, Failure> {
        caller.require(Permission::ReadAudit)?;
        Ok(self.trail.head().await?)
    }

    /// Notes what the admin does whose request this is, where it changes no row.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed: the request must then not be answered.
    pub async fn note(&self, note: &AuditNote) -> Result<(), StoreError> {
        self.trail.note(note).await
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use domain::Role;
    use domain::accounts::access::Denied;
    use ports::MockAuditTrail;

    use super::*;
    use crate::testing::caller;

    #[tokio::test]
    async fn only_an_admin_reads_the_trail() {
        let audit = Audit::of(Arc::new(MockAuditTrail::new()));
        let customer = caller(Role::Customer);
        let refused = audit.entries(&customer, &AuditQuery::default()).await;
        assert!(matches!(refused, Err(Failure::Denied(Denied::Forbidden))));
        assert!(matches!(audit.head(&customer).await, Err(Failure::Denied(Denied::Forbidden))));
    }

    #[tokio::test]
    async fn an_admin_reads_what_the_filter_asks_for() {
        let mut trail = MockAuditTrail::new();
        let asked = AuditQuery { page: ports::Pagination::first(7), ..AuditQuery::default() };
        let expected = asked.clone();
        trail.expect_list().withf(move |query| *query == expected).returning(|_| Ok(Page::empty(4)));
        let audit = Audit::of(Arc::new(trail));
        assert_eq!(audit.entries(&caller(Role::Admin), &asked).await.unwrap().total, 4);
    }

    #[tokio::test]
    async fn what_changes_no_row_is_noted_or_the_request_fails() {
        let note = AuditNote { kind: "export", target: None, details: vec![("year".into(), "2026".into())] };
        let (mut trail, expected) = (MockAuditTrail::new(), note.clone());
        trail.expect_note().times(1).withf(move |note| *note == expected).returning(|_| Ok(()));
        trail.expect_note().times(1).returning(|_| Err(StoreError::Internal("no transaction".into())));
        let audit = Audit::of(Arc::new(trail));
        audit.note(&note).await.unwrap();
        assert!(matches!(audit.note(&note).await, Err(StoreError::Internal(_))));
    }
}
