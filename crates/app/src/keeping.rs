//! Keeping the shop open, and closing it.

use std::net::{SocketAddr, TcpListener};
use std::time::Duration;

use application::Shop;
use http_adapter::Site;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::failure::Failure;
use crate::jobs::Jobs;
use crate::signals::Signals;
use crate::telemetry::Numbers;
use crate::timers;

/// How long requests in flight may take once it is time to stop.
const DRAIN: Duration = Duration::from_secs(20);

/// Takes a port, and says so in one line if it cannot be had.
pub(crate) fn listen(address: SocketAddr) -> Result<TcpListener, Failure> {
    TcpListener::bind(address).map_err(|error| {
        Failure::refused(match error.kind() {
            std::io::ErrorKind::AddrInUse => {
                format!("{address} is taken: stop what listens there, or choose another port")
            }
            _ => format!("cannot listen on {address}: {error}"),
        })
    })
}

/// A shop that is open: it takes requests, and its background jobs run.
pub(crate) struct Open {
    handle: ServerHandle,
    serving: JoinHandle<std::io::Result<()>>,
    jobs: Jobs<Shop>,
}

type ServerHandle = Box<dyn Fn(bool) -> std::pin::Pin<Box<dyn Future<Output = ()> + Send>> + Send + Sync>;

/// Opens the shop.
pub(crate) fn open(site: Site, listener: TcpListener, numbers: &Numbers) -> Result<Open, Failure> {
    let shop: Shop = site.shop.clone();
    let server =
        http_adapter::serve(site, listener).map_err(|error| Failure::broken(format!("cannot serve: {error}")))?;
    let handle = server.handle();
    let handle: ServerHandle = Box::new(move |gracefully| Box::pin(handle.stop(gracefully)));
    Ok(Open { handle, serving: tokio::spawn(server), jobs: timers::start(&shop, numbers) })
}

impl Open {
    /// Waits until somebody asks to stop, then takes no more requests, lets those in flight end, and ends the jobs. A
    /// second ask cuts the wait short.
    pub(crate) async fn until_asked_to_stop(mut self, signals: &mut Signals) -> Result<(), Failure> {
        tokio::select! {
            ended = &mut self.serving => {
                self.jobs.stop().await;
                return Err(Failure::broken(match ended {
                    Ok(Ok(())) => "the server ended by itself".to_owned(),
                    Ok(Err(error)) => format!("the server ended: {error}"),
                    Err(error) => format!("the server ended: {error}"),
                }));
            }
            asked = signals.next() => tracing::info!(?asked, "closing: requests in flight may end"),
        }
        tokio::select! {
            drained = timeout(DRAIN, (self.handle)(true)) => {
                if drained.is_err() {
                    tracing::warn!("requests that did not end in time were cut off");
                }
            }
            asked = signals.next() => tracing::warn!(?asked, "closing at once: requests in flight are cut off"),
        }
        self.serving.abort();
        tokio::select! {
            () = self.jobs.stop() => {}
            _ = signals.next() => {}
        }
        Ok(())
    }
}
