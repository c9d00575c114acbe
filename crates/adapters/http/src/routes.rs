//! Every route, its authentication, and the permission that its use case requires.
//!
//! The table is the registration: a route without an entry is not served. What a role may do with a permission is
//! defined in [`domain::Permission::policy`]; a test walks every entry times every role.

use actix_web::Route;
use actix_web::http::Method;
use actix_web::web::route;
use domain::Permission;

use crate::accounts::{
    google, google_sandbox, grant_admin, is_admin, list, me, newsletter, passwords, profiles, remove, revoke_admin,
    sessions, sign_in, verification,
};
use crate::catalog::{images, products, reviews, stock};
use crate::notifications::{outbox, subscriptions};
use crate::orders::{cancel, export, list, list_all, overview, place, refund, ship, show, timeline};
use crate::payments::{attention, confirm_test_card, open, provider_events, settle};
use crate::platform::shop_info;

/// What a request has to present before its handler runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Auth {
    /// Nothing. A bearer token is ignored, even an invalid one.
    Public,
    /// An access token, as `Authorization: Bearer`.
    Bearer,
    /// The session cookie.
    Session,
}

pub struct RouteSpec {
    /// The method; a `GET` also answers `HEAD`.
    pub method: Method,
    /// The path's pattern.
    pub path: &'static str,
    /// The permission that its use case requires.
    pub permission: Permission,
    pub auth: Auth,
    /// Whether an `Idempotency-Key` is honoured: a repeated call could change something twice.
    pub idempotent: bool,
    /// Whether it exists in a demo only: a sandbox, or something that the public has no use for.
    pub demo_only: bool,
    pub(crate) handler: fn() -> Route,
}

impl RouteSpec {
    fn new(method: Method, path: &'static str, permission: Permission, auth: Auth, handler: fn() -> Route) -> Self {
        let idempotent = matches!(method, Method::POST | Method::PUT | Method::PATCH);
        Self { method, path, permission, auth, idempotent, demo_only: false, handler }
    }

