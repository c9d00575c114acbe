//! Offers requests at a rate, whatever comes back and however late (an open loop): visitors do not wait for one another. A
//! request is late by the time that it should have been sent at, so that a server that makes all its clients wait cannot look
//! quick. What is offered, and at which rates one after the other, stands on standard input; what came back is printed, a line
//! for each phase.

mod connection;
mod figures;

use std::cell::{Cell, RefCell};
use std::io::{self, Read, Write};
use std::rc::Rc;
use std::time::Duration;

use clap::Parser;
use serde::Deserialize;
use tokio::sync::mpsc;
use tokio::task::LocalSet;
use tokio::time::{Instant, sleep_until};

use crate::connection::{Due, keep_calling};
use crate::figures::Figures;

/// How long a request that is due may wait for a free connection before it counts as broken.
const PATIENCE: Duration = Duration::from_secs(5);
/// How often what is due is sent.
const TICK: Duration = Duration::from_millis(1);

/// Offers requests at a rate.
#[derive(Debug, Parser)]
struct Cli {
    /// Where the server listens, as host:port
    address: String,
    /// How many connections may be open at the same time
    #[arg(long, default_value_t = 4_000)]
    connections: usize,
    /// Which requests come in which sequence, and when
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// What is offered.
#[derive(Debug, Deserialize)]
struct Offer {
    kinds: Vec<Kind>,
    phases: Vec<Phase>,
}

/// Requests of which one as good as another is sent.
#[derive(Debug, Deserialize)]
struct Kind {
    name: String,
    /// The part of all requests that are of this kind; all kinds together are 1.
    share: f64,
    /// Each as it goes over the wire. `$KEY` becomes another value each time, of the same length.
    requests: Vec<String>,
}

#[derive(Debug, Clone, Deserialize)]
struct Phase {
    name: String,
    /// Requests a second.
    rate: f64,
    seconds: f64,
}

fn main() -> io::Result<()> {
    let cli = Cli::parse();
    let mut text = String::new();
    io::stdin().read_to_string(&mut text)?;
    let offer: Offer = serde_json::from_str(&text)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    LocalSet::new().block_on(&runtime, async move {
        let load = Rc::new(Load::new(&cli, offer.kinds)?);
        for phase in offer.phases {
            let figures = load.offer(&phase).await;
            writeln!(io::stdout(), "{}", figures.in_words(&phase.name, phase.rate))?;
            io::stdout().flush()?;
        }
        Ok(())
    })
}

/// What all phases share: connections stay open from one to the next.
struct Load {
    address: String,
    kinds: Vec<Kind>,
    most: usize,
    open: Cell<usize>,
    idle: RefCell<Vec<mpsc::UnboundedSender<Due>>>,
    random: RefCell<fastrand::Rng>,
    sent: Cell<u64>,
    run: u64,
}

impl Load {
    fn new(cli: &Cli, kinds: Vec<Kind>) -> io::Result<Self> {
        if kinds.iter().any(|kind| kind.requests.is_empty()) {
            return Err(io::Error::other("a kind has no requests"));
        }
        Ok(Self {
            address: cli.address.clone(),
            kinds,
            most: cli.connections,
            open: Cell::new(0),
            idle: RefCell::default(),
            random: RefCell::new(fastrand::Rng::with_seed(cli.seed)),
            sent: Cell::new(0),
            // Two runs with one seed must not send the same keys.
            run: fastrand::u64(..),
        })
    }

    /// Offers one phase, and waits for what is still on its way.
    async fn offer(self: &Rc<Self>, phase: &Phase) -> Rc<Figures> {
        let begun = Instant::now();
        let kinds = self.kinds.iter().map(|kind| kind.name.clone()).collect();
        let figures = Rc::new(Figures::new(begun, kinds));
        let over = begun + Duration::from_secs_f64(phase.seconds);
        let mut waiting: std::collections::VecDeque<Due> = std::collections::VecDeque::new();
        let mut next = begun;
        let mut awake_by = begun;
        loop {
            let now = Instant::now();
            figures.late(now - awake_by);
            while next <= now && next < over {
                waiting.push_back(self.due(next, &figures));
                next += Duration::from_secs_f64(self.gap(phase.rate));
            }
            while let Some(due) = waiting.pop_front() {
                if now.duration_since(due.at) > PATIENCE {
                    figures.broken(due.kind, "no connection");
                    continue;
                }
                if let Some(due) = self.send(due) {
                    waiting.push_front(due);
                    break;
                }
            }
            if next >= over && waiting.is_empty() {
                break;
            }
            awake_by = now + TICK;
            sleep_until(awake_by).await;
        }
        figures.settled(PATIENCE * 4).await;
        figures
    }

    /// The gap to the next request: exponential, as visitors who know nothing of one another come.
    fn gap(&self, rate: f64) -> f64 {
        -(1.0 - self.random.borrow_mut().f64()).ln() / rate
    }

    fn due(&self, at: Instant, figures: &Rc<Figures>) -> Due {
        let mut random = self.random.borrow_mut();
        let mut drawn = random.f64();
        let last = self.kinds.len() - 1;
        let kind = self.kinds.iter().position(|kind| {
            drawn -= kind.share;
            drawn < 0.0
        });
        let kind = kind.unwrap_or(last);
        let requests = &self.kinds[kind].requests;
        let request = &requests[random.usize(..requests.len())];
        self.sent.set(self.sent.get() + 1);
        let key = format!("{:016x}-{:012x}", self.run, self.sent.get());
        Due { at, kind, bytes: request.replace("$KEY", &key).into_bytes(), figures: Rc::clone(figures) }
    }

    /// Gives a request to a free connection, or to a new one; returns it if there is neither.
    fn send(self: &Rc<Self>, due: Due) -> Option<Due> {
        let mut due = due;
        while let Some(connection) = self.idle.borrow_mut().pop() {
            match connection.send(due) {
                Ok(()) => return None,
                Err(mpsc::error::SendError(back)) => due = back,
            }
        }
        if self.open.get() >= self.most {
            return Some(due);
        }
        self.open.set(self.open.get() + 1);
        let (sender, receiver) = mpsc::unbounded_channel();
        let load = Rc::clone(self);
        tokio::task::spawn_local(async move {
            let again = sender.clone();
            let give_back = || load.idle.borrow_mut().push(again.clone());
            keep_calling(&load.address, due, receiver, give_back).await;
            load.open.set(load.open.get() - 1);
        });
        None
    }
}
