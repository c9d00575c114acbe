//! `GET /allCheckouts.csv`.

use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use domain::{CheckoutState, Money, Order};
use ports::{CheckoutQuery, Page, Pagination, StoredCheckout};

use super::list::Filter;
use super::listed::ListedView;
use crate::app_state::AppState;
use crate::extract::{Authenticated, query};
use crate::problem::Problem;
use crate::wire::csv;
use crate::wire::money::Dollars;
use crate::wire::page::PageQuery;

/// How many are read at once: each may have a thousand orders.
const AT_ONCE: u32 = 50;

/// The columns of a file of checkouts, in their order.
const COLUMNS: [&str; 17] = [
    "id", "number", "placedAt", "name", "email", "company", "country", "poNumber", "terms", "state", "lines",
    "shipped", "goods", "shipping", "tax", "due", "paid",
];

fn row(stored: &StoredCheckout) -> Vec<String> {
    let (address, orders) = (&stored.checkout.address, &stored.orders);
    let listed = ListedView::of(stored);
    // Checked when it was placed.
    let paid = orders.iter().filter(|order| order.is_paid()).map(Order::due).try_fold(Money::ZERO, Money::plus);
    let [goods, shipping, tax, due] = listed.plain_sums();
    vec![
        stored.checkout.id.to_string(),
        stored.checkout.number.map(|number| number.to_string()).unwrap_or_default(),
        stored.checkout.placed_at.to_string(),
        stored.checkout.contact.name.as_str().to_owned(),
        stored.checkout.contact.email.to_string(),
        address.company().unwrap_or_default().to_owned(),
        address.country().code().to_owned(),
        stored.checkout.po_number.as_ref().map(|number| number.as_str().to_owned()).unwrap_or_default(),
        stored.checkout.terms.as_str().to_owned(),
        CheckoutState::of(orders).as_str().to_owned(),
        orders.len().to_string(),
        orders.iter().filter(|order| order.is_shipped() && !order.is_cancelled()).count().to_string(),
        goods,
        shipping,
        tax,
        due,
        Dollars(paid.unwrap_or(Money::MAX)).plain(),
    ]
}

/// All checkouts that match as CSV (admins), latest first. Goods, freight, tax and what is due are those of the orders that stand,
/// `paid` what came in for them; freight, tax and what is due are empty while the freight waits for our figure. A cell that a
/// spreadsheet would take for a formula has an apostrophe in front.
#[utoipa::path(
    get, path = "/allCheckouts.csv", params(Filter),
    responses(
        (status = 200, description = format!("A file: `{}`", COLUMNS.join(",")),
            content_type = "text/csv", body = String,
            headers(("Content-Disposition" = String, description = "`attachment; filename=\"purchases-2026-11-21.csv\"`"))),
        (status = 422, description = "A parameter makes no sense"),
    )
)]
pub(crate) async fn export_checkouts(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let filter = query::<Filter>(&request)?.parse(&PageQuery::default())?;
    let now = app.clock.now();
    let read = move |after| {
        let (app, caller) = (app.clone(), caller.clone());
        let batch = CheckoutQuery { page: Pagination::batch(AT_ONCE, after), ..filter.clone() };
        async move {
            let Page { items, next, .. } = app.shop.checkouts.all_checkouts(&caller, &batch).await?;
            Ok((items.iter().map(row).collect(), next))
        }
    };
    csv::send("purchases", now, &COLUMNS, read).await
}
