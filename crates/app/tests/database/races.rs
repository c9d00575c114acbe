//! Many callers at three copies at the same time. `RUNS` says how often, `SEED` where the random ones begin, and `BUYERS` how many
//! accounts the five hundred orders for a hundred lots are of.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};
use testkit::fake_stripe::SeededRng;
use tokio::sync::Barrier;

use crate::copies::{Answer, Copies, acknowledged, times};
use crate::order_of;

const NOTHING: Value = Value::Null;

/// Five hundred orders of fifty for a product of five thousand.
async fn rush(copies: &Copies, buyers: &[String], part: &str) -> Vec<Answer> {
    let order = order_of(part);
    let order = &order;
    let buying = |nth: usize| copies.insist(Method::POST, "/orders", &buyers[nth % buyers.len()], order);
    join_all((0..500).map(buying)).await
}

#[tokio::test(flavor = "multi_thread")]
async fn of_five_hundred_buyers_at_three_copies_exactly_a_hundred_get_the_hundred_lots() {
    let copies = Copies::open().await;
    let (admin, buyers) = (copies.admin().await, copies.sign_up("buyer", times("BUYERS", 20)).await);
    for run in 0..times("RUNS", 1) {
        let part = copies.part(&admin, 5_000).await;
        let answers = rush(&copies, &buyers, &part).await;
        let of = |wanted: u16| answers.iter().filter(|(status, _)| *status == wanted).count();
        let others: Vec<&Answer> = answers.iter().filter(|(status, _)| !matches!(status, 201 | 409)).collect();
        assert_eq!((of(201), of(409)), (100, 400), "run {run}: {others:?}");
        assert_eq!(copies.faults(&part, 5_000, &acknowledged(&answers)), Vec::<String>::new(), "run {run}");
    }
}

/// The planted fault of the test above: a database that gives the units of some orders back behind the shop's back.
#[tokio::test(flavor = "multi_thread")]
async fn a_shop_that_sells_some_lots_twice_is_noticed() {
    let copies = Copies::open().await;
    let (admin, buyers) = (copies.admin().await, copies.sign_up("buyer", 20).await);
    let part = copies.part(&admin, 5_000).await;
    copies.database.sql(
        "CREATE FUNCTION give_back() RETURNS trigger LANGUAGE plpgsql AS $$
         BEGIN
             UPDATE products SET available = available + NEW.quantity WHERE id = NEW.product_id AND random() < 0.2;
             RETURN NULL;
         END $$;
         CREATE TRIGGER give_back AFTER INSERT ON orders FOR EACH ROW EXECUTE FUNCTION give_back()",
    );
    let answers = rush(&copies, &buyers, &part).await;
    let faults = copies.faults(&part, 5_000, &acknowledged(&answers));
    assert!(faults.iter().any(|fault| fault.contains("5000 there were")), "{faults:?}");
}

/// One of the people of [`random_orders_cancels_restocks_and_prices_at_three_copies_lose_no_unit`].
struct Person<'a> {
    copies: &'a Copies,
    admin: &'a str,
    token: &'a str,
    part: &'a str,
    random: SeededRng,
    placed: Vec<String>,
    arrived: i64,
    /// What became of each call.
    answers: Vec<String>,
}

impl Person<'_> {
    async fn ask(&mut self, method: Method, path: &str, token: &str, body: &Value) -> Answer {
        let answer = self.copies.insist(method.clone(), path, token, body).await;
        assert!(matches!(answer.0, 200 | 201 | 404 | 409 | 410), "{method} {path}: {answer:?}");
        self.answers.push(format!("{method} {} {}", answer.0, answer.1["type"]));
        answer
    }

    async fn orders(&mut self) {
        let quantity = 50 + self.random.below(70);
        let mut order = order_of(self.part);
        order["quantity"] = quantity.into();
        let answer = self.ask(Method::POST, "/orders", self.token, &order).await;
        self.placed.extend(acknowledged(&[answer]));
    }

    async fn moves(&mut self) {
        let part = format!("/products/{}", self.part);
        match self.random.below(10) {
            0..5 => self.orders().await,
            // Whoever has nothing to cancel must not archive instead: what is archived most of the time is hardly ever bought.
            5 | 6 if self.placed.is_empty() => self.orders().await,
            5 | 6 => {
                let which = usize::try_from(self.random.below(self.placed.len() as u64)).unwrap();
                let path = format!("/orders/{}", self.placed[which]);
                self.ask(Method::DELETE, &path, self.token, &NOTHING).await;
            }
            7 | 8 => {
                let (units, price) = (self.random.below(200), 1 + self.random.below(9));
                let arriving = json!({"updatedQuantity": units, "updatedPrice": price});
                if self.ask(Method::PUT, &part, self.admin, &arriving).await.0 == 200 {
                    self.arrived += i64::try_from(units).unwrap();
                }
            }
            _ => {
                self.ask(Method::DELETE, &part, self.admin, &NOTHING).await;
                self.ask(Method::POST, &format!("{part}/restore"), self.admin, &NOTHING).await;
            }
        }
    }
}

