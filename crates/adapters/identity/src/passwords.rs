//! Password hashing with argon2id (RFC 9106), on threads of its own.

use std::io;
use std::num::NonZeroUsize;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;

use argon2::password_hash::phc;
use argon2::{Algorithm, Argon2, Params, PasswordHasher as _, PasswordVerifier as _, Version};
use async_trait::async_trait;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use domain::{ClientNetwork, Password};
use ports::{Busy, HashingLane, HashingQueue, PasswordHash, PasswordHasher};
use tokio::sync::oneshot;

use crate::entropy;
use crate::fair_queue::FairQueue;

/// 19 MiB, in KiB: the minimum that OWASP's password storage cheat sheet recommends for argon2id with two passes.
const MEMORY: u32 = 19_456;
const PASSES: u32 = 2;
const LANES: u32 = 1;

type Job = Box<dyn FnOnce() + Send>;

/// Limits on concurrent and waiting hash jobs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HashingLimits {
    /// How many passwords are hashed concurrently; each takes one core and 19 MiB.
    pub at_once: NonZeroUsize,
    /// Queue length per client network and lane; beyond it, the answer is [`Busy::OwnQueue`].
    pub waiting_of_one: NonZeroUsize,
    /// Queue length in all; beyond it, the longest queue gives way to shorter ones.
    pub waiting: NonZeroUsize,
}

impl HashingLimits {
    /// Half of the machine's cores, at least one, so that requests without a hash keep the other half. 128 jobs of one
    /// network may wait, which is more than a hundred people who sign up at the same moment, and eight times as many in
    /// all.
    #[must_use]
    pub fn of_this_machine() -> Self {
        const OF_ONE: NonZeroUsize = NonZeroUsize::MIN.saturating_add(127);
        const IN_ALL: NonZeroUsize = OF_ONE.saturating_mul(NonZeroUsize::MIN.saturating_add(7));
        let cores = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        let at_once = NonZeroUsize::new(cores.get() / 2).unwrap_or(NonZeroUsize::MIN);
        Self { at_once, waiting_of_one: OF_ONE, waiting: IN_ALL }
    }
}

/// Hashes and verifies passwords on a fixed number of threads, behind a bounded queue that serves clients fairly. The
/// threads end when it is dropped.
pub struct Argon2Hasher {
    desk: Arc<Desk>,
    hasher: Argon2<'static>,
    decoy: PasswordHash,
}

/// The queue between callers and threads.
struct Desk {
    waiting: Mutex<Waiting>,
    arrived: Condvar,
}

struct Waiting {
    jobs: FairQueue<Job>,
    closed: bool,
}

impl Drop for Argon2Hasher {
    fn drop(&mut self) {
        self.desk.waiting.lock().unwrap_or_else(PoisonError::into_inner).closed = true;
        self.desk.arrived.notify_all();
    }
}

impl std::fmt::Debug for Argon2Hasher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Argon2Hasher(…)")
    }
}

impl Argon2Hasher {
    /// Starts the threads.
    ///
    /// # Errors
    /// If the system cannot start them.
    pub fn new(limits: HashingLimits) -> io::Result<Self> {
        let params = Params::new(MEMORY, PASSES, LANES, None).map_err(io::Error::other)?;
        let jobs = FairQueue::new(limits.waiting_of_one.get(), limits.waiting.get());
        let desk = Arc::new(Desk { waiting: Mutex::new(Waiting { jobs, closed: false }), arrived: Condvar::new() });
        for number in 0..limits.at_once.get() {
            let desk = Arc::clone(&desk);
            thread::Builder::new().name(format!("password-{number}")).spawn(move || desk.work())?;
        }
        Ok(Self { desk, hasher: Argon2::new(Algorithm::Argon2id, Version::V0x13, params), decoy: decoy() })
    }

