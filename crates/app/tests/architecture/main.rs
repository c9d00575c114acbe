//! The layers of the workspace, as Cargo sees them. A layer that nothing checks is only a folder name.
//!
//! The first half compares every crate's dependencies with [`TABLE`]. The second compares calls that only one place may
//! make with the source text. Each has a test that plants what it must find.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

mod circles;
mod sizes;
mod subjects;

/// The dependencies that a crate may have outside of tests.
struct Allowed {
    package: &'static str,
    /// Crates of this workspace.
    ours: &'static [&'static str],
    /// External crates; `None` for crates at the edge, which may use what they need.
    others: Option<&'static [&'static str]>,
}

/// `domain` depends on no other crate. `ports` and `application` use no database, web framework, HTTP client or wire
/// format. Adapters do not depend on each other. Only `app` depends on all of them.
const TABLE: [Allowed; 18] = [
    Allowed {
        package: "driveline-domain",
        ours: &[],
        others: Some(&["jiff", "sha2", "thiserror", "unicode-normalization", "uuid"]),
    },
    Allowed {
        package: "driveline-ports",
        ours: &["driveline-domain"],
        others: Some(&["async-trait", "mockall", "thiserror", "tokio", "tracing", "uuid"]),
    },
    Allowed {
        package: "driveline-application",
        ours: &["driveline-domain", "driveline-ports"],
        others: Some(&["thiserror", "tokio", "tracing", "uuid"]),
    },
    Allowed {
        package: "driveline-http",
        ours: &["driveline-application", "driveline-domain", "driveline-ports", "driveline-vehicles"],
        others: None,
    },
    Allowed { package: "driveline-persistence", ours: &["driveline-domain", "driveline-ports"], others: None },
    Allowed { package: "driveline-identity", ours: &["driveline-domain", "driveline-ports"], others: None },
    Allowed { package: "driveline-payments", ours: &["driveline-domain", "driveline-ports"], others: None },
    Allowed { package: "driveline-webhooks", ours: &["driveline-domain", "driveline-ports"], others: None },
    Allowed { package: "driveline-opensearch", ours: &["driveline-domain", "driveline-ports"], others: None },
    Allowed { package: "driveline-images", ours: &["driveline-domain", "driveline-ports"], others: None },
    Allowed { package: "driveline-documents", ours: &["driveline-domain", "driveline-ports"], others: None },
    Allowed { package: "driveline-email", ours: &["driveline-domain", "driveline-ports"], others: None },
    Allowed {
        package: "driveline",
        ours: &[
            "driveline-application",
            "driveline-documents",
            "driveline-domain",
            "driveline-http",
            "driveline-identity",
            "driveline-images",
            "driveline-email",
            "driveline-opensearch",
            "driveline-payments",
            "driveline-persistence",
            "driveline-ports",
            "driveline-vehicles",
            "driveline-webhooks",
        ],
        others: None,
    },
    Allowed { package: "driveline-vehicles", ours: &[], others: Some(&["brotli", "strsim", "thiserror"]) },
    Allowed { package: "driveline-testkit", ours: &[], others: None },
    Allowed { package: "driveline-bench-limits", ours: &[], others: None },
    Allowed { package: "driveline-bench-offered", ours: &[], others: None },
    Allowed {
        package: "driveline-fuzz",
        ours: &[
            "driveline-domain",
            "driveline-http",
            "driveline-identity",
            "driveline-images",
            "driveline-payments",
            "driveline-persistence",
            "driveline-ports",
            "driveline-vehicles",
        ],
        others: None,
    },
];

/// Features that are for tests only.
const FOR_TESTS: [&str; 4] = ["contract", "mock", "fixtures", "fuzz"];

/// The crate that is nothing but a test, and on which no other may depend.
const A_TEST: &str = "driveline-fuzz";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// Cargo's metadata of the workspace.
fn metadata() -> Value {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn text<'a>(value: &'a Value, field: &str) -> &'a str {
    value[field].as_str().unwrap()
}

fn list(value: &Value) -> Vec<&Value> {
    value.as_array().into_iter().flatten().collect()
}

