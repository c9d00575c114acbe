//! The server in production with imgbb as image host: what an admin sees for each of its errors.

use std::process::Command;

use serde_json::json;
use testkit::fake_imgbb::{FakeImgbb, Trouble};

use crate::fixtures::{User, draft, inserted};
use crate::pictures::{multipart, png};
use crate::server::{Answer, Call, Demo, call, get, post, run};

const KEY: &str = "k3y-that-nobody-may-see";

async fn shop_at(imgbb: &FakeImgbb) -> (Demo, User) {
    let (shop, database) = Demo::serve(&[("IMGBB_API_KEY", KEY), ("IMGBB_API_BASE", imgbb.base())]);
    let user = User::new_at(&shop).await;
    let granted = Command::new(env!("CARGO_BIN_EXE_driveline"))
        .args(["admin", "grant", &user.email, "--unverified"])
        .env("DATABASE_URL", database)
        .output()
        .unwrap();
    assert!(granted.status.success(), "{granted:?}");
    (shop, user)
}

fn upload() -> Call {
    let (media_type, body) = multipart("image", "disc.png", "image/png", &png(640, 480));
    call("POST", "/images").body(&media_type, body).while_unavailable()
}

/// Status, last part of the type, message.
#[track_caller]
fn problem_of(answer: &Answer) -> (u16, String, String) {
    assert!(!answer.text().contains(KEY), "{answer}");
    let problem = answer.json();
    let kind = problem["type"].as_str().unwrap().trim_start_matches("/problems/").to_owned();
    (answer.status, kind, problem["message"].as_str().unwrap().to_owned())
}

#[test]
fn pictures_are_uploaded_to_imgbb_and_its_errors_are_reported() {
    run(async {
        let imgbb = FakeImgbb::start(KEY).await.unwrap();
        let (shop, boss) = shop_at(&imgbb).await;
        let send = async || boss.send(upload()).at(&shop).await;

        let answer = send().await.is(200).json();
        let [taken] = &imgbb.taken()[..] else { panic!("expected one picture") };
        assert_eq!(answer, json!({"success": true, "data": {"url": taken.url}}));
        assert_eq!((taken.width, taken.height), (640, 480));
        let mut part = draft(100, 1.0);
        part["img"] = answer["data"]["url"].clone();
        let product = inserted(&boss.send(post("/products", &part)).at(&shop).await);
        let shown = get(format!("/products/{product}")).at(&shop).await.is(200).json();
        assert_eq!(shown["img"], taken.url);

        let not_trusted = "The image host isn't responding correctly. Please try again.";
        let not_now = "We couldn't store the picture. Please try again in a moment.";
        for (trouble, status, kind, sentence) in [
            (
                Trouble::KeyRefused,
                502,
                "image-host-key",
                "Image upload isn't configured correctly. Please contact your administrator.",
            ),
            (
                Trouble::RateLimit,
                503,
                "image-host-limit",
                "The image host isn't accepting images right now. Try again later.",
            ),
            (Trouble::NotBase64, 422, "validation", "The image host doesn't accept this image. Choose another one."),
            (Trouble::TooLarge, 413, "payload-too-large", "The image must be 5 MB or smaller"),
            (Trouble::Status(500), 503, "unavailable", not_now),
            (Trouble::HangUp, 503, "unavailable", not_now),
            (Trouble::Garbage, 502, "bad-gateway", not_trusted),
            (Trouble::WrongTypes, 502, "bad-gateway", not_trusted),
            (Trouble::Elsewhere("https://pictures.example.com"), 502, "bad-gateway", not_trusted),
            (Trouble::Elsewhere("http://i.ibb.co"), 502, "bad-gateway", not_trusted),
        ] {
            imgbb.next(trouble);
            let answer = send().await;
            assert_eq!(problem_of(&answer), (status, kind.to_owned(), sentence.to_owned()), "{trouble:?}");
            assert_eq!(answer.header("retry-after").is_empty(), status != 503, "{trouble:?}: {answer}");
        }
        // An invalid picture is refused before imgbb is called.
        let asked = imgbb.asked();
        let (media_type, body) = multipart("image", "a.png", "image/png", b"no picture");
        boss.send(call("POST", "/images").body(&media_type, body)).at(&shop).await.is(415);
        assert_eq!(imgbb.asked(), asked);
        send().await.is(200);
        // Pictures stored at imgbb are not served by the shop.
        get("/images/0000.webp").at(&shop).await.is(404);
    });
}
