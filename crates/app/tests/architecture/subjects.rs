//! The subjects that structure every layer, and which of them may use which.
//!
//! A use is a name of another subject in a file's code: by its path (`crate::orders::...`), or by a name at a crate's
//! root. The root's `pub use` lines tell which subject such a name belongs to.

use std::collections::{BTreeMap, BTreeSet};

use super::{code, root, sources};

/// The layers that are structured by subject: the crate's name in code, and the folder of its files.
const LAYERS: [(&str, &str); 5] = [
    ("domain", "crates/domain/src/"),
    ("ports", "crates/ports/src/"),
    ("application", "crates/application/src/"),
    ("persistence", "crates/adapters/persistence/src/"),
    ("http_adapter", "crates/adapters/http/src/"),
];

/// What each subject may use besides itself and the platform.
const SUBJECTS: [(&str, &[&str]); 16] = [
    // The caller and their permissions; the vehicles that parts fit; what a unit costs, and whether it is taxed; an upload, which
    // changes no row, is noted.
    ("catalog", &["accounts", "audit", "pricing", "tax", "vehicles"]),
    // An admin is an account.
    ("audit", &["accounts"]),
    // Price lists are given to accounts, and have prices of products.
    ("pricing", &["accounts", "catalog"]),
    // Products without a weight are listed; addresses are an account's.
    ("delivery", &["accounts", "catalog"]),
    // A place is a country and a region; an exemption is an account's.
    ("tax", &["accounts", "delivery"]),
    // Many products are ordered at once, at their prices, with freight and tax, and paid together.
    ("checkout", &["accounts", "catalog", "delivery", "documents", "orders", "payments", "pricing", "tax"]),
    // An order takes units of a product at a price, is paid, taxed and delivered.
    ("orders", &["accounts", "catalog", "checkout", "delivery", "payments", "pricing", "tax"]),
    // A payment settles an order by the order's own rules.
    ("payments", &["accounts", "checkout", "orders"]),
    // An address is confirmed by e-mail; a profile photo is uploaded like a product's picture; unpaid orders of an
    // account that was taken over are cancelled.
    ("accounts", &["catalog", "notifications", "orders"]),
    // E-mails and webhooks are about accounts, orders and their payments.
    ("notifications", &["accounts", "checkout", "documents", "orders", "payments"]),
    // What is about to be ordered, by whom and at which prices, and what was ordered before.
    ("baskets", &["accounts", "catalog", "checkout", "orders", "pricing"]),
    // A feed changes products, their stock and their numbers.
    ("feeds", &["accounts", "catalog", "pricing"]),
    // An invoice is of orders, to an account, at an address; a customer gets it with the receipt.
    ("documents", &["accounts", "delivery", "orders"]),
    // Public data that know nothing of the shop.
    ("vehicles", &[]),
    // Parts and vehicles as search engines and visitors find them.
    ("pages", &["catalog", "pricing", "vehicles"]),
    ("platform", &[]),
];

/// The subjects that other layers do not have: the rules and the data of vehicles are the crate of that name, and pages are a
/// way of showing what catalog knows.
const OF_HTTP_ALONE: [&str; 2] = ["vehicles", "pages"];

/// The subject of each name at a crate's root: `pub use catalog::product::{Product, UnitPrice}` adds two of catalog.
fn names_at_root(text: &str) -> BTreeMap<String, String> {
    let mut names = BTreeMap::new();
    for item in code(text).split(';') {
        let Some((_, path)) = item.rsplit_once("pub use ") else { continue };
        let path = path.trim_start_matches("crate::");
        let Some((subject, rest)) = path.split_once("::") else { continue };
        let is_a_name = |word: &&str| word.chars().next().is_some_and(char::is_uppercase);
        for name in rest.split(|c: char| !c.is_alphanumeric() && c != '_').filter(is_a_name) {
            names.insert(name.to_owned(), subject.to_owned());
        }
    }
    names
}

