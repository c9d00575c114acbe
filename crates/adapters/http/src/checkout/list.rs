//! `GET /checkouts` and `GET /allCheckouts`.

use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use domain::{CheckoutId, CheckoutState, Text};
use ports::{CheckoutQuery, Page, Pagination, StoredCheckout};
use serde::Deserialize;
use utoipa::IntoParams;

use super::listed::ListedView;
use crate::app_state::AppState;
use crate::extract::{Authenticated, query};
use crate::problem::Problem;
use crate::wire::fields::Fields;
use crate::wire::page::{self, PageQuery};

/// How many checkouts a list without a page has at most.
const MOST: u32 = 1_000;

/// Whose checkouts.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct ListQuery {
    /// The customer's e-mail; one's own if left out.
    email: Option<String>,
}

/// Filters for checkouts.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Filter {
    /// Only those in which every word of this occurs: in the number, the purchase order number, the contact, or the names
    /// and part numbers of the products.
    q: Option<String>,
    /// `waiting`, `unpaid`, `paid` or `cancelled`; all without it.
    state: Option<String>,
}

impl Filter {
    pub(super) fn parse(&self, page: &PageQuery) -> Result<CheckoutQuery, Problem> {
        let mut fields = Fields::default();
        let page = page.parse(&mut fields);
        let search = fields.optional("q", "Search", self.q.as_deref(), |q| Text::<200>::optional(Some(q)));
        let state = fields.optional("state", "State", self.state.as_deref(), state);
        let (page, search, state) = fields.all((|| Some((page?, search?.flatten(), state?)))())?;
        let search = search.map(Text::into_string);
        let page = bounded(page);
        // A search reads checkouts until its page is full; to count further, it would read all of them.
        let counted_up_to = if search.is_some() { page.limit } else { Some(page::COUNTED_UP_TO) };
        Ok(CheckoutQuery { customer: None, search, state, page, counted_up_to })
    }
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

fn views(Page { items, total, next }: Page<StoredCheckout, CheckoutId>) -> Page<ListedView, CheckoutId> {
    Page { items: items.iter().map(ListedView::of).collect(), total, next }
}

/// A customer's checkouts, latest first.
#[utoipa::path(
    get, path = "/checkouts", params(PageQuery, ListQuery, Filter),
    responses(
        (status = 200, description = "Checkouts", body = [ListedView],
            headers(
                ("X-Total-Count" = u64, description = "How many match, over all pages; 1000 or more stands for at least as many, and for a search (`q`), `limit` or more does"),
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
    let whose = query::<ListQuery>(&request)?;
    let query = query::<Filter>(&request)?.parse(&query(&request)?)?;
    let page = query.page;
    let email = whose.email.unwrap_or_else(|| caller.email.to_string());
    let read = move |page| {
        let (app, caller, email) = (app.clone(), caller.clone(), email.clone());
        let query = CheckoutQuery { page, ..query.clone() };
        async move { Ok(views(app.shop.checkouts.checkouts_of(&caller, &email, query).await?)) }
    };
    page::send::<ListedView, _, _, _>(&request, page, read).await
}

/// All checkouts, latest first (admins).
#[utoipa::path(
    get, path = "/allCheckouts", params(PageQuery, Filter),
    responses(
        (status = 200, description = "Checkouts", body = [ListedView],
            headers(
                ("X-Total-Count" = u64, description = "How many match, over all pages; 1000 or more stands for at least as many, and for a search (`q`), `limit` or more does"),
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
    let query = query::<Filter>(&request)?.parse(&query(&request)?)?;
    let page = query.page;
    let read = move |page| {
        let (app, caller) = (app.clone(), caller.clone());
        let query = CheckoutQuery { page, ..query.clone() };
        async move { Ok(views(app.shop.checkouts.all_checkouts(&caller, &query).await?)) }
    };
    page::send::<ListedView, _, _, _>(&request, page, read).await
}
