//! `GET /orders`.

use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use domain::{OrderId, Text};
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
use crate::wire::page::{self, PageQuery};

/// How many orders are read first: few customers have more.
const FIRST_BATCH: u32 = 50;

/// Filters for one customer's orders.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct ListQuery {
    /// The customer's e-mail; one's own if left out.
    email: Option<String>,
    /// Only those in which every word of this occurs: in the product's name or part number, the purchase order number, the
    /// order's number or id, or the contact.
    q: Option<String>,
    /// `standing` without it.
    #[param(value_type = Option<OrderStateName>)]
    state: Option<String>,
}

/// A customer's orders, latest first, or the requested page of them.
#[utoipa::path(
    get, path = "/orders", params(PageQuery, ListQuery),
    responses(
        (status = 200, description = "Orders", body = [OrderView],
            headers(
                ("X-Total-Count" = u64, description = "With `limit`: how many there are, over all pages; 1000 or more stands for at least as many"),
                ("Link" = String, description = "The next page, if there is one: `<...>; rel=\"next\"`"),
            )),
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
    let page = query::<PageQuery>(&request)?.parse(&mut fields);
    let search = fields.optional("q", "Search", filter.q.as_deref(), |q| Text::<200>::optional(Some(q)));
    let whole = (|| Some((state?, page?, search?.flatten().map(Text::into_string))))();
    let (state, page, search): (_, Pagination<OrderId>, _) = fields.all(whole)?;
    let read = move |page: Pagination<OrderId>| {
        let (app, caller, email) = (app.clone(), caller.clone(), filter.email.clone());
        let search = search.clone();
        let counted_up_to = Some(page::COUNTED_UP_TO);
        let query = OrderQuery { search, state, page, counted_up_to, ..OrderQuery::default() };
        async move { Ok::<_, Problem>(app.shop.orders.orders_of(&caller, email.as_deref(), &query).await?) }
    };
    if page.limit.is_some() {
        return page::send::<OrderView, _, _, _>(&request, page, read).await;
    }
    // The whole list is not counted: it may be long, and its end says how long.
    let batch = move |size, after| {
        let reading = read(Pagination::batch(size, after));
        async move { reading.await.map(|Page { items, next, .. }| (views(items), next)) }
    };
    let first = batch(FIRST_BATCH, page.after).await?;
    Ok(array::send(HttpResponse::Ok(), first, move |after| batch(BATCH, Some(after))))
}