/// The first path segments that a file uses of a crate: for `domain::{Order, orders::event::X}`, `Order` and `orders`.
fn segments_used_of<'a>(code: &'a str, krate: &str) -> Vec<&'a str> {
    let mut segments = Vec::new();
    let start = format!("{krate}::");
    for (at, _) in code.match_indices(&start) {
        let before = code[..at].chars().next_back();
        if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':') {
            continue;
        }
        let rest = &code[at + start.len()..];
        if let Some(group) = rest.strip_prefix('{') {
            let mut depth = 1;
            let end = group.find(|c| {
                depth += i32::from(c == '{') - i32::from(c == '}');
                depth == 0
            });
            let group = &group[..end.unwrap_or(group.len())];
            let mut depth = 0;
            for part in group.split_inclusive([',', '{', '}']) {
                if depth == 0 {
                    segments.push(first_word(part.trim()));
                }
                depth += i32::from(part.ends_with('{')) - i32::from(part.ends_with('}'));
            }
        } else {
            segments.push(first_word(rest));
        }
    }
    segments
}

fn first_word(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_');
    &text[..end.unwrap_or(text.len())]
}

/// Every use of another subject that the table does not allow, one line each.
fn forbidden_uses(sources: &[(String, String)]) -> Vec<String> {
    let roots: BTreeMap<&str, BTreeMap<String, String>> = LAYERS
        .iter()
        .filter_map(|(krate, folder)| {
            let (_, text) = sources.iter().find(|(file, _)| *file == format!("{folder}lib.rs"))?;
            Some((*krate, names_at_root(text)))
        })
        .collect();
    let mut found = BTreeSet::new();
    for (file, text) in sources {
        let Some((krate, folder)) = LAYERS.iter().find(|(_, folder)| file.starts_with(folder)) else { continue };
        let subject = file[folder.len()..].split('/').next().unwrap_or_default();
        let Some((_, allowed)) = SUBJECTS.iter().find(|(name, _)| *name == subject) else { continue };
        let code = code(text);
        for (of, names) in &roots {
            let path = if of == krate { "crate" } else { of };
            for word in segments_used_of(&code, path) {
                let used = names.get(word).map_or(word, String::as_str);
                let is_a_subject = SUBJECTS.iter().any(|(name, _)| *name == used);
                if is_a_subject && used != subject && used != "platform" && !allowed.contains(&used) {
                    found.insert(format!("{file}: {subject} must not use {used} ({path}::{word})"));
                }
            }
        }
    }
    found.into_iter().collect()
}

#[test]
fn every_subject_uses_only_what_the_table_allows() {
    let found = forbidden_uses(&sources());
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn every_layer_has_every_subject_and_no_other_folder_of_files() {
    let sources = sources();
    for (layer, folder) in LAYERS {
        let elsewhere = |subject: &str| layer != "http_adapter" && OF_HTTP_ALONE.contains(&subject);
        for (subject, _) in SUBJECTS.into_iter().filter(|(subject, _)| !elsewhere(subject)) {
            let has = sources.iter().any(|(file, _)| file.starts_with(&format!("{folder}{subject}/")));
            assert!(has, "{folder} has no {subject}");
        }
    }
    assert!(root().join(LAYERS[0].1).is_dir());
}

#[test]
fn a_planted_use_is_found() {
    let plant = |file: &str, text: &str| {
        let mut planted = sources();
        planted.push((file.to_owned(), text.to_owned()));
        forbidden_uses(&planted)
    };
    let file = "crates/application/src/catalog/planted.rs";
    for (text, word) in [
        ("use domain::{Caller, Order, Product};\n", "domain::Order"),
        ("use domain::{\n    Caller,\n    orders::event::OrderEvent,\n};\n", "domain::orders"),
        ("fn f() { let _ = ports::payments::refunds::REFUND_LEASE; }\n", "ports::payments"),
        ("use crate::orders::place_order;\n", "crate::orders"),
    ] {
        let subject = if word.contains("payments") { "payments" } else { "orders" };
        assert_eq!(plant(file, text), [format!("{file}: catalog must not use {subject} ({word})")]);
    }
    assert_eq!(plant(file, "use domain::{Caller, Money, Product};\nuse ports::StoreError;\n"), Vec::<String>::new());
    assert_eq!(plant(file, "// crate::orders is another subject\n"), Vec::<String>::new());
    let platform = plant("crates/ports/src/platform/planted.rs", "use domain::Email;\n");
    assert_eq!(platform, ["crates/ports/src/platform/planted.rs: platform must not use accounts (domain::Email)"]);
}
