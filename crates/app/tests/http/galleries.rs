//! Several pictures of a product.

use serde_json::{Value, json};

use crate::fixtures::{User, add, admin, draft, order, product, unique};
use crate::server::{Answer, delete, get, put, run};

async fn set(id: &str, images: &Value) -> Answer {
    admin().await.send(put(format!("/products/{id}/images"), &json!({"images": images}))).await
}

fn images(names: impl IntoIterator<Item = usize>) -> Value {
    names.into_iter().map(|name| format!("/images/{name}.webp")).collect()
}

#[test]
fn a_product_shows_all_its_pictures_and_lists_only_the_first_one() {
    run(async {
        let id = product(500, 3.0).await;
        let path = format!("/products/{id}");
        let one = get(&*path).await.is(200);
        assert_eq!(one.json().get("images"), None, "there is but one");

        let wanted = images([3, 1, 2]);
        assert_eq!(set(&id, &wanted).await.is(200).json(), json!({"modifiedCount": 1}));
        let several = get(&*path).header("if-none-match", one.header("etag")).await.is(200);
        assert_eq!((&several.json()["img"], &several.json()["images"]), (&wanted[0], &wanted));
        get(&*path).header("if-none-match", several.header("etag")).await.is(304);
        assert_eq!(set(&id, &wanted).await.is(200).json(), json!({"modifiedCount": 0}));

        // From memory, from the database, and among the parts that words find.
        let by_words = format!("/products?q={}", several.json()["name"].as_str().unwrap().replace(' ', "%20"));
        for list in ["/products?limit=1000", "/products", &by_words] {
            let listed = get(list).await.is(200).json();
            let found = listed.as_array().unwrap().iter().find(|product| product["_id"] == *id).unwrap();
            let mut expected = several.json();
            expected.as_object_mut().unwrap().remove("images");
            assert_eq!(*found, expected, "{list}");
        }

        // In another order, which changes no list.
        assert_eq!(set(&id, &images([3, 2, 1])).await.is(200).json(), json!({"modifiedCount": 1}));
        let turned = get(&*path).header("if-none-match", several.header("etag")).await.is(200);
        assert_eq!(turned.json()["images"], images([3, 2, 1]));
        assert_eq!(set(&id, &images([2])).await.is(200).json(), json!({"modifiedCount": 1}));
        let single = get(&*path).await.is(200).json();
        assert_eq!((&single["img"], single.get("images")), (&json!("/images/2.webp"), None));
    });
}

#[test]
fn pictures_are_1_to_12_and_none_of_them_twice() {
    run(async {
        let id = product(500, 3.0).await;
        set(&id, &images(0..12)).await.is(200);
        let before = get(format!("/products/{id}")).await.is(200).json();
        assert_eq!(before["images"].as_array().unwrap().len(), 12);
        for (wrong, field, message) in [
            (json!([]), "images", "Images must not be empty"),
            (images(0..13), "images", "Images must be at most 12"),
            (images(0..1_000), "images", "Images must be at most 12"),
            (json!(null), "images", "Images is required"),
            (
                json!(["/images/1.webp", "/images/2.webp", " /images/1.webp"]),
                "images[2]",
                "/images/1.webp is there twice",
            ),
        ] {
            assert_eq!(set(&id, &wrong).await.field(field), message, "{field}");
        }
        let elsewhere = "https://i.example/a.png";
        for wrong in
            ["", "javascript:alert(1)", "data:image/png;base64,AA", "//evil.example/a.png", "a.png", "/a b", "/\0"]
        {
            assert_ne!(set(&id, &json!([elsewhere, wrong])).await.field("images[1]"), "", "{wrong:?}");
        }
        for wrong in
            [json!("/images/1.webp"), json!([1]), json!([null]), json!([["/images/1.webp"]]), json!({"0": "/a.webp"})]
        {
            set(&id, &wrong).await.refused(422);
        }
        assert_eq!(get(format!("/products/{id}")).await.is(200).json(), before);
        set(&id, &json!([elsewhere, "/images/1.webp"])).await.is(200);
    });
}

#[test]
fn pictures_are_for_products_that_are_sold_and_orders_keep_theirs() {
    run(async {
        let (boss, customer) = (admin().await, User::new().await);
        let sent = draft(500, 3.0);
        let id = add(&sent).await;
        let placed = order(&customer, &id, 60).await;
        set(&id, &images([7, 8])).await.is(200);
        let kept = customer.send(get(format!("/orders/{placed}"))).await.is(200).json();
        assert_eq!(kept["img"], sent["img"]);

        boss.send(delete(format!("/products/{id}"))).await.is(200);
        set(&id, &images([1])).await.refused(404);
        set("01890000-0000-7000-8000-000000000000", &images([1])).await.refused(404);
        set("no-id", &images([1])).await.refused(404);
    });
}

#[test]
fn the_public_page_and_the_merchants_feed_have_all_pictures() {
    run(async {
        let id = add(&draft(500, 3.0)).await;
        let nth = unique() as usize;
        let wanted = images([nth, nth + 1, nth + 2]);
        set(&id, &wanted).await.is(200);
        let page = get(format!("/parts/{id}")).header("accept", "text/html").await.is(301);
        let page = get(page.header("location")).header("accept", "text/html").await.is(200).text();
        for img in wanted.as_array().unwrap() {
            let img = img.as_str().unwrap();
            assert!(page.contains(&format!("<img src=\"{img}\"")), "{img} in {page}");
        }
        let said = page.split("\"image\":").nth(1).unwrap().split(']').next().unwrap();
        assert_eq!(said.matches("/images/").count(), 3, "{said}");
        let feed = get("/feeds/google.xml").await.is(200).text();
        let offer = feed.split("<item>").find(|item| item.contains(&id)).unwrap();
        assert_eq!(offer.matches("<g:image_link>").count(), 1);
        assert_eq!(offer.matches("<g:additional_image_link>").count(), 2);
    });
}
