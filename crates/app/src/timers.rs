//! The list of background jobs: settling what neither a browser nor a webhook reported, delivering, and deleting old
//! records. How they run is in [`crate::jobs`].

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use application::{App, Delivered, delete_in_batches};
use domain::notifications::delivery::Channel;
use http_adapter::{CatalogSnapshot, Idempotency};
use persistence::{Database, Drift, ReplicaHealth};
use ports::{SharedRateLimits, Traces};
use uuid::Uuid;

use crate::jobs::Jobs;
use crate::telemetry::Metrics;

/// How often the catalogue in memory is brought up to date if nobody reads it: whoever does brings it up to date at once.
const REFRESH_EVERY: Duration = Duration::from_millis(500);
/// How often open payments are checked. A payment that was not reported is settled within this and the shop's own
/// waiting time.
const RECONCILE_EVERY: Duration = Duration::from_secs(5);
/// How often due refunds are sent, and checked.
const PAY_BACK_EVERY: Duration = Duration::from_secs(5);
/// How often paid orders are compared with the payment provider's records.
const AUDIT_EVERY: Duration = Duration::from_mins(1);
/// How often due e-mails and webhooks are sent.
const DELIVER_EVERY: Duration = Duration::from_secs(1);
/// How often the backlog is counted.
const COUNT_EVERY: Duration = Duration::from_secs(5);
/// How often webhook subscriptions' secrets are checked for those sealed with the shop's previous secret.
const RESEAL_EVERY: Duration = Duration::from_hours(1);
/// How often orders that were not paid in time are cancelled.
const EXPIRE_EVERY: Duration = Duration::from_mins(1);
/// How often new orders are folded into the counts of orders. Until then they are counted one by one.
const FOLD_EVERY: Duration = Duration::from_secs(2);
/// How often feeds that wait are worked on.
const FEED_EVERY: Duration = Duration::from_secs(1);
/// How often old records are deleted.
const FORGET_EVERY: Duration = Duration::from_hours(1);
/// How often the search engine hears of changed products.
const INDEX_EVERY: Duration = Duration::from_secs(1);
/// How often some products' stock is compared with their ledgers, and how many at most: a hundred thousand within an hour. Ledgers
/// only grow, so that fewer are compared at a time where that takes longer.
const COMPARE_STOCK_EVERY: Duration = Duration::from_secs(5);
const COMPARED_AT_ONCE: u32 = 200;
const COMPARED_WITHIN: Duration = Duration::from_millis(20);
/// How often the metrics are tidied.
const TIDY_EVERY: Duration = Duration::from_secs(5);

/// Starts every background job of the shop.
pub(crate) fn start(
    shop: &App,
    catalog_snapshot: &Arc<CatalogSnapshot>,
    idempotency: &Idempotency,
    metrics: &Metrics,
    database: &Database,
    traces: &Arc<dyn Traces>,
) -> Jobs<App> {
    let mut jobs = Jobs::new(shop.clone(), Arc::clone(traces));
    let catalog_snapshot = Arc::clone(catalog_snapshot);
    jobs.every(REFRESH_EVERY, "refresh_catalog", move |_| {
        let catalog_snapshot = Arc::clone(&catalog_snapshot);
        async move { catalog_snapshot.refresh().await }
    });
    monitor_payments(&mut jobs);
    deliver(&mut jobs);
    expire_unpaid_orders(&mut jobs);
    jobs.every(RECONCILE_EVERY, "cancel_abandoned_orders", |shop| async move {
        let cancelled = shop.orders.cancel_abandoned_orders().await?;
        if cancelled > 0 {
            tracing::info!(cancelled, "unpaid orders of accounts that changed hands were cancelled");
        }
        Ok::<_, ports::StoreError>(())
    });
    jobs.every(FOLD_EVERY, "fold_counts", |shop| async move { shop.orders.fold_counts().await });
    jobs.every(FEED_EVERY, "work_on_feeds", |shop| async move { shop.feeds.work().await.map(drop) });
    index(&mut jobs);
    watch_database(&mut jobs, database);
    forget(&mut jobs, idempotency.clone(), database.clone());
    let metrics = metrics.clone();
    jobs.every(TIDY_EVERY, "tidy_metrics", move |_| {
        metrics.tidy();
        std::future::ready(Ok::<(), std::convert::Infallible>(()))
    });
    jobs
}

