//! Payment problems that an admin has to handle, and the actions to do so.

use actix_web::web::{self, Data, Path};
use application::Attention;
use domain::{Dispute, DisputeState, Refund, RefundCause, RefundState, Text};
use ports::AttentionItem;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app_state::AppState;
use crate::extract::{Authenticated, Json, id};
use crate::problem::{Problem, ProblemView};
use crate::wire::counts::ModifiedCount;
use crate::wire::fields::Fields;
use crate::wire::money::Dollars;

/// What needs attention.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) enum AttentionKind {
    /// A payment came in that does not fit its order: `POST …/payments/{id}/send-back`.
    Mismatched,
    /// A refund failed: `POST …/refunds/{id}/retry` or `…/bank-transfer`.
    RefundFailed,
    /// A refund has been owed for more than an hour; it is being tried.
    RefundOverdue,
    /// Money was sent back at the payment provider: refund the rest, or `POST …/refunds/{id}/acknowledge`.
    RefundedElsewhere,
    /// A bank wants money back: answer it at the payment provider.
    Disputed,
    /// A bank has taken money back: `POST …/disputes/{id}/acknowledge`.
    DisputeLost,
}

/// A payment problem that an admin has to handle.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Attention)]
pub(crate) struct AttentionView {
    kind: AttentionKind,
    /// Of the payment, the refund or the dispute, for the call that does something about it.
    id: String,
    order_id: String,
    product_name: String,
    /// The customer's name.
    name: String,
    /// The customer's e-mail.
    email: String,
    /// The payment provider's id of the payment.
    transaction_id: String,
    /// Dollars that it is about.
    #[schema(value_type = f64)]
    amount: Dollars,
    /// Dollars of the whole order.
    #[schema(value_type = f64)]
    total: Dollars,
    /// Whether the order has shipped.
    shipped: bool,
    /// Whether the order was cancelled.
    cancelled: bool,
    /// The provider's own reason.
    #[schema(required)]
    reason: Option<String>,
    /// RFC 3339, UTC.
    since: String,
}

impl From<Attention> for AttentionView {
    fn from(attention: Attention) -> Self {
        let Attention { matter, since, order } = attention;
        let (kind, id, transaction, amount, reason) = match matter {
            AttentionItem::Mismatched(payment) => {
                (AttentionKind::Mismatched, payment.id.to_string(), payment.id, payment.amount, None)
            }
            AttentionItem::Refund(refund) => {
                let kind = kind_of(&refund);
                (kind, refund.id.to_string(), refund.payment, refund.amount, refund.failure.map(Text::into_string))
            }
            AttentionItem::Disputed { dispute, payment, .. } => {
                let Dispute { id, amount, state, reason } = dispute;
                let lost = state == DisputeState::Lost;
                let kind = if lost { AttentionKind::DisputeLost } else { AttentionKind::Disputed };
                (kind, id.to_string(), payment, amount, reason.map(Text::into_string))
            }
        };
        Self {
            kind,
            id,
            order_id: order.id.to_string(),
            transaction_id: transaction.to_string(),
            amount: Dollars(amount),
            total: Dollars(order.item.total),
            shipped: order.is_shipped(),
            cancelled: order.is_cancelled(),
            product_name: order.item.name.into_string(),
            name: order.contact.name.into_string(),
            email: order.contact.email.to_string(),
            reason,
            since: since.to_string(),
        }
    }
}

const fn kind_of(refund: &Refund) -> AttentionKind {
    match (refund.cause, refund.state) {
        (RefundCause::Elsewhere, _) => AttentionKind::RefundedElsewhere,
        (_, RefundState::Failed) => AttentionKind::RefundFailed,
        _ => AttentionKind::RefundOverdue,
    }
}

