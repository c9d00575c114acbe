//! The trail of what admins changed.

mod read_audit;
pub(crate) mod verify_audit;

use std::sync::Arc;

use ports::AuditTrail;

use crate::Ports;

/// The trail of what admins changed.
#[derive(Clone)]
pub struct Audit {
    trail: Arc<dyn AuditTrail>,
}

impl Audit {
    /// Builds the service.
    #[must_use]
    pub fn new(ports: &Ports) -> Self {
        Self::of(Arc::clone(&ports.audit_trail))
    }

    /// Builds the service for a command that has nothing but the database.
    #[must_use]
    pub fn of(trail: Arc<dyn AuditTrail>) -> Self {
        Self { trail }
    }
}
