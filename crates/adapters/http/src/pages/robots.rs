//! `GET /robots.txt`.

use actix_web::HttpRequest;
use actix_web::HttpResponse;
use actix_web::web::Data;

use crate::app_state::AppState;
use crate::cache::{self, tagged};

/// What is of no use to search engines: what is behind a sign-in, forms that an e-mail leads to, and calls. What pages need
/// to be drawn is not among them.
const KEPT_OUT: &str = "\
/dashboard
/login?
/forgot-password
/reset-password
/verify-email
/unsubscribe
/auth/
/user
/admin
/orders
/order
/allOrders
/create-payment-intent
/payments
/info
/products
/archivedProducts
/numbers
/brands
/part-types
/synonyms
/reviews
/newsletter
/overview
/attention
/audit
/feeds
/addresses
/cart
/exemptions
/invoices
/lists
/quick-order
/seller
/shipping-methods
/tax-rates
/price-lists
/prices
/checkouts
/allCheckouts
/fitments
/garage
/cart
/lists
/quick-order
/outbox
/returns
/notes
/webhooks
/webhook-endpoints
/client-errors
/sandbox
/health
/metrics
/openapi.json
";

/// What search engines are asked to leave alone, and where all pages are listed.
#[utoipa::path(
    get, path = "/robots.txt",
    responses((status = 200, description = "RFC 9309", content_type = "text/plain", body = String))
)]
pub(crate) async fn get_robots(app: Data<AppState>, request: HttpRequest) -> HttpResponse {
    let mut text = String::from("User-agent: *\n");
    for path in KEPT_OUT.lines() {
        text.push_str("Disallow: ");
        text.push_str(path);
        text.push('\n');
    }
    text.push_str("Allow: /feeds/google.xml\n\nSitemap: ");
    text.push_str(&app.settings.address("/sitemap.xml"));
    text.push('\n');
    let tag = cache::tag(text.as_bytes());
    tagged(&request, HttpResponse::Ok(), &tag, cache::FOR_AN_HOUR, "text/plain; charset=utf-8", text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routes::routes;

    fn is_kept_out(path: &str) -> bool {
        KEPT_OUT.lines().any(|start| path.starts_with(start))
    }

    #[test]
    fn what_is_behind_a_sign_in_is_left_alone_and_pages_are_not() {
        for route in routes().iter().filter(|route| !route.is_public() && route.path != "/images") {
            assert!(is_kept_out(&route.path), "{}", route.path);
        }
        for page in [
            "/",
            "/shop",
            "/shop/brakes",
            "/parts/x",
            "/product/x",
            "/vehicles/toyota",
            "/login",
            "/signup",
            "/images/x",
            "/config",
        ] {
            assert!(!is_kept_out(page), "{page}");
        }
    }
}
