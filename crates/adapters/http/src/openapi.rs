//! The OpenAPI description: every route, including sandboxes and webhooks.

use utoipa::openapi::Required;
use utoipa::openapi::path::{Operation, ParameterBuilder, ParameterIn, PathItem};
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::{Modify, OpenApi};

use crate::accounts::{
    google, google_sandbox, grant_admin, is_admin, list, me, newsletter, passwords, profiles, remove, revoke_admin,
    sessions, sign_in, verification,
};
use crate::catalog::{images, products, reviews, stock};
use crate::middleware::idempotency::KEY_MAX;
use crate::notifications::{outbox, subscriptions};
use crate::orders::{cancel, export, list, list_all, overview, place, refund, ship, show, timeline, words};
use crate::payments::{attention, confirm_test_card, open, provider_events, settle};
use crate::platform::shop_info;
use crate::routes::{RouteSpec, rows};

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Driveline",
        description = "A shop for vehicle parts in bulk. Errors are problem details (RFC 9457). Every call that changes \
            something takes an `Idempotency-Key`."
    ),
    paths(
        products::list::list_products, products::add::add_product, products::get::get_product, products::restock::restock_product, products::archive::archive_product,
        stock::correct::correct_stock, stock::history::get_stock_history,
        products::export::export_products, products::import::import_products,
        images::upload::upload_image, images::get::get_image,
        reviews::list::list_reviews, reviews::add::add_review, reviews::remove::remove_review,
        sign_in::sign_up::sign_up, sign_in::log_in::log_in, sign_in::log_out::log_out, me::get::get_me, me::update::update_me, me::upload_photo::upload_photo,
        sessions::list::list_sessions, sessions::end::end_session, sessions::end_others::end_other_sessions, passwords::change::change_password,
        passwords::request_reset::request_password_reset, passwords::reset::reset_password, verification::get::get_verification, verification::request::request_verification,
        verification::confirm::confirm_address, verification::take_over::take_account_over, verification::delete::delete_unproved_account,
        google::begin::begin_google, google::finish::finish_google, google::finish_by_email::finish_google_by_email, google::begin_link::begin_google_link, google::unlink::unlink_google, google::methods::list_sign_in_methods,
        sessions::issue_token::issue_token, remove::remove_account, list::list_accounts, grant_admin::grant_admin, revoke_admin::revoke_admin, is_admin::is_admin,
        place::place_order, list::list_orders, list_all::list_all_orders, export::export_orders, get::get_order, cancel::cancel_order, timeline::list_order_events,
        ship::ship_order, refund::refund_order,
        settle::settle_payment, open::open_payment,
        attention::list::list_attention, attention::retry_refund::retry_refund, attention::record_bank_transfer::record_bank_transfer, attention::acknowledge_refund::acknowledge_refund,
        attention::acknowledge_dispute::acknowledge_dispute, attention::send_back::send_payment_back,
        profiles::get::get_profile, profiles::fill::fill_profile, profiles::edit::edit_profile,
        newsletter::subscribe_to_newsletter,
        overview::get_overview,
        outbox::list::list_deliveries, outbox::retry::retry_delivery, outbox::retry_all::retry_deliveries,
        subscriptions::add::add_subscription, subscriptions::list::list_subscriptions, subscriptions::remove::remove_subscription, subscriptions::deliveries::list_subscription_deliveries,
        provider_events::stripe,
        confirm_sandbox_payment::confirm_sandbox_payment, google_sandbox::list::list_sandbox_accounts, google_sandbox::choose::choose_sandbox_account, google_sandbox::style::get_sandbox_style,
        shop_info::config, shop_info::live, shop_info::ready, shop_info::metrics, shop_info::openapi,
    ),
    // Schemas that only parameters use are not found automatically.
    components(schemas(words::SortWord, words::StateWord, products::filter::ProductSort, list::UserSort)),
    modifiers(&Credentials, &Names, &Keys),
)]
struct Description;

struct Credentials;

impl Modify for Credentials {
    fn modify(&self, openapi: &mut utoipa::openapi::OpenApi) {
        let components = openapi.components.get_or_insert_with(Default::default);
        let bearer = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).bearer_format("JWT").build();
        components.add_security_scheme("bearer", SecurityScheme::Http(bearer));
        let session = SecurityScheme::ApiKey(ApiKey::Cookie(ApiKeyValue::new(crate::extract::SESSION_COOKIE)));
        components.add_security_scheme("session", session);
    }
}

/// Names every operation by its method and path. The handlers' own names repeat across modules, and an operation id has
/// to be unique (`OpenAPI` 3.1, section 4.8.10).
struct Names;

impl Modify for Names {
    fn modify(&self, openapi: &mut utoipa::openapi::OpenApi) {
        for (path, item) in &mut openapi.paths.paths {
            for (method, operation) in operations(item) {
                operation.operation_id = Some(operation_id(method, path));
            }
        }
    }
}

