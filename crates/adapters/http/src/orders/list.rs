//! `GET /orders`.

use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use ports::{OrderQuery, Page, Pagination};
use serde::Deserialize;
use utoipa::IntoParams;

use super::filters::{OrderStateName, state};
use super::view::{OrderView, views};
use crate::app_state::AppState;
use crate::extract::{Authenticated, query};
use crate::problem::Problem;
use crate::wire::array;
use crate::wire::batches::BATCH;
use crate::wire::fields::Fields;

/// Filters for one customer's orders.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct ListQuery {
    /// The customer's e-mail; one's own if left out.
    email: Option<String>,
    /// `standing` without it.
    #[param(value_type = Option<OrderStateName>)]
    state: Option<String>,
}

/// A customer's orders, latest first.
#[utoipa::path(
    get, path = "/orders", params(ListQuery),
    responses(
        (status = 200, description = "Orders", body = [OrderView]),
        (status = 422, description = "A parameter makes no sense"),
        (status = 403, description = "Another's"),
    )
)]
pub(crate) async fn list_orders(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let filter = query::<ListQuery>(&request)?;
    let mut fields = Fields::default();
    let state = state(&mut fields, filter.state.as_deref());
    let state = fields.all(state)?;
    let read = move |after| {
        let (app, caller, email) = (app.clone(), caller.clone(), filter.email.clone());
        let batch = OrderQuery { state, page: Pagination::batch(BATCH, after), ..OrderQuery::default() };
        async move {
            let Page { items, next, .. } = app.shop.orders.orders_of(&caller, email.as_deref(), &batch).await?;
            Ok::<_, Problem>((views(items), next))
        }
    };
    let first = read(None).await?;
    Ok(array::send(HttpResponse::Ok(), first, move |after| read(Some(after))))
}
