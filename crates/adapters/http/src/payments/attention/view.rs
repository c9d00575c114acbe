//! Payment problems as the client sees them.

use application::Attention;
use domain::{Dispute, DisputeState, Refund, RefundCause, RefundState, Text, TransactionId};
use ports::AttentionItem;
use serde::Serialize;
use utoipa::ToSchema;

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
    /// A customer wants to return units: `POST /returns/{id}/accept` or `…/decline`.
    Return,
}

/// A payment problem, or a return, that an admin has to handle.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Attention)]
pub(crate) struct AttentionView {
    kind: AttentionKind,
    /// Of the payment, the refund, the dispute or the return, for the call that does something about it.
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
    /// The provider's own reason, or the customer's words about a return.
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
                (AttentionKind::Mismatched, payment.id.to_string(), Some(payment.id), payment.amount, None)
            }
            AttentionItem::Refund(refund) => {
                let kind = kind_of(&refund);
                (
                    kind,
                    refund.id.to_string(),
                    Some(refund.payment),
                    refund.amount,
                    refund.failure.map(Text::into_string),
                )
            }
            AttentionItem::Disputed { dispute, payment, .. } => {
                let Dispute { id, amount, state, reason } = dispute;
                let lost = state == DisputeState::Lost;
                let kind = if lost { AttentionKind::DisputeLost } else { AttentionKind::Disputed };
                (kind, id.to_string(), Some(payment), amount, reason.map(Text::into_string))
            }
            AttentionItem::Return(asked) => {
                let payment = order.state.transaction().cloned();
                let worth = asked.worth(&order, order.due());
                (AttentionKind::Return, asked.id.to_string(), payment, worth, asked.details.map(Text::into_string))
            }
        };
        Self {
            kind,
            id,
            order_id: order.id.to_string(),
            transaction_id: transaction.as_ref().map(TransactionId::to_string).unwrap_or_default(),
            amount: Dollars(amount),
            total: Dollars(order.due()),
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
