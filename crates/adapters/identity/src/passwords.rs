//! Passwords, hashed with argon2id (RFC 9106) on threads of their own.

use std::io;
use std::num::NonZeroUsize;
use std::panic::{self, AssertUnwindSafe};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use argon2::password_hash::phc;
use argon2::{Algorithm, Argon2, Params, PasswordHasher as _, PasswordVerifier as _, Version};
use async_trait::async_trait;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use domain::Password;
use ports::{Busy, PasswordHash, PasswordKeeper};
use tokio::sync::oneshot;

use crate::entropy;

/// 19 MiB, in KiB: the least that OWASP's password storage cheat sheet asks of argon2id with two passes.
const MEMORY: u32 = 19_456;
const PASSES: u32 = 2;
const LANES: u32 = 1;

type Job = Box<dyn FnOnce() + Send>;

/// How much hashing may go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HashingLimits {
    /// How many passwords are hashed at the same moment; each takes one core and 19 MiB.
    pub at_once: NonZeroUsize,
    /// How many more may wait; one more is [`Busy`].
    pub waiting: NonZeroUsize,
}

impl HashingLimits {
    /// Half of the machine's cores, at least one, so that requests which need no hash keep the other half; and 128
    /// waiting for each, which is some four seconds of work and more than a hundred people who sign up in one moment.
    #[must_use]
    pub fn of_this_machine() -> Self {
        const WAITING_FOR_EACH: NonZeroUsize = NonZeroUsize::MIN.saturating_add(127);
        let cores = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        let at_once = NonZeroUsize::new(cores.get() / 2).unwrap_or(NonZeroUsize::MIN);
        Self { at_once, waiting: at_once.saturating_mul(WAITING_FOR_EACH) }
    }
}

/// Hashes and checks passwords on a fixed number of threads behind a queue of fixed length. The threads end when it is
/// dropped.
pub struct ArgonKeeper {
    jobs: SyncSender<Job>,
    hasher: Argon2<'static>,
    decoy: PasswordHash,
}

impl std::fmt::Debug for ArgonKeeper {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ArgonKeeper(…)")
    }
}

impl ArgonKeeper {
    /// Starts the threads.
    ///
    /// # Errors
    /// If the system will not start them.
    pub fn new(limits: HashingLimits) -> io::Result<Self> {
        let params = Params::new(MEMORY, PASSES, LANES, None).map_err(io::Error::other)?;
        let (jobs, queue) = sync_channel(limits.waiting.get());
        let queue = Arc::new(Mutex::new(queue));
        for number in 0..limits.at_once.get() {
            let queue = Arc::clone(&queue);
            thread::Builder::new().name(format!("password-{number}")).spawn(move || work(&queue))?;
        }
        Ok(Self { jobs, hasher: Argon2::new(Algorithm::Argon2id, Version::V0x13, params), decoy: decoy() })
    }

    async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> Result<T, Busy> + Send + 'static) -> Result<T, Busy> {
        let (reply, answer) = oneshot::channel();
        let job: Job = Box::new(move || {
            // Whoever asked may have gone while the job stood in the queue.
            if !reply.is_closed() {
                let _ = reply.send(work());
            }
        });
        self.jobs.try_send(job).map_err(|_| Busy)?;
        answer.await.map_err(|_| Busy)?
    }
}

fn work(queue: &Mutex<Receiver<Job>>) {
    loop {
        let job = {
            let queue = queue.lock().unwrap_or_else(PoisonError::into_inner);
            queue.recv()
        };
        let Ok(job) = job else { return };
        // A thread that died would never be replaced; the job's asker learns of it by the dropped reply.
        let _ = panic::catch_unwind(AssertUnwindSafe(job));
    }
}

/// A hash of no password, of the same parameters as every other: random bytes where the output would be. Checking
/// against it costs what checking against a real one costs.
fn decoy() -> PasswordHash {
    let salt = STANDARD_NO_PAD.encode(entropy::bytes::<16>());
    let output = STANDARD_NO_PAD.encode(entropy::bytes::<{ Params::DEFAULT_OUTPUT_LEN }>());
    PasswordHash::new(format!("$argon2id$v=19$m={MEMORY},t={PASSES},p={LANES}${salt}${output}"))
}

fn matches(hasher: &Argon2<'_>, typed: &str, hash: &PasswordHash) -> Result<Option<bool>, Busy> {
    use argon2::password_hash::Error;
    let Ok(parsed) = phc::PasswordHash::new(hash.as_str()) else {
        return Ok(None);
    };
    match hasher.verify_password(typed.as_bytes(), &parsed) {
        Ok(()) => Ok(Some(true)),
        Err(Error::PasswordInvalid) => Ok(Some(false)),
        Err(Error::OutOfMemory) => Err(Busy),
        Err(_) => Ok(None),
    }
}

#[async_trait]
impl PasswordKeeper for ArgonKeeper {
    async fn hash(&self, password: &Password) -> Result<PasswordHash, Busy> {
        let hasher = self.hasher.clone();
        let password = password.clone();
        self.run(move || {
            // With parameters, salt and output fixed, memory is all that can be missing.
            hasher
                .hash_password_with_salt(password.expose().as_bytes(), &entropy::bytes::<16>())
                .map(|hash| PasswordHash::new(hash.to_string()))
                .map_err(|_| Busy)
        })
        .await
    }

    async fn verify(&self, typed: &str, hash: Option<PasswordHash>) -> Result<bool, Busy> {
        let hasher = self.hasher.clone();
        let typed = typed.to_owned();
        let decoy = self.decoy.clone();
        self.run(move || {
            let answer = match hash {
                Some(hash) => matches(&hasher, &typed, &hash)?,
                None => None,
            };
            if answer.is_none() {
                matches(&hasher, &typed, &decoy)?;
            }
            Ok(answer.unwrap_or(false))
        })
        .await
    }
}
