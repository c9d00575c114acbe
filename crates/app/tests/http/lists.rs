//! Admin lists in pages, and the overview.

use serde_json::{Value, json};

use crate::fixtures::{User, admin, created_at, order, pay, product, unique};
use crate::server::{Answer, get, run};

async fn listed_as_admin(path: String) -> Answer {
    admin().await.send(get(path)).await.is(200)
}

/// Follows the `next` links of a list to its end.
async fn followed(first: String) -> Vec<String> {
    let mut ids = Vec::new();
    let mut next = Some(first);
    while let Some(path) = next.take() {
        let page = listed_as_admin(path).await;
        let listed = page.json();
        ids.extend(listed.as_array().unwrap().iter().map(|one| one["_id"].as_str().unwrap().to_owned()));
        next = page.header("link").strip_prefix('<').map(|link| link.split_once('>').unwrap().0.to_owned());
    }
    ids
}

#[test]
fn a_customers_own_orders_come_in_pages_if_a_page_is_asked_for() {
    run(async {
        let (customer, other) = (User::new().await, User::new().await);
        let part = product(5_000, 2.0).await;
        let mut placed = Vec::new();
        for _ in 0..5 {
            placed.push(order(&customer, &part, 50).await);
            order(&other, &part, 50).await;
        }
        placed.reverse();
        let (mut paged, mut next) = (Vec::new(), Some(format!("/orders?email={}&limit=2", customer.email)));
        while let Some(path) = next.take() {
            let page = customer.send(get(path)).await.is(200);
            assert_eq!(page.header("x-total-count"), "5");
            let listed = page.json();
            assert!(listed.as_array().unwrap().len() <= 2);
            paged.extend(listed.as_array().unwrap().iter().map(|one| one["_id"].as_str().unwrap().to_owned()));
            next = page.header("link").strip_prefix('<').map(|link| link.split_once('>').unwrap().0.to_owned());
        }
        assert_eq!(paged, placed);
        let whole = customer.send(get("/orders")).await.is(200);
        assert!(whole.header("link").is_empty() && whole.json().as_array().unwrap().len() == 5);
        for wrong in ["limit=0", "limit=1001", "limit=many", "cursor=nothing&limit=2"] {
            customer.send(get(format!("/orders?{wrong}"))).await.is(422);
        }
    });
}

