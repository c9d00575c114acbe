//! `GET /overview/sales.csv`.

use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::app_state::AppState;
use crate::extract::{Authenticated, query};
use crate::orders::overview::Period;
use crate::problem::Problem;
use crate::wire::csv;
use crate::wire::fields::Fields;

/// What the rows of a file of sales are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum By {
    Day,
    Category,
    Customer,
}

/// What the rows of the file are.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Rows {
    /// `day` (the default), `category` or `customer`.
    by: Option<String>,
}

impl Rows {
    fn parse(&self) -> Result<By, Problem> {
        let mut fields = Fields::default();
        let by = fields.optional("by", "By", self.by.as_deref(), |by| match by {
            "day" => Ok(By::Day),
            "category" => Ok(By::Category),
            "customer" => Ok(By::Customer),
            _ => Err("must be day, category or customer"),
        });
        Ok(fields.all(by)?.unwrap_or(By::Day))
    }
}

/// Cents as dollars, with two decimals.
fn plain(cents: i64) -> String {
    let sign = if cents < 0 { "-" } else { "" };
    let cents = cents.unsigned_abs();
    format!("{sign}{}.{:02}", cents / 100, cents % 100)
}

/// What was sold in the period, as CSV (admins): goods and freight, without tax, less what went back.
///
/// By day it is what was paid and what went back on that day. By category and by customer it is what the orders brought in that
/// were placed in the period, and those in the period before.
#[utoipa::path(
    get, path = "/overview/sales.csv", params(Period, Rows),
    responses(
        (status = 200, description = "A file: `day,orders,paid,returned,revenue`, or `category,orders,units,revenue,revenueBefore`, or `email,name,orders,revenue,revenueBefore`",
            content_type = "text/csv", body = String,
            headers(("Content-Disposition" = String, description = "`attachment; filename=\"sales-by-day-2026-11-21.csv\"`"))),
        (status = 422, description = "A parameter makes no sense"),
    )
)]
pub(crate) async fn export_sales(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let days = query::<Period>(&request)?.parse()?;
    let by = query::<Rows>(&request)?.parse()?;
    let orders = &app.shop.orders;
    let (file, columns, rows): (_, &[&str], Vec<Vec<String>>) = match by {
        By::Day => {
            let sold = orders.daily_sales(&caller, days).await?;
            let row = |one: ports::DayOfSales| {
                let (paid, returned) = (plain(one.paid.cents()), plain(one.returned_cents));
                vec![one.day.to_string(), one.orders.to_string(), paid, returned, plain(one.revenue_cents())]
            };
            ("sales-by-day", &["day", "orders", "paid", "returned", "revenue"], sold.into_iter().map(row).collect())
        }
        By::Category => {
            let sold = orders.category_sales(&caller, days).await?;
            let row = |one: ports::CategorySales| {
                let (figures, units) = (one.figures, one.units.to_string());
                let sums = [figures.cents, figures.cents_before].map(plain);
                [vec![one.category.as_str().to_owned(), figures.orders.to_string(), units], sums.to_vec()].concat()
            };
            let columns = &["category", "orders", "units", "revenue", "revenueBefore"];
            ("sales-by-category", columns, sold.into_iter().map(row).collect())
        }
        By::Customer => {
            let sold = orders.customer_sales(&caller, days).await?;
            let row = |one: ports::TopCustomer| {
                let (account, figures) = (one.account, one.figures);
                let (email, name) = (account.email.to_string(), account.display_name.into_string());
                let sums = [figures.cents, figures.cents_before].map(plain);
                [vec![email, name, figures.orders.to_string()], sums.to_vec()].concat()
            };
            let columns = &["email", "name", "orders", "revenue", "revenueBefore"];
            ("sales-by-customer", columns, sold.into_iter().map(row).collect())
        }
    };
    let mut rows = Some(rows);
    csv::send(file, app.clock.now(), columns, move |_: Option<()>| {
        let rows = rows.take().unwrap_or_default();
        async move { Ok((rows, None)) }
    })
    .await
}
