//! Who may do what: the table, and every cell of it.

use serde_json::{Value, json};

use crate::pictures::{multipart, png};
use crate::shop::{Call, call, run};
use crate::things::{Person, draft, product, some_order};

/// Any status from 200 to 299.
const YES: u16 = 2;

/// One line of the table. `own` and `others` say whose the thing is that the call names; a call that names nobody's
/// thing answers the same for both.
pub(crate) struct Line {
    pub(crate) method: &'static str,
    /// With `{product}`, `{order}`, `{delivery}`, `{endpoint}`, `{review}` or `{email}` for the thing.
    pub(crate) path: &'static str,
    pub(crate) visitor: u16,
    customer: Whose,
    admin: Whose,
}

struct Whose {
    own: u16,
    others: u16,
}

const fn both(status: u16) -> Whose {
    Whose { own: status, others: status }
}

const fn whose(own: u16, others: u16) -> Whose {
    Whose { own, others }
}

const fn line(method: &'static str, path: &'static str, visitor: u16, customer: Whose, admin: Whose) -> Line {
    Line { method, path, visitor, customer, admin }
}

/// The one place in this suite that says who may do what.
pub(crate) const TABLE: &[Line] = &[
    line("GET", "/products", YES, both(YES), both(YES)),
    line("GET", "/products/{product}", YES, both(YES), both(YES)),
    line("GET", "/reviews", YES, both(YES), both(YES)),
    line("POST", "/products", 401, both(403), both(YES)),
    line("PUT", "/products/{product}", 401, both(403), both(YES)),
    line("DELETE", "/products/{product}", 401, both(403), both(YES)),
    line("POST", "/products/{product}/stock-corrections", 401, both(403), both(YES)),
    line("GET", "/products/{product}/stock-history", 401, both(403), both(YES)),
    line("POST", "/images", 401, both(403), both(YES)),
    line("POST", "/reviews", 401, both(YES), both(YES)),
    line("DELETE", "/reviews/{review}", 401, both(403), both(YES)),
    line("PUT", "/user/{email}", 401, whose(YES, 403), whose(YES, 403)),
    line("GET", "/auth/verification", 401, both(YES), both(YES)),
    line("POST", "/auth/verification", 401, both(YES), both(YES)),
    line("GET", "/auth/sessions", 401, both(YES), both(YES)),
    line("DELETE", "/auth/sessions", 401, both(YES), both(YES)),
    line("POST", "/auth/me/photo", 401, both(YES), both(YES)),
    line("GET", "/auth/sign-in-methods", 401, both(YES), both(YES)),
    line("POST", "/auth/google/link", 401, both(YES), both(YES)),
    line("DELETE", "/auth/google/link", 401, both(YES), both(YES)),
    line("GET", "/user", 401, both(403), both(YES)),
    line("GET", "/allOrders", 401, both(403), both(YES)),
    line("GET", "/allOrders.csv", 401, both(403), both(YES)),
    line("GET", "/overview", 401, both(403), both(YES)),
    line("GET", "/products.csv", 401, both(403), both(YES)),
    line("POST", "/products.csv?dryRun=true", 401, both(403), both(YES)),
    line("PUT", "/user/admin/{email}", 401, both(403), both(YES)),
    line("DELETE", "/user/admin/{email}", 401, both(403), both(YES)),
    line("DELETE", "/user/{email}", 401, both(403), whose(409, YES)),
    line("GET", "/admin/{email}", 401, whose(YES, 403), both(YES)),
    line("POST", "/orders", 401, whose(YES, 403), whose(YES, 403)),
    line("GET", "/orders?email={email}", 401, whose(YES, 403), both(YES)),
    line("GET", "/orders/{order}", 401, whose(YES, 404), both(YES)),
    line("GET", "/orders/{order}/events", 401, whose(YES, 404), both(YES)),
    // Whoever may pay is told that this payment is not the order's.
    line("PATCH", "/orders/{order}", 401, whose(409, 404), whose(409, 404)),
    line("POST", "/create-payment-intent", 401, whose(YES, 404), whose(YES, 404)),
    line("DELETE", "/orders/{order}", 401, whose(YES, 404), both(YES)),
    line("PUT", "/orders/status/{order}", 401, both(403), both(YES)),
    // Whoever may refund is told that an unpaid order has nothing to refund.
    line("POST", "/orders/{order}/refund", 401, both(403), both(409)),
    line("GET", "/attention", 401, both(403), both(YES)),
    // Whoever may is told that there is none, or that it is over.
    line("POST", "/attention/refunds/{delivery}/retry", 401, both(403), both(404)),
    line("POST", "/attention/refunds/{order}/bank-transfer", 401, both(403), both(422)),
    line("POST", "/attention/refunds/{order}/acknowledge", 401, both(403), both(409)),
    line("POST", "/attention/disputes/{order}/acknowledge", 401, both(403), both(409)),
    line("POST", "/attention/payments/{order}/send-back", 401, both(403), both(404)),
    line("GET", "/outbox", 401, both(403), both(YES)),
    // Whoever may is told that there is none.
    line("POST", "/outbox/{delivery}/retry", 401, both(403), both(404)),
    line("GET", "/webhook-endpoints", 401, both(403), both(YES)),
    // Whoever may is told that something is missing, or that there is none.
    line("POST", "/webhook-endpoints", 401, both(403), both(422)),
    line("GET", "/webhook-endpoints/{endpoint}/deliveries", 401, both(403), both(404)),
    line("DELETE", "/webhook-endpoints/{endpoint}", 401, both(403), both(YES)),
    line("GET", "/info?email={email}", 401, whose(YES, 403), whose(YES, 403)),
    line("POST", "/info?email={email}", 401, whose(YES, 403), whose(YES, 403)),
    line("PUT", "/info?email={email}", 401, whose(YES, 403), whose(YES, 403)),
];

