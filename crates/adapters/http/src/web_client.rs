//! The web client, built into the program.

use actix_web::http::header::ACCEPT;
use actix_web::http::{Method, StatusCode};
use actix_web::{HttpRequest, HttpResponse, ResponseError};
use rust_embed::RustEmbed;

use crate::cache::{hex_tag, tagged};
use crate::problem::Problem;

#[derive(RustEmbed)]
#[folder = "../../../frontend/dist"]
struct Dist;

/// The client's own pages: here the client is sent with 200, anywhere else with 404 and shows its page for that.
const PAGES: [&str; 5] = ["/", "/shop", "/about", "/login", "/signup"];
const DASHBOARD_PAGES: [&str; 10] =
    ["profile", "orderTable", "review", "myOrders", "blog", "users", "addProduct", "orders", "allOrderList", "manage"];

/// Whatever no route takes: a file of the client, one of its pages, or nothing.
pub(crate) async fn serve(request: HttpRequest) -> HttpResponse {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return Problem::not_found().error_response();
    }
    let path = request.path();
    if let Some(file) = Dist::get(path.trim_start_matches('/')).filter(|_| path != "/index.html") {
        let named_by_content = path.starts_with("/assets/");
        let caching = if named_by_content { "public, max-age=31536000, immutable" } else { "public, max-age=3600" };
        let media_type = mime_guess::from_path(path).first_or_octet_stream();
        let tag = hex_tag(&file.metadata.sha256_hash());
        return tagged(&request, HttpResponse::Ok(), &tag, caching, media_type.as_ref(), file.data.into_owned());
    }
    let status = if is_page(path) { StatusCode::OK } else { StatusCode::NOT_FOUND };
    if status == StatusCode::NOT_FOUND && !wants_html(&request) {
        return Problem::not_found().error_response();
    }
    match Dist::get("index.html") {
        Some(index) => {
            let tag = hex_tag(&index.metadata.sha256_hash());
            let body = index.data.into_owned();
            let html = "text/html; charset=utf-8";
            if status == StatusCode::OK {
                tagged(&request, HttpResponse::Ok(), &tag, "public, no-cache", html, body)
            } else {
                HttpResponse::build(status).content_type(html).body(body)
            }
        }
        None => HttpResponse::build(StatusCode::SERVICE_UNAVAILABLE)
            .content_type("text/plain; charset=utf-8")
            .body("This program was built without its web client: `make build` builds both.\n"),
    }
}

fn is_page(path: &str) -> bool {
    let path = if path.len() > 1 { path.trim_end_matches('/') } else { path };
    if PAGES.contains(&path) || path == "/dashboard" {
        return true;
    }
    let one_more = |prefix: &str| path.strip_prefix(prefix).is_some_and(|rest| !rest.is_empty() && !rest.contains('/'));
    one_more("/product/")
        || one_more("/dashboard/order/")
        || one_more("/dashboard/payment/")
        || path.strip_prefix("/dashboard/").is_some_and(|page| DASHBOARD_PAGES.contains(&page))
}

fn wants_html(request: &HttpRequest) -> bool {
    request
        .headers()
        .get(ACCEPT)
        .and_then(|accept| accept.to_str().ok())
        .is_some_and(|accept| accept.contains("text/html"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clients_pages_are_known_and_nothing_else_is() {
        for path in ["/", "/shop", "/shop/", "/product/1", "/dashboard", "/dashboard/payment/1", "/dashboard/orders"] {
            assert!(is_page(path), "{path}");
        }
        assert!(is_page("/dashboard/order/1") && !is_page("/dashboard/order"));
        for path in ["/nowhere", "/product", "/product/1/2", "/dashboard/nowhere", "/dashboard/payment", "/shop/x"] {
            assert!(!is_page(path), "{path}");
        }
    }
}
