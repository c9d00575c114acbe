//! Every route: its handler, the permission that its use case requires, and its authentication.
//!
//! The table is the registration: a handler without a row is not served. A row takes its method and path from the
//! handler's annotation, and gives the API's description what follows from the row (see [`crate::openapi`]). What a role
//! may do with a permission is defined in [`domain::Permission::policy`]; a test walks every route times every role.

use std::sync::LazyLock;

use actix_web::web::route;
use domain::Permission;
use utoipa::OpenApi;

use crate::budget::Budget;
use crate::route::{Auth, RouteSpec};
use crate::{
    accounts, audit, baskets, catalog, checkout, delivery, documents, feeds, notifications, orders, pages, payments,
    platform, pricing, tax, vehicles,
};

/// A row: the handler's place, whose first part is its subject, the permission and the authentication.
macro_rules! route {
    ($subject:ident $(:: $part:ident)+, $permission:ident, $auth:ident $(($budget:ident))?) => {{
        #[derive(OpenApi)]
        #[openapi(paths($subject $(:: $part)+))]
        struct Annotated;
        RouteSpec::new(
            stringify!($subject),
            Annotated::openapi(),
            Permission::$permission,
            Auth::$auth $((Budget::$budget))?,
            || route().to($subject $(:: $part)+),
        )
    }};
}

static ROUTES: LazyLock<Vec<RouteSpec>> = LazyLock::new(|| {
    let subjects = [
        catalog(),
        // Before the feeds: `/feeds/google.xml` is none of theirs.
        pages(),
        feeds(),
        delivery(),
        tax(),
        vehicles(),
        vehicle_pages(),
        accounts(),
        sign_in(),
        orders(),
        baskets(),
        documents(),
        payments(),
        pricing(),
        checkouts(),
        notifications(),
        audit(),
        platform(),
    ];
    subjects.into_iter().flatten().collect()
});

/// Every route of the shop, including sandboxes and webhooks. Where two paths match, the first one is served.
pub(crate) fn routes() -> &'static [RouteSpec] {
    &ROUTES
}

fn catalog() -> Vec<RouteSpec> {
    vec![
        route!(catalog::products::list::list_products, Browse, Public(Reading)),
        route!(catalog::products::add::add_product, ManageProducts, Bearer),
        route!(catalog::products::export::export_products, ManageProducts, Bearer),
        route!(catalog::products::import::import_products, ManageProducts, Bearer),
        route!(catalog::parts::facets::get_facets, Browse, Public(Reading)),
        route!(catalog::products::get::get_product, Browse, Public(Reading)),
        route!(catalog::products::restock::restock_product, ManageProducts, Bearer),
        route!(catalog::products::edit::edit_product, ManageProducts, Bearer),
        route!(catalog::products::images::set_product_images, ManageProducts, Bearer),
        route!(catalog::products::archive::archive_product, ManageProducts, Bearer),
        route!(catalog::products::restore::restore_product, ManageProducts, Bearer),
        route!(catalog::products::list_archived::list_archived_products, ManageProducts, Bearer),
        route!(catalog::parts::numbers::list_part_numbers, Browse, Public(Reading)),
        route!(catalog::parts::numbers::set_part_numbers, ManageProducts, Bearer),
        route!(catalog::fitments::fit::get_fit, Browse, Public(Reading)),
        route!(catalog::fitments::vehicles::list_fitting_vehicles, Browse, Public(Reading)),
        route!(catalog::fitments::by_hand::list_fitments, ManageProducts, Bearer),
        route!(catalog::fitments::set::set_fitments, ManageProducts, Bearer),
        route!(catalog::fitments::coverage::get_fitment_coverage, ManageProducts, Bearer),
        route!(catalog::parts::numbers::find_by_number, Browse, Public(Reading)),
        route!(catalog::parts::brands::list_brands, Browse, Public(Reading)),
        route!(catalog::parts::brands::add_brand, ManageProducts, Bearer),
        route!(catalog::parts::brands::rename_brand, ManageProducts, Bearer),
        route!(catalog::parts::brands::remove_brand, ManageProducts, Bearer),
        route!(catalog::parts::part_types::list_part_types, Browse, Public(Reading)),
        route!(catalog::parts::part_types::add_part_type, ManageProducts, Bearer),
        route!(catalog::parts::part_types::edit_part_type, ManageProducts, Bearer),
        route!(catalog::parts::part_types::remove_part_type, ManageProducts, Bearer),
        route!(catalog::parts::synonyms::list_synonyms, ManageProducts, Bearer),
        route!(catalog::parts::synonyms::add_synonym, ManageProducts, Bearer),
        route!(catalog::parts::synonyms::edit_synonym, ManageProducts, Bearer),
        route!(catalog::parts::synonyms::remove_synonym, ManageProducts, Bearer),
        route!(catalog::stock::correct::correct_stock, ManageProducts, Bearer),
        route!(catalog::stock::history::get_stock_history, ManageProducts, Bearer),
        route!(catalog::images::upload::upload_image, ManageProducts, Bearer),
        route!(catalog::images::get::get_image, Browse, Public(Reading)),
        route!(catalog::reviews::list::list_reviews, Browse, Public(Reading)),
        route!(catalog::reviews::of_part::list_reviews_of_product, Browse, Public(Reading)),
        route!(catalog::reviews::add::add_review, WriteReview, Bearer),
        route!(catalog::reviews::list_hidden::list_hidden_reviews, ModerateReviews, Bearer),
        route!(catalog::reviews::remove::remove_review, ModerateReviews, Bearer),
        route!(catalog::reviews::restore::restore_review, ModerateReviews, Bearer),
    ]
}

