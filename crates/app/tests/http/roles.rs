//! Who can become an admin in production.

use std::process::{Command, Output};

use serde_json::json;

use crate::fixtures::{PASSWORD, User};
use crate::server::{Demo, call, get, post, run};

fn grant(database: &str, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_driveline"))
        .args(["admin", "grant"])
        .args(arguments)
        .env("DATABASE_URL", database)
        .env("RUST_LOG", "off")
        .output()
        .unwrap()
}

#[test]
fn only_a_confirmed_address_can_become_an_admin() {
    run(async {
        let (shop, database) = Demo::serve(&[]);
        let (boss, fresh) = (User::new_at(&shop).await, User::new_at(&shop).await);
        let refused = grant(&database, &[&boss.email]);
        assert_eq!(refused.status.code(), Some(2));
        let stderr = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(stderr.contains("nobody has confirmed") && stderr.contains("--unverified"), "{stderr}");
        boss.send(get("/user")).at(&shop).await.is(403);
        assert!(grant(&database, &[&boss.email, "--unverified"]).status.success());

        let refused = boss.send(call("PUT", format!("/user/admin/{}", fresh.email))).at(&shop).await.refused(409);
        assert_eq!(refused["type"], "/problems/unproved");
        assert!(refused["message"].as_str().unwrap().contains("isn't verified"), "{refused}");
        fresh.send(get("/user")).at(&shop).await.is(403);
        let listed = boss.send(get("/user")).at(&shop).await.is(200).json();
        assert!(listed.as_array().unwrap().iter().all(|one| one["verified"] == json!(false)), "{listed}");
        // Revoking a role needs no confirmed address.
        boss.send(call("DELETE", format!("/user/admin/{}", fresh.email))).at(&shop).await.is(200);
        post("/auth/login", &json!({"email": fresh.email, "password": PASSWORD})).at(&shop).await.is(200);
    });
}
