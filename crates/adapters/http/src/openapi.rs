//! The OpenAPI description: every route, including sandboxes and webhooks.
//!
//! A handler's annotation says what is its own: the method and the path, the parameters, the body, the response, and
//! the refusals with a meaning of their own. What follows from the route's row is added here: the operation id, the
//! subject, the credentials, the `Idempotency-Key`, that every refusal is a problem, and what [`crate::middleware`] may
//! refuse before the handler is asked.

use application::Assurance;
use domain::accounts::access::Grant;
use utoipa::openapi::header::{Header, HeaderBuilder};
use utoipa::openapi::path::{HttpMethod, Operation, Parameter, ParameterBuilder, ParameterIn, PathItem};
use utoipa::openapi::response::Response;
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::security::{
    ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme,
};
use utoipa::openapi::{Content, Ref, RefOr, Required};
use utoipa::{Modify, OpenApi, ToSchema};

use crate::accounts::list::AccountSortName;
use crate::catalog::products::filter::{FitName, ProductSortName};
use crate::middleware::idempotency::KEY_MAX;
use crate::orders::filters::{OrderSortName, OrderStateName};
use crate::problem::{MEDIA_TYPE, ProblemView};
use crate::route::{Auth, RouteSpec};
use crate::routes::routes;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Driveline",
        description = "A shop for vehicle parts in bulk. Errors are problem details (RFC 9457). Every call that changes \
            something takes an `Idempotency-Key`."
    ),
    // No annotation refers to these: parameters alone use the sort orders and states, and every refusal is a problem.
    components(schemas(OrderSortName, OrderStateName, ProductSortName, FitName, AccountSortName, ProblemView)),
    modifiers(&Credentials, &Routes),
)]
struct Description;

const BEARER: &str = "bearer";
const SESSION: &str = "session";

struct Credentials;

impl Modify for Credentials {
    fn modify(&self, openapi: &mut utoipa::openapi::OpenApi) {
        let components = openapi.components.get_or_insert_default();
        for refusal in &REFUSALS {
            components.responses.insert(refusal.name.to_owned(), refusal.response().into());
        }
        let bearer = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).bearer_format("JWT").build();
        components.add_security_scheme(BEARER, SecurityScheme::Http(bearer));
        let session = SecurityScheme::ApiKey(ApiKey::Cookie(ApiKeyValue::new(crate::extract::SESSION_COOKIE)));
        components.add_security_scheme(SESSION, session);
    }
}

/// Adds every route of the table.
struct Routes;

impl Modify for Routes {
    fn modify(&self, openapi: &mut utoipa::openapi::OpenApi) {
        for route in routes() {
            let item = PathItem::new(method(route), operation(route));
            openapi.paths.paths.entry(route.path.clone()).or_default().merge_operations(item);
            let schemas = &mut openapi.components.get_or_insert_default().schemas;
            schemas.extend(route.schemas.clone());
        }
    }
}

fn method(route: &RouteSpec) -> HttpMethod {
    match route.method.as_str() {
        "PUT" => HttpMethod::Put,
        "POST" => HttpMethod::Post,
        "PATCH" => HttpMethod::Patch,
        "DELETE" => HttpMethod::Delete,
        _ => HttpMethod::Get,
    }
}

/// What the annotation says, and what follows from the row.
fn operation(route: &RouteSpec) -> Operation {
    let mut operation = route.operation.clone();
    operation.operation_id = operation.operation_id.map(|_| route.name());
    operation.tags = Some(vec![route.subject.to_owned()]);
    operation.security = security(route).map(|one| vec![one]);
    let responses = &mut operation.responses.responses;
    for (_, response) in responses.iter_mut().filter(|(status, _)| status.starts_with(['4', '5'])) {
        if let RefOr::T(response) = response
            && response.content.is_empty()
        {
            *response = as_problem(response.clone());
        }
    }
    for refusal in REFUSALS.iter().filter(|refusal| (refusal.may_come)(route)) {
        let shared = || Ref::new(format!("#/components/responses/{}", refusal.name));
        responses.entry(refusal.status.to_owned()).or_insert_with(|| shared().into());
    }
    if route.idempotent {
        operation.parameters.get_or_insert_default().push(idempotency_key().into());
    }
    operation
}

fn security(route: &RouteSpec) -> Option<SecurityRequirement> {
    let scheme = match route.auth {
        Auth::Public(_) => return None,
        Auth::Bearer => BEARER,
        Auth::Session => SESSION,
    };
    Some(SecurityRequirement::new(scheme, [""; 0]))
}

