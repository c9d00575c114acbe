//! The fake Stripe as a program, for tests that are not written in Rust. Prints one line once it answers, and runs until it
//! is stopped.
//!
//! ```sh
//! cargo run --package driveline-testkit --example fake_stripe -- --port 12111 --seed 7 \
//!     --webhook-url http://127.0.0.1:8080/webhooks/stripe --webhook-secret whsec_1
//! ```

use std::io;

use clap::Parser;
use testkit::fake_stripe::{Endpoint, FakeStripe, Keys, Rates, Settings};

/// A Stripe of our own, on loopback.
#[derive(Debug, Parser)]
struct Arguments {
    /// The port, or 0 for any that is free.
    #[arg(long, default_value_t = 0)]
    port: u16,
    /// Where webhooks go: an http:// address.
    #[arg(long, requires = "webhook_secret")]
    webhook_url: Option<String>,
    /// What signs them; more than once while one is being replaced.
    #[arg(long, requires = "webhook_url")]
    webhook_secret: Vec<String>,
    /// The account's secret key.
    #[arg(long, default_value = "sk_test_driveline")]
    secret_key: String,
    /// The account's publishable key.
    #[arg(long, default_value = "pk_test_driveline")]
    publishable_key: String,
    /// What all chance comes from.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Lets go wrong, a few times in a hundred, whatever can.
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
