//! Work that nobody asks for: settling what no browser and no webhook told of, and forgetting what is old.

use std::fmt::Display;
use std::time::Duration;

use application::{Delivered, Shop};
use domain::delivery::Channel;
use ports::StoreError;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval, timeout};

use crate::telemetry::Numbers;

/// How often open payments are looked at. A payment that nobody told of is settled within this and the shop's own patience.
const RECONCILE_EVERY: Duration = Duration::from_secs(5);
/// How often paid orders are compared with the payment provider's books.
const AUDIT_EVERY: Duration = Duration::from_mins(1);
/// How often letters that are due are sent.
const DELIVER_EVERY: Duration = Duration::from_secs(1);
/// How often what waits is counted.
const COUNT_EVERY: Duration = Duration::from_secs(5);
/// How often endpoints' secrets are looked at for those that the shop's previous secret sealed.
const RESEAL_EVERY: Duration = Duration::from_hours(1);
/// How often orders are given up that were not paid in time.
const EXPIRE_EVERY: Duration = Duration::from_mins(1);
/// How often what nobody will ask for again is forgotten.
const FORGET_EVERY: Duration = Duration::from_hours(1);
/// How often the numbers are tidied.
const TIDY_EVERY: Duration = Duration::from_secs(5);
/// How long a run that has begun may take once it is time to stop. What it does not finish, the next start does.
const LAST_RUN: Duration = Duration::from_secs(5);

/// Timers that run until they are stopped.
pub(crate) struct Timers {
    stop: watch::Sender<bool>,
    running: JoinSet<()>,
}

impl Timers {
    /// Starts them; each runs once at once.
    pub(crate) fn start(shop: &Shop, hold: Duration, numbers: &Numbers) -> Self {
        let mut timers = Self { stop: watch::Sender::new(false), running: JoinSet::new() };
        timers.attend(RECONCILE_EVERY, "settling open payments", shop, |shop| async move {
            let done = shop.reconcile_payments().await?;
            gauge("owing", u64::from(done.owing));
            gauge("unclear", u64::from(done.unclear));
            if done != application::Reconciled::default() {
                tracing::info!(
                    settled = done.settled,
                    sent_back = done.sent_back,
                    closed = done.closed,
                    unclear = done.unclear,
                    owing = done.owing,
                    "open payments were looked at"
                );
            }
            Ok(())
        });
        metrics::describe_gauge!(
            "payments_drift",
            "Payments on which the orders and the payment provider disagree, refunds that are owed, and payments that the provider could not tell about."
        );
        timers.attend(AUDIT_EVERY, "comparing paid orders with the payment provider", shop, |shop| async move {
            let audited = shop.audit_payments().await?;
            gauge("disagreement", audited.drift);
            Ok(())
        });
        timers.deliver(shop);
        timers.attend(EXPIRE_EVERY, "giving up unpaid orders", shop, move |shop| async move {
            let done = shop.expire_orders(hold).await?;
            if done != application::Expired::default() {
                tracing::info!(cancelled = done.cancelled, kept = done.kept, "unpaid orders were given up");
            }
            Ok(())
        });
        timers.attend(FORGET_EVERY, "forgetting what is old", shop, |shop| async move {
            let answers = shop.forget_old_answers().await?;
            let payment_events = shop.forget_old_payment_events().await?;
            let account_tokens = shop.forget_old_account_tokens().await?;
            let deliveries = shop.forget_old_deliveries().await?;
            tracing::debug!(answers, payment_events, account_tokens, deliveries, "forgotten");
            Ok(())
        });
        let numbers = numbers.clone();
        timers.every(TIDY_EVERY, "tidying the numbers", move || {
            numbers.tidy();
            std::future::ready(Ok::<(), std::convert::Infallible>(()))
        });
        timers
    }

    fn deliver(&mut self, shop: &Shop) {
        metrics::describe_gauge!("outbox_waiting", "Letters and calls that wait to be delivered, by channel.");
        metrics::describe_gauge!("outbox_dead", "Letters and calls that were given up, by channel.");
        metrics::describe_counter!(
            "outbox_deliveries",
            "Attempts to deliver, by channel and by what became of them: sent, put_off or dead."
        );
        self.attend(DELIVER_EVERY, "delivering letters", shop, |shop| async move {
            tell_of(Channel::Mail, shop.deliver_letters().await?);
            Ok(())
        });
        // A timer of its own, so that a program that takes its time holds up no letter.
        self.attend(DELIVER_EVERY, "calling endpoints", shop, |shop| async move {
            tell_of(Channel::Webhook, shop.call_endpoints().await?);
            Ok(())
        });
        self.attend(RESEAL_EVERY, "sealing endpoints' secrets anew", shop, |shop| async move {
            let resealed = shop.reseal_endpoint_secrets().await?;
            tracing::debug!(resealed, "endpoints' secrets were looked at");
            Ok(())
        });
        self.attend(COUNT_EVERY, "counting what waits to be delivered", shop, |shop| async move {
            for backlog in shop.outbox_backlog().await? {
                let channel = backlog.channel.as_str();
                metrics::gauge!("outbox_waiting", "channel" => channel).set(float(backlog.waiting));
                metrics::gauge!("outbox_dead", "channel" => channel).set(float(backlog.dead));
            }
            Ok(())
        });
    }

