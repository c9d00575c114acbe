//! What the shop knows of one route.

use std::collections::BTreeMap;

use actix_web::Route;
use actix_web::http::Method;
use application::{Assurance, Demanded};
use domain::Permission;
use utoipa::openapi::path::{Operation, PathItem};
use utoipa::openapi::schema::Schema;
use utoipa::openapi::{OpenApi, RefOr};

use crate::budget::Budget;

/// What a request has to present before its handler runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Auth {
    /// Nothing. A bearer token is ignored, even an invalid one. What it may use up of anybody at all is bounded by a budget.
    Public(Budget),
    /// An access token, as `Authorization: Bearer`.
    Bearer,
    /// The session cookie.
    Session,
}

/// A row of the route table.
pub(crate) struct RouteSpec {
    /// The method; a `GET` also answers `HEAD`.
    pub(crate) method: Method,
    /// The path's pattern.
    pub(crate) path: String,
    /// The subject that it belongs to.
    pub(crate) subject: &'static str,
    /// The permission that its use case requires.
    pub(crate) permission: Permission,
    pub(crate) auth: Auth,
    /// How well the caller has to have proved who they are.
    pub(crate) assurance: Assurance,
    /// Whether an `Idempotency-Key` is honoured: a repeated call could change something twice.
    pub(crate) idempotent: bool,
    /// Whether what the call creates remembers its key, so that a request that succeeds need not claim it.
    pub(crate) keeps_key: bool,
    /// Whether it exists in a demo only: a sandbox, or something that the public has no use for.
    pub(crate) demo_only: bool,
    pub(crate) handler: fn() -> Route,
    /// What its handler's annotation says.
    pub(crate) operation: Operation,
    /// The schemas that the annotation refers to.
    pub(crate) schemas: BTreeMap<String, RefOr<Schema>>,
}

impl RouteSpec {
    /// Reads the method and the path from what the handler's annotation says, so that no row can say anything else.
    pub(crate) fn new(
        subject: &'static str,
        annotated: OpenApi,
        permission: Permission,
        auth: Auth,
        handler: fn() -> Route,
    ) -> Self {
        let mut paths = annotated.paths.paths;
        let (path, item) = paths.pop_first().unwrap_or_default();
        let (method, operation) = operation(item).unwrap_or_default();
        let idempotent = matches!(method, Method::POST | Method::PUT | Method::PATCH);
        let schemas = annotated.components.unwrap_or_default().schemas;
        let is_export = operation.operation_id.as_deref().is_some_and(is_export);
        Self {
            method,
            path,
            subject,
            permission,
            auth,
            assurance: if is_export { Assurance::FreshFactors } else { Assurance::AllFactors },
            idempotent,
            demo_only: false,
            handler,
            operation,
            schemas,
            keeps_key: false,
        }
    }

    /// The use case finds what was created under the key before, and refuses a key that is claimed.
    pub(crate) fn keeping_key(self) -> Self {
        Self { keeps_key: true, ..self }
    }

    /// A session that has not proved its second factor may call it.
    pub(crate) fn by_first_factor(self) -> Self {
        Self { assurance: Assurance::FirstFactor, ..self }
    }

    /// It proves the second factor, and so is open before that. No answer of it is remembered.
    pub(crate) fn proving(self) -> Self {
        self.repeatable().by_first_factor()
    }

    /// It does lasting harm in the wrong hands: the second factor has to have been proved within ten minutes.
    pub(crate) fn by_fresh_factors(self) -> Self {
        Self { assurance: Assurance::FreshFactors, ..self }
    }

    /// What it demands of its caller.
    pub(crate) fn demanded(&self) -> Demanded {
        Demanded { permission: self.permission, assurance: self.assurance }
    }

    pub(crate) fn in_demo_only(self) -> Self {
        Self { demo_only: true, ..self }
    }

    pub(crate) fn is_public(&self) -> bool {
        self.budget().is_some()
    }

    /// What a call of somebody who has not signed in uses up; `None` where they are refused.
    pub(crate) fn budget(&self) -> Option<Budget> {
        match self.auth {
            Auth::Public(budget) => Some(budget),
            Auth::Bearer | Auth::Session => None,
        }
    }

    /// Whether the handler takes the body as it comes. Its use case keeps the key: the response is not stored.
    pub(crate) fn streams(&self) -> bool {
        self.method == Method::POST && self.path == "/feeds"
    }

    /// A repeated call changes nothing twice, so that no key is honoured.
    pub(crate) fn repeatable(self) -> Self {
        Self { idempotent: false, ..self }
    }

    /// The handler's name as an operation id: `place_order` is `placeOrder`.
    pub(crate) fn name(&self) -> String {
        let mut words = self.handler_name().split('_');
        let mut id = words.next().unwrap_or_default().to_owned();
        for word in words {
            let (first, rest) = word.split_at(word.len().min(1));
            id.push_str(&first.to_uppercase());
            id.push_str(rest);
        }
        id
    }

    fn handler_name(&self) -> &str {
        self.operation.operation_id.as_deref().unwrap_or_default()
    }

    /// Whether it hands out a whole file of what the shop knows.
    pub(crate) fn is_export(&self) -> bool {
        is_export(self.handler_name())
    }

    /// Whether an admin's call is written into the audit trail: it changes or exports something, by a permission that customers have
    /// at most for what is their own.
    pub(crate) fn is_audited(&self) -> bool {
        self.permission.is_for_admins() && (self.method != Method::GET || self.is_export())
    }

    /// Whether the rate limits do not apply: monitoring must always get an answer.
    pub(crate) fn is_unlimited(&self) -> bool {
        self.path.starts_with("/health/") || self.path == "/metrics"
    }

    /// Whether the call reads or sets the session's cookies.
    pub(crate) fn uses_cookies(&self) -> bool {
        self.auth == Auth::Session || self.path.starts_with("/auth/")
    }
}

fn is_export(handler: &str) -> bool {
    handler.starts_with("export_")
}

/// The only operation of an item.
fn operation(item: PathItem) -> Option<(Method, Operation)> {
    let PathItem { get, put, post, patch, delete, .. } = item;
    let of = |method, operation: Option<Operation>| Some((method, operation?));
    of(Method::GET, get)
        .or_else(|| of(Method::PUT, put))
        .or_else(|| of(Method::POST, post))
        .or_else(|| of(Method::PATCH, patch))
        .or_else(|| of(Method::DELETE, delete))
}