#[test]
fn orders_are_paged_searched_and_sorted() {
    run(async {
        let customer = User::new().await;
        let part = product(5_000, 2.0).await;
        let mut placed = Vec::new();
        for units in [70, 50, 60, 50, 80] {
            placed.push(order(&customer, &part, units).await);
        }
        let pick = |places: [usize; 5]| places.map(|place| placed[place].clone()).to_vec();
        let q = format!("/allOrders?q={}", customer.email);
        for (sort, expected) in [
            ("newest", [4, 3, 2, 1, 0]),
            ("oldest", [0, 1, 2, 3, 4]),
            ("price", [1, 3, 2, 0, 4]),
            ("-price", [4, 0, 2, 3, 1]),
        ] {
            for limit in [1, 2, 5] {
                assert_eq!(followed(format!("{q}&sort={sort}&limit={limit}")).await, pick(expected), "{sort}");
            }
        }
        let page = listed_as_admin(format!("{q}%20SOME%20body&limit=2")).await;
        // A search is counted to the page; the link says that there is more.
        assert_eq!((page.header("x-total-count"), page.json().as_array().unwrap().len()), ("2", 2));
        assert!(page.header("link").contains("next"));
        assert_eq!(followed(format!("{q}%20nothing")).await, [] as [&str; 0]);
        assert_eq!(followed(format!("/allOrders?q={}", placed[2])).await, [placed[2].clone()]);

        pay(&customer, &placed[0]).await;
        admin().await.send(crate::server::call("PUT", format!("/orders/status/{}", placed[1]))).await.is(200);
        for (state, expected) in [("waiting", 4), ("shipped", 1), ("unpaid", 4), ("all", 5)] {
            assert_eq!(
                listed_as_admin(format!("{q}&state={state}")).await.header("x-total-count"),
                expected.to_string(),
                "{state}"
            );
        }
        // Cancelled orders are listed only on request, with their time.
        customer.send(crate::server::delete(format!("/orders/{}", placed[2]))).await.is(200);
        let own = format!("/orders?email={}", customer.email);
        for (state, expected) in
            [("standing", 4), ("reserved", 2), ("cancelled", 1), ("refunded", 0), ("all", 5), ("waiting", 3)]
        {
            let listed = listed_as_admin(format!("{q}&state={state}&limit=9")).await;
            assert_eq!(listed.header("x-total-count"), expected.to_string(), "{state}");
            let own = customer.send(get(format!("{own}&state={state}"))).await.is(200).json();
            assert_eq!(own.as_array().unwrap().len(), expected, "{state}");
            let gone = |one: &&Value| one["cancelledAt"].is_string();
            let gone = own.as_array().unwrap().iter().filter(gone).count();
            assert_eq!(gone, usize::from(matches!(state, "cancelled" | "all")), "{state}: {own}");
        }
        let unpaged = listed_as_admin(q.clone()).await;
        assert_eq!((unpaged.header("x-total-count"), unpaged.json().as_array().unwrap().len()), ("4", 4));
        customer.send(get(format!("{own}&state=gone"))).await.field("state");
        for order in [&placed[2], &placed[0]] {
            assert_eq!(listed_as_admin(format!("/allOrders?state=all&q={order}")).await.json()[0]["_id"], json!(order));
        }

        // Without parameters the whole list is returned.
        let whole = listed_as_admin("/allOrders".into()).await;
        // Other tests place and cancel orders between the statement that counts and the one that lists, but not as many
        // as fifty in that moment. That both agree exactly is tested above, on a list that no other test changes.
        let (total, listed) = (whole.header("x-total-count").parse::<usize>().unwrap(), whole.json());
        let listed = listed.as_array().unwrap().len();
        assert!(total.abs_diff(listed) < 50, "{listed} of {total}");
        assert_eq!(whole.header("link"), "");
    });
}

#[test]
fn users_are_paged_searched_and_sorted() {
    run(async {
        let word = format!("crowd{}x", unique());
        let mut emails = Vec::new();
        for name in ["Berta", "Anna", "Cleo"] {
            let email = format!("{}.{word}@example.com", name.to_lowercase());
            let sent = json!({"name": format!("{name} {word}"), "email": email, "password": "a long walk home"});
            crate::server::post("/auth/signup", &sent).await.is(201);
            emails.push(email);
        }
        let emails_of = |listed: Value| -> Vec<String> {
            listed.as_array().unwrap().iter().map(|one| one["email"].as_str().unwrap().to_owned()).collect()
        };
        for (sort, expected) in
            [("oldest", [0, 1, 2]), ("newest", [2, 1, 0]), ("email", [1, 0, 2]), ("spent", [2, 1, 0])]
        {
            let expected = expected.map(|place| emails[place].clone());
            assert_eq!(
                emails_of(listed_as_admin(format!("/user?q={word}&sort={sort}")).await.json()),
                expected,
                "{sort}"
            );
            assert_eq!(followed(format!("/user?q={word}&sort={sort}&limit=1")).await.len(), 3);
        }
        assert_eq!(emails_of(listed_as_admin(format!("/user?q={word}%20CLEO")).await.json()), [emails[2].clone()]);
        assert_eq!(listed_as_admin(format!("/user?q={word}&role=admin")).await.header("x-total-count"), "0");
        assert_eq!(listed_as_admin(format!("/user?q={word}&role=customer&limit=1")).await.header("x-total-count"), "3");
    });
}