/// Measures what nobody would notice: stock that is not what its ledger says, and copies of the database that are behind.
fn watch_database(jobs: &mut Jobs<App>, database: &Database) {
    metrics::describe_gauge!(
        "stock_drift",
        "Products whose stock is not what their ledger adds up to; a part of the products is compared at a time."
    );
    metrics::describe_gauge!("database_standbys", "Standbys that the database streams its log to.");
    metrics::describe_gauge!("database_replica_up", "Whether the replica that lists are read from answers: 1 or 0.");
    metrics::describe_gauge!("database_replica_lag_seconds", "How far that replica is behind.");
    let (compared, round) = (database.clone(), Arc::new(Mutex::new(DriftRound::new())));
    jobs.every(COMPARE_STOCK_EVERY, "compare_stock", move |_| {
        let (database, round) = (compared.clone(), Arc::clone(&round));
        async move {
            let (after, many) = round.lock().unwrap_or_else(PoisonError::into_inner).next();
            let begun = Instant::now();
            let drift = database.stock_drift(after, many).await?;
            let found = round.lock().unwrap_or_else(PoisonError::into_inner).note(drift, begun.elapsed());
            metrics::gauge!("stock_drift").set(float(found));
            Ok::<_, ports::StoreError>(())
        }
    });
    let measured = database.clone();
    jobs.every(COUNT_EVERY, "measure_replication", move |_| {
        let database = measured.clone();
        async move {
            metrics::gauge!("database_standbys").set(float(database.streaming_standbys().await?));
            match database.replica_health().await? {
                ReplicaHealth::None => {}
                ReplicaHealth::Away => metrics::gauge!("database_replica_up").set(0.0),
                ReplicaHealth::Behind(milliseconds) => {
                    metrics::gauge!("database_replica_up").set(1.0);
                    metrics::gauge!("database_replica_lag_seconds").set(float(milliseconds) / 1_000.0);
                }
            }
            Ok::<_, ports::StoreError>(())
        }
    });
}

/// How far a round through all products has come.
#[derive(Debug)]
struct DriftRound {
    /// The last product that was compared; `None` at the begin of a round.
    after: Option<Uuid>,
    /// How many are compared next.
    many: u32,
    /// How many had drifted in this round so far, and in the last whole one.
    found: u64,
    found_before: u64,
}

impl DriftRound {
    const fn new() -> Self {
        Self { after: None, many: COMPARED_AT_ONCE, found: 0, found_before: 0 }
    }

    /// After which product to go on, and how many to compare.
    const fn next(&self) -> (Option<Uuid>, u32) {
        (self.after, self.many)
    }

    /// Notes what was found in the next part within a time, and returns how many have drifted: what the last whole round found
    /// holds until this one is over, unless this one has found more.
    fn note(&mut self, drift: Drift, took: Duration) -> u64 {
        if took > COMPARED_WITHIN {
            self.many = (self.many / 2).max(1);
        } else if took < COMPARED_WITHIN / 2 {
            self.many = (self.many * 2).min(COMPARED_AT_ONCE);
        }
        self.found += drift.drifted.unsigned_abs();
        self.after = drift.last;
        if drift.last.is_none() {
            self.found_before = std::mem::take(&mut self.found);
        }
        self.found.max(self.found_before)
    }
}

/// Keeps a search engine in step with the products, if there is one.
fn index(jobs: &mut Jobs<App>) {
    metrics::describe_gauge!(
        "search_index_changes_waiting",
        "Changes of products that the search engine has not heard of, counted to ten thousand."
    );
    metrics::describe_gauge!("search_index_behind_seconds", "How old the oldest of them is.");
    metrics::describe_counter!(
        "search_index_products",
        "Products that were written to the search engine, by result: written, refused or repaired."
    );
    jobs.every(INDEX_EVERY, "index_products", |shop| async move {
        let done = shop.search_index.follow_products().await?;
        for (result, many) in [("written", done.written), ("refused", done.refused), ("repaired", done.repaired)] {
            metrics::counter!("search_index_products", "result" => result).increment(many);
        }
        Ok::<_, application::IndexFailed>(())
    });
    // A job of its own, so that the lag shows while the engine fails.
    jobs.every(COUNT_EVERY, "measure_search_index", |shop| async move {
        if let Some(lag) = shop.search_index.lag().await? {
            metrics::gauge!("search_index_changes_waiting").set(float(lag.changes));
            metrics::gauge!("search_index_behind_seconds").set(float(lag.seconds));
        }
        Ok::<_, ports::StoreError>(())
    });
}

