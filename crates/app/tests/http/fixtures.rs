//! Users, products and orders to test with.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::sync::OnceCell;

use crate::server::{Answer, Call, Demo, all, call, get, post, put};

pub(crate) const PASSWORD: &str = "a long walk home";

/// A number that is unique in this run.
pub(crate) fn unique() -> u32 {
    static NEXT: AtomicU32 = AtomicU32::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// A loopback address that no other test calls from: failed logins count per network.
pub(crate) fn elsewhere() -> [u8; 4] {
    let [_, high, middle, low] = (unique() + 1_000).to_be_bytes();
    [127, high + 1, middle, low]
}

/// An unused `Idempotency-Key`.
pub(crate) fn fresh_key() -> String {
    format!("00000000-0000-4000-8000-{:012x}", unique())
}

/// What two responses have to share to count as the same.
pub(crate) fn status_and_body(answer: &Answer) -> (u16, String) {
    (answer.status, answer.text())
}

/// A problem without what names its trace, which every answer has its own of.
pub(crate) fn but_for_the_trace(problem: &Answer) -> Value {
    let mut problem = problem.json();
    assert!(problem["traceId"].take().is_string(), "{problem}");
    problem
}

/// A signed-in user.
#[derive(Debug, Clone)]
pub(crate) struct User {
    pub(crate) email: String,
    pub(crate) session: String,
    pub(crate) token: String,
}

impl User {
    pub(crate) fn fresh_email() -> String {
        format!("user.{}@example.com", unique())
    }

    pub(crate) async fn new() -> Self {
        let sent = json!({"name": "Some Body", "email": Self::fresh_email(), "password": PASSWORD});
        Self::of(post("/auth/signup", &sent).await.is(201), None).await
    }

    /// As many new users, who sign up at the same time, each from an address of their own.
    pub(crate) async fn crowd(count: usize) -> Vec<Self> {
        let sign_ups = (0..count).map(|_| {
            let sent = json!({"name": "Some Body", "email": Self::fresh_email(), "password": PASSWORD});
            post("/auth/signup", &sent).from(elsewhere())
        });
        let mut users = Vec::with_capacity(count);
        for answer in all(sign_ups).await {
            users.push(Self::of(answer.is(201), None).await);
        }
        users
    }

    pub(crate) async fn new_at(demo: &Demo) -> Self {
        let sent = json!({"name": "Some Body", "email": Self::fresh_email(), "password": PASSWORD});
        Self::of(post("/auth/signup", &sent).at(demo).await.is(201), Some(demo)).await
    }

    /// A new user who has been made an admin.
    pub(crate) async fn new_admin() -> Self {
        let user = Self::new().await;
        admin().await.send(call("PUT", format!("/user/admin/{}", user.email))).await.is(200);
        eventually(Duration::from_secs(1), async || user.send(get("/user")).await.status == 200).await;
        user
    }

    pub(crate) async fn log_in(email: &str, password: &str) -> Self {
        Self::of(post("/auth/login", &json!({"email": email, "password": password})).await.is(200), None).await
    }

    pub(crate) async fn log_in_at(demo: &Demo, email: &str, password: &str) -> Self {
        let sent = json!({"email": email, "password": password});
        Self::of(post("/auth/login", &sent).at(demo).await.is(200), Some(demo)).await
    }

    /// The user that a response has signed in.
    pub(crate) async fn of(answer: Answer, demo: Option<&Demo>) -> Self {
        let email = answer.json()["email"].as_str().unwrap().to_owned();
        let (session, _) = answer.cookie("session").unwrap();
        let issuing = put(format!("/user/{email}"), &json!({"email": email})).session(&session);
        let issuing = match demo {
            Some(demo) => issuing.at(demo),
            None => issuing,
        };
        let token = issuing.await.is(200).json()["token"].as_str().unwrap().to_owned();
        Self { email, session, token }
    }

    /// The call, made by this user.
    pub(crate) fn send(&self, call: Call) -> Call {
        call.token(&self.token)
    }

    pub(crate) async fn orders(&self) -> Vec<Value> {
        let listed = self.send(get(format!("/orders?email={}", self.email))).await.is(200).json();
        listed.as_array().unwrap().clone()
    }
}

/// The admin that all tests share.
pub(crate) async fn admin() -> &'static User {
    static ADMIN: OnceCell<User> = OnceCell::const_new();
    ADMIN.get_or_init(|| User::log_in("admin@example.com", "demo-password")).await
}

/// The columns of an exported file of products; an import reads what [`draft`] sends.
pub(crate) const PRODUCT_COLUMNS: &str =
    "id,name,description,category,partNumber,price,availableQty,minOrder,img,createdAt";