#[test]
fn what_sells_and_who_buys_is_about_the_orders_of_the_period() {
    run(async {
        let customer = User::new().await;
        // More than all others together, so that it stands among the five whatever other tests sell.
        let part = product(1_000_000, 900.0).await;
        let paid = order(&customer, &part, 1_000).await;
        order(&customer, &part, 50).await;
        let seen = async || {
            let payments = listed_as_admin("/overview/payments?days=2".into()).await.json();
            ["placed", "paid"].map(|field| payments[field].as_u64().unwrap())
        };
        let before = seen().await;
        pay(&customer, &paid).await;
        let after = seen().await;
        assert!(after[1] > before[1] && after[0] >= before[0] && after[0] > after[1], "{before:?}, then {after:?}");

        let top = listed_as_admin("/overview/top?days=2".into()).await.json();
        let products = top["products"].as_array().unwrap();
        assert!(products.len() <= 5 && top["customers"].as_array().unwrap().len() <= 5, "{top}");
        let sales: Vec<f64> = products.iter().map(|one| one["sales"].as_f64().unwrap()).collect();
        assert!(sales.is_sorted_by(|a, b| a >= b), "{top}");
        let sold = products.iter().find(|one| one["productId"] == json!(part)).expect("it sold best");
        assert_eq!(
            (&sold["orders"], &sold["units"], &sold["sales"], &sold["salesBefore"]),
            (&json!(1), &json!(1_000), &json!(900_000), &json!(0))
        );
        let buyer = top["customers"].as_array().unwrap().iter().find(|one| one["email"] == json!(customer.email));
        assert_eq!(buyer.expect("they bought most")["sales"], json!(900_000));

        let categories = top["categories"].as_array().unwrap();
        let brakes = categories.iter().find(|one| one["category"] == "BRAKES").expect("the category of what sold best");
        assert!(brakes["units"].as_u64() >= Some(1_000) && brakes["sales"].as_f64() >= Some(900_000.0), "{top}");
        for (by, columns, row) in [
            ("day", "day,orders,paid,returned,revenue", String::new()),
            ("category", "category,orders,units,revenue,revenueBefore", "BRAKES,".to_owned()),
            (
                "customer",
                "email,name,orders,revenue,revenueBefore",
                format!("{},Some Body,1,900000.00,0.00", customer.email),
            ),
        ] {
            let file = listed_as_admin(format!("/overview/sales.csv?days=2&by={by}")).await;
            assert!(file.header("content-disposition").contains(&format!("sales-by-{by}-")), "{file}");
            let text = file.text();
            let mut lines = text.lines();
            assert_eq!(lines.next(), Some(columns));
            assert!(lines.any(|line| line.starts_with(&row)), "{text}");
            assert!(by != "day" || text.lines().count() == 3, "{text}");
        }

        // Each group of unpaid orders is what the list of its days and of that state has.
        let unpaid = listed_as_admin("/overview/payments".into()).await.json()["unpaid"].clone();
        let days: Vec<_> = unpaid.as_array().unwrap().iter().map(|group| (&group["from"], &group["to"])).collect();
        assert!(days.len() == 4 && days[0].1.is_null() && days[3].0.is_null(), "{unpaid}");
        assert!(days[..3].iter().zip(&days[1..]).all(|(later, earlier)| later.0.as_str() > earlier.1.as_str()));
        let old = &unpaid[3];
        let listed = listed_as_admin(format!("/allOrders?state=unpaid&to={}", old["to"].as_str().unwrap())).await;
        assert_eq!(listed.json().as_array().unwrap().len() as u64, old["orders"].as_u64().unwrap());
    });
}