/// The thing that a call names.
pub(crate) struct Thing {
    owner: Person,
    order: String,
    product: String,
}

impl Thing {
    pub(crate) async fn of(owner: Person) -> Self {
        let order = some_order(&owner).await;
        Self { owner, order, product: product(500, 3.0).await }
    }
}

impl Line {
    pub(crate) fn is_public(&self) -> bool {
        self.visitor == YES
    }

    pub(crate) fn wants_the_session(&self) -> bool {
        self.method == "PUT" && self.path == "/user/{email}" || self.path.starts_with("/auth/")
    }

    /// The call, complete but for who makes it.
    pub(crate) fn call(&self, thing: &Thing) -> Call {
        let path = self
            .path
            .replace("{product}", &thing.product)
            .replace("{order}", &thing.order)
            // The numbers begin at 1.
            .replace("{delivery}", "0")
            .replace("{endpoint}", "0199f3a0-0000-7000-8000-000000000000")
            .replace("{review}", "0199f3a0-0000-7000-8000-000000000001")
            .replace("{email}", &thing.owner.email);
        let call = call(self.method, path);
        if let ("POST", "/images" | "/auth/me/photo") = (self.method, self.path) {
            let (media_type, body) = multipart("image", "part.png", "image/png", &png(8, 8));
            return call.body(&media_type, body);
        }
        if self.path.starts_with("/products.csv") && self.method == "POST" {
            return call.body("text/csv", "name,description,category,price,availableQty,img\n");
        }
        match self.payload(thing) {
            Some(payload) => call.json(&payload),
            None => call,
        }
    }

    fn payload(&self, thing: &Thing) -> Option<Value> {
        Some(match (self.method, self.path) {
            ("POST", "/products") => draft(100, 4.0),
            ("PUT", "/products/{product}") => json!({"updatedQuantity": 1, "updatedPrice": 3}),
            ("POST", "/products/{product}/stock-corrections") => json!({"delta": -1, "reason": "breakage"}),
            ("POST", "/reviews") => json!({"name": "Some Body", "rating": 5, "details": "Sturdy."}),
            ("POST", "/orders") => json!({
                "productId": thing.product, "email": thing.owner.email, "quantity": 50, "name": "Some Body",
                "phone": "1", "address": "2",
            }),
            ("PATCH", _) => {
                json!({"payment": {"product": thing.order, "transactionId": "pi_nobody", "status": "succeeded"}})
            }
            ("POST", "/webhook-endpoints" | "/attention/refunds/{order}/bank-transfer") => json!({}),
            ("POST", "/create-payment-intent") => json!({"orderId": thing.order, "price": 125}),
            ("POST" | "PUT", "/info?email={email}") => {
                json!({"livesIn": "Springfield", "updatedLivesIn": "Springfield"})
            }
            _ => return None,
        })
    }

