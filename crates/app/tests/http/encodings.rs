//! Compressed request bodies: a few hundred bytes can expand to gigabytes.

use std::fmt::Write as _;
use std::io::Write as _;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::fixtures::admin;
use crate::server::{Call, call, get, run};

/// 64 MiB of spaces, compressed to a few hundred bytes.
fn bomb() -> Vec<u8> {
    let mut writer = brotli::CompressorWriter::new(Vec::new(), 1 << 20, 4, 22);
    let mebibyte = vec![b' '; 1 << 20];
    for _ in 0..64 {
        writer.write_all(&mebibyte).unwrap();
    }
    writer.into_inner()
}

/// Every call that may have a body, as the `OpenAPI` document lists them, without authentication.
async fn calls_with_a_body() -> Vec<Call> {
    let described = get("/openapi.json").await.is(200).json();
    let mut calls = Vec::new();
    for (path, item) in described["paths"].as_object().unwrap() {
        let path = path.replace("{id}", "00000000-0000-7000-8000-000000000000").replace("{email}", "some@example.com");
        for method in item.as_object().unwrap().keys().filter(|method| *method != "get") {
            calls.push(call(&method.to_uppercase(), path.clone()));
        }
    }
    calls
}

#[test]
fn a_body_with_a_content_encoding_is_refused_by_every_call_before_it_is_read() {
    run(async {
        let calls = calls_with_a_body().await;
        assert!(calls.len() > 30, "{}", calls.len());
        let bomb = bomb();
        assert!(bomb.len() < 4_000, "{}", bomb.len());
        for encoding in ["br", "gzip", "deflate", "br, gzip", "BR", "GZip", "identity, br", "zstd", "nonsense"] {
            for call in &calls {
                let call = call.clone().body("application/json", bomb.clone()).header("content-encoding", encoding);
                let begun = Instant::now();
                let answer = call.await;
                let took = begun.elapsed();
                let refused = answer.clone().refused(415);
                assert_eq!(answer.header("accept-encoding"), "identity", "{answer}");
                assert_eq!(refused["type"], "/problems/unsupported-media-type", "{answer}");
                // That nothing was inflated follows from the 415; this is only to notice a call that hangs.
                assert!(took < Duration::from_secs(20), "{took:?}: {answer}");
            }
        }
    });
}

#[test]
fn an_encoded_body_is_refused_with_a_token_a_key_or_a_second_header_too() {
    run(async {
        let boss = admin().await;
        let sent = || boss.send(call("POST", "/products.csv")).body("text/csv", bomb()).key("encoded");
        sent().header("content-encoding", "br").await.is(415);
        sent().header("content-encoding", "identity").header("content-encoding", "br").await.is(415);
        call("POST", "/webhooks/stripe")
            .body("application/json", bomb())
            .header("content-encoding", "br")
            .await
            .is(415);
    });
}

#[test]
fn an_identity_encoding_is_accepted() {
    run(async {
        for encoding in ["identity", "Identity", "identity, identity", ""] {
            let sent = call("POST", "/newsletter").body("application/json", "{\"email\": \"plain@example.com\"}");
            sent.header("content-encoding", encoding).await.is(202);
        }
    });
}

#[test]
fn a_product_file_may_have_the_documented_size() {
    run(async {
        let boss = admin().await;
        let mut file = "name,description,category,price,availableQty,img\r\n".to_owned();
        let mut rows = 0;
        while file.len() < 2 * 1_024 * 1_024 - 1_000 {
            let description = "A sturdy part. ".repeat(50);
            write!(file, "Heavy {rows},{description},BRAKES,2.50,100,/pictures/{rows}.webp\r\n").unwrap();
            rows += 1;
        }
        let sent = |file: String| boss.send(call("POST", "/products.csv?dryRun=true")).body("text/csv", file);
        let report: Value = sent(file.clone()).await.is(200).json();
        assert_eq!((&report["rows"], &report["added"]), (&rows.into(), &rows.into()));
        sent(file + &"x".repeat(2_000)).refuses_as_too_large().await;
    });
}
