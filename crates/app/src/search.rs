//! `driveline search`: commands on the search engine.

use std::time::Duration;

use application::IndexFailed;
use clap::Subcommand;
use ports::StoreError;
use tokio::time::sleep;

use crate::config::Console;
use crate::database::connect;
use crate::startup_error::StartupError;
use crate::telemetry::{self, LogFormat};
use crate::terminal::say;
use crate::wiring;

/// How long to wait between two looks at the index.
const PAUSE: Duration = Duration::from_millis(500);
/// How often in a row the engine may fail.
const TRIES: u32 = 5;

/// The arguments of `driveline search`.
#[derive(Debug, Subcommand)]
pub(crate) enum SearchCommand {
    /// Fill a new index with every product, and search in it from then on
    Rebuild,
}

/// `driveline search rebuild`. A shop that runs goes on searching in the old index, and may do the work itself.
pub(crate) async fn rebuild(settings: Console) -> Result<(), StartupError> {
    let Some(address) = &settings.search else {
        return Err(StartupError::refused("SEARCH_URL is not set: products are searched in the database"));
    };
    let database = connect(&settings.database).await?;
    telemetry::log(LogFormat::Person, settings.log);
    let index = wiring::search_index(&database, address)?;
    let failed = |error: IndexFailed| StartupError::internal(error.to_string());
    let store_failed = |error: StoreError| StartupError::internal(ports::error_chain(&error));
    let Some(name) = index.rebuild().await.map_err(failed)? else { return Ok(()) };
    say(&format!("Filling {name}."))?;
    let mut failures = 0;
    while !index.is_live(&name).await.map_err(store_failed)? {
        match index.follow_products().await {
            Ok(_) => failures = 0,
            Err(error) if failures == TRIES => return Err(failed(error)),
            Err(error) => {
                failures += 1;
                tracing::warn!(%error, "the search engine is tried again");
            }
        }
        sleep(PAUSE).await;
    }
    index.release().await.map_err(store_failed)?;
    say(&format!("Searches are answered from {name}."))
}