    async fn run<T: Send + 'static>(
        &self,
        queue: HashingQueue,
        work: impl FnOnce() -> Result<T, Busy> + Send + 'static,
    ) -> Result<T, Busy> {
        let (reply, answer) = oneshot::channel();
        let job: Job = Box::new(move || {
            // The caller may have stopped waiting while the job was queued.
            if !reply.is_closed() {
                let _ = reply.send(work());
            }
        });
        self.desk.take(queue, job)?;
        // Dropped without a reply: the whole queue was full, and this network's was the longest.
        answer.await.map_err(|_| Busy::OwnQueue)?
    }
}

impl Desk {
    fn take(&self, queue: HashingQueue, job: Job) -> Result<(), Busy> {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.jobs.push(queue, job).map_err(|_| Busy::OwnQueue)?;
        drop(waiting);
        self.arrived.notify_one();
        Ok(())
    }

    fn next(&self) -> Option<Job> {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(job) = waiting.jobs.pop() {
                return Some(job);
            }
            if waiting.closed {
                return None;
            }
            waiting = self.arrived.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn work(&self) {
        while let Some(job) = self.next() {
            // A thread that died would never be replaced. The job's caller notices by the dropped reply.
            let _ = panic::catch_unwind(AssertUnwindSafe(job));
        }
    }
}

/// A hash of no password, with the same parameters as every other: random bytes where the output would be. Verifying
/// against it costs as much as verifying against a real one.
fn decoy() -> PasswordHash {
    let salt = STANDARD_NO_PAD.encode(entropy::bytes::<16>());
    let output = STANDARD_NO_PAD.encode(entropy::bytes::<{ Params::DEFAULT_OUTPUT_LEN }>());
    PasswordHash::new(format!("$argon2id$v=19$m={MEMORY},t={PASSES},p={LANES}${salt}${output}"))
}

/// Whether a typed password matches the hash: normalised, as passwords are hashed today, or else as typed, because
/// early versions hashed passwords without normalising them.
fn matches_as_typed(hasher: &Argon2<'_>, typed: &str, hash: &PasswordHash) -> Result<Option<bool>, Busy> {
    let normalized = domain::accounts::password::normalized(typed);
    let found = matches(hasher, &normalized, hash)?;
    if normalized == typed {
        return Ok(found);
    }
    let as_typed = matches(hasher, typed, hash)?;
    Ok(found.zip(as_typed).map(|(one, other)| one || other))
}

fn matches(hasher: &Argon2<'_>, typed: &str, hash: &PasswordHash) -> Result<Option<bool>, Busy> {
    use argon2::password_hash::Error;
    let Ok(parsed) = phc::PasswordHash::new(hash.expose()) else {
        return Ok(None);
    };
    match hasher.verify_password(typed.as_bytes(), &parsed) {
        Ok(()) => Ok(Some(true)),
        Err(Error::PasswordInvalid) => Ok(Some(false)),
        Err(Error::OutOfMemory) => Err(Busy::Machine),
        Err(_) => Ok(None),
    }
}

#[async_trait]
impl PasswordHasher for Argon2Hasher {
    async fn hash(&self, password: &Password, from: ClientNetwork) -> Result<PasswordHash, Busy> {
        let hasher = self.hasher.clone();
        let password = password.clone();
        self.run(HashingQueue { lane: HashingLane::Choosing, from }, move || {
            // Parameters, salt and output size are fixed, so only memory can be missing.
            hasher
                .hash_password_with_salt(password.expose().as_bytes(), &entropy::bytes::<16>())
                .map(|hash| PasswordHash::new(hash.to_string()))
                .map_err(|_| Busy::Machine)
        })
        .await
    }

