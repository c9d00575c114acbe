//! `GET /invoices`.

use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use serde::Deserialize;
use utoipa::IntoParams;

use super::view::InvoiceSummaryView;
use crate::app_state::AppState;
use crate::extract::{Authenticated, query};
use crate::problem::Problem;
use crate::wire::fields::Fields;
use crate::wire::page::{self, PageQuery};

/// Whose documents.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct OfCustomer {
    /// The customer's e-mail; one's own if left out.
    email: Option<String>,
}

/// A customer's invoices and credit notes, latest first, or the requested page of them.
#[utoipa::path(
    get, path = "/invoices", params(PageQuery, OfCustomer),
    responses(
        (status = 200, description = "Invoices and credit notes", body = [InvoiceSummaryView],
            headers(
                ("X-Total-Count" = u64, description = "How many there are, over all pages"),
                ("Link" = String, description = "The next page, if there is one: `<...>; rel=\"next\"`"),
            )),
        (status = 403, description = "Another's"),
        (status = 422, description = "A parameter makes no sense"),
    )
)]
pub(crate) async fn list_invoices(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    request: HttpRequest,
) -> Result<HttpResponse, Problem> {
    let OfCustomer { email } = query(&request)?;
    let mut fields = Fields::default();
    let page = query::<PageQuery>(&request)?.parse(&mut fields);
    let page = fields.all(page)?;
    let read = move |page| {
        let (app, caller, email) = (app.clone(), caller.clone(), email.clone());
        async move { Ok(app.shop.documents.invoices_of(&caller, email.as_deref(), page).await?) }
    };
    page::send::<InvoiceSummaryView, _, _, _>(&request, page, read).await
}
