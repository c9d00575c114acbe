//! The fake Stripe as a program, for tests that are not written in Rust. Prints one line once it listens, and runs
//! until it is stopped.
//!
//! ```sh
//! cargo run --package driveline-testkit --example fake_stripe -- --port 12111 --seed 7 \
//!     --webhook-url http://127.0.0.1:8080/webhooks/stripe --webhook-secret whsec_1
//! ```

use std::io;

use clap::Parser;
use testkit::fake_stripe::{Endpoint, FakeStripe, Keys, Rates, Settings};

/// A fake Stripe on loopback.
#[derive(Debug, Parser)]
struct Arguments {
    /// The port, or 0 for any free one.
    #[arg(long, default_value_t = 0)]
    port: u16,
    /// The http:// URL that webhooks are sent to.
    #[arg(long, requires = "webhook_secret")]
    webhook_url: Option<String>,
    /// The secret that signs webhooks; several while one is being replaced.
    #[arg(long, requires = "webhook_url")]
    webhook_secret: Vec<String>,
    /// The account's secret key.
    #[arg(long, default_value = "sk_test_driveline")]
    secret_key: String,
    /// The account's publishable key.
    #[arg(long, default_value = "pk_test_driveline")]
    publishable_key: String,
    /// The seed of all random decisions.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Lets every kind of failure happen, each in a few percent of the calls.
    #[arg(long)]
    bad_day: bool,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> io::Result<()> {
    let arguments = Arguments::parse();
    let secrets = arguments.webhook_secret;
    let settings = Settings {
        port: arguments.port,
        keys: Keys { secret: arguments.secret_key, publishable: arguments.publishable_key },
        endpoint: arguments.webhook_url.map(|url| Endpoint { url, secrets }),
        seed: arguments.seed,
        rates: if arguments.bad_day { Rates::BAD_DAY } else { Rates::default() },
    };
    FakeStripe::start(settings).await?.run().await;
    Ok(())
}
