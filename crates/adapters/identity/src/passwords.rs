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

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    fn limits(at_once: usize, waiting: usize) -> HashingLimits {
        HashingLimits { at_once: NonZeroUsize::new(at_once).unwrap(), waiting: NonZeroUsize::new(waiting).unwrap() }
    }

    fn keeper() -> ArgonKeeper {
        ArgonKeeper::new(limits(1, 8)).unwrap()
    }

    fn password(typed: &str) -> Password {
        Password::choose(typed).unwrap()
    }

    #[tokio::test]
    async fn the_right_password_is_recognised_and_a_wrong_one_is_not() {
        let keeper = keeper();
        let hash = keeper.hash(&password("brake-disc-9")).await.unwrap();
        assert_eq!(keeper.verify("brake-disc-9", Some(hash.clone())).await, Ok(true));
        for wrong in ["brake-disc-8", "Brake-disc-9", "brake-disc-9 ", ""] {
            assert_eq!(keeper.verify(wrong, Some(hash.clone())).await, Ok(false), "{wrong:?}");
        }
    }

    #[tokio::test]
    async fn a_hash_says_that_it_is_argon2id_and_how_much_it_cost() {
        let hash = keeper().hash(&password("brake-disc-9")).await.unwrap();
        assert!(hash.as_str().starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{}", hash.as_str());
    }

    #[tokio::test]
    async fn the_same_password_never_hashes_to_the_same_twice() {
        let keeper = keeper();
        let one = keeper.hash(&password("brake-disc-9")).await.unwrap();
        let two = keeper.hash(&password("brake-disc-9")).await.unwrap();
        assert_ne!(one.as_str(), two.as_str());
    }

    /// How long the keeper's one thread has been at work, without what the machine did in between.
    #[cfg(target_os = "linux")]
    async fn worked(keeper: &ArgonKeeper) -> Duration {
        let told = keeper.run(|| Ok(std::fs::read_to_string("/proc/thread-self/schedstat").unwrap())).await.unwrap();
        Duration::from_nanos(told.split(' ').next().unwrap().parse().unwrap())
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn without_a_hash_the_answer_is_no_and_takes_as_long() {
        let keeper = keeper();
        let hash = keeper.hash(&password("brake-disc-9")).await.unwrap();
        let nonsense = PasswordHash::new("no hash at all".to_owned());
        let mut times = [Duration::MAX; 3];
        for _ in 0..8 {
            for (time, hash) in times.iter_mut().zip([Some(hash.clone()), None, Some(nonsense.clone())]) {
                let before = worked(&keeper).await;
                assert_eq!(keeper.verify("wrong", hash).await, Ok(false));
                *time = worked(&keeper).await.saturating_sub(before).min(*time);
            }
        }
        for other in &times[1..] {
            let ratio = other.as_secs_f64() / times[0].as_secs_f64();
            assert!((0.5..2.0).contains(&ratio), "{times:?}");
        }
    }

    #[tokio::test]
    async fn a_decoy_costs_what_every_hash_costs() {
        let parsed = phc::PasswordHash::new(keeper().decoy.as_str()).unwrap().to_string();
        assert!(parsed.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"));
    }

    #[tokio::test(flavor = "current_thread")]
    async fn a_storm_keeps_some_waiting_tells_others_to_come_back_and_lets_timers_tick() {
        let keeper = Arc::new(keeper());
        let hash = keeper.hash(&password("brake-disc-9")).await.unwrap();
        let ticks = Arc::new(Mutex::new(Vec::new()));
        let ticking = tokio::spawn({
            let ticks = Arc::clone(&ticks);
            async move {
                loop {
                    let due = Instant::now() + Duration::from_millis(5);
                    tokio::time::sleep_until(due.into()).await;
                    ticks.lock().unwrap().push(due.elapsed());
                }
            }
        });
        let storm: Vec<_> = (0..200)
            .map(|_| {
                let (keeper, hash) = (Arc::clone(&keeper), hash.clone());
                tokio::spawn(async move { keeper.verify("brake-disc-9", Some(hash)).await })
            })
            .collect();
        let (mut right, mut busy) = (0, 0);
        for check in storm {
            match check.await.unwrap() {
                Ok(true) => right += 1,
                Ok(false) => panic!("a right password was called wrong"),
                Err(Busy) => busy += 1,
            }
        }
        ticking.abort();
        assert_eq!(right + busy, 200);
        assert!((8..=20).contains(&right), "{right} were checked");

        // Hashing on the runtime itself would make few ticks and all of them late; a machine with other work to do makes
        // some late.
        let mut ticks = ticks.lock().unwrap().clone();
        ticks.sort();
        assert!(ticks.len() >= 8, "{ticks:?}");
        let late = ticks[ticks.len() * 3 / 4];
        assert!(late < Duration::from_millis(50), "{ticks:?}");
    }

    #[tokio::test]
    async fn a_hundred_people_may_sign_up_at_once() {
        assert!(HashingLimits::of_this_machine().waiting.get() >= 100);
    }

    #[tokio::test]
    async fn nobody_waits_for_the_hash_of_somebody_who_left() {
        let keeper = ArgonKeeper::new(limits(1, 64)).unwrap();
        let chosen = password("brake-disc-9");
        let start = Instant::now();
        keeper.hash(&chosen).await.unwrap();
        let one = start.elapsed();
        for _ in 0..50 {
            let left = tokio::time::timeout(Duration::ZERO, keeper.hash(&chosen));
            assert!(left.await.is_err());
        }
        let start = Instant::now();
        keeper.hash(&chosen).await.unwrap();
        assert!(start.elapsed() < one * 20, "{:?}", start.elapsed());
    }

    #[tokio::test]
    async fn a_job_that_panics_costs_its_asker_an_answer_and_nobody_a_thread() {
        let keeper = keeper();
        let answer = keeper.run(|| -> Result<(), Busy> { panic::resume_unwind(Box::new("planned")) }).await;
        assert_eq!(answer, Err(Busy));
        assert!(keeper.hash(&password("brake-disc-9")).await.is_ok());
    }
}
