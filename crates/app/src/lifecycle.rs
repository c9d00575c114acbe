//! Opening the shop, keeping it open, and closing it.

use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use application::App;
use http_adapter::{AppState, CatalogSnapshot, Idempotency, MetricsText, ServerHandle};
use persistence::Database;
use ports::Traces;
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

use crate::jobs::Jobs;
use crate::readiness::Lifecycle;
use crate::signals::{Asked, Signals};
use crate::startup_error::StartupError;
use crate::telemetry::Metrics;
use crate::timers;

/// How long requests in flight may take once the shop stops.
const DRAIN: Duration = Duration::from_secs(20);

/// How many clients may wait to be accepted, as far as the system's own limit goes (`net.core.somaxconn`). What the standard library
/// asks for, 128, is less than come while a busy server is at something else, and who is not let in tries again only a second later.
const BACKLOG: i32 = 4_096;

/// Binds a port, and reports in one line if that is not possible.
pub(crate) fn listen(address: SocketAddr) -> Result<TcpListener, StartupError> {
    let bound = TcpListener::bind(address);
    let listening = bound.and_then(|listener| Ok(rustix::net::listen(&listener, BACKLOG).map(|()| listener)?));
    listening.map_err(|error| {
        StartupError::refused(match error.kind() {
            std::io::ErrorKind::AddrInUse => {
                format!("{address} is taken: stop what listens there, or choose another port")
            }
            _ => format!("cannot listen on {address}: {error}"),
        })
    })
}

/// How long deliveries in progress may take once the shop stops. One that is cut off is sent again after the next
/// start.
const LAST_DELIVERIES: Duration = Duration::from_secs(5);

/// Stops the jobs, and lets what they have begun finish.
async fn stop_working(jobs: Jobs<App>, shop: &App) {
    let ((), finished) = tokio::join!(jobs.stop(), timeout(LAST_DELIVERIES, shop.notifications.finish_deliveries()));
    if finished.is_err() {
        tracing::warn!("deliveries in progress were cut off");
    }
}

/// A shop that listens but is not ready: it asks clients to retry.
pub(crate) struct Listening {
    shop: App,
    catalog_snapshot: Arc<CatalogSnapshot>,
    idempotency: Idempotency,
    traces: Arc<dyn Traces>,
    handle: ServerHandle,
    serving: JoinHandle<std::io::Result<()>>,
    lifecycle: Arc<Lifecycle>,
}

/// A shop that is open: it accepts requests, and its background jobs run.
pub(crate) struct Open {
    handle: ServerHandle,
    serving: JoinHandle<std::io::Result<()>>,
    lifecycle: Arc<Lifecycle>,
    watching: JoinHandle<()>,
    jobs: Jobs<App>,
    shop: App,
}

/// Begins to serve.
pub(crate) fn serve(
    app: AppState,
    listener: TcpListener,
    lifecycle: Arc<Lifecycle>,
) -> Result<Listening, StartupError> {
    let (shop, idempotency) = (app.shop.clone(), app.idempotency.clone());
    let (catalog_snapshot, traces) = (Arc::clone(&app.catalog_snapshot), Arc::clone(&app.traces));
    let server =
        http_adapter::serve(app, listener).map_err(|error| StartupError::internal(format!("cannot serve: {error}")))?;
    Ok(Listening {
        shop,
        catalog_snapshot,
        idempotency,
        traces,
        handle: server.handle(),
        serving: tokio::spawn(server),
        lifecycle,
    })
}

impl Listening {
    pub(crate) fn open(self, database: &Database, metrics: &Metrics) -> Open {
        let watching = self.lifecycle.watch(database);
        self.lifecycle.open();
        if let Err(error) = database.listen() {
            tracing::error!(%error, "changes are not listened for: the catalogue is read from the database");
        }
        let jobs =
            timers::start(&self.shop, &self.catalog_snapshot, &self.idempotency, metrics, database, &self.traces);
        Open { handle: self.handle, serving: self.serving, lifecycle: self.lifecycle, watching, jobs, shop: self.shop }
    }

    /// Stops a shop that never opened.
    pub(crate) async fn close_at_once(self) {
        self.handle.stop(false).await;
        self.serving.abort();
    }
}

/// The metrics on a port of their own.
pub(crate) struct MetricsServer {
    /// The address that it listens on.
    pub(crate) address: SocketAddr,
    handle: ServerHandle,
}

impl MetricsServer {
    /// Serves them on a listening socket.
    pub(crate) fn open(listener: TcpListener, metrics: MetricsText) -> Result<Self, StartupError> {
        let failed = |error| StartupError::internal(format!("cannot serve the metrics: {error}"));
        let address = listener.local_addr().map_err(failed)?;
        let server = http_adapter::serve_metrics(metrics, listener).map_err(failed)?;
        let handle = server.handle();
        tokio::spawn(server);
        Ok(Self { address, handle })
    }

    pub(crate) async fn close(self) {
        self.handle.stop(false).await;
    }
}

impl Open {
    /// Waits for a signal to stop, then accepts no more requests, lets those in flight finish, and ends the jobs. On
    /// SIGTERM, it first goes on serving for `drain` and reports that it is not ready, so that a load balancer sends it
    /// no more requests. A second signal cuts the wait short.
    pub(crate) async fn until_asked_to_stop(
        mut self,
        signals: &mut Signals,
        drain: Duration,
    ) -> Result<(), StartupError> {
        tokio::select! {
            ended = &mut self.serving => {
                stop_working(self.jobs, &self.shop).await;
                return Err(StartupError::internal(match ended {
                    Ok(Ok(())) => "the server ended by itself".to_owned(),
                    Ok(Err(error)) => format!("the server ended: {error}"),
                    Err(error) => format!("the server ended: {error}"),
                }));
            }
            asked = signals.next() => {
                tracing::info!(?asked, "closing: requests in flight may finish");
                self.lifecycle.drain();
                // At a terminal there is no load balancer to wait for.
                if asked == Asked::Terminate {
                    tokio::select! {
                        () = sleep(drain) => {}
                        _ = signals.next() => {}
                    }
                }
            }
        }
        self.watching.abort();
        tokio::select! {
            drained = timeout(DRAIN, self.handle.stop(true)) => {
                if drained.is_err() {
                    tracing::warn!("requests that did not finish in time were cut off");
                }
            }
            asked = signals.next() => tracing::warn!(?asked, "closing immediately: requests in flight are cut off"),
        }
        self.serving.abort();
        tokio::select! {
            () = stop_working(self.jobs, &self.shop) => {}
            _ = signals.next() => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::net::TcpStream;

    use super::*;

    #[test]
    fn a_crowd_is_let_in_before_anybody_is_accepted() {
        let system: usize = std::fs::read_to_string("/proc/sys/net/core/somaxconn").unwrap().trim().parse().unwrap();
        let listener = listen("127.0.0.1:0".parse().unwrap()).unwrap();
        let address = listener.local_addr().unwrap();
        let crowd = 500.min(system);
        // Who is not let in at once is asked again after a second.
        let soon = Duration::from_millis(900);
        let connected = (0..crowd).map_while(|_| TcpStream::connect_timeout(&address, soon).ok()).collect::<Vec<_>>();
        assert_eq!(connected.len(), crowd);
    }
}