/// A refusal that any operation of a kind may get, described once.
struct Refusal {
    /// Its name among the components.
    name: &'static str,
    status: &'static str,
    meaning: &'static str,
    /// Whether it says when to come again.
    has_retry_after: bool,
    may_come: fn(&RouteSpec) -> bool,
}

impl Refusal {
    const fn new(
        name: &'static str,
        status: &'static str,
        meaning: &'static str,
        may_come: fn(&RouteSpec) -> bool,
    ) -> Self {
        Self { name, status, meaning, has_retry_after: false, may_come }
    }

    const fn with_retry_after(self) -> Self {
        Self { has_retry_after: true, ..self }
    }

    fn response(&self) -> Response {
        let mut response = Response::new(self.meaning);
        if self.has_retry_after {
            response.headers.insert("Retry-After".to_owned(), retry_after());
        }
        as_problem(response)
    }
}

/// What is refused before a handler is asked, and what each of them may have to refuse. Where an annotation says more
/// about a status, it stands.
static REFUSALS: [Refusal; 14] = [
    Refusal::new("Unreadable", "400", "Not JSON, not a usable Idempotency-Key, or broken off", changes),
    Refusal::new("NotSignedIn", "401", "Not signed in", |route| !route.is_public()),
    Refusal::new("NotAnAdmin", "403", "Not an admin", |route| route.permission.policy().customer == Grant::Never),
    Refusal::new("ForeignPage", "403", "Sent by another site's page", |route| changes(route) && route.uses_cookies()),
    Refusal::new("SecondFactorNeeded", "403", "The second factor has to be proved first, or again", asks_for_proof),
    Refusal::new("NotFound", "404", "Nothing of this name", |route| route.path.contains('{')),
    Refusal::new("TooSlow", "408", "The body did not arrive in time", changes),
    Refusal::new("TooLarge", "413", "The body is too large", changes),
    Refusal::new("UnsupportedMediaType", "415", "Another media type than is documented, or an encoded body", changes),
    Refusal::new("Misdirected", "421", "A demo answers to the names of its own machine alone", |_| true),
    Refusal::new("KeyReused", "422", "The Idempotency-Key was used for another request", |route| route.idempotent),
    Refusal::new("InvalidQuery", "422", "A query that cannot be read", has_query),
    Refusal::new("TooManyRequests", "429", "Too many requests from this client", |route| !route.is_unlimited())
        .with_retry_after(),
    Refusal::new("Unavailable", "503", "Not available at the moment", |route| !route.is_unlimited()).with_retry_after(),
];

fn asks_for_proof(route: &RouteSpec) -> bool {
    !route.is_public() && route.assurance != Assurance::FirstFactor
}

fn changes(route: &RouteSpec) -> bool {
    !route.method.is_safe()
}

fn has_query(route: &RouteSpec) -> bool {
    let parameters = route.operation.parameters.iter().flatten();
    parameters
        .filter_map(|one| if let RefOr::T(one) = one { Some(one) } else { None })
        .any(|one| one.parameter_in == ParameterIn::Query)
}

fn as_problem(mut response: Response) -> Response {
    let problem = Content::new(Some(Ref::from_schema_name(ProblemView::name())));
    response.content.insert(MEDIA_TYPE.to_owned(), problem.into());
    response
}

fn retry_after() -> RefOr<Header> {
    HeaderBuilder::new()
        .schema(Some(ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(1))))
        .description(Some("Seconds until it is worth another try"))
        .build()
        .into()
}

fn idempotency_key() -> Parameter {
    ParameterBuilder::new()
        .name("Idempotency-Key")
        .parameter_in(ParameterIn::Header)
        .required(Required::False)
        .description(Some("The same key again gets the first answer again, and nothing happens twice"))
        .schema(Some(ObjectBuilder::new().schema_type(Type::String).max_length(Some(KEY_MAX))))
        .build()
}

/// The description as JSON (`OpenAPI` 3.1). The output is always the same.
#[must_use]
pub fn openapi() -> String {
    Description::openapi().to_pretty_json().unwrap_or_default()
}

