//! Unpaged lists that are longer than one read from the database.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::fixtures::{User, add, admin, draft, unique};
use crate::server::{Answer, all, call, delete, get, post, run};

/// Adds this many products that only a search for `word` finds.
async fn stock(word: &str, many: usize) {
    let mut file = "name,description,category,price,availableQty,img\r\n".to_owned();
    for nth in 0..many {
        write!(file, "{word} {nth},A part.,BRAKES,{}.50,100,/pictures/{word}-{nth}.webp\r\n", nth % 7 + 1).unwrap();
    }
    let report = admin().await.send(call("POST", "/products.csv").body("text/csv", file)).await.is(200).json();
    assert_eq!(report["added"], many);
}

fn ids(answer: &Answer) -> Vec<String> {
    answer.json().as_array().unwrap().iter().map(|one| one["_id"].as_str().unwrap().to_owned()).collect()
}

/// The same list, page by page.
async fn paged(path: &str) -> Vec<String> {
    let mut path = format!("{path}&limit=400");
    let mut found = Vec::new();
    loop {
        let page = get(&path).await.is(200);
        found.extend(ids(&page));
        let link = page.header("link");
        let Some(next) = link.strip_prefix('<').and_then(|link| link.split_once('>')) else { return found };
        next.0.clone_into(&mut path);
    }
}

#[test]
fn a_list_read_in_batches_is_one_whole_array_with_its_total() {
    run(async {
        let word = format!("whole{}x", unique());
        stock(&word, 1_201).await;
        for sort in ["newest", "price", "-price", "name"] {
            let path = format!("/products?q={word}&sort={sort}");
            let answer = get(&path).await.is(200);
            assert_eq!(answer.header("x-total-count"), "1201", "{sort}");
            assert!(answer.header("content-type").starts_with("application/json"), "{}", answer.header("content-type"));
            assert_eq!(answer.header("cache-control"), "public, no-cache");
            let found = ids(&answer);
            assert_eq!(found.iter().collect::<BTreeSet<_>>().len(), 1_201, "{sort}");
            assert_eq!(found, paged(&path).await, "{sort}");
        }
        let head = call("HEAD", format!("/products?q={word}")).await.is(200);
        assert_eq!((head.header("x-total-count"), head.body.len()), ("1201", 0));
        // Compressed like any other response.
        let answer = get(format!("/products?q={word}")).header("accept-encoding", "br").await.is(200);
        assert_eq!(answer.header("content-encoding"), "br");
        assert_eq!(serde_json::from_str::<Value>(&answer.text()).unwrap().as_array().unwrap().len(), 1_201);
    });
}

#[test]
fn the_etag_of_a_long_list_is_valid_until_the_list_changes() {
    run(async {
        let word = format!("tagged{}x", unique());
        stock(&word, 600).await;
        let path = format!("/products?q={word}");
        // Other tests change other products meanwhile, and the tag may cover all products.
        let mut held = false;
        for _ in 0..20 {
            let tag = get(&path).await.is(200).header("etag").to_owned();
            assert!(tag.starts_with("W/\""), "{tag}");
            let again = get(&path).header("if-none-match", tag.clone()).await;
            if again.status == 304 {
                assert!(again.body.is_empty() && again.header("etag") == tag, "{again}");
                held = true;
                break;
            }
        }
        assert!(held, "the tag of an unchanged list was never accepted");
        let before = get(&path).await.is(200);
        let tag = before.header("etag").to_owned();
        let mut part = draft(500, 9.0);
        part["name"] = json!(format!("{word} new"));
        let added = add(&part).await;
        let after = get(&path).header("if-none-match", tag).await.is(200);
        assert_eq!(ids(&after).len(), 601);
        admin().await.send(delete(format!("/products/{added}"))).await.is(200);
        let tag = after.header("etag").to_owned();
        assert_eq!(ids(&get(&path).header("if-none-match", tag).await.is(200)).len(), 600);
        // Another order of the same products is another list.
        let other = get(format!("{path}&sort=name")).await.is(200);
        assert_ne!(other.header("etag"), before.header("etag"));
    });
}

#[test]
fn reviews_are_listed_whole_and_oldest_first_however_many_there_are() {
    run(async {
        let writer = User::new().await;
        let word = format!("voice{}x", unique());
        let review = |nth: u32| json!({"name": "Some Body", "rating": 5, "details": format!("{word} {nth}")});
        for part in (0..520).collect::<Vec<u32>>().chunks(40) {
            for answer in all(part.iter().map(|nth| writer.send(post("/reviews", &review(*nth))))).await {
                answer.is(201);
            }
        }
        let answer = get("/reviews").await.is(200);
        assert_ne!(answer.header("etag"), "");
        let found = answer.json();
        let found = found.as_array().unwrap();
        let own = found.iter().filter(|one| one["details"].as_str().unwrap().starts_with(&word)).count();
        assert_eq!(own, 520);
        // Whole seconds are written without a fraction, so the texts would not sort.
        let times = found.iter().map(|one| one["createdAt"].as_str().unwrap().trim_end_matches('Z').to_owned());
        assert!(times.collect::<Vec<_>>().is_sorted());
        assert_eq!(found.iter().map(|one| one["_id"].as_str().unwrap()).collect::<BTreeSet<_>>().len(), found.len());
    });
}

#[test]
fn an_admin_can_remove_a_review_once() {
    run(async {
        let writer = User::new().await;
        let sent = json!({"name": "Driveline (official)", "rating": 0, "details": format!("{} rude", unique())});
        let id = crate::fixtures::inserted(&writer.send(post("/reviews", &sent)).await);
        let is_listed = async |path: &str| ids(&get(path).await.is(200)).contains(&id);
        assert!(is_listed("/reviews").await && is_listed("/reviews?limit=1000").await);
        let path = format!("/reviews/{id}");
        delete(&path).await.is(401);
        writer.send(delete(&path)).await.is(403);
        let boss = admin().await;
        assert_eq!(boss.send(delete(&path)).await.is(200).json(), json!({"deletedCount": 1}));
        assert_eq!(boss.send(delete(&path)).await.is(200).json(), json!({"deletedCount": 0}));
        assert!(!is_listed("/reviews").await && !is_listed("/reviews?limit=1000").await);
        let never = "/reviews/0199f3a0-0000-7000-8000-000000000000";
        assert_eq!(boss.send(delete(never)).await.is(200).json(), json!({"deletedCount": 0}));
        boss.send(delete("/reviews/nothing")).await.is(404);
    });
}
