//! Which entries of the trail.

use domain::{Email, Timestamp};
use ports::{AuditFilter, AuditQuery};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::problem::Problem;
use crate::wire::fields::{Fields, filled};
use crate::wire::page::PageQuery;

/// The longest id, operation or kind that is looked for.
const WORD_MAX: usize = 300;

/// Filters for the trail; an entry has to match all that are given.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct Filter {
    /// The admin's e-mail address, as it was then.
    email: Option<String>,
    /// The operation, such as `editProduct`.
    operation: Option<String>,
    /// The kind of what was changed, such as `product`.
    kind: Option<String>,
    /// The id of what was changed, or of what that belongs to.
    target: Option<String>,
    /// Not before: RFC 3339.
    from: Option<String>,
    /// Before: RFC 3339.
    until: Option<String>,
}

impl Filter {
    pub(super) fn parse(&self, page: &PageQuery) -> Result<AuditQuery, Problem> {
        let mut fields = Fields::default();
        let page = page.parse(&mut fields);
        let email = filled(self.email.as_deref());
        let email = fields.optional("email", "Email", email, |email| email.trim().parse::<Email>());
        let operation = fields.optional("operation", "Operation", filled(self.operation.as_deref()), word);
        let kind = fields.optional("kind", "Kind", filled(self.kind.as_deref()), word);
        let target = fields.optional("target", "Target", filled(self.target.as_deref()), word);
        let from = fields.optional("from", "From", filled(self.from.as_deref()), moment);
        let until = fields.optional("until", "Until", filled(self.until.as_deref()), moment);
        let whole = (|| {
            let filter = AuditFilter {
                email: email?.map(|email| email.to_string()),
                operation: operation?,
                kind: kind?,
                target: target?,
                from: from?,
                until: until?,
            };
            Some(AuditQuery { filter, page: page? })
        })();
        fields.all(whole)
    }
}

/// Postgres cannot compare with a text that has a NUL.
fn word(text: &str) -> Result<String, &'static str> {
    let text = text.trim();
    let fits = text.chars().count() <= WORD_MAX && !text.contains('\0');
    fits.then(|| text.to_owned()).ok_or("is invalid")
}

/// Postgres has a smaller range than RFC 3339.
fn moment(text: &str) -> Result<Timestamp, &'static str> {
    let at = text.trim().parse::<Timestamp>().ok();
    at.filter(|at| *at >= Timestamp::UNIX_EPOCH).ok_or("must be a time such as 2026-11-21T00:00:00Z")
}
