//! How long a file may be. Clippy limits the functions (`too-many-lines-threshold`).

use super::{program, sources_below};

/// Lines of a file without the tests at its end.
const MOST: usize = 400;

/// Files that may be longer.
const EXEMPT: [(&str, &str); 2] =
    [("crates/adapters/persistence/src/schema.rs", "generated"), ("crates/app/src/demo/catalogue.rs", "data")];

/// Every file that is too long, one line each.
fn too_long(sources: &[(String, String)]) -> Vec<String> {
    let lengths = sources.iter().map(|(file, text)| (file, program(text).lines().count()));
    lengths
        .filter(|(file, lines)| *lines > MOST && !EXEMPT.iter().any(|(exempt, _)| exempt == file))
        .map(|(file, lines)| format!("{file} has {lines} lines, and at most {MOST} are one file"))
        .collect()
}

#[test]
fn no_file_needs_more_than_four_hundred_lines() {
    let found = too_long(&sources_below("crates", &["tests", "examples"]));
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn a_planted_long_file_is_found() {
    let plant = |lines: usize, rest: &str| {
        let text = "fn f() {}\n".repeat(lines) + rest;
        too_long(&[("crates/app/src/planted.rs".to_owned(), text)])
    };
    assert!(plant(MOST, "").is_empty());
    assert_eq!(plant(401, ""), ["crates/app/src/planted.rs has 401 lines, and at most 400 are one file"]);
    let tests = format!("\n#[cfg(test)]\nmod tests {{\n{}}}\n", "    fn g() {}\n".repeat(300));
    assert!(plant(300, &tests).is_empty());
    // Tests in a file of their own are no end of this one.
    assert_eq!(plant(1, &format!("\n#[cfg(test)]\nmod tests;\n{}", "fn g() {}\n".repeat(500))).len(), 1);
}