fn expire_unpaid_orders(jobs: &mut Jobs<App>) {
    metrics::describe_gauge!(
        "clock_ahead_seconds",
        "How far this machine's clock is ahead of the database's; beyond 30 either way this instance cancels no unpaid order."
    );
    metrics::describe_gauge!(
        "unpaid_orders_overdue",
        "Unpaid orders that still reserve units past their time, because the shop could not cancel them yet."
    );
    jobs.every(EXPIRE_EVERY, "compare_clocks", |shop| async move {
        metrics::gauge!("clock_ahead_seconds").set(seconds(shop.clocks.ahead().await?));
        Ok::<_, ports::StoreError>(())
    });
    jobs.every(EXPIRE_EVERY, "expire_orders", |shop| async move {
        let done = shop.orders.expire_orders().await?;
        if done != application::Expired::default() {
            tracing::info!(
                cancelled = done.cancelled,
                not_cancelled = done.not_cancelled,
                unreadable = done.unreadable,
                reminded = done.reminded,
                paused = done.paused,
                "unpaid orders were checked"
            );
        }
        metrics::gauge!("unpaid_orders_overdue").set(float(shop.orders.overdue_orders().await?));
        Ok::<_, ports::StoreError>(())
    });
}

fn monitor_payments(jobs: &mut Jobs<App>) {
    metrics::describe_gauge!(
        "payments_drift",
        "Payment problems by kind: disagreement, owing, owing_overdue, refund_failed, refunded_elsewhere, disputed, mismatched, unknown, unclear."
    );
    jobs.every(RECONCILE_EVERY, "reconcile_payments", |shop| async move {
        let done = shop.payments.reconcile_payments().await?;
        gauge("unclear", u64::from(done.unclear));
        if done != application::Reconciled::default() {
            tracing::info!(
                settled = done.settled,
                sent_back = done.sent_back,
                closed = done.closed,
                unclear = done.unclear,
                "open payments were checked"
            );
        }
        Ok::<_, ports::StoreError>(())
    });
    // A job of its own, so that refunds on which the provider hangs delay no payment.
    jobs.every(PAY_BACK_EVERY, "pay_back", |shop| async move {
        let done = shop.payments.pay_back().await?;
        let tally = shop.payments.money_tally().await?;
        gauge("owing", tally.owing);
        gauge("owing_overdue", tally.overdue);
        gauge("refund_failed", tally.failed);
        gauge("refunded_elsewhere", tally.elsewhere);
        gauge("disputed", tally.disputed);
        gauge("mismatched", tally.mismatched);
        gauge("unknown", tally.unknown);
        if done != application::PaidBack::default() {
            tracing::info!(sent = done.sent, failed = done.failed, waiting = done.waiting, "refunds were checked");
        }
        Ok::<_, ports::StoreError>(())
    });
    jobs.every(AUDIT_EVERY, "audit_payments", |shop| async move {
        let audited = shop.payments.audit_payments().await?;
        gauge("disagreement", audited.drift);
        Ok::<_, ports::StoreError>(())
    });
}

fn deliver(jobs: &mut Jobs<App>) {
    metrics::describe_gauge!(
        "outbox_waiting",
        "E-mails and webhooks that are waiting to be delivered, by channel, counted to ten thousand."
    );
    metrics::describe_gauge!(
        "outbox_oldest_seconds",
        "How old the oldest of them is, by channel; 0 if none is waiting."
    );
    metrics::describe_gauge!(
        "outbox_dead",
        "E-mails and webhooks that were given up, by channel, counted to ten thousand."
    );
    metrics::describe_counter!(
        "outbox_deliveries",
        "Attempts to deliver, by channel and result: sent, put_off or dead."
    );
    jobs.every(DELIVER_EVERY, "send_emails", |shop| async move {
        count(Channel::Mail, shop.notifications.deliver_emails().await?);
        Ok::<_, ports::StoreError>(())
    });
    // A job of its own, so that a slow receiver delays no e-mail.
    jobs.every(DELIVER_EVERY, "call_webhooks", |shop| async move {
        count(Channel::Webhook, shop.notifications.deliver_webhooks().await?);
        Ok::<_, ports::StoreError>(())
    });
    jobs.every(RESEAL_EVERY, "reseal_webhook_secrets", |shop| async move {
        let resealed = shop.notifications.reseal_webhook_secrets().await?;
        tracing::debug!(resealed, "webhook subscriptions' secrets were checked");
        Ok::<_, ports::StoreError>(())
    });
    jobs.every(COUNT_EVERY, "count_deliveries", |shop| async move {
        for backlog in shop.notifications.outbox_backlog().await? {
            let channel = backlog.channel.as_str();
            metrics::gauge!("outbox_waiting", "channel" => channel).set(float(backlog.waiting));
            metrics::gauge!("outbox_oldest_seconds", "channel" => channel).set(float(backlog.oldest_seconds));
            metrics::gauge!("outbox_dead", "channel" => channel).set(float(backlog.dead));
        }
        Ok::<_, ports::StoreError>(())
    });
}

