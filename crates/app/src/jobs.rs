//! Background jobs: how they run, not what they do.
//!
//! Jobs are independent. One that fails, panics or is slow does not affect the others, and runs again after its period.
//! The time of each job's last success is in `job_last_success_seconds{job}`, so that a job that stopped is noticed.

use std::fmt::Display;
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::time::Duration;

use ports::{Clock as _, SPANS, Trace, Traces};
use tokio::sync::watch;
use tokio::task::{JoinError, JoinSet};
use tokio::time::{Instant, sleep_until, timeout};
use tracing::Instrument;
use tracing::field::Empty;

use crate::clock::SystemClock;

/// How long a run that has begun may take once the program stops. What it does not finish, the next start does.
const LAST_RUN: Duration = Duration::from_secs(5);
/// A period is shortened by up to one part in so many, so that instances that start together drift apart.
const JITTER: u32 = 10;

/// Jobs that run until they are stopped, each with a clone of the `Context`, which has to be cheap.
pub(crate) struct Jobs<Context> {
    context: Context,
    traces: Arc<dyn Traces>,
    stop: watch::Sender<bool>,
    running: JoinSet<()>,
}

impl<Context: Clone + Send + Sync + 'static> Jobs<Context> {
    pub(crate) fn new(context: Context, traces: Arc<dyn Traces>) -> Self {
        metrics::describe_gauge!("job_last_success_seconds", "When a background job last succeeded, in Unix time.");
        metrics::describe_counter!("job_runs", "Runs of a background job by result: succeeded, failed or panicked.");
        Self { context, traces, stop: watch::Sender::new(false), running: JoinSet::new() }
    }

    /// Runs a use case immediately and then every `period`. A failure is logged when it begins and when it is over, not
    /// at every run in between; a panic is logged each time. Neither ends the job.
    pub(crate) fn every<Run, Failed>(
        &mut self,
        period: Duration,
        name: &'static str,
        use_case: impl Fn(Context) -> Run + Send + Sync + 'static,
    ) where
        Run: Future<Output = Result<(), Failed>> + Send + 'static,
        Failed: Display + Send + 'static,
    {
        let (context, traces) = (self.context.clone(), Arc::clone(&self.traces));
        let mut stop = self.stop.subscribe();
        for result in ["succeeded", "failed", "panicked"] {
            metrics::counter!("job_runs", "job" => name, "result" => result).increment(0);
        }
        self.running.spawn(async move {
            let mut health = Health { name, failing: false };
            loop {
                let next = Instant::now() + shortened(period);
                run_once(name, use_case(context.clone()), &*traces, &mut health).await;
                tokio::select! {
                    biased;
                    _ = stop.wait_for(|stop| *stop) => return,
                    () = sleep_until(next) => {}
                }
            }
        });
    }

    /// Lets runs that have begun finish, within a deadline, and ends the jobs.
    pub(crate) async fn stop(mut self) {
        self.stop.send_replace(true);
        let all_ended = async { while self.running.join_next().await.is_some() {} };
        if timeout(LAST_RUN, all_ended).await.is_err() {
            tracing::warn!("a background job's last run was cut short");
        }
    }
}

/// Runs a job once, as a trace of its own.
async fn run_once<Failed: Display + Send + 'static>(
    name: &'static str,
    use_case: impl Future<Output = Result<(), Failed>> + Send + 'static,
    traces: &dyn Traces,
    health: &mut Health,
) {
    let trace = Trace { id: traces.fresh(), caller: None };
    let log = tracing::info_span!("job", name, trace_id = %trace.id);
    let exported = tracing::info_span!(target: SPANS, "job", otel.name = name, otel.status_code = Empty);
    traces.begin(&exported, trace);
    // A task of its own, so that a panic ends the run and not the job. Dropping the set aborts the run.
    let mut run = JoinSet::new();
    run.spawn(use_case.instrument(exported.clone()).instrument(log.clone()));
    if let Some(ended) = run.join_next().await {
        if !matches!(ended, Ok(Ok(()))) {
            exported.record("otel.status_code", "ERROR");
        }
        log.in_scope(|| health.note(ended));
    }
}

/// The last known state of a job.
struct Health {
    name: &'static str,
    failing: bool,
}

impl Health {
    fn note<Failed: Display>(&mut self, ended: Result<Result<(), Failed>, JoinError>) {
        let job = self.name;
        let result = match ended {
            Ok(Ok(())) => {
                if self.failing {
                    tracing::info!(job, "the background job works again");
                }
                self.failing = false;
                gauge_last_success(job);
                "succeeded"
            }
            Ok(Err(error)) => {
                if self.failing {
                    tracing::debug!(job, %error, "the background job failed again");
                } else {
                    tracing::warn!(job, %error, "the background job failed");
                }
                self.failing = true;
                "failed"
            }
            Err(error) => {
                tracing::error!(job, %error, "the background job panicked; it goes on with its next run");
                self.failing = true;
                "panicked"
            }
        };
        metrics::counter!("job_runs", "job" => job, "result" => result).increment(1);
    }
}

