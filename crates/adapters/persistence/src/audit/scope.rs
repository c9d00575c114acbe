//! What the triggers are given of an admin's request.

use ports::{AdminAction, AuditScope, LocalWork};
use serde_json::{Map, Value};

use crate::Database;
use crate::platform::db::attributing;

impl AuditScope for Database {
    fn attribute<'a>(&self, action: &AdminAction, work: LocalWork<'a>) -> LocalWork<'a> {
        Box::pin(attributing(json(action).into(), work))
    }
}

/// The action, as `chain_audit` reads it.
fn json(action: &AdminAction) -> String {
    let mut who = Map::new();
    let mut set = |name: &str, value: String| drop(who.insert(name.to_owned(), Value::String(value)));
    set("account", action.account.to_string());
    set("email", action.email.to_string());
    set("operation", action.operation.clone());
    set("method", action.method.clone());
    set("route", action.route.clone());
    set("address", action.client_address.to_string());
    set("request", action.request_id.clone());
    // Postgres stores no NUL.
    if let Some(agent) = &action.user_agent {
        set("agent", agent.replace('\0', ""));
    }
    if action.not_own {
        set("notOwn", "true".to_owned());
    }
    Value::Object(who).to_string()
}
