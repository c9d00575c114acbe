//! Who calls, how well they proved it, and whether their role may call this route at all.

use actix_web::dev::ServiceRequest;
use domain::Caller;
use ports::StoreError;

use crate::app_state::AppState;
use crate::extract;
use crate::problem::Problem;
use crate::route::{Auth, RouteSpec};

/// Authenticates the caller, if the route requires it. A role that can never have the permission is refused before the
/// payload is read; the use case checks again, because it knows who owns the object.
///
/// # Errors
/// 401 without a valid token or session, 403 for a role that can never have the permission, and for a caller who has to prove
/// the second factor first.
pub(crate) async fn authenticate(
    request: &ServiceRequest,
    route: &RouteSpec,
    app: &AppState,
) -> Result<Option<Caller>, Problem> {
    let found: Result<Option<Caller>, StoreError> = match route.auth {
        Auth::Public(_) => return Ok(None),
        Auth::Bearer => match extract::bearer(request.request()) {
            Some(token) => app.shop.signing_in.caller_by_token(token, route.demanded()).await,
            None => Ok(None),
        },
        Auth::Session => match extract::session_secret(request.request()) {
            Some(secret) => app.shop.signing_in.caller_by_cookie(&secret, route.demanded()).await,
            None => Ok(None),
        },
    };
    let caller = found?.ok_or_else(Problem::unauthenticated)?;
    app.shop.signing_in.check(&caller, route.demanded())?;
    Ok(Some(caller))
}
