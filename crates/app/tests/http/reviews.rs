//! Reviews of parts: whose they are, whether their authors bought the part, and how admins hide them.

use serde_json::{Value, json};

use crate::fixtures::{User, add, admin, draft, inserted, pay, product, purchase, unique};
use crate::server::{delete, get, post, run};

/// The review with this id, as a list of reviews shows it.
async fn listed(path: &str, id: &str) -> Option<Value> {
    let reviews = get(path).await.is(200).json();
    reviews.as_array().unwrap().iter().find(|review| review["_id"] == id).cloned()
}

fn review(rating: u32) -> Value {
    json!({"name": "Some Body", "rating": rating, "details": format!("Sturdy {}.", unique())})
}

fn of(part: &str, rating: u32) -> Value {
    let mut review = review(rating);
    review["productId"] = json!(part);
    review
}

/// Orders 50 units of a part and pays for them.
async fn buy(customer: &User, part: &str) {
    let order = inserted(&customer.send(post("/orders", &purchase(part, 50))).await);
    pay(customer, &order).await;
}

#[test]
fn a_review_of_the_shop_is_as_it_was_sent() {
    run(async {
        let sent = review(4);
        let id = inserted(&User::new().await.send(post("/reviews", &sent)).await);
        let mut found = listed("/reviews", &id).await.unwrap();
        let time = found.as_object_mut().unwrap().remove("createdAt").unwrap();
        assert!(time.as_str().unwrap().ends_with('Z'));
        let expected = json!({
            "_id": id, "name": "Some Body", "rating": 4, "details": sent["details"], "verified": false,
        });
        assert_eq!(found, expected);
    });
}

#[test]
fn a_review_that_is_signed_with_another_name_shows_the_account_too() {
    run(async {
        let user = User::new().await;
        for (name, author) in [
            ("Some Body", Value::Null),
            ("some b.", Value::Null),
            ("Driveline (official)", json!("Some Body")),
            ("Somebody Else", json!("Some Body")),
        ] {
            let mut sent = review(5);
            sent["name"] = json!(name);
            let id = inserted(&user.send(post("/reviews", &sent)).await);
            let found = listed("/reviews", &id).await.unwrap();
            assert_eq!((&found["name"], &found["author"]), (&json!(name), &author), "{found}");
        }
    });
}

#[test]
fn only_who_paid_for_a_part_is_a_verified_buyer_of_it() {
    run(async {
        let (buyer, visitor) = (User::new().await, User::new().await);
        let (part, other) = (product(500, 2.0).await, product(500, 2.0).await);
        let verified = async |user: &User, sent: Value| {
            let id = inserted(&user.send(post("/reviews", &sent)).await);
            listed("/reviews", &id).await.unwrap()["verified"].as_bool().unwrap()
        };
        inserted(&buyer.send(post("/orders", &purchase(&part, 50))).await);
        assert!(!verified(&buyer, of(&part, 5)).await, "the order is unpaid");
        buy(&buyer, &part).await;
        assert!(verified(&buyer, of(&part, 5)).await && verified(&buyer, review(5)).await);
        assert!(!verified(&buyer, of(&other, 5)).await && !verified(&visitor, of(&part, 5)).await);
        // What the body says of it is not believed.
        let mut sent = of(&part, 5);
        sent["verified"] = json!(true);
        assert!(!verified(&visitor, sent).await);
    });
}