fn feeds() -> Vec<RouteSpec> {
    vec![
        route!(feeds::send::send_feed, ManageProducts, Bearer),
        route!(feeds::list::list_feeds, ManageProducts, Bearer),
        route!(feeds::samples::get_feed_sample, Browse, Public(Reading)),
        route!(feeds::findings::export_feed_findings, ManageProducts, Bearer),
        route!(feeds::apply::apply_feed, ManageProducts, Bearer),
        route!(feeds::get::get_feed, ManageProducts, Bearer),
        route!(feeds::cancel::cancel_feed, ManageProducts, Bearer),
    ]
}

fn delivery() -> Vec<RouteSpec> {
    vec![
        route!(delivery::shipping_methods::list_shipping_methods, ManageProducts, Bearer),
        route!(delivery::shipping_methods::add_shipping_method, ManageProducts, Bearer),
        route!(delivery::unweighed::list_unweighed_products, ManageProducts, Bearer),
        route!(delivery::shipping_methods::edit_shipping_method, ManageProducts, Bearer),
        route!(delivery::shipping_methods::remove_shipping_method, ManageProducts, Bearer),
        route!(delivery::countries::list_countries, Browse, Public(Reading)),
        route!(delivery::addresses::list_addresses, KeepAddresses, Bearer),
        route!(delivery::addresses::list_addresses_of, ListAccounts, Bearer),
        route!(delivery::addresses::add_address, KeepAddresses, Bearer),
        route!(delivery::addresses::edit_address, KeepAddresses, Bearer),
        route!(delivery::addresses::remove_address, KeepAddresses, Bearer),
    ]
}

fn tax() -> Vec<RouteSpec> {
    vec![
        route!(tax::rates::list_tax_rates, ManageProducts, Bearer),
        route!(tax::rates::add_tax_rate, ManageProducts, Bearer),
        route!(tax::import::import_tax_rates, ManageProducts, Bearer),
        route!(tax::samples::get_eu_tax_rates, Browse, Public(Reading)),
        route!(tax::rates::edit_tax_rate, ManageProducts, Bearer),
        route!(tax::rates::remove_tax_rate, ManageProducts, Bearer),
        route!(tax::exemptions::list_exemptions, ManageProducts, Bearer),
        route!(tax::exemptions::add_exemption, ManageProducts, Bearer),
        route!(tax::exemptions::remove_exemption, ManageProducts, Bearer),
    ]
}

