//! Refuses some requests at once while more arrive than can be answered, so that the others are answered in time.
//!
//! Where requests queue differs: for their worker, for the products that have just changed, for a connection, in the database. All
//! of it is in the time that they take, and the number that are on their way is that time multiplied by how many are answered a
//! second (Little's law). So each worker lets no more of them in than a window allows, which shrinks while they take longer than
//! the target and grows again when they do not. It is large as long as all is well: a crowd that comes at the same moment is let in.
//!
//! Reads have one window, orders another. What else changes something may take its time for other reasons, such as a password, a
//! file or another company's server, and has limits and queues of its own. Monitoring and what the payment provider sends are never
//! refused. What is sent again from memory comes before: to refuse it would cost as much.

use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::rc::Rc;
use std::sync::LazyLock;
use std::time::Duration;

use actix_web::dev::ServiceRequest;
use actix_web::http::{Method, StatusCode};
use tokio::time::Instant;

use crate::budget::Budget;
use crate::route::RouteSpec;
use crate::routes::routes;

/// How often a window is adjusted.
const INTERVAL: Duration = Duration::from_millis(100);
/// How many requests of a class a worker lets in while all is well.
const USUAL: f64 = 1_024.0;
/// The least: fewer do not make one another wait, and are slow for reasons of their own.
const LEAST: f64 = 64.0;
/// The most that a window shrinks at a time, and by how much it grows.
const SHRINKS_TO: f64 = 0.7;
const GROWS_BY: f64 = 1.1;
/// How much longer an order may take than a read.
const LONGER: u32 = 2;

/// Requests that were refused, by class.
const SHED: &str = "http_shed_total";

/// Describes the metric, and begins the counters at zero: of one that appears with its first event, no rise is seen.
pub(crate) fn count_from_zero() {
    metrics::describe_counter!(
        SHED,
        "Requests that were refused because more arrived than could be answered, by class."
    );
    for class in [Class::Read, Class::Order] {
        metrics::counter!(SHED, "class" => class.name()).increment(0);
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Read,
    Order,
}

/// The paths of reads that are never refused, and of calls that place orders. None of them has a parameter.
static NEVER: LazyLock<HashSet<&str>> =
    LazyLock::new(|| paths(|route| route.is_unlimited() || route.budget() == Some(Budget::Provider)));
static ORDERS: LazyLock<HashSet<&str>> =
    LazyLock::new(|| paths(|route| route.keeps_key && route.method == Method::POST));

fn paths(wanted: impl Fn(&RouteSpec) -> bool) -> HashSet<&'static str> {
    let has_parameter = |route: &&RouteSpec| route.path.contains('{');
    routes().iter().filter(|route| wanted(route) && !has_parameter(route)).map(|route| route.path.as_str()).collect()
}

impl Class {
    /// `None` for what is not refused here.
    fn of(request: &ServiceRequest) -> Option<Self> {
        match *request.method() {
            Method::GET if !NEVER.contains(request.path()) => Some(Self::Read),
            Method::POST if ORDERS.contains(request.path()) => Some(Self::Order),
            _ => None,
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Order => "order",
        }
    }
}

/// The windows of one worker.
pub(crate) struct Shedding {
    reads: Rc<Counted>,
    orders: Rc<Counted>,
}

struct Counted {
    window: RefCell<Window>,
    on_their_way: Cell<usize>,
}

impl Counted {
    fn new(target: Duration) -> Rc<Self> {
        Rc::new(Self { window: RefCell::new(Window::new(target, Instant::now())), on_their_way: Cell::new(0) })
    }
}

impl Shedding {
    /// `target` is how long reads may take while they are many; zero if nothing is ever refused.
    pub(crate) fn new(target: Duration) -> Self {
        Self { reads: Counted::new(target), orders: Counted::new(target * LONGER) }
    }

