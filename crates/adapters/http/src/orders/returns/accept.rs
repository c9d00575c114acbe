//! `POST /returns/{id}/accept`.

use actix_web::web::{self, Data, Path};
use application::AcceptReturn;
use domain::Money;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::app_state::AppState;
use crate::extract::{Authenticated, Json, id};
use crate::problem::Problem;
use crate::wire::counts::ModifiedCount;
use crate::wire::fields::Fields;
use crate::wire::whole::Whole;

/// What an accepted return leads to.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct Acceptance {
    /// How many cents are refunded; what the units cost, or what is left of the payment, if omitted.
    #[schema(value_type = Option<i64>, minimum = 1)]
    cents: Option<Whole>,
    /// Whether the units go back to stock.
    #[schema(required, nullable = false)]
    restock: Option<bool>,
}

impl Acceptance {
    fn parse(self) -> Result<AcceptReturn, Problem> {
        let mut fields = Fields::default();
        let amount = fields.optional("cents", "Cents", self.cents, |cents| {
            Money::from_cents(cents.0).ok().filter(|amount| *amount > Money::ZERO).ok_or("must be 1 or more")
        });
        let restock = fields.required("restock", "Restock", self.restock, Ok::<_, std::convert::Infallible>);
        let whole = (|| Some(AcceptReturn { amount: amount?, restock: restock? }))();
        fields.all(whole)
    }
}

/// Accepts a return and refunds it (admins). The customer gets an e-mail.
#[utoipa::path(
    post, path = "/returns/{id}/accept", request_body = Acceptance,
    params(("id" = String, Path, description = "The return's id")),
    responses(
        (status = 200, description = "1 if this call did it, 0 if it was accepted before", body = ModifiedCount),
        (status = 404, description = "No such return"),
        (status = 409, description = "Declined before, or the stock has no room for the units"),
        (status = 422, description = "More than is left (`left`), or invalid"),
    )
)]
pub(crate) async fn accept_return(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
    Json(sent): Json<Acceptance>,
) -> Result<web::Json<ModifiedCount>, Problem> {
    let (id, command) = (id(&path)?, sent.parse()?);
    Ok(web::Json(app.shop.orders.accept_return(&caller, id, command).await?.into()))
}