    fn in_demo_only(self) -> Self {
        Self { demo_only: true, ..self }
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

/// Every route of the shop, including sandboxes and webhooks.
#[must_use]
pub fn rows() -> Vec<RouteSpec> {
    use Auth::{Bearer, Public, Session};
    use Permission as May;
    const GET: Method = Method::GET;
    const POST: Method = Method::POST;
    const PUT: Method = Method::PUT;
    const PATCH: Method = Method::PATCH;
    const DELETE: Method = Method::DELETE;
    let row = RouteSpec::new;
    let mut rows = vec![
        row(GET, "/products", May::Browse, Public, || route().to(products::list::list_products)),
        row(POST, "/products", May::ManageProducts, Bearer, || route().to(products::add::add_product)),
        row(GET, "/products.csv", May::ManageProducts, Bearer, || route().to(products::export::export_products)),
        row(POST, "/products.csv", May::ManageProducts, Bearer, || route().to(products::import::import_products)),
        row(GET, "/products/{id}", May::Browse, Public, || route().to(products::get::get_product)),
        row(PUT, "/products/{id}", May::ManageProducts, Bearer, || route().to(products::restock::restock_product)),
        row(DELETE, "/products/{id}", May::ManageProducts, Bearer, || route().to(products::archive::archive_product)),
        row(POST, "/products/{id}/stock-corrections", May::ManageProducts, Bearer, || {
            route().to(stock::correct::correct_stock)
        }),
        row(GET, "/products/{id}/stock-history", May::ManageProducts, Bearer, || {
            route().to(stock::history::get_stock_history)
        }),
        row(POST, "/images", May::ManageProducts, Bearer, || route().to(images::upload::upload_image)),
        row(GET, "/images/{name}", May::Browse, Public, || route().to(images::get::get_image)),
        row(GET, "/reviews", May::Browse, Public, || route().to(reviews::list::list_reviews)),
        row(POST, "/reviews", May::WriteReview, Bearer, || route().to(reviews::add::add_review)),
        row(DELETE, "/reviews/{id}", May::ModerateReviews, Bearer, || route().to(reviews::remove::remove_review)),
        row(PUT, "/user/{email}", May::UseOwnSession, Session, || route().to(sessions::issue_token::issue_token)),
        row(DELETE, "/user/{email}", May::ManageAccounts, Bearer, || route().to(remove::remove_account)),
        row(GET, "/user", May::ListAccounts, Bearer, || route().to(list::list_accounts)),
        row(PUT, "/user/admin/{email}", May::ManageAccounts, Bearer, || route().to(grant_admin::grant_admin)),
        row(DELETE, "/user/admin/{email}", May::ManageAccounts, Bearer, || route().to(revoke_admin::revoke_admin)),
        row(GET, "/admin/{email}", May::ReadRole, Bearer, || route().to(is_admin::is_admin)),
        row(POST, "/orders", May::PlaceOrder, Bearer, || route().to(place::place_order)),
        row(GET, "/orders", May::ListOrdersOf, Bearer, || route().to(list::list_orders)),
        row(GET, "/allOrders", May::ListAllOrders, Bearer, || route().to(list_all::list_all_orders)),
        row(GET, "/allOrders.csv", May::ListAllOrders, Bearer, || route().to(export::export_orders)),
        row(GET, "/overview", May::ListAllOrders, Bearer, || route().to(overview::get_overview)),
        row(GET, "/orders/{id}", May::ReadOrder, Bearer, || route().to(get::get_order)),
        row(PATCH, "/orders/{id}", May::PayOrder, Bearer, || route().to(settle::settle_payment)),
        row(DELETE, "/orders/{id}", May::CancelOrder, Bearer, || route().to(cancel::cancel_order)),
        row(GET, "/orders/{id}/events", May::ReadOrder, Bearer, || route().to(timeline::list_order_events)),
        row(PUT, "/orders/status/{id}", May::ShipOrder, Bearer, || route().to(ship::ship_order)),
        row(POST, "/orders/{id}/refund", May::RefundOrder, Bearer, || route().to(refund::refund_order)),
        row(GET, "/attention", May::ManagePayments, Bearer, || route().to(attention::list::list_attention)),
        row(POST, "/attention/refunds/{id}/retry", May::ManagePayments, Bearer, || {
            route().to(attention::retry_refund::retry_refund)
        }),
        row(POST, "/attention/refunds/{id}/bank-transfer", May::ManagePayments, Bearer, || {
            route().to(attention::record_bank_transfer::record_bank_transfer)
        }),
        row(POST, "/attention/refunds/{id}/acknowledge", May::ManagePayments, Bearer, || {
            route().to(attention::acknowledge_refund::acknowledge_refund)
        }),
        row(POST, "/attention/disputes/{id}/acknowledge", May::ManagePayments, Bearer, || {
            route().to(attention::acknowledge_dispute::acknowledge_dispute)
        }),
        row(POST, "/attention/payments/{id}/send-back", May::ManagePayments, Bearer, || {
            route().to(attention::send_back::send_payment_back)
        }),
        row(GET, "/outbox", May::ManageDeliveries, Bearer, || route().to(outbox::list::list_deliveries)),
        row(POST, "/outbox/retry", May::ManageDeliveries, Bearer, || route().to(outbox::retry_all::retry_deliveries)),
        row(POST, "/outbox/{id}/retry", May::ManageDeliveries, Bearer, || route().to(outbox::retry::retry_delivery)),
        row(POST, "/webhook-endpoints", May::ManageDeliveries, Bearer, || {
            route().to(subscriptions::add::add_subscription)
        }),
        row(GET, "/webhook-endpoints", May::ManageDeliveries, Bearer, || {
            route().to(subscriptions::list::list_subscriptions)
        }),
        row(DELETE, "/webhook-endpoints/{id}", May::ManageDeliveries, Bearer, || {
            route().to(subscriptions::remove::remove_subscription)
        }),
        row(GET, "/webhook-endpoints/{id}/deliveries", May::ManageDeliveries, Bearer, || {
            route().to(subscriptions::deliveries::list_subscription_deliveries)
        }),
        row(POST, "/create-payment-intent", May::PayOrder, Bearer, || route().to(open::open_payment)),
        row(GET, "/info", May::KeepProfile, Bearer, || route().to(profiles::get::get_profile)),
        row(POST, "/info", May::KeepProfile, Bearer, || route().to(profiles::fill::fill_profile)),
        row(PUT, "/info", May::KeepProfile, Bearer, || route().to(profiles::edit::edit_profile)),
        row(POST, "/newsletter", May::Public, Public, || route().to(newsletter::subscribe_to_newsletter)),
        // The use case recognises repeated event ids itself; Stripe sends no key.
        RouteSpec {
            idempotent: false,
            ..row(POST, "/webhooks/stripe", May::Public, Public, || route().to(provider_events::stripe))
        },
        row(POST, "/sandbox/payment-intents/confirm", May::Public, Public, || {
            route().to(confirm_sandbox_payment::confirm_sandbox_payment)
        })
        .in_demo_only(),
        row(GET, "/sandbox/google", May::Public, Public, || route().to(google_sandbox::list::list_sandbox_accounts))
            .in_demo_only(),
        row(GET, "/sandbox/google/continue", May::Public, Public, || {
            route().to(google_sandbox::choose::choose_sandbox_account)
        })
        .in_demo_only(),
        row(GET, "/sandbox/google.css", May::Browse, Public, || route().to(google_sandbox::style::get_sandbox_style))
            .in_demo_only(),
        row(GET, "/config", May::Browse, Public, || route().to(shop_info::config)),
        row(GET, "/health/live", May::Browse, Public, || route().to(shop_info::live)),
        row(GET, "/health/ready", May::Browse, Public, || route().to(shop_info::ready)),
        row(GET, "/metrics", May::Browse, Public, || route().to(shop_info::metrics)).in_demo_only(),
        row(GET, "/openapi.json", May::Browse, Public, || route().to(shop_info::openapi)),
    ];
    rows.extend(sign_in_rows());
    rows
}

/// The routes to sign in, and to manage one's own account.
fn sign_in_rows() -> Vec<RouteSpec> {
    use Auth::{Public, Session};
    use Permission as May;
    const GET: Method = Method::GET;
    const POST: Method = Method::POST;
    const PATCH: Method = Method::PATCH;
    const DELETE: Method = Method::DELETE;
    let row = RouteSpec::new;
    vec![
        row(POST, "/auth/signup", May::Public, Public, || route().to(sign_in::sign_up::sign_up)),
        // A repetition could change nothing twice but the session, and a call with an idempotency key runs to its end
        // even after a client that tries passwords has disconnected.
        RouteSpec {
            idempotent: false,
            ..row(POST, "/auth/login", May::Public, Public, || route().to(sign_in::log_in::log_in))
        },
        row(POST, "/auth/logout", May::Public, Public, || route().to(sign_in::log_out::log_out)),
        row(GET, "/auth/me", May::UseOwnSession, Session, || route().to(me::get::get_me)),
        row(PATCH, "/auth/me", May::UseOwnSession, Session, || route().to(me::update::update_me)),
        row(POST, "/auth/me/photo", May::UseOwnSession, Session, || route().to(me::upload_photo::upload_photo)),
        row(GET, "/auth/sessions", May::UseOwnSession, Session, || route().to(sessions::list::list_sessions)),
        row(DELETE, "/auth/sessions", May::UseOwnSession, Session, || {
            route().to(sessions::end_others::end_other_sessions)
        }),
        row(DELETE, "/auth/sessions/{id}", May::UseOwnSession, Session, || route().to(sessions::end::end_session)),
        row(POST, "/auth/password/change", May::UseOwnSession, Session, || {
            route().to(passwords::change::change_password)
        }),
        row(POST, "/auth/password/forgot", May::Public, Public, || {
            route().to(passwords::request_reset::request_password_reset)
        }),
        row(POST, "/auth/password/reset", May::Public, Public, || route().to(passwords::reset::reset_password)),
        row(GET, "/auth/verification", May::UseOwnSession, Session, || route().to(verification::get::get_verification)),
        row(POST, "/auth/verification", May::UseOwnSession, Session, || {
            route().to(verification::request::request_verification)
        }),
        row(POST, "/auth/verification/confirm", May::Public, Public, || {
            route().to(verification::confirm::confirm_address)
        }),
        row(POST, "/auth/verification/take-over", May::Public, Public, || {
            route().to(verification::take_over::take_account_over)
        }),
        row(POST, "/auth/verification/delete", May::Public, Public, || {
            route().to(verification::delete::delete_unproved_account)
        }),
        row(GET, "/auth/sign-in-methods", May::UseOwnSession, Session, || {
            route().to(google::methods::list_sign_in_methods)
        }),
        row(POST, "/auth/google/link", May::UseOwnSession, Session, || {
            route().to(google::begin_link::begin_google_link)
        }),
        row(DELETE, "/auth/google/link", May::UseOwnSession, Session, || route().to(google::unlink::unlink_google)),
        row(POST, "/auth/google/finish", May::Public, Public, || {
            route().to(google::finish_by_email::finish_google_by_email)
        }),
        row(GET, "/auth/google", May::Public, Public, || route().to(google::begin::begin_google)),
        row(GET, "/auth/google/callback", May::Public, Public, || route().to(google::finish::finish_google)),
    ]
}

#[cfg(test)]
mod tests {
    use domain::accounts::access::Grant;

    use super::*;

    #[test]
    fn exactly_what_a_visitor_may_not_do_requires_authentication() {
        for row in rows() {
            let closed = row.permission.policy().visitor == Grant::SignIn;
            assert_eq!(closed, row.auth != Auth::Public, "{} {}", row.method, row.path);
        }
    }

    #[test]
    fn the_session_cookie_authenticates_only_session_and_token_routes() {
        for row in rows().iter().filter(|row| row.auth == Auth::Session) {
            let allowed = row.path.starts_with("/auth/") || (row.method == Method::PUT && row.path == "/user/{email}");
            assert!(allowed, "{} {}", row.method, row.path);
        }
    }

    #[test]
    fn only_sandboxes_and_metrics_are_demo_only() {
        let left_out: Vec<&str> = rows().iter().filter(|row| row.demo_only).map(|row| row.path).collect();
        assert!(left_out.iter().all(|path| path.starts_with("/sandbox/") || *path == "/metrics"), "{left_out:?}");
        assert!(rows().iter().all(|row| row.demo_only || !row.path.starts_with("/sandbox/")));
    }

    #[test]
    fn no_route_is_registered_twice() {
        let rows = rows();
        for (n, row) in rows.iter().enumerate() {
            assert!(
                !rows[..n].iter().any(|other| other.method == row.method && other.path == row.path),
                "{}",
                row.path
            );
        }
    }
}