    async fn reservations(&self, call: Call, who: &str, expected: u16) {
        let answer = call.await;
        let as_expected = if expected == YES { answer.is_success() } else { answer.status == expected };
        assert!(as_expected, "a {who} should get {expected}: {answer}");
        if self.is_public() {
            assert!(answer.header("cache-control").contains("public"), "{answer}");
            assert_ne!(answer.header("etag"), "", "{answer}");
        } else {
            assert!(answer.header("cache-control").contains("no-store"), "a {who}: {answer}");
        }
    }

    fn made_by(&self, caller: &Person, thing: &Thing) -> Call {
        let call = self.call(thing);
        if self.wants_the_session() { call.session(&caller.session) } else { caller.send(call) }
    }
}

async fn walk(who: &str, column: impl Fn(&Line) -> u16, caller: impl AsyncFn() -> Person, own: bool) {
    for line in TABLE {
        // Afresh for every cell: some calls take away what they are made with.
        let caller = caller().await;
        let thing = Thing::of(if own { caller.clone() } else { Person::new().await }).await;
        line.reservations(line.made_by(&caller, &thing), who, column(line)).await;
    }
}

#[test]
fn a_visitor_may_do_what_the_table_says() {
    run(async {
        let thing = Thing::of(Person::new().await).await;
        for line in TABLE {
            line.reservations(line.call(&thing), "visitor", line.visitor).await;
        }
    });
}

#[test]
fn a_customer_may_do_with_their_own_things_what_the_table_says() {
    run(walk("customer, own", |line| line.customer.own, Person::new, true));
}

#[test]
fn a_customer_may_do_with_anothers_things_what_the_table_says() {
    run(walk("customer, another's", |line| line.customer.others, Person::new, false));
}

#[test]
fn an_admin_may_do_with_their_own_things_what_the_table_says() {
    run(walk("admin, own", |line| line.admin.own, Person::new_admin, true));
}

#[test]
fn an_admin_may_do_with_anothers_things_what_the_table_says() {
    run(walk("admin, another's", |line| line.admin.others, Person::new_admin, false));
}

#[test]
fn whoever_may_not_is_told_so_in_the_words_of_the_screens() {
    run(async {
        let (customer, other) = (Person::new().await, Person::new().await);
        let refused = customer.send(call("PUT", format!("/user/admin/{}", other.email))).await.refused(403);
        assert_eq!(refused["message"], "You are not authorized to do this");
        assert_eq!(refused["type"], "/problems/forbidden");
        let refused = call("GET", "/user").await.refused(401);
        assert_eq!(refused["type"], "/problems/unauthenticated");
    });
}

#[test]
fn the_session_cookie_opens_the_token_and_the_identity_calls_and_nothing_else() {
    run(async {
        let admin = Person::new_admin().await;
        let thing = Thing::of(admin.clone()).await;
        for line in TABLE.iter().filter(|line| !line.is_public()) {
            let answer = line.call(&thing).session(&admin.session).await;
            assert_eq!(answer.is_success(), line.wants_the_session(), "{answer}");
            assert!(answer.is_success() || answer.status == 401, "{answer}");
        }
        call("GET", "/auth/me").session(&admin.session).await.is(200);
        call("PATCH", "/auth/me").json(&json!({"displayName": "Ad Min"})).session(&admin.session).await.is(200);
    });
}

#[test]
fn a_token_opens_neither_the_token_call_nor_the_identity_calls() {
    run(async {
        let person = Person::new().await;
        person.send(call("PUT", format!("/user/{}", person.email))).await.is(401);
        person.send(call("GET", "/auth/me")).await.is(401);
        person.send(call("GET", "/auth/verification")).await.is(401);
        person.send(call("POST", "/auth/verification")).await.is(401);
        person.send(call("PATCH", "/auth/me").json(&json!({"displayName": "X"}))).await.is(401);
    });
}