fn counted<'a>(answers: impl Iterator<Item = &'a String>) -> BTreeMap<&'a str, usize> {
    answers.fold(BTreeMap::new(), |mut counts, answer| {
        *counts.entry(answer.as_str()).or_default() += 1;
        counts
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn random_orders_cancels_restocks_and_prices_at_three_copies_lose_no_unit() {
    let copies = Copies::open().await;
    let admin = copies.admin().await;
    let first = times("SEED", 1);
    for seed in first..first + times("RUNS", 1) {
        let part = copies.part(&admin, 2_000).await;
        let tokens = copies.sign_up(&format!("somebody-{seed}"), 12).await;
        let ordered = Barrier::new(tokens.len());
        let people = tokens.iter().enumerate().map(|(nth, token)| {
            let random = SeededRng::new(seed as u64, nth as u64);
            let (copies, admin, part, ordered) = (&copies, admin.as_str(), part.as_str(), &ordered);
            let mut person =
                Person { copies, admin, token, part, random, placed: Vec::new(), arrived: 0, answers: Vec::new() };
            async move {
                // Before the first one archives: there is enough for everybody's first order.
                person.orders().await;
                ordered.wait().await;
                for _ in 0..25 {
                    person.moves().await;
                }
                person
            }
        });
        let people = join_all(people).await;
        let units = 2_000 + people.iter().map(|person| person.arrived).sum::<i64>();
        let placed: Vec<String> = people.iter().flat_map(|person| person.placed.clone()).collect();
        let answers = || counted(people.iter().flat_map(|person| &person.answers));
        assert!(placed.len() > 20, "seed {seed}: only {} orders prove nothing: {:?}", placed.len(), answers());
        assert_eq!(copies.faults(&part, units, &placed), Vec::<String>::new(), "seed {seed}");
        // Now that all is quiet, what is left can be sold, and no more than that.
        copies.insist(Method::POST, &format!("/products/{part}/restore"), &admin, &NOTHING).await;
        let left = copies.count(&format!("SELECT available FROM products WHERE id = '{part}'"));
        for (quantity, wanted) in [(left, if left >= 50 { 201 } else { 409 }), (50, 409)] {
            let mut order = order_of(&part);
            order["quantity"] = quantity.max(50).into();
            let answer = copies.insist(Method::POST, "/orders", &admin, &order).await;
            assert_eq!(answer.0, wanted, "seed {seed}, {quantity} of {left}: {answer:?}");
        }
    }
}

/// Thirty customers' orders, each paid and cancelled at almost the same time. Returns how many were cancelled.
async fn pay_and_cancel(copies: &Copies, customers: &[String], part: &str, seed: u64) -> usize {
    let racing = customers.iter().enumerate().map(|(nth, token)| {
        let order = order_of(part);
        let mut random = SeededRng::new(seed, nth as u64);
        async move {
            let placed = copies.insist(Method::POST, "/orders", token, &order).await;
            let id = acknowledged(&[placed]).remove(0);
            let opening = json!({"orderId": id});
            let opened = copies.insist(Method::POST, "/create-payment-intent", token, &opening).await;
            let secret = opened.1["clientSecret"].as_str().unwrap().to_owned();
            let path = format!("/orders/{id}");
            // A payment is there at once, and a cancellation takes some calls.
            let pays = random.below(150);
            let paying = async {
                tokio::time::sleep(Duration::from_millis(pays)).await;
                copies.pay_by_card(&secret);
                let hint = json!({"payment": {"transactionId": secret.split("_secret").next().unwrap()}});
                copies.insist(Method::PATCH, &path, token, &hint).await.0
            };
            let cancelling = async { copies.insist(Method::DELETE, &path, token, &NOTHING).await.0 };
            tokio::join!(paying, cancelling)
        }
    });
    let answers = join_all(racing).await;
    let of = |wanted: u16| answers.iter().filter(|(_, cancelled)| *cancelled == wanted).count();
    assert_eq!(of(200) + of(409), customers.len(), "{answers:?}");
    of(200)
}

#[tokio::test(flavor = "multi_thread")]
async fn of_a_payment_and_a_cancellation_at_three_copies_one_wins_and_no_money_is_lost() {
    let copies = Copies::open().await;
    let (admin, customers) = (copies.admin().await, copies.sign_up("customer", 30).await);
    let part = copies.part(&admin, 1_000_000).await;
    let (first, mut cancelled) = (times("SEED", 1), 0);
    let runs = times("RUNS", 2);
    for seed in first..first + runs {
        cancelled += pay_and_cancel(&copies, &customers, &part, seed as u64).await;
    }
    println!("{cancelled} cancelled and {} paid from seed {first}", runs * customers.len() - cancelled);
    assert!(cancelled > 0 && cancelled < runs * customers.len(), "one of them always wins: that is no race");
    // What was paid and cancelled at the same time goes back by a job.
    let is_settled = |(payment, is_back): &(String, bool)| {
        let paid = format!(
            "SELECT count(*) FROM orders WHERE transaction_id = '{payment}' AND payment_state = 'paid' AND cancelled_at IS NULL"
        );
        copies.count(&paid) != i64::from(*is_back)
    };
    let begun = Instant::now();
    while !copies.money().iter().all(is_settled) {
        assert!(begun.elapsed() < Duration::from_mins(1), "money neither pays an order nor went back");
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    let orders = copies.count("SELECT count(*) FROM orders WHERE cancelled_at IS NOT NULL");
    assert_eq!(orders, i64::try_from(cancelled).unwrap());
    assert_eq!(testkit::invariants(copies.database.url()), Vec::<String>::new());
}

/// How many admins there are.
const ADMINS: &str = "SELECT count(*) FROM accounts WHERE role = 'admin' AND removed_at IS NULL";

/// Twenty admins who promote, demote and remove each other, so often each.
async fn quarrel(copies: &Copies, name: &str, seed: u64) {
    let tokens = copies.sign_up(name, 20).await;
    copies.make_admins(&format!("{name}-%"));
    let quarrelling = tokens.iter().enumerate().map(|(nth, token)| {
        let mut random = SeededRng::new(seed, nth as u64);
        async move {
            for _ in 0..12 {
                let other = format!("{name}-{}@example.com", random.below(20));
                let (method, path) = match random.below(6) {
                    0 => (Method::PUT, format!("/user/admin/{other}")),
                    1..5 => (Method::DELETE, format!("/user/admin/{other}")),
                    _ => (Method::DELETE, format!("/user/{other}")),
                };
                let (status, answer) = copies.insist(method.clone(), &path, token, &NOTHING).await;
                assert!(matches!(status, 200 | 401 | 403 | 404 | 409), "{method} {path}: {status} {answer}");
            }
        }
    });
    join_all(quarrelling).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn twenty_admins_who_demote_and_remove_each_other_at_three_copies_leave_one_at_least() {
    let copies = Copies::open().await;
    let seed = times("SEED", 1);
    for run in seed..seed + times("RUNS", 1) {
        copies.database.sql("UPDATE accounts SET role = 'customer'");
        quarrel(&copies, &format!("admin-{run}"), run as u64).await;
        let left = copies.count(ADMINS);
        println!("{left} admins are left, seed {run}");
        assert!(left >= 1, "seed {run}");
    }
}

/// The planted fault of the test above: a database that also demotes somebody else now and then.
#[tokio::test(flavor = "multi_thread")]
async fn a_shop_without_any_admin_is_noticed() {
    let copies = Copies::open().await;
    copies.database.sql(
        "CREATE FUNCTION demote() RETURNS trigger LANGUAGE plpgsql AS $$
         BEGIN
             UPDATE accounts SET role = 'customer' WHERE role = 'admin' AND pg_trigger_depth() < 2;
             RETURN NULL;
         END $$;
         CREATE TRIGGER demote AFTER UPDATE OF role ON accounts FOR EACH ROW
             WHEN (OLD.role = 'admin' AND NEW.role <> 'admin') EXECUTE FUNCTION demote()",
    );
    // Whoever was being promoted while the others were demoted stays, and nobody is left to quarrel with.
    for seed in 1..=10 {
        copies.database.sql("UPDATE accounts SET role = 'customer'");
        quarrel(&copies, &format!("admin-{seed}"), seed).await;
        if copies.count(ADMINS) == 0 {
            return;
        }
    }
    panic!("ten shops kept an admin");
}