fn vehicles() -> Vec<RouteSpec> {
    vec![
        route!(vehicles::find::find_vehicles, Browse, Public(Reading)),
        route!(vehicles::years::list_vehicle_years, Browse, Public(Reading)),
        route!(vehicles::makes::list_vehicle_makes, Browse, Public(Reading)),
        route!(vehicles::models::list_vehicle_models, Browse, Public(Reading)),
        route!(vehicles::engines::list_vehicle_engines, Browse, Public(Reading)),
        route!(vehicles::vin::decode_vin, Browse, Public(Vin)),
    ]
}

fn checkouts() -> Vec<RouteSpec> {
    vec![
        route!(checkout::place::place_checkout, PlaceOrder, Bearer).keeping_key(),
        route!(checkout::check::check_checkout, PlaceOrder, Bearer).repeatable(),
        route!(checkout::list::list_checkouts, ListOrdersOf, Bearer),
        route!(checkout::list::list_all_checkouts, ListAllOrders, Bearer),
        route!(checkout::export::export_checkouts, ListAllOrders, Bearer),
        route!(checkout::get::get_checkout, ReadOrder, Bearer),
        route!(checkout::cancel::cancel_checkout, CancelOrder, Bearer),
        route!(checkout::settle::settle_checkout, PayOrder, Bearer),
        route!(checkout::freight::set_checkout_freight, ShipOrder, Bearer),
    ]
}

fn pricing() -> Vec<RouteSpec> {
    vec![
        route!(pricing::quote::quote_prices, PlaceOrder, Bearer).repeatable(),
        route!(pricing::tiers::set_product_tiers, ManageProducts, Bearer),
        route!(pricing::lists::list_price_lists, ManageProducts, Bearer),
        route!(pricing::lists::add_price_list, ManageProducts, Bearer),
        route!(pricing::lists::edit_price_list, ManageProducts, Bearer),
        route!(pricing::lists::remove_price_list, ManageProducts, Bearer),
        route!(pricing::of_list::list_prices_of_list, ManageProducts, Bearer),
        route!(pricing::of_list::set_prices_of_list, ManageProducts, Bearer),
        route!(pricing::of_list::list_accounts_of_list, ManageProducts, Bearer),
        route!(pricing::of_list::set_accounts_of_list, ManageProducts, Bearer),
    ]
}

/// What everybody may read, and the files by which search engines find it.
fn pages() -> Vec<RouteSpec> {
    vec![
        route!(pages::part::get_part_page, Browse, Public(Reading)),
        route!(pages::category::get_category_page, Browse, Public(Reading)),
        route!(pages::sitemap::get_sitemap, Browse, Public(Reading)),
        route!(pages::sitemap::get_sitemap_part, Browse, Public(Reading)),
        route!(pages::feed::get_merchant_feed, Browse, Public(Reading)),
        route!(pages::robots::get_robots, Browse, Public(Reading)),
        route!(pages::security_txt::get_security_txt, Browse, Public(Reading)),
    ]
}

/// After the routes of vehicles, whose names are not taken for makes.
fn vehicle_pages() -> Vec<RouteSpec> {
    vec![
        route!(pages::vehicle::get_make_page, Browse, Public(Reading)),
        route!(pages::vehicle::get_model_page, Browse, Public(Reading)),
        route!(pages::vehicle::get_vehicle_page, Browse, Public(Reading)),
    ]
}

