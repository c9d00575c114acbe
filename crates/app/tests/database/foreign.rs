//! The trouble that a database may be in, and what a client is answered: the same whatever language the database speaks.

use std::time::Duration;

use reqwest::{Method, Response};
use serde_json::{Value, json};
use testkit::TestDatabase;

use crate::instance::Instance;
use crate::link::Link;
use crate::{START, order_of, products};

/// What a server says of its own trouble: its SQLSTATE, and its sentence in English.
const TROUBLE: [(&str, &str); 14] = [
    ("53100", "could not extend file \"base/5/1259\": No space left on device"),
    ("53100", "could not write to file \"base/pgsql_tmp/1\": Disk quota exceeded"),
    ("53200", "out of memory"),
    ("53200", "out of shared memory"),
    ("53300", "sorry, too many clients already"),
    ("57014", "canceling statement due to statement timeout"),
    ("55P03", "canceling statement due to lock timeout"),
    ("40P01", "deadlock detected"),
    ("40001", "could not serialize access due to concurrent update"),
    ("57P01", "terminating connection due to administrator command"),
    ("57P02", "terminating connection due to crash of another server process"),
    ("57P03", "the database system is starting up"),
    ("58030", "could not read block 7 in file \"base/5/1259\": Input/output error"),
    ("25006", "cannot execute INSERT in a read-only transaction"),
];

/// Raises what a table says, whenever an order is placed.
const RAISES: &str = "CREATE TABLE trouble (code text, words text);
    CREATE FUNCTION trouble() RETURNS trigger LANGUAGE plpgsql AS $$
        DECLARE it trouble; BEGIN
            SELECT * INTO it FROM trouble;
            IF it.code IS NOT NULL THEN RAISE EXCEPTION '%', it.words USING ERRCODE = it.code; END IF;
            RETURN NULL;
        END $$;
    CREATE TRIGGER trouble BEFORE INSERT ON orders FOR EACH STATEMENT EXECUTE FUNCTION trouble()";

/// What a client was answered: to what, the status, the problem's type, and whether it says when to come again.
type Answered = (String, u16, String, bool);

async fn read(of: &str, answer: Response) -> Answered {
    let (status, says_when) = (answer.status().as_u16(), answer.headers().contains_key("retry-after"));
    let body: Value = answer.json().await.unwrap_or_default();
    (of.to_owned(), status, body["type"].as_str().unwrap_or_default().to_owned(), says_when)
}

struct World {
    database: TestDatabase,
    shop: Instance,
    admin: String,
    part: String,
    _link: Link,
}

impl World {
    async fn begin(translated: bool) -> Self {
        let database = TestDatabase::empty();
        let mut link = if translated { Link::translated(&database) } else { Link::to(&database) };
        link.mend();
        let shop = Instance::start(&[("DATABASE_URL", &link.url(&database)), ("RATE_LIMIT_BURST", "100000")]);
        shop.is_ready_within(START).await;
        let (admin, mut ids) = products(&shop, database.url(), &["Oil filter"]).await;
        database.sql(RAISES);
        Self { database, shop, admin, part: ids.remove(0), _link: link }
    }

    async fn order(&self, of: &str, order: &Value, key: &str) -> Answered {
        let request = self.shop.request(Method::POST, "/orders", &self.admin, order).header("idempotency-key", key);
        read(of, request.send().await.unwrap()).await
    }

    fn in_trouble(&self, code: &str, words: &str) {
        let words = words.replace('\'', "''");
        self.database.sql(&format!("TRUNCATE trouble; INSERT INTO trouble VALUES ('{code}', '{words}')"));
    }

    /// What is answered while an order meets each kind of trouble.
    async fn answers_to_trouble(&self) -> Vec<Answered> {
        let mut answers = Vec::new();
        for (code, words) in TROUBLE {
            self.in_trouble(code, words);
            answers.push(self.order(&format!("{code}: {words}"), &order_of(&self.part), code).await);
        }
        self.database.sql("TRUNCATE trouble");
        answers
    }

