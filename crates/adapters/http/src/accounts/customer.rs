//! `GET /user/{email}`.

use actix_web::web::{self, Data, Path};
use application::Customer;
use ports::OrderStates;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app_state::AppState;
use crate::extract::Authenticated;
use crate::problem::Problem;
use crate::wire::enums::RoleName;
use crate::wire::money::Balance;

/// How many orders of a customer are in which state.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CustomerOrders {
    /// Paid and not shipped.
    ready_to_ship: u64,
    /// Neither paid nor shipped.
    awaiting_payment: u64,
    /// Shipped, paid or not.
    shipped: u64,
    /// Refunded, cancelled or shipped.
    refunded: u64,
    /// Cancelled, refunded or not.
    cancelled: u64,
    /// All there ever were.
    all: u64,
}

impl From<OrderStates> for CustomerOrders {
    fn from(states: OrderStates) -> Self {
        Self {
            ready_to_ship: states.ready,
            awaiting_payment: states.reserved,
            shipped: states.shipped,
            refunded: states.refunded,
            cancelled: states.cancelled,
            all: states.all,
        }
    }
}

/// A customer, as admins see them.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Customer)]
pub(crate) struct CustomerView {
    email: String,
    display_name: String,
    role: RoleName,
    /// Whether the e-mail address is confirmed.
    verified: bool,
    /// When the account was created: RFC 3339, UTC.
    created_at: String,
    orders: CustomerOrders,
    /// Dollars that they paid less dollars that went back to them.
    #[schema(value_type = f64)]
    spent: Balance,
    /// When they placed their first order: RFC 3339, UTC; null if they never did.
    #[schema(required)]
    first_order_at: Option<String>,
    /// When they placed their latest order; null if they never did.
    #[schema(required)]
    last_order_at: Option<String>,
}

impl From<Customer> for CustomerView {
    fn from(Customer { account, totals }: Customer) -> Self {
        Self {
            email: account.email.to_string(),
            display_name: account.display_name.into_string(),
            role: RoleName(account.role),
            verified: account.proved_at.is_some(),
            created_at: account.created_at.to_string(),
            orders: totals.states.into(),
            spent: Balance(totals.spent_cents),
            first_order_at: totals.first_order_at.map(|at| at.to_string()),
            last_order_at: totals.last_order_at.map(|at| at.to_string()),
        }
    }
}

/// A customer: the account, what they ordered and what they paid (admins).
#[utoipa::path(
    get, path = "/user/{email}",
    params(("email" = String, Path, description = "The account's e-mail")),
    responses(
        (status = 200, description = "The customer", body = CustomerView),
        (status = 404, description = "No account has that e-mail"),
    )
)]
pub(crate) async fn get_customer(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
) -> Result<web::Json<CustomerView>, Problem> {
    Ok(web::Json(app.shop.orders.customer(&caller, &path).await?.into()))
}