/// Every dependency that the table does not allow, one line each.
fn forbidden_edges(metadata: &Value) -> Vec<String> {
    let packages: BTreeMap<&str, &Value> =
        list(&metadata["packages"]).into_iter().map(|package| (text(package, "name"), package)).collect();
    let mut found = Vec::new();
    for name in packages.keys().filter(|name| !TABLE.iter().any(|row| row.package == **name)) {
        found.push(format!("{name} has no row in the table"));
    }
    for row in &TABLE {
        let Some(package) = packages.get(row.package) else {
            found.push(format!("{} has a row and is no crate", row.package));
            continue;
        };
        for edge in list(&package["dependencies"]) {
            // "kind" is null for a normal dependency, and "dev" or "build" otherwise.
            if edge["kind"] == "dev" {
                continue;
            }
            let to = text(edge, "name");
            let allowed = if packages.contains_key(to) {
                row.ours.contains(&to)
            } else {
                row.others.is_none_or(|others| others.contains(&to))
            };
            if !allowed {
                found.push(format!("{} must not depend on {to}", row.package));
            }
            for feature in list(&edge["features"]).into_iter().filter_map(Value::as_str) {
                if FOR_TESTS.contains(&feature) && row.package != A_TEST {
                    found.push(format!("{} turns on {to}'s feature {feature} outside of tests", row.package));
                }
            }
        }
        for feature in list(&package["features"]["default"]).into_iter().filter_map(Value::as_str) {
            if FOR_TESTS.contains(&feature) {
                found.push(format!("{} has its feature {feature} on by default", row.package));
            }
        }
    }
    found
}

#[test]
fn every_crate_depends_only_on_what_the_table_allows() {
    let found = forbidden_edges(&metadata());
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn a_planted_dependency_is_found() {
    let honest = metadata();
    let plant = |package: &str, edge: Value| {
        let mut planted = honest.clone();
        let packages = planted["packages"].as_array_mut().unwrap();
        let package = packages.iter_mut().find(|candidate| candidate["name"] == package).unwrap();
        package["dependencies"].as_array_mut().unwrap().push(edge);
        forbidden_edges(&planted)
    };
    let edge = |to: &str, kind: Option<&str>, features: &[&str]| serde_json::json!({ "name": to, "kind": kind, "features": features });

    for (from, to) in [
        ("driveline-domain", "serde"),
        ("driveline-domain", "driveline-ports"),
        ("driveline-ports", "reqwest"),
        ("driveline-ports", "driveline-application"),
        ("driveline-application", "diesel"),
        ("driveline-application", "actix-web"),
        ("driveline-application", "driveline-persistence"),
        ("driveline-http", "driveline-persistence"),
        ("driveline-persistence", "driveline-identity"),
        ("driveline-payments", "driveline-application"),
        ("driveline", "driveline-testkit"),
        ("driveline-testkit", "driveline-domain"),
        ("driveline", "driveline-fuzz"),
    ] {
        assert_eq!(plant(from, edge(to, None, &[])), [format!("{from} must not depend on {to}")]);
        assert!(!plant(from, edge(to, Some("build"), &[])).is_empty(), "{from} builds with {to}");
        assert!(plant(from, edge(to, Some("dev"), &["mock"])).is_empty(), "{from} may test with {to}");
    }
    assert_eq!(
        plant("driveline-http", edge("driveline-ports", None, &["mock"])),
        ["driveline-http turns on driveline-ports's feature mock outside of tests"]
    );
    assert_eq!(
        plant("driveline", edge("driveline-http", None, &["fuzz"])),
        ["driveline turns on driveline-http's feature fuzz outside of tests"]
    );

    let mut planted = honest.clone();
    planted["packages"].as_array_mut().unwrap().retain(|package| package["name"] != "driveline-images");
    planted["packages"]
        .as_array_mut()
        .unwrap()
        .push(serde_json::json!({ "name": "driveline-extra", "dependencies": [], "features": {} }));
    let found = forbidden_edges(&planted);
    assert_eq!(found, ["driveline-extra has no row in the table", "driveline-images has a row and is no crate"]);

    let mut planted = honest.clone();
    let ports =
        planted["packages"].as_array_mut().unwrap().iter_mut().find(|p| p["name"] == "driveline-ports").unwrap();
    ports["features"]["default"] = serde_json::json!(["mock"]);
    assert_eq!(forbidden_edges(&planted), ["driveline-ports has its feature mock on by default"]);
}

/// Calls that only one place may make.
struct Only {
    what: &'static [&'static str],
    place: &'static str,
}