/// All payment problems that an admin has to handle, oldest first (admins).
#[utoipa::path(
    get, path = "/attention", tag = "payments", security(("bearer" = [])),
    responses(
        (status = 200, description = "What needs attention; mostly nothing", body = [AttentionView]),
        (status = 401, description = "Not signed in", body = ProblemView, content_type = "application/problem+json"),
        (status = 403, description = "Not an admin", body = ProblemView, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn list(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
) -> Result<web::Json<Vec<AttentionView>>, Problem> {
    let all = app.shop.attention(&caller).await?;
    Ok(web::Json(all.into_iter().map(Into::into).collect()))
}

/// Retries a refund that failed (admins).
#[utoipa::path(
    post, path = "/attention/refunds/{id}/retry", tag = "payments", security(("bearer" = [])),
    params(("id" = String, Path, description = "The refund's id")),
    responses(
        (status = 200, description = "It is on its way again", body = ModifiedCount),
        (status = 401, description = "Not signed in", body = ProblemView, content_type = "application/problem+json"),
        (status = 403, description = "Not an admin", body = ProblemView, content_type = "application/problem+json"),
        (status = 404, description = "There is none", body = ProblemView, content_type = "application/problem+json"),
        (status = 409, description = "It has not failed", body = ProblemView, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn retry(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
) -> Result<web::Json<ModifiedCount>, Problem> {
    app.shop.retry_refund(&caller, id(&path)?).await?;
    Ok(web::Json(true.into()))
}

/// A bank transfer that took the place of a refund.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct BankTransfer {
    /// What the bank statement says, up to 500 characters.
    #[schema(required, nullable = false)]
    reference: Option<String>,
}

/// Records that the money of a refund that failed was sent by bank transfer (admins).
#[utoipa::path(
    post, path = "/attention/refunds/{id}/bank-transfer", tag = "payments", request_body = BankTransfer,
    security(("bearer" = [])),
    params(("id" = String, Path, description = "The refund's id")),
    responses(
        (status = 200, description = "It is on record", body = ModifiedCount),
        (status = 401, description = "Not signed in", body = ProblemView, content_type = "application/problem+json"),
        (status = 403, description = "Not an admin", body = ProblemView, content_type = "application/problem+json"),
        (status = 404, description = "There is none", body = ProblemView, content_type = "application/problem+json"),
        (status = 409, description = "It has not failed", body = ProblemView, content_type = "application/problem+json"),
        (status = 422, description = "Invalid", body = ProblemView, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn bank_transfer(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
    Json(sent): Json<BankTransfer>,
) -> Result<web::Json<ModifiedCount>, Problem> {
    let refund = id(&path)?;
    let mut fields = Fields::default();
    let reference = fields.required("reference", "Reference", sent.reference.as_deref(), Text::new);
    let reference = fields.all(reference)?;
    app.shop.record_bank_transfer(&caller, refund, reference).await?;
    Ok(web::Json(true.into()))
}

/// Takes a refund that was made at the payment provider off the list (admins).
#[utoipa::path(
    post, path = "/attention/refunds/{id}/acknowledge", tag = "payments", security(("bearer" = [])),
    params(("id" = String, Path, description = "The refund's id")),
    responses(
        (status = 200, description = "It is off the list", body = ModifiedCount),
        (status = 401, description = "Not signed in", body = ProblemView, content_type = "application/problem+json"),
        (status = 403, description = "Not an admin", body = ProblemView, content_type = "application/problem+json"),
        (status = 404, description = "No such id", body = ProblemView, content_type = "application/problem+json"),
        (status = 409, description = "It is not on the list", body = ProblemView, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn acknowledge_refund(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
) -> Result<web::Json<ModifiedCount>, Problem> {
    app.shop.acknowledge_refund(&caller, id(&path)?).await?;
    Ok(web::Json(true.into()))
}

/// Takes a dispute that is lost off the list (admins).
#[utoipa::path(
    post, path = "/attention/disputes/{id}/acknowledge", tag = "payments", security(("bearer" = [])),
    params(("id" = String, Path, description = "The dispute's id")),
    responses(
        (status = 200, description = "It is off the list", body = ModifiedCount),
        (status = 401, description = "Not signed in", body = ProblemView, content_type = "application/problem+json"),
        (status = 403, description = "Not an admin", body = ProblemView, content_type = "application/problem+json"),
        (status = 404, description = "No such id", body = ProblemView, content_type = "application/problem+json"),
        (status = 409, description = "It is not on the list", body = ProblemView, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn acknowledge_dispute(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
) -> Result<web::Json<ModifiedCount>, Problem> {
    app.shop.acknowledge_dispute(&caller, id(&path)?).await?;
    Ok(web::Json(true.into()))
}

/// Sends the money of a payment that does not fit its order back and closes it (admins).
#[utoipa::path(
    post, path = "/attention/payments/{id}/send-back", tag = "payments", security(("bearer" = [])),
    params(("id" = String, Path, description = "The payment provider's id of the payment")),
    responses(
        (status = 200, description = "It goes back, and the payment is closed", body = ModifiedCount),
        (status = 401, description = "Not signed in", body = ProblemView, content_type = "application/problem+json"),
        (status = 403, description = "Not an admin", body = ProblemView, content_type = "application/problem+json"),
        (status = 404, description = "There is none", body = ProblemView, content_type = "application/problem+json"),
        (status = 409, description = "It fits its order, or has not come in", body = ProblemView, content_type = "application/problem+json"),
        (status = 503, description = "The payment provider does not answer", body = ProblemView, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn send_back(
    app: Data<AppState>,
    Authenticated(caller): Authenticated,
    path: Path<String>,
) -> Result<web::Json<ModifiedCount>, Problem> {
    app.shop.send_back_mismatched(&caller, &id(&path)?).await?;
    Ok(web::Json(true.into()))
}