    /// Lets a request in, which counts until the result is dropped.
    ///
    /// # Errors
    /// Too many are on their way.
    pub(crate) fn admit(&self, request: &ServiceRequest) -> Result<Option<Admitted>, Refused> {
        let Some(class) = Class::of(request) else { return Ok(None) };
        let counted = match class {
            Class::Read => &self.reads,
            Class::Order => &self.orders,
        };
        let many = counted.on_their_way.get();
        if !counted.window.borrow().admits(many) {
            metrics::counter!(SHED, "class" => class.name()).increment(1);
            return Err(Refused);
        }
        counted.on_their_way.set(many + 1);
        Ok(Some(Admitted { counted: Rc::clone(counted), since: Instant::now(), is_measured: true }))
    }
}

/// Too many requests are on their way.
#[derive(Debug)]
pub(crate) struct Refused;

/// A request that was let in, until it is answered or given up.
pub(crate) struct Admitted {
    counted: Rc<Counted>,
    since: Instant,
    is_measured: bool,
}

impl Admitted {
    /// Notes the answer. To refuse takes no time: a flood of one client that is past its limit would open the window for all.
    pub(crate) fn answered(&mut self, status: StatusCode) {
        self.is_measured = !matches!(status, StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE);
    }
}

impl Drop for Admitted {
    fn drop(&mut self) {
        let (many, now) = (self.counted.on_their_way.get(), Instant::now());
        if self.is_measured {
            self.counted.window.borrow_mut().left(now - self.since, many, now);
        }
        self.counted.on_their_way.set(many - 1);
    }
}

/// How many requests may be on their way.
struct Window {
    target: Duration,
    limit: f64,
    since: Instant,
    /// What the requests took that have left since then.
    took: Vec<Duration>,
    /// The most that were on their way since then.
    most: f64,
}

impl Window {
    fn new(target: Duration, now: Instant) -> Self {
        Self { target, limit: USUAL, since: now, took: Vec::new(), most: 0.0 }
    }

    #[expect(clippy::cast_precision_loss, reason = "as many requests as fit into a machine are exact")]
    fn admits(&self, on_their_way: usize) -> bool {
        self.target.is_zero() || (on_their_way as f64) < self.limit
    }

    /// Notes a request that took so long, and, of so many, is on its way no longer.
    #[expect(clippy::cast_precision_loss, reason = "as many requests as fit into a machine are exact")]
    fn left(&mut self, took: Duration, of: usize, now: Instant) {
        self.took.push(took);
        self.most = self.most.max(of as f64);
        if now - self.since >= INTERVAL {
            self.adjust();
            self.took.clear();
            (self.since, self.most) = (now, 0.0);
        }
    }

