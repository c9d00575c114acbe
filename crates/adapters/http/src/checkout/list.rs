//! `GET /checkouts` and `GET /allCheckouts`.

use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use domain::{CheckoutId, Text};
use ports::{CheckoutQuery, CheckoutState, Page, Pagination, StoredCheckout};
use serde::Deserialize;
use utoipa::IntoParams;

use super::view::ListedView;
use crate::app_state::AppState;
use crate::extract::{Authenticated, query};
use crate::problem::Problem;
use crate::wire::fields::Fields;
use crate::wire::page::{self, PageQuery};

/// How many checkouts a list without a page has at most.
const MOST: u32 = 1_000;

/// Filters for one customer's checkouts.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct ListQuery {
    /// The customer's e-mail; one's own if left out.
    email: Option<String>,
}

/// Filters for all checkouts.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Filter {
    /// Only those in which every word of this occurs: in the number, the purchase order number, the contact, or the names
    /// and part numbers of the products.
    q: Option<String>,
    /// `waiting`, `unpaid`, `paid` or `cancelled`; all without it.
    state: Option<String>,
}

fn state(name: &str) -> Result<CheckoutState, &'static str> {
    match name {
        "waiting" => Ok(CheckoutState::Waiting),
        "unpaid" => Ok(CheckoutState::Unpaid),
        "paid" => Ok(CheckoutState::Paid),
        "cancelled" => Ok(CheckoutState::Cancelled),
        _ => Err("must be waiting, unpaid, paid or cancelled"),
    }
}

fn bounded(page: Pagination<CheckoutId>) -> Pagination<CheckoutId> {
    Pagination { limit: Some(page.limit.unwrap_or(MOST)), ..page }
}

fn views(page: Page<StoredCheckout, CheckoutId>) -> Result<Page<ListedView, CheckoutId>, Problem> {
    let Page { items, total, next } = page;
    Ok(Page { items: items.iter().map(ListedView::of).collect::<Result<_, _>>()?, total, next })
}

/// A customer's checkouts, latest first.
#[utoipa::path(
    get, path = "/checkouts", params(PageQuery, ListQuery),
    responses(
        (status = 200, description = "Checkouts", body = [ListedView],
            headers(
                ("X-Total-Count" = u64, description = "How many there are, over all pages"),
                ("Link" = String, description = "The next page, if there is one: `<...>; rel=\"next\"`"),
            )),
        (status = 403, description = "Another's"),
        (status = 422, description = "A parameter makes no sense"),
    )
)]
pub(crate) async fn list_checkouts(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let filter = query::<ListQuery>(&request)?;
    let mut fields = Fields::default();
    let page = query::<PageQuery>(&request)?.parse(&mut fields);
    let page = bounded(fields.all(page)?);
    let email = filter.email.unwrap_or_else(|| caller.email.to_string());
    let read = move |page| {
        let (app, caller, email) = (app.clone(), caller.clone(), email.clone());
        async move {
            let query = CheckoutQuery { page, ..CheckoutQuery::default() };
            views(app.shop.checkouts.checkouts_of(&caller, &email, query).await?)
        }
    };
    page::send::<ListedView, _, _, _>(&request, page, read).await
}

/// All checkouts, latest first (admins).
#[utoipa::path(
    get, path = "/allCheckouts", params(PageQuery, Filter),
    responses(
        (status = 200, description = "Checkouts", body = [ListedView],
            headers(
                ("X-Total-Count" = u64, description = "How many there are, over all pages"),
                ("Link" = String, description = "The next page, if there is one: `<...>; rel=\"next\"`"),
            )),
        (status = 422, description = "A parameter makes no sense"),
    )
)]
pub(crate) async fn list_all_checkouts(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let filter = query::<Filter>(&request)?;
    let mut fields = Fields::default();
    let page = query::<PageQuery>(&request)?.parse(&mut fields);
    let search = fields.optional("q", "Search", filter.q.as_deref(), |q| Text::<200>::optional(Some(q)));
    let state = fields.optional("state", "State", filter.state.as_deref(), state);
    let (page, search, state) = fields.all((|| Some((page?, search?.flatten(), state?)))())?;
    let search = search.map(Text::into_string);
    let read = move |page| {
        let (app, caller) = (app.clone(), caller.clone());
        let query = CheckoutQuery { customer: None, search: search.clone(), state, page };
        async move { views(app.shop.checkouts.all_checkouts(&caller, &query).await?) }
    };
    page::send::<ListedView, _, _, _>(&request, bounded(page), read).await
}