/// The routes to other accounts than one's own, to profiles, to garages and to the newsletter.
fn accounts() -> Vec<RouteSpec> {
    vec![
        route!(accounts::sessions::issue_token::issue_token, UseOwnSession, Session),
        route!(accounts::remove::remove_account, ManageAccounts, Bearer).by_fresh_factors(),
        route!(accounts::list::list_accounts, ListAccounts, Bearer),
        route!(accounts::customer::get_customer, ListAccounts, Bearer),
        route!(accounts::grant_admin::grant_admin, ManageAccounts, Bearer).by_fresh_factors(),
        route!(accounts::revoke_admin::revoke_admin, ManageAccounts, Bearer).by_fresh_factors(),
        route!(accounts::is_admin::is_admin, ReadRole, Bearer),
        route!(accounts::profiles::get::get_profile, KeepProfile, Bearer),
        route!(accounts::profiles::fill::fill_profile, KeepProfile, Bearer),
        route!(accounts::profiles::edit::edit_profile, KeepProfile, Bearer),
        route!(accounts::garage::list::list_garage, KeepGarage, Bearer),
        route!(accounts::garage::add::add_garage_vehicle, KeepGarage, Bearer),
        route!(accounts::garage::merge::merge_garage, KeepGarage, Bearer),
        route!(accounts::garage::edit::edit_garage_vehicle, KeepGarage, Bearer),
        route!(accounts::garage::remove::remove_garage_vehicle, KeepGarage, Bearer),
        route!(accounts::newsletter::subscribe_to_newsletter, Public, Public(Row)),
        route!(accounts::newsletter::unsubscribe_from_newsletter, Public, Public(Row)),
    ]
}

/// The routes to sign in, and to manage one's own account.
fn sign_in() -> Vec<RouteSpec> {
    vec![
        route!(accounts::sign_in::sign_up::sign_up, Public, Public(Email)),
        // A repetition could change nothing twice but the session, and a call with an idempotency key runs to its end
        // even after a client that tries passwords has disconnected.
        route!(accounts::sign_in::log_in::log_in, Public, Public(Hash)).repeatable(),
        route!(accounts::sign_in::log_out::log_out, Public, Public(Change)),
        route!(accounts::me::get::get_me, UseOwnSession, Session).by_first_factor(),
        route!(accounts::me::update::update_me, UseOwnSession, Session),
        route!(accounts::me::upload_photo::upload_photo, UseOwnSession, Session),
        route!(accounts::sessions::list::list_sessions, UseOwnSession, Session),
        route!(accounts::sessions::end_others::end_other_sessions, UseOwnSession, Session),
        route!(accounts::sessions::end::end_session, UseOwnSession, Session),
        route!(accounts::passwords::change::change_password, UseOwnSession, Session),
        route!(accounts::passwords::request_reset::request_password_reset, Public, Public(Email)),
        route!(accounts::passwords::reset::reset_password, Public, Public(Secret)),
        route!(accounts::verification::get::get_verification, UseOwnSession, Session),
        route!(accounts::verification::request::request_verification, UseOwnSession, Session),
        route!(accounts::verification::confirm::confirm_address, Public, Public(Hash)),
        route!(accounts::verification::take_over::take_account_over, Public, Public(Secret)),
        route!(accounts::verification::delete::delete_unproved_account, Public, Public(Secret)),
        route!(accounts::two_step::get::get_second_factor, UseOwnSession, Session).by_first_factor(),
        // None of these remembers its answer: it would be a secret.
        route!(accounts::two_step::app::begin_app, UseOwnSession, Session).repeatable(),
        route!(accounts::two_step::app::confirm_app, UseOwnSession, Session).repeatable(),
        route!(accounts::two_step::app::remove_app, UseOwnSession, Session),
        route!(accounts::two_step::passkeys::begin_passkey, UseOwnSession, Session).repeatable(),
        route!(accounts::two_step::passkeys::add_passkey, UseOwnSession, Session).repeatable(),
        route!(accounts::two_step::passkeys::remove_passkey, UseOwnSession, Session),
        route!(accounts::two_step::recovery_codes::renew_recovery_codes, UseOwnSession, Session).repeatable(),
        route!(accounts::two_step::proof::prove_by_code, UseOwnSession, Session).proving(),
        route!(accounts::two_step::proof::begin_proof_by_passkey, UseOwnSession, Session).proving(),
        route!(accounts::two_step::proof::prove_by_passkey, UseOwnSession, Session).proving(),
        route!(accounts::google::methods::list_sign_in_methods, UseOwnSession, Session),
        route!(accounts::google::begin_link::begin_google_link, UseOwnSession, Session),
        route!(accounts::google::unlink::unlink_google, UseOwnSession, Session),
        route!(accounts::google::finish_by_email::finish_google_by_email, Public, Public(Secret)),
        route!(accounts::google::begin::begin_google, Public, Public(Provider)),
        route!(accounts::google::finish::finish_google, Public, Public(Provider)),
        route!(accounts::google_sandbox::list::list_sandbox_accounts, Public, Public(Reading)).in_demo_only(),
        route!(accounts::google_sandbox::choose::choose_sandbox_account, Public, Public(Change)).in_demo_only(),
        route!(accounts::google_sandbox::style::get_sandbox_style, Browse, Public(Reading)).in_demo_only(),
    ]
}

