//! A panic in a handler is a defect of ours, and an answer for whoever asked.

use std::any::Any;
use std::panic::AssertUnwindSafe;

use actix_web::body::BoxBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::ConnectionType;
use actix_web::middleware::Next;
use actix_web::{Error, ResponseError};
use futures_util::FutureExt;

use crate::problem::Problem;

/// How many handlers panicked; the log says which.
const PANICS: &str = "http_panics_total";

/// Begins the counter at zero: of one that appears with its first event, no rise is seen.
pub(crate) fn count_from_zero() {
    metrics::counter!(PANICS).increment(0);
}

/// Answers a request whose handler panics with a 500 that says nothing of the panic, and closes its connection: nobody knows
/// how much of the request was read. The handler's own values were dropped while it unwound, so an open transaction is rolled
/// back.
pub(crate) async fn answer_panics(
    request: ServiceRequest,
    next: Next<BoxBody>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let asked = request.request().clone();
    let panic = match AssertUnwindSafe(next.call(request)).catch_unwind().await {
        Ok(answered) => return answered,
        Err(panic) => panic,
    };
    metrics::counter!(PANICS).increment(1);
    let mut response = Problem::panicked(said(&*panic)).error_response();
    response.head_mut().set_connection_type(ConnectionType::Close);
    Ok(ServiceResponse::new(asked, response))
}

/// What a panic says, if it says anything.
fn said(panic: &(dyn Any + Send)) -> &str {
    panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("")
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    use actix_web::middleware::from_fn;
    use actix_web::web::{self, Bytes};
    use actix_web::{App, HttpResponse, test};
    use metrics::{Counter, Gauge, Histogram, Key, KeyName, Metadata, Recorder, SharedString, Unit};
    use serde_json::Value;

    use super::*;
    use crate::middleware::observe::{REQUEST_ID, observe};

    /// Counts panics, and records no other metric.
    #[derive(Default)]
    struct Panics(Arc<AtomicU64>);

    impl Recorder for Panics {
        fn describe_counter(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

        fn describe_gauge(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

        fn describe_histogram(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

        fn register_counter(&self, key: &Key, _: &Metadata<'_>) -> Counter {
            if key.name() == "http_panics_total" { Counter::from_arc(Arc::clone(&self.0)) } else { Counter::noop() }
        }

        fn register_gauge(&self, _: &Key, _: &Metadata<'_>) -> Gauge {
            Gauge::noop()
        }

        fn register_histogram(&self, _: &Key, _: &Metadata<'_>) -> Histogram {
            Histogram::noop()
        }
    }

    async fn defect() -> HttpResponse {
        panic!("the secret of the shop is 4711");
    }

    #[actix_web::test]
    async fn a_panic_is_an_opaque_500_that_closes_the_connection_and_the_next_request_is_served() {
        let panics = Panics::default();
        let _recording = metrics::set_default_local_recorder(&panics);
        let broken = web::resource("/broken").route(web::get().to(defect)).wrap(from_fn(answer_panics));
        let sound = web::resource("/sound").route(web::get().to(HttpResponse::Ok)).wrap(from_fn(answer_panics));
        // What every response carries is added outside of it, as in the server: a panic must not skip that.
        let app = test::init_service(App::new().service(broken).service(sound).wrap(from_fn(observe))).await;
        for so_far in 0..3 {
            let answer = test::call_service(&app, test::TestRequest::get().uri("/broken").to_request()).await;
            assert_eq!(panics.0.load(Ordering::SeqCst), so_far + 1);
            assert_eq!(answer.status(), 500);
            assert_eq!(answer.response().head().connection_type(), ConnectionType::Close);
            assert!(answer.headers().contains_key(REQUEST_ID), "{:?}", answer.headers());
            assert_eq!(answer.headers().get("x-content-type-options").unwrap(), "nosniff");
            let body: Bytes = test::read_body(answer).await;
            let problem: Value = serde_json::from_slice(&body).unwrap();
            assert_eq!(problem["type"], "/problems/defect");
            assert!(!String::from_utf8_lossy(&body).contains("4711"), "{problem}");
            let answer = test::call_service(&app, test::TestRequest::get().uri("/sound").to_request()).await;
            assert_eq!(answer.status(), 200);
            assert_eq!(panics.0.load(Ordering::SeqCst), so_far + 1, "a request that is served is none");
        }
    }
}
