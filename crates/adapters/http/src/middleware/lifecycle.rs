//! Responses of an instance that is starting or draining.

use actix_web::body::{EitherBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::ConnectionType;
use actix_web::http::header::{CACHE_CONTROL, HeaderValue};
use actix_web::middleware::Next;
use actix_web::web::Data;
use actix_web::{Error, ResponseError};
use ports::Readiness;

use crate::app_state::AppState;
use crate::problem::Problem;

/// Paths that are served before there is a database: `live` says that the process runs, and `ready` that it is not
/// ready.
const ALWAYS: [&str; 2] = ["/health/live", "/health/ready"];

/// Answers 503 until the shop is ready, and asks clients to reconnect elsewhere while it is draining.
pub(crate) async fn lifecycle<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B>>, Error> {
    let readiness = request.app_data::<Data<AppState>>().map_or(Readiness::Ready, |app| app.lifecycle.readiness());
    if readiness == Readiness::Starting && !ALWAYS.contains(&request.path()) {
        let mut response = Problem::unavailable().error_response();
        response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        return Ok(request.into_response(response).map_into_right_body());
    }
    let mut response = next.call(request).await?.map_into_left_body();
    if readiness == Readiness::Draining {
        response.response_mut().head_mut().set_connection_type(ConnectionType::Close);
    }
    Ok(response)
}