    /// Runs a deed of the shop's now and then, as [`Self::every`] does.
    fn attend<Run>(
        &mut self,
        period: Duration,
        what: &'static str,
        shop: &Shop,
        deed: impl Fn(Shop) -> Run + Send + Sync + 'static,
    ) where
        Run: Future<Output = Result<(), StoreError>> + Send + 'static,
    {
        let shop = shop.clone();
        self.every(period, what, move || deed(shop.clone()));
    }

    /// Runs a deed now and then. A failure is logged when it begins and when it is over, not at every run in between, and
    /// the timer goes on.
    fn every<Run, Failed>(
        &mut self,
        period: Duration,
        what: &'static str,
        deed: impl Fn() -> Run + Send + Sync + 'static,
    ) where
        Run: Future<Output = Result<(), Failed>> + Send + 'static,
        Failed: Display + Send,
    {
        let mut stop = self.stop.subscribe();
        self.running.spawn(async move {
            let mut ticks = interval(period);
            // After a pause, such as a laptop's sleep, one run makes up for all that were missed.
            ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
            let mut failing = false;
            loop {
                tokio::select! {
                    biased;
                    _ = stop.wait_for(|stop| *stop) => return,
                    _ = ticks.tick() => {}
                }
                match deed().await {
                    Ok(()) if failing => {
                        tracing::info!("{what} works again");
                        failing = false;
                    }
                    Ok(()) => {}
                    Err(error) if failing => tracing::debug!(%error, "{what} failed again"),
                    Err(error) => {
                        tracing::warn!(%error, "{what} failed");
                        failing = true;
                    }
                }
            }
        });
    }

    /// Lets a run that has begun finish, within reason, and ends the timers.
    pub(crate) async fn stop(mut self) {
        self.stop.send_replace(true);
        let all_ended = async { while self.running.join_next().await.is_some() {} };
        if timeout(LAST_RUN, all_ended).await.is_err() {
            tracing::warn!("a timer's last run was cut short");
        }
    }
}

/// Counts what became of a run's deliveries, and says so if some were not taken.
fn tell_of(channel: Channel, done: Delivered) {
    let channel = channel.as_str();
    for (result, many) in [("sent", done.sent), ("put_off", done.put_off), ("dead", done.dead)] {
        metrics::counter!("outbox_deliveries", "channel" => channel, "result" => result).increment(u64::from(many));
    }
    if done.put_off + done.dead > 0 {
        tracing::warn!(
            channel,
            sent = done.sent,
            put_off = done.put_off,
            dead = done.dead,
            "deliveries were not taken; GET /outbox tells why"
        );
    }
}

fn gauge(kind: &'static str, value: u64) {
    metrics::gauge!("payments_drift", "kind" => kind).set(float(value));
}

#[expect(clippy::cast_precision_loss, reason = "nobody counts beyond 2^52")]
const fn float(many: u64) -> f64 {
    many as f64
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    fn none() -> Timers {
        Timers { stop: watch::Sender::new(false), running: JoinSet::new() }
    }

    #[tokio::test(start_paused = true)]
    async fn a_run_that_fails_does_not_end_the_timer() {
        let runs = Arc::new(AtomicU32::new(0));
        let mut timers = none();
        let counting = Arc::clone(&runs);
        timers.every(Duration::from_secs(5), "counting", move || {
            let run = counting.fetch_add(1, Ordering::Relaxed);
            async move { if run.is_multiple_of(2) { Err("an even run") } else { Ok(()) } }
        });
        tokio::time::sleep(Duration::from_secs(52)).await;
        assert_eq!(runs.load(Ordering::Relaxed), 11);
        timers.stop().await;
        tokio::time::sleep(Duration::from_mins(1)).await;
        assert_eq!(runs.load(Ordering::Relaxed), 11);
    }

    #[tokio::test(start_paused = true)]
    async fn stopping_waits_for_a_run_that_has_begun() {
        let finished = Arc::new(AtomicU32::new(0));
        let mut timers = none();
        let finishing = Arc::clone(&finished);
        timers.every(Duration::from_secs(5), "working", move || {
            let finished = Arc::clone(&finishing);
            async move {
                tokio::time::sleep(Duration::from_secs(2)).await;
                finished.fetch_add(1, Ordering::Relaxed);
                Ok::<(), &str>(())
            }
        });
        tokio::time::sleep(Duration::from_secs(1)).await;
        timers.stop().await;
        assert_eq!(finished.load(Ordering::Relaxed), 1);
    }

    #[tokio::test(start_paused = true)]
    async fn stopping_does_not_wait_for_ever() {
        let mut timers = none();
        timers.every(Duration::from_secs(5), "hanging", std::future::pending::<Result<(), &str>>);
        tokio::time::sleep(Duration::from_secs(1)).await;
        let began = tokio::time::Instant::now();
        timers.stop().await;
        assert_eq!(began.elapsed(), LAST_RUN);
    }
}