    async fn verify(&self, typed: &str, hash: Option<PasswordHash>, queue: HashingQueue) -> Result<bool, Busy> {
        let hasher = self.hasher.clone();
        let typed = typed.to_owned();
        let decoy = self.decoy.clone();
        self.run(queue, move || {
            let answer = match hash {
                Some(hash) => matches_as_typed(&hasher, &typed, &hash)?,
                None => None,
            };
            if answer.is_none() {
                matches_as_typed(&hasher, &typed, &decoy)?;
            }
            Ok(answer.unwrap_or(false))
        })
        .await
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;
    use std::time::{Duration, Instant};

    use super::*;

    fn limits(at_once: usize, waiting: usize) -> HashingLimits {
        let waiting = NonZeroUsize::new(waiting).unwrap();
        HashingLimits { at_once: NonZeroUsize::new(at_once).unwrap(), waiting_of_one: waiting, waiting }
    }

    fn here() -> ClientNetwork {
        Ipv4Addr::LOCALHOST.into()
    }

    fn queue() -> HashingQueue {
        HashingQueue { lane: HashingLane::Stranger, from: here() }
    }

    fn hasher() -> Argon2Hasher {
        Argon2Hasher::new(limits(1, 8)).unwrap()
    }

    fn password(typed: &str) -> Password {
        Password::choose(typed).unwrap()
    }

    #[tokio::test]
    async fn the_right_password_is_recognised_and_a_wrong_one_is_not() {
        let hasher = hasher();
        let hash = hasher.hash(&password("brake-disc-9"), here()).await.unwrap();
        assert_eq!(hasher.verify("brake-disc-9", Some(hash.clone()), queue()).await, Ok(true));
        for wrong in ["brake-disc-8", "Brake-disc-9", "brake-disc-9 ", ""] {
            assert_eq!(hasher.verify(wrong, Some(hash.clone()), queue()).await, Ok(false), "{wrong:?}");
        }
    }

    #[tokio::test]
    async fn a_password_matches_in_either_unicode_form_and_against_unnormalised_hashes() {
        let hasher = hasher();
        let (composed, decomposed) = ("caf\u{e9} noir", "cafe\u{301} noir");
        let hash = hasher.hash(&password(decomposed), here()).await.unwrap();
        for typed in [composed, decomposed] {
            assert_eq!(hasher.verify(typed, Some(hash.clone()), queue()).await, Ok(true));
        }
        // Early versions hashed a password as it was typed.
        let raw = hasher.hasher.hash_password_with_salt(decomposed.as_bytes(), &[7; 16]).unwrap();
        let raw = PasswordHash::new(raw.to_string());
        assert_eq!(hasher.verify(decomposed, Some(raw.clone()), queue()).await, Ok(true));
        assert_eq!(hasher.verify("cafe noir", Some(raw), queue()).await, Ok(false));
    }

    #[tokio::test]
    async fn a_hash_names_argon2id_and_its_parameters() {
        let hash = hasher().hash(&password("brake-disc-9"), here()).await.unwrap();
        assert!(hash.expose().starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{}", hash.expose());
    }

    #[tokio::test]
    async fn hashing_the_same_password_twice_gives_different_hashes() {
        let hasher = hasher();
        let one = hasher.hash(&password("brake-disc-9"), here()).await.unwrap();
        let two = hasher.hash(&password("brake-disc-9"), here()).await.unwrap();
        assert_ne!(one.expose(), two.expose());
    }

    /// CPU time of the hasher's one thread, without what the machine did in between.
    #[cfg(target_os = "linux")]
    async fn worked(hasher: &Argon2Hasher) -> Duration {
        let told =
            hasher.run(queue(), || Ok(std::fs::read_to_string("/proc/thread-self/schedstat").unwrap())).await.unwrap();
        Duration::from_nanos(told.split(' ').next().unwrap().parse().unwrap())
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn verifying_without_a_hash_fails_and_takes_as_long() {
        let hasher = hasher();
        let hash = hasher.hash(&password("brake-disc-9"), here()).await.unwrap();
        let invalid_response = PasswordHash::new("no hash at all".to_owned());
        let mut times = [Duration::MAX; 3];
        for _ in 0..8 {
            for (time, hash) in times.iter_mut().zip([Some(hash.clone()), None, Some(invalid_response.clone())]) {
                let before = worked(&hasher).await;
                assert_eq!(hasher.verify("wrong", hash, queue()).await, Ok(false));
                *time = worked(&hasher).await.saturating_sub(before).min(*time);
            }
        }
        for other in &times[1..] {
            let ratio = other.as_secs_f64() / times[0].as_secs_f64();
            assert!((0.5..2.0).contains(&ratio), "{times:?}");
        }
    }

    #[tokio::test]
    async fn the_decoy_has_the_same_cost_as_every_hash() {
        let parsed = phc::PasswordHash::new(hasher().decoy.expose()).unwrap().to_string();
        assert!(parsed.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"));
    }

    #[tokio::test(flavor = "current_thread")]
    async fn a_burst_is_queued_up_to_the_limit_then_refused_and_the_runtime_stays_responsive() {
        let hasher = Arc::new(hasher());
        let hash = hasher.hash(&password("brake-disc-9"), here()).await.unwrap();
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
                let (hasher, hash) = (Arc::clone(&hasher), hash.clone());
                tokio::spawn(async move { hasher.verify("brake-disc-9", Some(hash), queue()).await })
            })
            .collect();
        let (mut right, mut busy) = (0, 0);
        for check in storm {
            match check.await.unwrap() {
                Ok(true) => right += 1,
                Ok(false) => panic!("a right password was refused"),
                Err(Busy::OwnQueue) => busy += 1,
                Err(Busy::Machine) => panic!("out of memory"),
            }
        }
        ticking.abort();
        assert_eq!(right + busy, 200);
        assert!((8..=20).contains(&right), "{right} were checked");

        // Hashing on the runtime itself would make few ticks, all of them late; a busy machine makes some of them late.
        let mut ticks = ticks.lock().unwrap().clone();
        ticks.sort();
        assert!(ticks.len() >= 8, "{ticks:?}");
        let late = ticks[ticks.len() * 3 / 4];
        assert!(late < Duration::from_millis(50), "{ticks:?}");
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_flood_from_one_network_does_not_delay_other_networks() {
        let hasher = Arc::new(Argon2Hasher::new(limits(1, 128)).unwrap());
        let hash = hasher.hash(&password("brake-disc-9"), here()).await.unwrap();
        let flood: Vec<_> = (0..100)
            .map(|_| {
                let (hasher, hash) = (Arc::clone(&hasher), hash.clone());
                tokio::spawn(async move { hasher.verify("wrong", Some(hash), queue()).await })
            })
            .collect();
        while hasher.desk.waiting.lock().unwrap().jobs.len() < 50 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        let elsewhere = HashingQueue { from: Ipv4Addr::new(192, 0, 2, 1).into(), ..queue() };
        let before = flood.iter().filter(|one| one.is_finished()).count();
        assert_eq!(hasher.verify("brake-disc-9", Some(hash), elsewhere).await, Ok(true));
        let after = flood.iter().filter(|one| one.is_finished()).count();
        assert!(after - before <= 10, "{before} and {after}: it waited for the flood");
        for one in flood {
            one.abort();
        }
    }

    #[tokio::test]
    async fn a_hundred_sign_ups_of_one_network_may_wait() {
        assert!(HashingLimits::of_this_machine().waiting_of_one.get() >= 100);
    }

    #[tokio::test]
    async fn a_job_whose_caller_stopped_waiting_is_skipped() {
        let hasher = Argon2Hasher::new(limits(1, 64)).unwrap();
        let chosen = password("brake-disc-9");
        let start = Instant::now();
        hasher.hash(&chosen, here()).await.unwrap();
        let one = start.elapsed();
        let mut left = 0;
        for _ in 0..50 {
            // Where the processor is taken away for so long, the job is done before its caller has waited at all.
            left += u32::from(tokio::time::timeout(Duration::ZERO, hasher.hash(&chosen, here())).await.is_err());
        }
        assert!(left > 25, "{left}");
        let start = Instant::now();
        hasher.hash(&chosen, here()).await.unwrap();
        assert!(start.elapsed() < one * 20, "{:?}", start.elapsed());
    }

    #[tokio::test]
    async fn a_job_that_panics_fails_its_caller_and_the_thread_goes_on() {
        let hasher = hasher();
        let answer = hasher.run(queue(), || -> Result<(), Busy> { panic::resume_unwind(Box::new("planned")) }).await;
        assert_eq!(answer, Err(Busy::OwnQueue));
        assert!(hasher.hash(&password("brake-disc-9"), here()).await.is_ok());
    }
}
