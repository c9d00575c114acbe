//! `GET /orders/{id}/events`.

use std::num::NonZeroU32;

use actix_web::web::{self, Data, Path};
use domain::{Money, OrderEvent, OrderEventKind, Role};
use serde::Serialize;
use utoipa::ToSchema;

use crate::app_state::AppState;
use crate::extract::{Authenticated, id};
use crate::problem::Problem;
use crate::wire::money::Dollars;

/// What happened to an order.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[schema(as = OrderEventKind)]
#[serde(rename_all = "snake_case")]
pub(crate) enum EventKindView {
    Ordered,
    FreightSet,
    Paid,
    Shipped,
    /// Some units left, others are still to come.
    PartShipped,
    Cancelled,
    /// All of its money went back.
    Refunded,
    /// Some of its money went back.
    PartlyRefunded,
    /// Money that was sent back did not arrive, and is owed again.
    RefundFailed,
    /// A second payment came in; it goes back.
    Overpaid,
    /// The customer's bank asked for the money.
    Disputed,
    /// The bank decided.
    DisputeClosed,
    /// The customer asked to return units.
    ReturnRequested,
    /// A return was accepted.
    ReturnAccepted,
    /// A return was declined.
    ReturnDeclined,
}

/// One entry of an order's timeline.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = OrderEvent)]
pub(crate) struct EventView {
    /// `UUIDv7`.
    #[serde(rename = "_id")]
    id: String,
    what: EventKindView,
    /// An e-mail, or `Driveline` for the shop itself and, to customers, for its staff.
    who: String,
    /// RFC 3339, UTC.
    when: String,
    /// Whether it shipped before it was paid.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    on_account: Option<bool>,
    /// The payment.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    transaction_id: Option<String>,
    /// Units ordered, shipped in part, or to be returned.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    quantity: Option<u32>,
    /// The total in dollars.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<f64>)]
    price: Option<Dollars>,
    /// Dollars that went back, came twice, are disputed, or are refunded for a return.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, value_type = Option<f64>)]
    amount: Option<Dollars>,
    /// Whether the money of a dispute stays here.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    won: Option<bool>,
    /// Whether the units of an accepted return went back to stock.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    restocked: Option<bool>,
    /// Why a return was declined.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    answer: Option<String>,
}

impl EventView {
    fn new(event: &OrderEvent, who: &str) -> Self {
        let bare = |what| Self {
            id: event.id.to_string(),
            what,
            who: who.to_owned(),
            when: event.at.to_string(),
            on_account: None,
            transaction_id: None,
            quantity: None,
            price: None,
            amount: None,
            won: None,
            restocked: None,
            answer: None,
        };
        let payment = |what, transaction: &domain::TransactionId| Self {
            transaction_id: Some(transaction.to_string()),
            ..bare(what)
        };
        let money = |what, transaction: &domain::TransactionId, amount: Money| Self {
            amount: Some(Dollars(amount)),
            ..payment(what, transaction)
        };
        let of_units = |what, units: NonZeroU32| Self { quantity: Some(units.get()), ..bare(what) };
        match &event.kind {
            OrderEventKind::Ordered { item, .. } => Self {
                quantity: Some(item.quantity.get()),
                price: Some(Dollars(item.total)),
                ..bare(EventKindView::Ordered)
            },
            OrderEventKind::FreightSet { charges } => {
                Self { amount: Some(Dollars(charges.shipping)), ..bare(EventKindView::FreightSet) }
            }
            OrderEventKind::Paid { transaction } => payment(EventKindView::Paid, transaction),
            OrderEventKind::Shipped { on_account } => {
                Self { on_account: Some(*on_account), ..bare(EventKindView::Shipped) }
            }
            OrderEventKind::PartShipped { units, .. } => of_units(EventKindView::PartShipped, *units),
            OrderEventKind::Cancelled => bare(EventKindView::Cancelled),
            OrderEventKind::Refunded { transaction } => payment(EventKindView::Refunded, transaction),
            OrderEventKind::PartlyRefunded(back) => {
                money(EventKindView::PartlyRefunded, &back.transaction, back.amount)
            }
            OrderEventKind::RefundFailed(back) => money(EventKindView::RefundFailed, &back.transaction, back.amount),
            OrderEventKind::Overpaid { transaction, amount } => money(EventKindView::Overpaid, transaction, *amount),
            OrderEventKind::Disputed { transaction, amount, .. } => {
                money(EventKindView::Disputed, transaction, *amount)
            }
            OrderEventKind::DisputeClosed { transaction, won, .. } => {
                Self { won: Some(*won), ..payment(EventKindView::DisputeClosed, transaction) }
            }
            OrderEventKind::ReturnRequested { units, .. } => of_units(EventKindView::ReturnRequested, *units),
            OrderEventKind::ReturnAccepted { units, amount, restocked, .. } => {
                let of = of_units(EventKindView::ReturnAccepted, *units);
                Self { amount: Some(Dollars(*amount)), restocked: Some(*restocked), ..of }
            }
            OrderEventKind::ReturnDeclined { units, answer, .. } => {
                let of = of_units(EventKindView::ReturnDeclined, *units);
                Self { answer: Some(answer.as_str().to_owned()), ..of }
            }
        }
    }
}

/// An order's timeline, oldest entry first; a cancelled order's too.
#[utoipa::path(
    get, path = "/orders/{id}/events",
    params(("id" = String, Path, description = "The order's id")),
    responses(
        (status = 200, description = "Who did what, and when", body = [EventView]),
        (status = 404, description = "Another's, or never was"),
    )
)]
pub(crate) async fn list_order_events(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
) -> Result<web::Json<Vec<EventView>>, Problem> {
    let events = app.shop.orders.timeline(&caller, id(&path)?).await?;
    let reader = (caller.role != Role::Admin).then_some(caller.account);
    Ok(web::Json(events.iter().map(|event| EventView::new(event, event.signature(reader))).collect()))
}
