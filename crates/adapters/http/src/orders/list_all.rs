//! `GET /allOrders`.

use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use domain::Text;
use ports::{OrderQuery, OrderSort};
use serde::Deserialize;
use utoipa::IntoParams;

use super::filters::{OrderSortName, OrderStateName, period, state};
use super::view::OrderView;
use crate::app_state::AppState;
use crate::extract::{Authenticated, query};
use crate::problem::Problem;
use crate::wire::enums::variant;
use crate::wire::fields::Fields;
use crate::wire::page::{self, PageQuery};

/// Filters for all orders.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Filter {
    /// Only those in which every word of this occurs: in the customer's name, e-mail or phone, the product's name or part
    /// number, the purchase order number, or the order's number or id.
    q: Option<String>,
    /// `standing` without it.
    #[param(value_type = Option<OrderStateName>)]
    state: Option<String>,
    /// `newest` without it.
    #[param(value_type = Option<OrderSortName>)]
    sort: Option<String>,
    /// Only those that were placed on this day or later: a date, in UTC.
    #[param(format = Date)]
    from: Option<String>,
    /// Only those that were placed on this day or earlier: a date, in UTC.
    #[param(format = Date)]
    to: Option<String>,
}

impl Filter {
    pub(super) fn parse(&self, page: &PageQuery) -> Result<OrderQuery, Problem> {
        let mut fields = Fields::default();
        let page = page.parse(&mut fields);
        let search = fields.optional("q", "Search", self.q.as_deref(), |q| Text::<200>::optional(Some(q)));
        let state = state(&mut fields, self.state.as_deref());
        let sort = fields.optional("sort", "Sort", self.sort.as_deref(), |sort| {
            variant::<OrderSortName>(sort).map(OrderSort::from).ok_or("must be newest, oldest, price or -price")
        });
        let period = period(&mut fields, self.from.as_deref(), self.to.as_deref());
        let whole = (|| {
            let (from, to) = period?;
            let (page, search) = (page?, search?.flatten().map(Text::into_string));
            // A search reads orders until its page is full; to count further, it would read all of them.
            let counted_up_to = page.limit.map(|limit| if search.is_some() { limit } else { page::COUNTED_UP_TO });
            Some(OrderQuery {
                customer: None,
                search,
                state: state?,
                from,
                to,
                sort: sort?.unwrap_or_default(),
                page,
                counted_up_to,
            })
        })();
        fields.all(whole)
    }
}

/// All orders, or the requested page of them (admins).
#[utoipa::path(
    get, path = "/allOrders", params(PageQuery, Filter),
    responses(
        (status = 200, description = "Orders", body = [OrderView],
            headers(
                ("X-Total-Count" = u64, description = "How many match, over all pages; for a page (`limit`) of some days (`from`, `to`), 1000 or more stands for at least as many, and for one of a search (`q`), `limit` or more does"),
                ("Link" = String, description = "The next page, if there is one: `<...>; rel=\"next\"`"),
            )),
        (status = 422, description = "A parameter makes no sense"),
    )
)]
pub(crate) async fn list_all_orders(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let query = query::<Filter>(&request)?.parse(&query(&request)?)?;
    let page = query.page;
    let read = move |page| {
        let (app, caller) = (app.clone(), caller.clone());
        let query = OrderQuery { page, ..query.clone() };
        async move { Ok(app.shop.orders.list_orders(&caller, &query).await?) }
    };
    page::send::<OrderView, _, _, _>(&request, page, read).await
}
