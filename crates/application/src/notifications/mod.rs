//! Delivering e-mails and webhooks, and managing webhook subscriptions.

pub(crate) mod attachments;
pub(crate) mod deliver_emails;
pub(crate) mod deliver_webhooks;
pub(crate) mod deliveries;
pub(crate) mod delivery_lanes;
#[cfg(test)]
pub(crate) mod fake_outbox;
pub(crate) mod notification;
pub(crate) mod outcome;
pub(crate) mod subscriptions;
pub(crate) mod unconfirmed_email;

use std::sync::Arc;

use ports::{
    AccountTokens, CheckoutRepository, Clock, DocumentRenderer, DocumentRepository, EmailSender, Ids, OrderRepository,
    Outbox, OwnershipRepository, ShipmentRepository, WebhookSecrets, WebhookSender, WebhookSubscriptions,
};

use self::delivery_lanes::DeliveryLanes;
use crate::Ports;
use crate::accounts::issue_account_token::AccountTokenIssuer;
use crate::platform::compare_clocks::Clocks;

/// E-mails and webhooks: what is sent, to whom, and what became of it.
#[derive(Clone)]
pub struct Notifications {
    account_token_issuer: AccountTokenIssuer,
    account_tokens: Arc<dyn AccountTokens>,
    checkouts: Arc<dyn CheckoutRepository>,
    clocks: Clocks,
    clock: Arc<dyn Clock>,
    document_renderer: Arc<dyn DocumentRenderer>,
    documents: Arc<dyn DocumentRepository>,
    /// `None` if no mail server is configured: then e-mails wait in the outbox.
    email_sender: Option<Arc<dyn EmailSender>>,
    ids: Arc<dyn Ids>,
    /// The deliveries in progress in this process.
    lanes: Arc<DeliveryLanes>,
    orders: Arc<dyn OrderRepository>,
    outbox: Arc<dyn Outbox>,
    ownership: Arc<dyn OwnershipRepository>,
    shipments: Arc<dyn ShipmentRepository>,
    webhook_secrets: Arc<dyn WebhookSecrets>,
    webhook_sender: Arc<dyn WebhookSender>,
    webhook_subscriptions: Arc<dyn WebhookSubscriptions>,
}

impl Notifications {
    pub(crate) fn new(ports: &Ports) -> Self {
        Self {
            account_token_issuer: AccountTokenIssuer::new(ports),
            account_tokens: Arc::clone(&ports.account_tokens),
            checkouts: Arc::clone(&ports.checkouts),
            clocks: Clocks::new(ports),
            clock: Arc::clone(&ports.clock),
            document_renderer: Arc::clone(&ports.document_renderer),
            documents: Arc::clone(&ports.documents),
            email_sender: ports.email_sender.clone(),
            ids: Arc::clone(&ports.ids),
            lanes: Arc::default(),
            orders: Arc::clone(&ports.orders),
            outbox: Arc::clone(&ports.outbox),
            ownership: Arc::clone(&ports.ownership),
            shipments: Arc::clone(&ports.shipments),
            webhook_secrets: Arc::clone(&ports.webhook_secrets),
            webhook_sender: Arc::clone(&ports.webhook_sender),
            webhook_subscriptions: Arc::clone(&ports.webhook_subscriptions),
        }
    }
}