/// The request body of Add Product, with every attribute.
pub(crate) fn draft(available: u32, price: f64) -> Value {
    let nth = unique();
    json!({
        "name": format!("Test part {nth}"), "description": "A part for a test.", "category": "BRAKES", "price": price,
        "availableQty": available, "minOrder": 50, "img": format!("https://pictures.example.com/{nth}.png"),
        "partNumber": format!("TP-{nth}"),
    })
}

/// Adds a product and returns its id.
pub(crate) async fn product(available: u32, price: f64) -> String {
    add(&draft(available, price)).await
}

pub(crate) async fn add(draft: &Value) -> String {
    inserted(&admin().await.send(post("/products", draft)).await)
}

#[track_caller]
pub(crate) fn inserted(answer: &Answer) -> String {
    answer.clone().is(201).json()["insertedId"].as_str().unwrap().to_owned()
}

pub(crate) async fn stock(product: &str) -> u64 {
    get(format!("/products/{product}")).await.is(200).json()["availableQty"].as_u64().unwrap()
}

/// The request body of Billing Details.
pub(crate) fn purchase(product: &str, quantity: u32) -> Value {
    json!({
        "productId": product, "quantity": quantity, "name": "Some Body", "phone": "+49 30 123456",
        "address": "1 Long Road, Springfield",
    })
}

/// Places an order and returns its id.
pub(crate) async fn order(customer: &User, product: &str, quantity: u32) -> String {
    inserted(&customer.send(post("/orders", &purchase(product, quantity))).await)
}

/// An order of 50 units of a new product, at $2.50 each.
pub(crate) async fn some_order(customer: &User) -> String {
    order(customer, &product(1_000, 2.5).await, 50).await
}

/// The payment's client secret, as the card form receives it.
pub(crate) async fn intent(customer: &User, order: &str) -> String {
    let answer = customer.send(post("/create-payment-intent", &json!({"orderId": order}))).await.is(200);
    answer.json()["clientSecret"].as_str().unwrap().to_owned()
}

/// A request to pay with a card.
pub(crate) fn card(secret: &str, number: &str) -> Call {
    let sent = json!({
        "clientSecret": secret,
        "card": {"number": number, "expMonth": 12, "expYear": 2040, "cvc": "123"},
        "billingDetails": {"name": "Some Body", "email": "some.body@example.com"},
    });
    post("/sandbox/payment-intents/confirm", &sent)
}

pub(crate) const GOOD_CARD: &str = "4242424242424242";

/// Pays with a valid card and returns the payment's id.
pub(crate) async fn paid_by_card(secret: &str) -> String {
    let confirmed = card(secret, GOOD_CARD).await.is(200).json();
    assert_eq!(confirmed["status"], "succeeded");
    confirmed["id"].as_str().unwrap().to_owned()
}

/// What the browser reports once a payment has succeeded.
pub(crate) fn hint(order: &str, transaction: &str) -> Value {
    json!({"payment": {"product": order, "transactionId": transaction, "status": "succeeded"}})
}

/// Pays for an order as the payment page does and returns the payment's id.
pub(crate) async fn pay(customer: &User, order: &str) -> String {
    let transaction = paid_by_card(&intent(customer, order).await).await;
    let settled =
        customer.send(crate::server::patch(format!("/orders/{order}"), &hint(order, &transaction))).await.is(200);
    assert_eq!(settled.json(), json!({"modifiedCount": 1}));
    transaction
}

/// The kinds of the timeline's events, oldest first.
pub(crate) async fn event_kinds(reader: &User, order: &str) -> Vec<String> {
    let events = timeline(reader, order).await;
    events.iter().map(|event| event["what"].as_str().unwrap().to_owned()).collect()
}

pub(crate) async fn timeline(reader: &User, order: &str) -> Vec<Value> {
    reader.send(get(format!("/orders/{order}/events"))).await.is(200).json().as_array().unwrap().clone()
}

/// Polls until the condition holds.
#[track_caller]
pub(crate) fn eventually(within: Duration, mut holds: impl AsyncFnMut() -> bool) -> impl Future<Output = ()> {
    let asked_at = std::panic::Location::caller();
    async move {
        let begun = Instant::now();
        while !holds().await {
            assert!(begun.elapsed() < within, "did not hold within {within:?}, at {asked_at}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}

/// When something was created: as a moment and not as a text, because `.51Z` is later than `.5Z` but comes before it in the
/// alphabet.
pub(crate) fn created_at(thing: &Value) -> jiff::Timestamp {
    thing["createdAt"].as_str().unwrap().parse().unwrap()
}