fn orders() -> Vec<RouteSpec> {
    vec![
        route!(orders::place::place_order, PlaceOrder, Bearer).keeping_key(),
        route!(orders::list::list_orders, ListOrdersOf, Bearer),
        route!(orders::list_all::list_all_orders, ListAllOrders, Bearer),
        route!(orders::export::export_orders, ListAllOrders, Bearer),
        route!(orders::overview::get_overview, ListAllOrders, Bearer),
        route!(orders::overview_top::get_top_sales, ListAllOrders, Bearer),
        route!(orders::overview_export::export_sales, ListAllOrders, Bearer),
        route!(orders::overview_payments::get_payment_figures, ListAllOrders, Bearer),
        route!(orders::counts::count_orders, ListAllOrders, Bearer),
        route!(orders::get::get_order, ReadOrder, Bearer),
        route!(orders::notes::of_order::list_order_notes, KeepNotes, Bearer),
        route!(orders::notes::add_to_order::add_order_note, KeepNotes, Bearer),
        route!(orders::notes::of_customer::list_customer_notes, KeepNotes, Bearer),
        route!(orders::notes::add_to_customer::add_customer_note, KeepNotes, Bearer),
        route!(orders::notes::remove::remove_note, KeepNotes, Bearer),
        route!(orders::cancel::cancel_order, CancelOrder, Bearer),
        route!(orders::timeline::list_order_events, ReadOrder, Bearer),
        route!(orders::ship::ship_order, ShipOrder, Bearer),
        route!(orders::shipments::of_order::list_shipments, ReadOrder, Bearer),
        route!(orders::shipments::send::send_shipment, ShipOrder, Bearer),
        route!(orders::refund::refund_order, RefundOrder, Bearer).by_fresh_factors(),
        route!(orders::returns::of_order::list_order_returns, ReadOrder, Bearer),
        route!(orders::returns::request::request_return, RequestReturn, Bearer),
        route!(orders::returns::accept::accept_return, DecideReturn, Bearer).by_fresh_factors(),
        route!(orders::returns::decline::decline_return, DecideReturn, Bearer),
    ]
}

