//! A demo answers only to this machine's own host names.
//!
//! A demo's accounts and their password are public. A page on the internet could point a host name of its own at
//! 127.0.0.1; for a browser on this machine it would then have the same origin as the shop ("DNS rebinding").

use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::HOST;
use actix_web::middleware::Next;
use actix_web::web::Data;
use actix_web::{Error, ResponseError};

use crate::app_state::AppState;
use crate::problem::Problem;

/// Answers 421 if a demo is called by a host name that is not this machine's own.
pub(crate) async fn known_host(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let is_demo = request.app_data::<Data<AppState>>().is_some_and(|app| app.settings.demo);
    let host = request.headers().get(HOST).map(|host| host.to_str().unwrap_or_default());
    if is_demo && host.is_some_and(|host| !is_this_machine(host)) {
        return Ok(request.into_response(Problem::misdirected().error_response()));
    }
    Ok(next.call(request).await?.map_into_boxed_body())
}

pub(crate) fn is_this_machine(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    name.eq_ignore_ascii_case("localhost") || matches!(name, "127.0.0.1" | "[::1]")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_machines_names_are_accepted_whatever_the_port() {
        for host in ["127.0.0.1", "127.0.0.1:8080", "localhost", "LocalHost:9000", "[::1]", "[::1]:8080"] {
            assert!(is_this_machine(host), "{host}");
        }
        for host in ["evil.example", "127.0.0.1.evil.example:8080", "localhost.evil.example", "", "127.0.0.2", "::1"] {
            assert!(!is_this_machine(host), "{host}");
        }
    }
}