/// The description without the routes that only a demo has.
pub(crate) fn openapi_of_serve() -> String {
    let mut description = Description::openapi();
    let served: Vec<&str> = routes().iter().filter(|route| !route.demo_only).map(|route| route.path.as_str()).collect();
    description.paths.paths.retain(|path, _| served.contains(&path.as_str()));
    description.to_pretty_json().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::Value;

    use super::*;

    fn described() -> Value {
        serde_json::from_str(&openapi()).unwrap()
    }

    /// What is described under a route's path and method.
    fn of<'a>(described: &'a Value, route: &RouteSpec) -> &'a Value {
        &described["paths"][&route.path][route.method.as_str().to_lowercase()]
    }

    #[test]
    fn the_description_has_exactly_the_registered_routes() {
        let described = described();
        let described: BTreeSet<String> = described["paths"]
            .as_object()
            .unwrap()
            .iter()
            .flat_map(|(path, methods)| {
                methods.as_object().unwrap().keys().map(move |method| format!("{} {path}", method.to_uppercase()))
            })
            .collect();
        let served: BTreeSet<String> =
            routes().iter().map(|route| format!("{} {}", route.method, route.path)).collect();
        assert_eq!(described, served);
    }

    #[test]
    fn without_sandboxes_their_routes_are_not_described() {
        let described: Value = serde_json::from_str(&openapi_of_serve()).unwrap();
        let paths: BTreeSet<&str> = described["paths"].as_object().unwrap().keys().map(String::as_str).collect();
        let served = routes().iter().filter(|route| !route.demo_only).map(|route| route.path.as_str()).collect();
        assert_eq!(paths, served);
    }

    #[test]
    fn exactly_the_idempotent_operations_document_the_idempotency_key() {
        let described = described();
        for route in routes() {
            let parameters = &of(&described, route)["parameters"];
            let documented = parameters.as_array().into_iter().flatten().any(|one| one["name"] == "Idempotency-Key");
            assert_eq!(documented, route.idempotent, "{} {}", route.method, route.path);
        }
    }

    #[test]
    fn every_operation_says_who_may_call_it() {
        let described = described();
        for route in routes() {
            let operation = of(&described, route);
            let credentials = match route.auth {
                Auth::Public(_) => Value::Null,
                Auth::Bearer => serde_json::json!([{"bearer": []}]),
                Auth::Session => serde_json::json!([{"session": []}]),
            };
            assert_eq!(operation["security"], credentials, "{} {}", route.method, route.path);
            let has = |status: &str| operation["responses"].get(status).is_some();
            assert!(route.is_public() || has("401"), "{} {}", route.method, route.path);
            assert!(
                route.permission.policy().customer != Grant::Never || has("403"),
                "{} {}",
                route.method,
                route.path
            );
        }
    }

    #[test]
    fn every_refusal_is_a_problem() {
        let described = described();
        for route in routes().iter().filter(|route| route.path != "/health/ready") {
            for (status, response) in of(&described, route)["responses"].as_object().unwrap() {
                let response = match response["$ref"].as_str() {
                    Some(shared) => described.pointer(shared.trim_start_matches('#')).unwrap(),
                    None => response,
                };
                let media: Vec<&String> =
                    response["content"].as_object().into_iter().flatten().map(|one| one.0).collect();
                let refused = status.starts_with(['4', '5']);
                assert_eq!(refused, media == [MEDIA_TYPE], "{} {} {status}", route.method, route.path);
            }
        }
    }

    #[test]
    fn what_is_refused_before_a_handler_is_asked_is_described() {
        let described = described();
        for route in routes() {
            let responses = &of(&described, route)["responses"];
            let has = |status: &str| responses.get(status).is_some();
            let name = format!("{} {}", route.method, route.path);
            assert!(has("429") && has("503") || route.is_unlimited(), "{name}");
            let changing = ["400", "408", "413", "415"].iter().all(|status| has(status));
            assert!(changing || route.method.is_safe(), "{name}");
            assert!(has("404") || !route.path.contains('{'), "{name}");
        }
        let retry_after = &described["components"]["responses"]["TooManyRequests"]["headers"]["Retry-After"];
        assert_eq!(retry_after["schema"]["type"], "integer");
    }

    #[test]
    fn every_schema_reference_resolves() {
        let text = openapi();
        let json: Value = serde_json::from_str(&text).unwrap();
        let schemas = json["components"]["schemas"].as_object().unwrap();
        for reference in text.split("#/components/schemas/").skip(1) {
            let name = reference.split('"').next().unwrap();
            assert!(schemas.contains_key(name), "{name}");
        }
    }

    #[test]
    fn operation_ids_are_unique() {
        let described = described();
        let ids: Vec<&str> =
            routes().iter().map(|route| of(&described, route)["operationId"].as_str().unwrap()).collect();
        assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len(), "{ids:?}");
        assert!(ids.contains(&"placeOrder") && ids.contains(&"listOrderEvents"), "{ids:?}");
    }
}