#[expect(clippy::cast_precision_loss, reason = "a double counts seconds for 285 million years")]
fn gauge_last_success(job: &'static str) {
    metrics::gauge!("job_last_success_seconds", "job" => job).set(SystemClock.now().as_second() as f64);
}

/// A period, less a random part of up to a tenth.
fn shortened(period: Duration) -> Duration {
    let dice = u32::try_from(RandomState::new().hash_one(()) % 1_024).unwrap_or(0);
    period.saturating_sub(period / JITTER * dice / 1_024)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;
    use crate::telemetry::RandomTraces;

    fn traces() -> Arc<dyn Traces> {
        Arc::new(RandomTraces)
    }

    const PERIOD: Duration = Duration::from_secs(5);

    /// Runs a job for a minute and returns how often it ran.
    async fn runs_in_a_minute(end: impl Fn(u32) -> Result<(), &'static str> + Send + Sync + 'static) -> u32 {
        let runs = Arc::new(AtomicU32::new(0));
        let mut jobs = Jobs::new(Arc::clone(&runs), traces());
        let end = Arc::new(end);
        jobs.every(PERIOD, "counting", move |runs: Arc<AtomicU32>| {
            let end = Arc::clone(&end);
            async move { end(runs.fetch_add(1, Ordering::SeqCst)) }
        });
        tokio::time::sleep(Duration::from_mins(1)).await;
        jobs.stop().await;
        let counted = runs.load(Ordering::SeqCst);
        tokio::time::sleep(Duration::from_mins(1)).await;
        assert_eq!(runs.load(Ordering::SeqCst), counted, "it ran after it was stopped");
        counted
    }

    #[tokio::test(start_paused = true)]
    async fn a_job_runs_immediately_and_then_every_period_or_a_little_sooner() {
        let runs = runs_in_a_minute(|_| Ok(())).await;
        assert!((13..=14).contains(&runs), "{runs}");
    }

    #[tokio::test(start_paused = true)]
    async fn a_run_that_fails_does_not_end_the_job() {
        let runs = runs_in_a_minute(|run| if run.is_multiple_of(2) { Err("an even run") } else { Ok(()) }).await;
        assert!((13..=14).contains(&runs), "{runs}");
    }

    #[tokio::test(start_paused = true)]
    async fn a_run_that_panics_does_not_end_the_job() {
        let runs = runs_in_a_minute(|run| if run < 3 { panic!("a planted defect") } else { Ok(()) }).await;
        assert!((13..=14).contains(&runs), "{runs}");
    }

    #[tokio::test(start_paused = true)]
    async fn a_job_that_hangs_delays_no_other() {
        let runs = Arc::new(AtomicU32::new(0));
        let mut jobs = Jobs::new(Arc::clone(&runs), traces());
        jobs.every(PERIOD, "hanging", |_| std::future::pending::<Result<(), &str>>());
        jobs.every(PERIOD, "counting", |runs: Arc<AtomicU32>| async move {
            runs.fetch_add(1, Ordering::SeqCst);
            Ok::<(), &str>(())
        });
        tokio::time::sleep(Duration::from_mins(1)).await;
        assert!(runs.load(Ordering::SeqCst) >= 13);
    }

    #[tokio::test(start_paused = true)]
    async fn stopping_waits_for_a_run_that_has_begun() {
        let finished = Arc::new(AtomicU32::new(0));
        let mut jobs = Jobs::new(Arc::clone(&finished), traces());
        jobs.every(PERIOD, "working", |finished: Arc<AtomicU32>| async move {
            tokio::time::sleep(Duration::from_secs(2)).await;
            finished.fetch_add(1, Ordering::SeqCst);
            Ok::<(), &str>(())
        });
        tokio::time::sleep(Duration::from_secs(1)).await;
        jobs.stop().await;
        assert_eq!(finished.load(Ordering::SeqCst), 1);
    }

    #[tokio::test(start_paused = true)]
    async fn stopping_does_not_wait_for_ever() {
        let mut jobs = Jobs::new((), traces());
        jobs.every(PERIOD, "hanging", |()| std::future::pending::<Result<(), &str>>());
        tokio::time::sleep(Duration::from_secs(1)).await;
        let began = Instant::now();
        jobs.stop().await;
        assert_eq!(began.elapsed(), LAST_RUN);
    }
}
