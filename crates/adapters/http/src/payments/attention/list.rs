//! `GET /attention`.

use actix_web::web::{self, Data};

use super::view::AttentionView;
use crate::app_state::AppState;
use crate::extract::Authenticated;
use crate::problem::Problem;

/// All payment problems that an admin has to handle, oldest first (admins).
#[utoipa::path(
    get, path = "/attention",
    responses(
        (status = 200, description = "What needs attention; mostly nothing", body = [AttentionView]),
    )
)]
pub(crate) async fn list_attention(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
) -> Result<web::Json<Vec<AttentionView>>, Problem> {
    let all = app.shop.payments.attention(&caller).await?;
    Ok(web::Json(all.into_iter().map(Into::into).collect()))
}
