//! Accounts that pay no tax.

use serde_json::{Value, json};

use crate::fixtures::{User, admin, inserted};
use crate::server::{delete, get, post, run};

fn exemption(email: &str) -> Value {
    json!({"email": email, "kind": "resale", "country": "US", "region": "california", "number": "SR-1234"})
}

async fn of(email: &str) -> Vec<Value> {
    let all = admin().await.send(get("/exemptions")).await.is(200).json();
    all.as_array().unwrap().iter().filter(|one| one["email"] == email).cloned().collect()
}

#[test]
fn an_exemption_reads_back_once_per_kind_and_place_and_is_removed() {
    run(async {
        let (boss, customer) = (admin().await, User::new().await);
        let id = inserted(&boss.send(post("/exemptions", &exemption(&customer.email))).await);
        let expected = json!({
            "_id": id, "email": customer.email, "kind": "resale", "country": "US", "region": "CA", "number": "SR-1234",
            "validUntil": null, "state": "valid",
        });
        assert_eq!(of(&customer.email).await, [expected]);
        boss.send(post("/exemptions", &exemption(&customer.email))).await.refused(409);
        let path = format!("/exemptions/{id}");
        boss.send(delete(&path)).await.is(200);
        boss.send(delete(&path)).await.is(404);
        assert_eq!(of(&customer.email).await.len(), 0);
    });
}

#[test]
fn a_reverse_charge_is_not_valid_until_its_number_is_confirmed() {
    run(async {
        let (boss, customer) = (admin().await, User::new().await);
        let sent =
            |number| json!({"email": customer.email, "kind": "reverse-charge", "country": "DE", "number": number});
        let refused = boss.send(post("/exemptions", &sent("DE12"))).await.refused(422);
        assert_eq!(refused["errors"][0]["field"], "number");
        boss.send(post("/exemptions", &sent("de 123 456 789"))).await.is(201);
        let entered = of(&customer.email).await;
        assert_eq!((&entered[0]["number"], &entered[0]["state"]), (&json!("DE123456789"), &json!("unchecked")));
    });
}

#[test]
fn what_is_no_exemption_is_refused_field_by_field() {
    run(async {
        let customer = User::new().await;
        for (change, field) in [
            (json!({"email": "nobody.at.all@example.com"}), "email"),
            (json!({"email": "x"}), "email"),
            (json!({"kind": "poverty"}), "kind"),
            (json!({"country": ""}), "country"),
            (json!({"region": "Bavaria"}), "region"),
            (json!({"number": "a".repeat(41)}), "number"),
            (json!({"validUntil": "soon"}), "validUntil"),
        ] {
            let mut sent = exemption(&customer.email);
            sent.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
            let refused = admin().await.send(post("/exemptions", &sent)).await.refused(422);
            assert_eq!(refused["errors"][0]["field"], field, "{change}: {refused}");
        }
    });
}