/// Each kind is a job of its own, so that a failure of one does not keep the others from being deleted.
fn forget(jobs: &mut Jobs<App>, idempotency: Idempotency, rate_limits: Database) {
    jobs.every(FORGET_EVERY, "forget_answers", move |_| {
        let idempotency = idempotency.clone();
        async move { idempotency.forget_old().await.map(drop) }
    });
    jobs.every(
        FORGET_EVERY,
        "forget_sessions",
        |shop| async move { shop.signing_in.forget_old_sessions().await.map(drop) },
    );
    jobs.every(FORGET_EVERY, "forget_payment_events", |shop| async move {
        shop.payments.forget_old_payment_events().await.map(drop)
    });
    jobs.every(FORGET_EVERY, "forget_account_tokens", |shop| async move {
        shop.account_links.forget_old_account_tokens().await.map(drop)
    });
    jobs.every(FORGET_EVERY, "forget_sign_ins", |shop| async move {
        shop.account_links.forget_old_ownership().await.map(drop)
    });
    jobs.every(FORGET_EVERY, "forget_feeds", |shop| async move { shop.feeds.expire().await.map(drop) });
    jobs.every(FORGET_EVERY, "forget_catalogue_changes", |shop| async move {
        shop.search_index.forget_changes().await.map(drop)
    });
    jobs.every(FORGET_EVERY, "forget_deliveries", |shop| async move {
        shop.notifications.forget_old_deliveries().await.map(drop)
    });
    jobs.every(FORGET_EVERY, "forget_rate_limits", move |_| {
        let rate_limits = rate_limits.clone();
        async move { delete_in_batches(|max| SharedRateLimits::forget(&rate_limits, max)).await.map(drop) }
    });
}

/// Counts the results of the deliveries since the last run.
fn count(channel: Channel, done: Delivered) {
    let channel = channel.as_str();
    for (result, many) in [("sent", done.sent), ("put_off", done.rescheduled), ("dead", done.dead)] {
        metrics::counter!("outbox_deliveries", "channel" => channel, "result" => result).increment(u64::from(many));
    }
    if done.rescheduled > 0 {
        // While a server is unavailable this is so at every run; the counter and GET /outbox report it as well.
        tracing::debug!(channel, rescheduled = done.rescheduled, "deliveries were rescheduled");
    }
}

fn gauge(kind: &'static str, value: u64) {
    metrics::gauge!("payments_drift", "kind" => kind).set(float(value));
}

#[expect(clippy::cast_precision_loss, reason = "no clock is off by 2^52 milliseconds")]
const fn seconds(milliseconds: i64) -> f64 {
    milliseconds as f64 / 1_000.0
}

#[expect(clippy::cast_precision_loss, reason = "no count exceeds 2^52")]
const fn float(many: u64) -> f64 {
    many as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drift_is_shown_until_a_whole_round_finds_none() {
        let part = |drifted, last: Option<u128>| Drift { drifted, last: last.map(Uuid::from_u128) };
        let mut round = DriftRound::new();
        assert_eq!(round.note(part(0, Some(1)), COMPARED_WITHIN), 0);
        assert_eq!(round.note(part(2, Some(2)), COMPARED_WITHIN), 2);
        assert_eq!(round.after, Some(Uuid::from_u128(2)));
        assert_eq!(round.note(part(0, None), COMPARED_WITHIN), 2);
        assert_eq!(round.after, None);
        assert_eq!(round.note(part(0, Some(1)), COMPARED_WITHIN), 2, "this round has not come to them yet");
        assert_eq!(round.note(part(3, Some(2)), COMPARED_WITHIN), 3);
        assert_eq!(round.note(part(0, None), COMPARED_WITHIN), 3);
        assert_eq!(round.note(part(0, Some(2)), COMPARED_WITHIN), 3);
        assert_eq!(round.note(part(0, None), COMPARED_WITHIN), 0);
    }
    #[test]
    fn fewer_products_are_compared_at_a_time_where_that_takes_long() {
        let mut round = DriftRound::new();
        let mut many = |took: Duration| {
            round.note(Drift { drifted: 0, last: None }, took);
            round.next().1
        };
        assert_eq!(many(COMPARED_WITHIN), COMPARED_AT_ONCE);
        assert_eq!(many(COMPARED_WITHIN * 2), COMPARED_AT_ONCE / 2);
        assert_eq!(many(COMPARED_WITHIN * 2), COMPARED_AT_ONCE / 4);
        assert_eq!(many(COMPARED_WITHIN / 4), COMPARED_AT_ONCE / 2);
        for _ in 0..10 {
            many(COMPARED_WITHIN * 2);
        }
        assert_eq!(many(COMPARED_WITHIN), 1, "a ledger that is long by itself");
        for _ in 0..10 {
            many(Duration::ZERO);
        }
        assert_eq!(many(Duration::ZERO), COMPARED_AT_ONCE);
    }
}