/// Adds the `Idempotency-Key` parameter to every operation that honours it, according to the route table.
struct Keys;

impl Modify for Keys {
    fn modify(&self, openapi: &mut utoipa::openapi::OpenApi) {
        let rows = rows();
        for (path, item) in &mut openapi.paths.paths {
            for (method, operation) in operations(item) {
                let honours = |row: &RouteSpec| {
                    row.idempotent && row.path == *path && row.method.as_str().eq_ignore_ascii_case(method)
                };
                if rows.iter().any(honours) {
                    let key = ParameterBuilder::new()
                        .name("Idempotency-Key")
                        .parameter_in(ParameterIn::Header)
                        .required(Required::False)
                        .description(Some("The same key again gets the first answer again, and nothing happens twice"))
                        .schema(Some(ObjectBuilder::new().schema_type(Type::String).max_length(Some(KEY_MAX))));
                    operation.parameters.get_or_insert_default().push(key.build().into());
                }
            }
        }
    }
}

fn operations(item: &mut PathItem) -> impl Iterator<Item = (&'static str, &mut Operation)> {
    [
        ("get", &mut item.get),
        ("put", &mut item.put),
        ("post", &mut item.post),
        ("patch", &mut item.patch),
        ("delete", &mut item.delete),
    ]
    .into_iter()
    .filter_map(|(method, operation)| Some((method, operation.as_mut()?)))
}

/// `GET /orders/{id}/events` is `getOrdersByIdEvents`.
fn operation_id(method: &str, path: &str) -> String {
    let mut id = method.to_owned();
    for part in path.split('/') {
        let parameter = part.strip_prefix('{').and_then(|part| part.strip_suffix('}'));
        if parameter.is_some() {
            id.push_str("By");
        }
        for word in parameter.unwrap_or(part).split(['-', '.']) {
            let (first, rest) = word.split_at(word.len().min(1));
            id.push_str(&first.to_uppercase());
            id.push_str(rest);
        }
    }
    id
}

/// The description as JSON (`OpenAPI` 3.1). The output is always the same.
#[must_use]
pub fn openapi() -> String {
    Description::openapi().to_pretty_json().unwrap_or_default()
}

/// The description without the routes that only a demo has.
pub(crate) fn openapi_of_serve() -> String {
    let mut description = Description::openapi();
    let served: Vec<&str> = rows().iter().filter(|row| !row.demo_only).map(|row| row.path).collect();
    description.paths.paths.retain(|path, _| served.contains(&path.as_str()));
    description.to_pretty_json().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::Value;

    use crate::routes::rows;

    #[test]
    fn the_description_has_exactly_the_registered_routes() {
        let described: Value = serde_json::from_str(&super::openapi()).unwrap();
        let described: BTreeSet<String> = described["paths"]
            .as_object()
            .unwrap()
            .iter()
            .flat_map(|(path, methods)| {
                methods.as_object().unwrap().keys().map(move |method| format!("{} {path}", method.to_uppercase()))
            })
            .collect();
        let served: BTreeSet<String> = rows().iter().map(|row| format!("{} {}", row.method, row.path)).collect();
        assert_eq!(described, served);
    }

    #[test]
    fn without_sandboxes_their_routes_are_not_described() {
        let described: Value = serde_json::from_str(&super::openapi_of_serve()).unwrap();
        let paths: BTreeSet<&str> = described["paths"].as_object().unwrap().keys().map(String::as_str).collect();
        let rows = rows();
        assert_eq!(paths, rows.iter().filter(|row| !row.demo_only).map(|row| row.path).collect());
    }

    #[test]
    fn exactly_the_idempotent_operations_document_the_idempotency_key() {
        let described: Value = serde_json::from_str(&super::openapi()).unwrap();
        for row in rows() {
            let parameters = &described["paths"][row.path][row.method.as_str().to_lowercase()]["parameters"];
            let said = parameters.as_array().into_iter().flatten().any(|one| one["name"] == "Idempotency-Key");
            assert_eq!(said, row.idempotent, "{} {}", row.method, row.path);
        }
    }

    #[test]
    fn every_schema_reference_resolves() {
        let described = super::openapi();
        let json: Value = serde_json::from_str(&described).unwrap();
        let schemas = json["components"]["schemas"].as_object().unwrap();
        for reference in described.split("#/components/schemas/").skip(1) {
            let name = reference.split('"').next().unwrap();
            assert!(schemas.contains_key(name), "{name}");
        }
    }

    #[test]
    fn every_operation_id_is_unique() {
        let described: Value = serde_json::from_str(&super::openapi()).unwrap();
        let operations =
            described["paths"].as_object().unwrap().values().flat_map(|item| item.as_object().unwrap().values());
        let ids: Vec<&str> = operations.map(|operation| operation["operationId"].as_str().unwrap()).collect();
        assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len(), "{ids:?}");
        assert!(ids.contains(&"getOrdersByIdEvents") && ids.contains(&"getSandboxGoogleCss"), "{ids:?}");
    }
}
