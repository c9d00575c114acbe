//! The outbox as admins see it. Delivery to a mail server is tested by `frontend/e2e/node/mail.ts`; this server writes its
//! e-mails to a folder.

use std::time::Duration;

use serde_json::{Value, json};

use crate::fixtures::{User, admin, created_at, eventually, order, pay, product};
use crate::server::{all, call, emails_to, get, run};

/// The e-mails about orders that were sent to an address, in the order of the list.
async fn sent_to(email: &str) -> Vec<Value> {
    let listed = admin().await.send(get("/outbox?state=sent")).await.is(200).json();
    let is_about_an_order = |one: &&Value| one["to"] == email && one["orderId"].is_string();
    listed.as_array().unwrap().iter().filter(is_about_an_order).cloned().collect()
}

#[test]
fn an_order_and_its_payment_send_one_email_each() {
    run(async {
        let customer = User::new().await;
        let placed = order(&customer, &product(500, 3.0).await, 50).await;
        pay(&customer, &placed).await;
        let topics = async || -> Vec<String> {
            let sent = sent_to(&customer.email).await;
            let mut topics: Vec<_> = sent.iter().map(|one| one["topic"].as_str().unwrap().to_owned()).collect();
            topics.sort_unstable();
            topics
        };
        eventually(Duration::from_secs(20), async || topics().await.len() >= 2).await;
        // Reporting the payment again sends nothing more.
        pay_again(&customer, &placed).await;
        tokio::time::sleep(Duration::from_secs(3)).await;
        assert_eq!(topics().await, ["order.ordered", "order.paid"]);

        let receipt = sent_to(&customer.email).await.into_iter().find(|one| one["topic"] == "order.paid").unwrap();
        for (member, expected) in [
            ("channel", json!("mail")),
            ("to", json!(customer.email)),
            ("orderId", json!(placed)),
            ("attempts", json!(1)),
            ("state", json!("sent")),
            ("lastError", Value::Null),
        ] {
            assert_eq!(receipt[member], expected, "{member}: {receipt}");
        }
        for moment in ["createdAt", "dueAt", "sentAt"] {
            assert!(receipt[moment].as_str().is_some_and(|at| at.ends_with('Z')), "{moment}: {receipt}");
        }
        // A sent e-mail cannot be retried, and an unknown one is not found.
        let retry = |id: &str| admin_call("POST", format!("/outbox/{id}/retry"));
        assert_eq!(retry(receipt["_id"].as_str().unwrap()).await.refused(409)["type"], "/problems/not-dead");
        for nothing in ["0", "-1", "99999999999999999999", "one"] {
            retry(nothing).await.is(404);
        }
    });
}

async fn pay_again(customer: &User, placed: &str) {
    let found = customer.send(get(format!("/orders/{placed}"))).await.is(200).json();
    let transaction = found["payment"]["transactionId"].as_str().unwrap();
    let hint = crate::fixtures::hint(placed, transaction);
    customer.send(crate::server::patch(format!("/orders/{placed}"), &hint)).await.is(200);
}

async fn admin_call(method: &str, path: String) -> crate::server::Answer {
    admin().await.send(call(method, path)).await
}

#[test]
fn the_outbox_is_listed_in_pages_by_state_latest_first() {
    run(async {
        let part = product(500, 3.0).await;
        for _ in 0..3 {
            // Another customer each time: an unconfirmed address gets few e-mails.
            let customer = User::new().await;
            order(&customer, &part, 50).await;
            eventually(Duration::from_secs(20), async || sent_to(&customer.email).await.len() == 1).await;
        }
        let page = admin_call("GET", "/outbox?state=sent&limit=2".to_owned()).await.is(200);
        let ids = |answer: &crate::server::Answer| -> Vec<i64> {
            let listed = answer.json();
            listed.as_array().unwrap().iter().map(|one| one["_id"].as_str().unwrap().parse().unwrap()).collect()
        };
        let first = ids(&page);
        assert_eq!(first.len(), 2);
        assert!(page.header("x-total-count").parse::<u64>().unwrap() >= 3, "{page}");
        let next = page.header("link").strip_prefix('<').unwrap().split_once('>').unwrap().0.to_owned();
        assert!(next.contains("state=sent") && next.contains(&format!("cursor={}", first[1])), "{next}");
        let rest = ids(&admin_call("GET", next).await.is(200));
        assert!(first[0] > first[1] && first[1] > rest[0], "{first:?} {rest:?}");

        // Without a state the dead deliveries are listed: none, in a demo.
        assert_eq!(admin_call("GET", "/outbox".to_owned()).await.is(200).json(), json!([]));
        for (query, field) in [("state=lost", "state"), ("limit=0", "limit"), ("cursor=one", "cursor")] {
            admin_call("GET", format!("/outbox?{query}")).await.field(field);
        }
    });
}

/// Any client can request any number of e-mails to any address; a user who waits for theirs must not notice.
#[test]
fn a_password_reset_email_is_not_delayed_by_resets_for_unknown_addresses() {
    run(async {
        let user = User::new().await;
        let forgot = |email: String| crate::server::post("/auth/password/forgot", &json!({"email": email}));
        for _ in 0..15 {
            all((0..100).map(|_| forgot(User::fresh_email()))).await;
        }
        forgot(user.email.clone()).await.is(202);
        let reset = async || {
            let listed = admin_call("GET", "/outbox?state=sent".to_owned()).await.is(200).json();
            let is_theirs = |one: &&Value| one["to"] == user.email && one["topic"] == "account.reset";
            listed.as_array().unwrap().iter().find(is_theirs).cloned()
        };
        eventually(Duration::from_secs(30), async || reset().await.is_some()).await;
        assert!(emails_to(&user.email).iter().any(|text| text.contains("reset-password")));
        // The server's own times, which leave out how long this test waited for a processor. What is due is looked for
        // every second; the rest is for a busy machine.
        let sent = reset().await.unwrap();
        let sent_at: jiff::Timestamp = sent["sentAt"].as_str().unwrap().parse().unwrap();
        let took = sent_at.duration_since(created_at(&sent));
        assert!(took < jiff::SignedDuration::from_secs(10), "{took}: {sent}");
    });
}