/// What is about to be ordered. Checks change nothing, so that a repetition does no harm.
fn baskets() -> Vec<RouteSpec> {
    vec![
        route!(baskets::quick_order::check_quick_order, KeepBasket, Bearer).repeatable(),
        route!(baskets::cart::get::get_cart, KeepBasket, Bearer),
        route!(baskets::cart::put::put_cart, KeepBasket, Bearer),
        route!(baskets::cart::merge::merge_cart, KeepBasket, Bearer),
        route!(baskets::lists::list::list_lists, KeepBasket, Bearer),
        route!(baskets::lists::add::add_list, KeepBasket, Bearer),
        route!(baskets::lists::get::get_list, KeepBasket, Bearer),
        route!(baskets::lists::edit::edit_list, KeepBasket, Bearer),
        route!(baskets::lists::remove::remove_list, KeepBasket, Bearer),
        route!(baskets::lists::check::check_list, KeepBasket, Bearer).repeatable(),
        route!(baskets::reorder::reorder_order, KeepBasket, Bearer).repeatable(),
        route!(baskets::reorder::reorder_checkout, KeepBasket, Bearer).repeatable(),
    ]
}

fn documents() -> Vec<RouteSpec> {
    vec![
        route!(documents::invoices::list::list_invoices, ListOrdersOf, Bearer),
        // Before the document without an ending, whose id would take it.
        route!(documents::invoices::pdf::get_invoice_pdf, ReadOrder, Bearer),
        route!(documents::invoices::xml::get_invoice_xml, ReadOrder, Bearer),
        route!(documents::invoices::get::get_invoice, ReadOrder, Bearer),
        route!(documents::of_order::get_order_packing_slip, ReadOrder, Bearer),
        route!(documents::of_order::get_order_confirmation, ReadOrder, Bearer),
        route!(documents::of_checkout::get_checkout_packing_slip, ReadOrder, Bearer),
        route!(documents::of_checkout::get_packing_slips, ListAllOrders, Bearer),
        route!(documents::of_checkout::get_checkout_confirmation, ReadOrder, Bearer),
        route!(documents::seller::get_seller, ManageProducts, Bearer),
        route!(documents::seller::set_seller, ManageProducts, Bearer),
    ]
}

fn payments() -> Vec<RouteSpec> {
    vec![
        route!(payments::open::open_payment, PayOrder, Bearer),
        route!(payments::settle::settle_payment, PayOrder, Bearer),
        route!(payments::attention::list::list_attention, ManagePayments, Bearer),
        route!(payments::attention::retry_refund::retry_refund, ManagePayments, Bearer).by_fresh_factors(),
        route!(payments::attention::record_bank_transfer::record_bank_transfer, ManagePayments, Bearer)
            .by_fresh_factors(),
        route!(payments::attention::acknowledge_refund::acknowledge_refund, ManagePayments, Bearer),
        route!(payments::attention::acknowledge_dispute::acknowledge_dispute, ManagePayments, Bearer),
        route!(payments::attention::send_back::send_payment_back, ManagePayments, Bearer).by_fresh_factors(),
        // The use case recognises repeated event ids itself; providers send no key.
        route!(payments::provider_events::receive_event, Public, Public(Secret)).repeatable(),
        route!(payments::confirm_sandbox_payment::confirm_sandbox_payment, Public, Public(Change)).in_demo_only(),
    ]
}

fn notifications() -> Vec<RouteSpec> {
    vec![
        route!(notifications::outbox::list::list_deliveries, ManageDeliveries, Bearer),
        // With it a subscription that was stopped hears of everything again.
        route!(notifications::outbox::retry_all::retry_deliveries, ManageDeliveries, Bearer).by_fresh_factors(),
        route!(notifications::outbox::retry::retry_delivery, ManageDeliveries, Bearer),
        route!(notifications::subscriptions::add::add_subscription, ManageDeliveries, Bearer).by_fresh_factors(),
        route!(notifications::subscriptions::list::list_subscriptions, ManageDeliveries, Bearer),
        route!(notifications::subscriptions::remove::remove_subscription, ManageDeliveries, Bearer).by_fresh_factors(),
        route!(notifications::subscriptions::deliveries::list_subscription_deliveries, ManageDeliveries, Bearer),
    ]
}

/// What admins changed.
fn audit() -> Vec<RouteSpec> {
    vec![
        route!(audit::list::list_audit_entries, ReadAudit, Bearer),
        route!(audit::export::export_audit, ReadAudit, Bearer),
        route!(audit::head::get_audit_head, ReadAudit, Bearer),
    ]
}