    fn adjust(&mut self) {
        // The one in the middle: a few that are slow for reasons of their own are no overload.
        let middle = self.took.len() / 2;
        let (_, took, _) = self.took.select_nth_unstable(middle);
        let too_long = self.target.as_secs_f64() / took.as_secs_f64();
        if too_long >= 1.0 {
            self.limit = (self.limit * GROWS_BY).min(USUAL);
        } else if self.most >= self.limit / 2.0 {
            // At less than half of the window it is not the others that a request waits for.
            self.limit = (self.limit * too_long.max(SHRINKS_TO)).max(LEAST);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TARGET: Duration = Duration::from_millis(100);

    /// A worker that answers so many reads a second, and to which so many come, for some seconds; how many of a thousand are let in
    /// at the end, and how long they take.
    fn run(window: &mut Window, answers: f64, comes: f64, seconds: u32) -> (f64, Duration) {
        let step = Duration::from_millis(10);
        let mut now = window.since;
        let mut queue = std::collections::VecDeque::new();
        let (mut served, mut came, mut admitted, mut last) = (0.0, 0.0, 0.0, Duration::ZERO);
        for tick in 0..seconds * 100 {
            now += step;
            (served, came) = (served + answers / 100.0, came + comes / 100.0);
            let is_end = tick >= seconds * 100 - 100;
            while came >= 1.0 {
                came -= 1.0;
                if window.admits(queue.len()) {
                    queue.push_back(now);
                    admitted += if is_end { 1.0 } else { 0.0 };
                }
            }
            while served >= 1.0 {
                served -= 1.0;
                let Some(since) = queue.pop_front() else { continue };
                last = now - since;
                window.left(last, queue.len() + 1, now);
            }
        }
        (admitted * 1_000.0 / comes, last)
    }

    fn window() -> Window {
        Window::new(TARGET, Instant::now())
    }

    #[test]
    fn of_twice_as_many_as_can_be_answered_half_are_answered_in_time() {
        for answers in [2_000.0, 5_000.0, 20_000.0] {
            let (share, took) = run(&mut window(), answers, 2.0 * answers, 20);
            assert!((450.0..=550.0).contains(&share), "{share} of {answers}");
            assert!(took <= TARGET * 2, "{took:?} of {answers}");
        }
    }

    #[test]
    fn the_window_opens_again_when_it_is_over() {
        let mut window = window();
        run(&mut window, 1_000.0, 20_000.0, 20);
        assert!(window.limit < 300.0, "{}", window.limit);
        let (share, _) = run(&mut window, 1_000.0, 500.0, 20);
        assert!(share >= 990.0 && window.limit >= USUAL, "{share} {}", window.limit);
    }

    #[test]
    fn a_crowd_at_the_same_moment_is_let_in() {
        let window = window();
        assert!((0..1_000).all(|many| window.admits(many)));
    }

    #[test]
    fn slow_reads_that_are_few_are_not_refused() {
        let mut window = window();
        for _ in 0..600 {
            let now = window.since + INTERVAL;
            window.left(Duration::from_secs(3), 100, now);
        }
        assert!(window.admits(500), "{}", window.limit);
    }

    #[test]
    fn health_and_news_of_payments_are_never_refused_and_orders_are_apart_from_reads() {
        use actix_web::test::TestRequest;
        let class =
            |method: Method, path: &str| Class::of(&TestRequest::with_uri(path).method(method).to_srv_request());
        for (method, path) in [
            (Method::GET, "/health/live"),
            (Method::GET, "/health/ready"),
            (Method::GET, "/metrics"),
            (Method::POST, "/webhooks/stripe"),
            (Method::POST, "/auth/login"),
            (Method::POST, "/create-payment-intent"),
            (Method::PATCH, "/products/1"),
        ] {
            assert_eq!(class(method, path), None, "{path}");
        }
        for path in ["/products?limit=50", "/products/1", "/orders", "/", "/assets/main.js"] {
            assert_eq!(class(Method::GET, path), Some(Class::Read), "{path}");
        }
        for path in ["/orders", "/checkouts"] {
            assert_eq!(class(Method::POST, path), Some(Class::Order), "{path}");
        }
    }

    #[test]
    fn refusals_do_not_open_the_window() {
        use actix_web::test::TestRequest;
        let shedding = Shedding::new(TARGET);
        let request = TestRequest::with_uri("/products").to_srv_request();
        shedding.reads.window.borrow_mut().limit = LEAST;
        for (status, opens) in [(StatusCode::TOO_MANY_REQUESTS, false), (StatusCode::OK, true)] {
            for _ in 0..100 {
                shedding.reads.window.borrow_mut().since -= INTERVAL;
                let mut admitted = shedding.admit(&request).unwrap().unwrap();
                admitted.answered(status);
            }
            assert_eq!(shedding.reads.window.borrow().limit > LEAST, opens, "{status}");
        }
    }

    #[test]
    fn without_a_target_everybody_is_let_in() {
        let mut window = Window::new(Duration::ZERO, Instant::now());
        run(&mut window, 100.0, 1_000.0, 10);
        assert!(window.admits(1_000_000));
    }
}