#[test]
fn users_show_what_they_ordered_and_spent_within_seconds() {
    run(async {
        let customer = User::new().await;
        let part = product(5_000, 2.0).await;
        let paid = order(&customer, &part, 60).await;
        order(&customer, &part, 50).await;
        pay(&customer, &paid).await;
        let end = std::time::Instant::now() + std::time::Duration::from_secs(30);
        loop {
            let users = listed_as_admin(format!("/user?q={}&sort=spent&limit=1", customer.email)).await.json();
            if (&users[0]["orders"], &users[0]["spent"]) == (&json!(2), &json!(120)) {
                break;
            }
            assert!(std::time::Instant::now() < end, "{users}");
            tokio::time::sleep(std::time::Duration::from_millis(200)).await;
        }
    });
}

#[test]
fn an_invalid_parameter_is_reported_by_name() {
    run(async {
        let boss = admin().await;
        for (path, field) in [
            ("/allOrders?limit=0", "limit"),
            ("/allOrders?limit=1001", "limit"),
            ("/allOrders?cursor=x", "cursor"),
            ("/allOrders?state=gone", "state"),
            ("/allOrders?sort=name", "sort"),
            ("/allOrders?from=2026-02-30", "from"),
            ("/allOrders?to=yesterday", "to"),
            ("/allOrders?from=2026-11-22&to=2026-11-21", "to"),
            ("/allOrders.csv?from=21.11.2026", "from"),
            ("/allOrders?q=a%00b", "q"),
            ("/user?limit=-1", "limit"),
            ("/user?cursor=1", "cursor"),
            ("/user?role=root", "role"),
            ("/user?sort=price", "sort"),
            ("/overview?days=0", "days"),
            ("/overview?days=367", "days"),
            ("/overview?days=x", "days"),
            ("/overview/top?days=0", "days"),
            ("/overview/sales.csv?by=year", "by"),
            ("/overview/sales.csv?days=367", "days"),
            ("/overview/payments?days=367", "days"),
        ] {
            boss.send(get(path)).await.field(field);
        }
    });
}

#[test]
fn the_overview_shows_days_states_latest_orders_and_low_stock() {
    run(async {
        let customer = User::new().await;
        let low = product(99, 1.0).await;
        let before = listed_as_admin("/overview".into()).await.json();
        assert_eq!(before["days"].as_array().unwrap().len(), 30);
        let part = product(5_000, 2.5).await;
        let paid = order(&customer, &part, 50).await;
        let waiting = order(&customer, &part, 60).await;
        pay(&customer, &paid).await;
        let after = listed_as_admin("/overview?days=3".into()).await.json();
        let days = after["days"].as_array().unwrap();
        assert_eq!(days.len(), 3);
        assert!(days.windows(2).all(|pair| pair[0]["day"].as_str() < pair[1]["day"].as_str()), "{after}");
        let sum = |field: &str| days.iter().map(|day| day[field].as_f64().unwrap()).sum::<f64>();
        assert!((sum("orders") - after["orders"].as_f64().unwrap()).abs() < 0.001);
        assert!((sum("revenue") - after["revenue"].as_f64().unwrap()).abs() < 0.001);
        for state in ["waiting", "unpaid", "paid", "shipped"] {
            assert!(after["states"][state].is_u64(), "{after}");
        }
        assert_eq!(after["searchForgivesSlips"], true);
        let latest = after["latestOrders"].as_array().unwrap();
        assert!((2..=8).contains(&latest.len()), "{after}");
        let times: Vec<jiff::Timestamp> = latest.iter().map(created_at).collect();
        assert!(times.is_sorted_by(|a, b| a >= b), "{times:?}");
        let placed_at = created_at(&listed_as_admin(format!("/orders/{waiting}")).await.json());
        assert!(times[0] >= placed_at, "{times:?}");
        let low_stock = after["lowStock"].as_array().unwrap();
        assert!(low_stock.len() <= 10);
        let units: Vec<u64> = low_stock.iter().map(|one| one["availableQty"].as_u64().unwrap()).collect();
        assert!(units.is_sorted(), "{units:?}");
        assert!(units.len() == 10 || low_stock.iter().any(|one| one["_id"] == json!(low)), "{after}");
    });
}