const ONLY: [Only; 4] = [
    Only { what: &["env::var", "env::{", "option_env!"], place: "crates/app/src/config/mod.rs" },
    Only {
        what: &["spawn_blocking", "web::block(", "block_in_place"],
        place: "crates/adapters/persistence/src/platform/db.rs",
    },
    Only { what: &["Timestamp::now()", "SystemTime::now("], place: "crates/app/src/clock.rs" },
    Only { what: &["Uuid::now_v7(", "Uuid::new_v4("], place: "crates/app/src/clock.rs" },
];

/// The text of a file without the tests at its end.
fn program(text: &str) -> &str {
    const TESTS: &str = "\n#[cfg(test)]\nmod ";
    let ends = text.match_indices(TESTS).map(|(at, _)| at);
    // `mod tests;` is a file of its own, and the program goes on after it.
    let mut ends = ends.filter(|at| text[at + TESTS.len()..].lines().next().is_some_and(|line| line.ends_with('{')));
    &text[..ends.next().unwrap_or(text.len())]
}

/// The text of a file without its comments and its tests, which are at its end.
fn code(text: &str) -> String {
    program(text).lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

/// Every call in `file`, a path relative to the root, that only another place may make.
fn misplaced_calls(file: &str, text: &str) -> Vec<String> {
    let code = code(text);
    let elsewhere = ONLY.iter().filter(|only| only.place != file);
    let calls = elsewhere.flat_map(|only| only.what.iter().map(move |what| (only, *what)));
    calls
        .filter(|(_, what)| code.contains(what))
        .map(|(only, what)| format!("{file} has {what}, which belongs into {}", only.place))
        .collect()
}

/// Every source file of the program itself, without tests and test-only code.
fn sources() -> Vec<(String, String)> {
    sources_below("crates", &["tests", "examples", "testkit"])
}

/// Every source file below a folder, without folders of these names and without files of tests.
fn sources_below(folder: &str, without: &[&str]) -> Vec<(String, String)> {
    fn walk(folder: &Path, without: &[&str], found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if path.is_dir() && !without.contains(&name.as_str()) {
                walk(&path, without, found);
            } else if path.extension().is_some_and(|kind| kind == "rs") && name != "tests.rs" {
                found.push(path);
            }
        }
    }
    let root = root();
    let mut files = Vec::new();
    walk(&root.join(folder), without, &mut files);
    files
        .into_iter()
        .map(|path| {
            let name = path.strip_prefix(&root).unwrap().to_string_lossy().into_owned();
            (name, fs::read_to_string(&path).unwrap())
        })
        .collect()
}

#[test]
fn calls_reserved_for_one_place_are_made_nowhere_else() {
    let sources = sources();
    for only in &ONLY {
        let place = sources.iter().find(|(file, _)| file == only.place);
        let called = place.is_some_and(|(_, text)| only.what.iter().any(|what| code(text).contains(what)));
        assert!(called, "{} does not call any of {:?}: is that still its name?", only.place, only.what);
    }
    let found: Vec<String> = sources.iter().flat_map(|(file, text)| misplaced_calls(file, text)).collect();
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn a_planted_call_is_found() {
    let reads = "fn port() -> String {\n    std::env::var(\"PORT\").unwrap_or_default()\n}\n";
    assert_eq!(
        misplaced_calls("crates/app/src/serve.rs", reads),
        ["crates/app/src/serve.rs has env::var, which belongs into crates/app/src/config/mod.rs"]
    );
    assert!(misplaced_calls("crates/app/src/config/mod.rs", reads).is_empty());
    let blocks = "async fn hash() {\n    tokio::task::spawn_blocking(|| ()).await;\n}\n";
    assert_eq!(misplaced_calls("crates/adapters/identity/src/passwords.rs", blocks).len(), 1);
    assert!(misplaced_calls("crates/adapters/persistence/src/platform/db.rs", blocks).is_empty());
    let in_a_comment = "// spawn_blocking would do as well\nfn f() {}\n";
    assert!(misplaced_calls("crates/app/src/serve.rs", in_a_comment).is_empty());
    let after_a_test_file = format!("fn f() {{}}\n#[cfg(test)]\nmod tests;\n\n{blocks}");
    assert_eq!(misplaced_calls("crates/app/src/serve.rs", &after_a_test_file).len(), 1);
    let in_a_test = "fn f() {}\n\n#[cfg(test)]\nmod tests {\n    fn g() { std::env::var_os(\"HOME\"); }\n}\n";
    assert!(misplaced_calls("crates/app/src/serve.rs", in_a_test).is_empty());
}