#[test]
fn a_part_has_its_reviews_and_their_average() {
    run(async {
        let (user, part) = (User::new().await, draft(500, 2.0));
        let id = add(&part).await;
        let path = format!("/products/{id}/reviews");
        let none = json!({"average": null, "count": 0, "reviews": []});
        assert_eq!(get(&*path).await.is(200).json(), none);
        let mut written = Vec::new();
        for rating in [5, 4, 4] {
            written.push(inserted(&user.send(post("/reviews", &of(&id, rating))).await));
        }
        inserted(&user.send(post("/reviews", &of(&product(500, 2.0).await, 1))).await);
        let ids = |reviews: &Value| -> Vec<String> {
            reviews.as_array().unwrap().iter().map(|one| one["_id"].as_str().unwrap().to_owned()).collect()
        };
        let answer = get(&*path).await.is(200);
        let found = answer.json();
        assert_eq!((&found["average"], &found["count"]), (&json!(4.33), &json!(3)));
        assert_eq!(ids(&found["reviews"]), written);
        let first = &found["reviews"][0];
        assert_eq!((&first["productId"], &first["productName"]), (&json!(id), &part["name"]));
        assert_eq!(first["partNumber"], part["partNumber"]);
        get(&*path).header("if-none-match", answer.header("etag")).await.is(304);
        let latest = get(format!("{path}?limit=1")).await.is(200).json();
        assert_eq!((&latest["count"], ids(&latest["reviews"])), (&json!(3), vec![written[2].clone()]));
        assert_eq!(ids(&get(format!("/reviews?productId={id}")).await.is(200).json()), written);
        assert_eq!(ids(&get(format!("/reviews?productId={id}&limit=2")).await.is(200).json()), written[1..]);
        // Of a part that is archived they stay among all reviews.
        admin().await.send(delete(format!("/products/{id}"))).await.is(200);
        get(&*path).await.is(404);
        assert!(listed("/reviews", &written[0]).await.is_some());
        user.send(post("/reviews", &of(&id, 1))).await.field("productId");
    });
}

#[test]
fn a_review_names_a_product_of_the_shop_or_none() {
    run(async {
        let user = User::new().await;
        for named in ["nothing", "0199f3a0-0000-7000-8000-000000000000"] {
            assert_ne!(user.send(post("/reviews", &of(named, 5))).await.field("productId"), "", "{named}");
        }
        inserted(&user.send(post("/reviews", &of("", 5))).await);
        assert_ne!(get("/reviews?productId=nothing").await.field("productId"), "");
        get("/products/nothing/reviews").await.is(404);
        get("/products/0199f3a0-0000-7000-8000-000000000000/reviews").await.is(404);
    });
}

#[test]
fn a_hidden_review_is_seen_by_admins_and_comes_back_to_its_place() {
    run(async {
        let (writer, part) = (User::new().await, product(500, 2.0).await);
        let id = inserted(&writer.send(post("/reviews", &of(&part, 1))).await);
        let later = inserted(&writer.send(post("/reviews", &of(&part, 5))).await);
        let (boss, restore) = (admin().await, format!("/reviews/{id}/restore"));
        let of_part = format!("/products/{part}/reviews");
        let average = async || get(&*of_part).await.is(200).json()["average"].clone();
        assert_eq!(average().await, 3.0);
        let hidden = async || -> Option<Value> {
            let all = boss.send(get("/reviews/hidden")).await.is(200).json();
            all.as_array().unwrap().iter().find(|review| review["_id"] == *id).cloned()
        };
        let restored = async || boss.send(post(&*restore, &json!({}))).await.is(200).json()["modifiedCount"].clone();
        assert_eq!(restored().await, 0, "it is not hidden");
        boss.send(delete(format!("/reviews/{id}"))).await.is(200);
        assert_eq!(average().await, 5.0);
        let found = hidden().await.unwrap();
        assert_eq!((&found["hiddenBy"], &found["rating"]), (&json!(boss.email), &json!(1)));
        assert!(found["hiddenAt"].as_str().unwrap().ends_with('Z'));

        post(&*restore, &json!({})).await.is(401);
        writer.send(post(&*restore, &json!({}))).await.is(403);
        writer.send(get("/reviews/hidden")).await.is(403);
        assert_eq!((restored().await, restored().await), (json!(1), json!(0)));
        assert_eq!(average().await, 3.0);
        assert!(hidden().await.is_none());
        let all = get("/reviews?limit=1000").await.is(200).json();
        let place = |id: &str| all.as_array().unwrap().iter().position(|one| one["_id"] == id).unwrap();
        assert!(place(&id) < place(&later));
    });
}