    /// What is answered to customers' own conflicts, and to a lock.
    async fn answers_to_conflicts(&self) -> Vec<Answered> {
        let order = order_of(&self.part);
        let mut other = order.clone();
        other["quantity"] = json!(100);
        let mut too_many = order.clone();
        too_many["quantity"] = json!(999_999_999);
        let user = json!({"name": "Some Body", "email": "admin@example.com", "password": "a long walk home"});
        let method = json!({"name": "Courier", "bands": [{"upToGrams": 1000, "price": 5}]});
        let ask = async |of: &str, path: &str, body: &Value| {
            read(of, self.shop.ask(Method::POST, path, &self.admin, body).await).await
        };
        let mut answers = vec![
            self.order("an order", &order, "first").await,
            self.order("the same again", &order, "first").await,
            self.order("another under its key", &other, "first").await,
            self.order("more than there are", &too_many, "second").await,
            ask("an address that is taken", "/auth/signup", &user).await,
            ask("a shipping method", "/shipping-methods", &method).await,
            ask("a shipping method whose name is taken", "/shipping-methods", &method).await,
        ];
        let lock = self.database.hold("SELECT * FROM products FOR UPDATE");
        answers.push(self.order("a product that is locked", &order, "third").await);
        drop(lock);
        answers
    }

    /// Orders again, as soon as it may.
    async fn sells_again(&self) {
        let begun = std::time::Instant::now();
        while self.order("afterwards", &order_of(&self.part), "afterwards").await.1 != 201 {
            assert!(begun.elapsed() < Duration::from_secs(20), "it does not recover");
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    }

    fn orders(&self) -> Option<i64> {
        testkit::number(self.database.url(), "SELECT count(*) FROM orders")
    }
}

fn are_unavailable(answers: &[Answered]) {
    for (of, status, _, says_when) in answers {
        assert_eq!((*status, *says_when), (503, true), "{of}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_trouble_the_database_is_in_a_client_gets_503_and_nothing_is_acknowledged() {
    let world = World::begin(false).await;
    are_unavailable(&world.answers_to_trouble().await);
    assert_eq!(world.orders(), Some(0));
    world.sells_again().await;
    assert_eq!(world.orders(), Some(1));
    // A mistake of ours does not pass by itself, and is no reason to come again.
    world.in_trouble("22012", "division by zero");
    let (_, status, _, says_when) = world.order("a mistake", &order_of(&world.part), "mistake").await;
    assert_eq!((status, says_when), (500, false));
    assert_eq!(testkit::invariants(world.database.url()), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_speaks_another_language_is_answered_for_in_the_same_way() {
    let (plain, foreign) = tokio::join!(World::begin(false), World::begin(true));
    let (plain_conflicts, conflicts) = tokio::join!(plain.answers_to_conflicts(), foreign.answers_to_conflicts());
    assert_eq!(conflicts, plain_conflicts);
    let statuses: std::collections::BTreeSet<u16> = conflicts.iter().map(|answer| answer.1).collect();
    assert!([201, 409, 503].iter().all(|status| statuses.contains(status)), "{conflicts:?}");
    let (plain_trouble, trouble) = tokio::join!(plain.answers_to_trouble(), foreign.answers_to_trouble());
    assert_eq!(trouble, plain_trouble);
    are_unavailable(&trouble);
    foreign.sells_again().await;
    foreign.shop.logs("not in English").await;
    assert_eq!(foreign.shop.logged("not in English"), 1);
    assert_eq!(plain.shop.logged("not in English"), 0);
    // A mistake of ours that blames a place in its statement is still told apart.
    foreign.database.sql("ALTER TABLE orders RENAME TO gone");
    let (_, status, _, says_when) = foreign.order("a mistake", &order_of(&foreign.part), "mistake").await;
    assert_eq!((status, says_when), (500, false));
    assert_eq!(testkit::invariants(plain.database.url()), Vec::<String>::new());
}