fn platform() -> Vec<RouteSpec> {
    vec![
        route!(platform::config::get_config, Browse, Public(Reading)),
        // A browser that leaves the page sends no key, and a defect that is counted twice does no harm.
        route!(platform::client_errors::report_client_error, Browse, Public(LogLine)).repeatable(),
        route!(platform::health::get_liveness, Browse, Public(Reading)),
        route!(platform::health::get_readiness, Browse, Public(Reading)),
        route!(platform::metrics::get_metrics, Browse, Public(Reading)).in_demo_only(),
        route!(platform::api_description::get_api_description, Browse, Public(Reading)),
    ]
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use actix_web::http::Method;
    use application::Assurance;
    use domain::accounts::access::Grant;

    use super::*;

    #[test]
    fn exactly_what_a_visitor_may_not_do_requires_authentication() {
        for route in routes() {
            let closed = route.permission.policy().visitor == Grant::SignIn;
            assert_eq!(closed, !route.is_public(), "{} {}", route.method, route.path);
        }
    }

    #[test]
    fn the_session_cookie_authenticates_only_session_and_token_routes() {
        for route in routes().iter().filter(|route| route.auth == Auth::Session) {
            let allowed =
                route.path.starts_with("/auth/") || (route.method == Method::PUT && route.path == "/user/{email}");
            assert!(allowed, "{} {}", route.method, route.path);
        }
    }

    #[test]
    fn only_sandboxes_and_metrics_are_demo_only() {
        let left_out: Vec<&str> =
            routes().iter().filter(|route| route.demo_only).map(|route| route.path.as_str()).collect();
        assert!(left_out.iter().all(|path| path.starts_with("/sandbox/") || *path == "/metrics"), "{left_out:?}");
        assert!(routes().iter().all(|route| route.demo_only || !route.path.starts_with("/sandbox/")));
    }

    #[test]
    fn no_route_is_registered_twice() {
        for (n, route) in routes().iter().enumerate() {
            let same = |other: &RouteSpec| other.method == route.method && other.path == route.path;
            assert!(!routes()[..n].iter().any(same), "{} {}", route.method, route.path);
        }
    }

    #[test]
    fn every_route_has_a_path() {
        assert!(routes().iter().all(|route| route.path.starts_with('/')));
    }

    fn with(assurance: Assurance) -> BTreeSet<String> {
        routes().iter().filter(|route| route.assurance == assurance).map(RouteSpec::name).collect()
    }

    fn names(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn what_a_session_may_do_before_its_second_factor() {
        let open = ["getMe", "getSecondFactor", "proveByCode", "beginProofByPasskey", "proveByPasskey"];
        assert_eq!(with(Assurance::FirstFactor), names(&open));
    }

    #[test]
    fn what_asks_for_a_fresh_second_factor() {
        let roles = ["grantAdmin", "revokeAdmin", "removeAccount"];
        let money_back = ["refundOrder", "acceptReturn", "retryRefund", "recordBankTransfer", "sendPaymentBack"];
        let webhooks = ["addSubscription", "removeSubscription", "retryDeliveries"];
        let exports =
            ["exportProducts", "exportFeedFindings", "exportCheckouts", "exportOrders", "exportSales", "exportAudit"];
        let all = [&roles[..], &money_back, &webhooks, &exports].concat();
        assert_eq!(with(Assurance::FreshFactors), names(&all));
    }

    #[test]
    fn every_budget_is_used_and_only_reads_are_mere_reading() {
        for route in routes() {
            let reads = route.method == Method::GET;
            assert!(reads || route.budget() != Some(Budget::Reading), "{} {}", route.method, route.path);
        }
        for budget in Budget::ALL {
            assert!(routes().iter().any(|route| route.budget() == Some(budget)), "{budget:?}");
        }
    }
}
