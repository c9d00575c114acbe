//! Files of a crate that use each other in a circle. Whoever reads one of them has to read all.
//!
//! A use is a path in a file's code (`crate::orders::place`, `super::words`), followed through re-exports to the file
//! that it leads to. A module and the modules inside it are one thing to a reader, so uses between them do not count:
//! a `mod.rs` re-exports its parts, and its parts build on it.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::{code, sources};

type Module = Vec<String>;

/// The modules of one crate, and the text of the file of each.
struct Crate<'a> {
    files: BTreeMap<Module, &'a str>,
    code: BTreeMap<Module, String>,
}

/// The folder of a file's crate, and the file's module in it.
fn module_of(file: &str) -> Option<(&str, Module)> {
    let (folder, path) = file.split_once("/src/")?;
    let path = path.strip_suffix(".rs")?;
    let path = path.strip_suffix("/mod").unwrap_or(path);
    let module = if matches!(path, "lib" | "main") { "" } else { path };
    Some((folder, module.split('/').filter(|part| !part.is_empty()).map(str::to_owned).collect()))
}

/// Every path after `start`, groups resolved: `crate::{a::B, c}` has `a::B` and `c`.
fn paths_after(code: &str, start: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for (at, _) in code.match_indices(start) {
        let before = code[..at].chars().next_back();
        if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':') {
            continue;
        }
        read_path(&code[at + start.len()..], &mut Vec::new(), &mut found);
    }
    found
}

/// Reads one path, or group of paths, and returns what follows it.
fn read_path<'a>(text: &'a str, before: &mut Vec<String>, found: &mut Vec<Vec<String>>) -> &'a str {
    let depth = before.len();
    let mut rest = text.trim_start();
    loop {
        if let Some(group) = rest.strip_prefix('{') {
            rest = group;
            loop {
                rest = rest.trim_start();
                if let Some(after) = rest.strip_prefix('}') {
                    before.truncate(depth);
                    return after;
                }
                rest = read_path(rest, before, found).trim_start();
                rest = rest.strip_prefix(',').unwrap_or(rest);
                if rest.is_empty() {
                    before.truncate(depth);
                    return rest;
                }
            }
        }
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        before.push(rest[..end].to_owned());
        match rest[end..].strip_prefix("::") {
            // `<`: the arguments of a generic, which are paths of their own.
            Some(after) if !after.starts_with('<') => rest = after,
            _ => {
                found.push(before.clone());
                before.truncate(depth);
                // In a group, `as Another` may follow; one character that belongs to nothing must not stop the reader.
                let after = &rest[end..];
                let skipped = after.find([',', '}', ';']).unwrap_or(after.len());
                return &after[skipped..];
            }
        }
    }
}

impl Crate<'_> {
    /// The module that a path leads to, from a module.
    fn resolve(&self, from: &[String], path: &[String]) -> Module {
        let mut at = from.to_vec();
        for (n, segment) in path.iter().enumerate() {
            let child = [at.as_slice(), std::slice::from_ref(segment)].concat();
            if self.files.contains_key(&child) {
                at = child;
            } else {
                return self.reexported(&at, segment).map_or(at, |(start, mut rest)| {
                    rest.extend_from_slice(&path[n + 1..]);
                    self.resolve(&start, &rest)
                });
            }
        }
        at
    }

    /// Where a module's `pub use` takes a name from: a module and a path.
    fn reexported(&self, module: &Module, name: &str) -> Option<(Module, Vec<String>)> {
        let uses = self.code.get(module)?.split(';').filter_map(|item| {
            let (head, path) = item.rsplit_once("use ")?;
            head.trim_end().rsplit('\n').next()?.trim_start().starts_with("pub").then_some(path)
        });
        for path in uses {
            let (start, path) = match path.strip_prefix("crate::") {
                Some(path) => (Vec::new(), path),
                None => (module.clone(), path.strip_prefix("self::").unwrap_or(path)),
            };
            let mut found = Vec::new();
            read_path(path, &mut Vec::new(), &mut found);
            let taken = found.into_iter().find(|path| path.last().is_some_and(|last| last == name) && path.len() > 1);
            if let Some(path) = taken.filter(|path| self.files.contains_key(&[start.as_slice(), &path[..1]].concat())) {
                return Some((start, path));
            }
        }
        None
    }

    /// The modules that a module uses, without those around it and inside it.
    fn used_by(&self, module: &Module) -> BTreeSet<Module> {
        let code = &self.code[module];
        let mut used: BTreeSet<Module> =
            paths_after(code, "crate::").iter().map(|path| self.resolve(&[], path)).collect();
        for path in paths_after(code, "super::") {
            let ups = 1 + path.iter().take_while(|segment| *segment == "super").count();
            if let Some(left) = module.len().checked_sub(ups) {
                used.insert(self.resolve(&module[..left], &path[ups - 1..]));
            }
        }
        used.retain(|other| !other.starts_with(module) && !module.starts_with(other));
        used
    }

    /// The shortest circle through each file that is on one.
    fn circles(&self) -> BTreeSet<BTreeSet<String>> {
        let uses: BTreeMap<&Module, BTreeSet<Module>> =
            self.files.keys().map(|module| (module, self.used_by(module))).collect();
        self.files.keys().filter_map(|start| shortest_circle(start, &uses)).map(|circle| self.names(&circle)).collect()
    }

    fn names(&self, circle: &[&Module]) -> BTreeSet<String> {
        circle.iter().map(|module| self.files[*module].to_owned()).collect()
    }
}

fn shortest_circle<'a>(start: &'a Module, uses: &'a BTreeMap<&'a Module, BTreeSet<Module>>) -> Option<Vec<&'a Module>> {
    let mut came_from: BTreeMap<&Module, &Module> = BTreeMap::new();
    let mut next = VecDeque::from([start]);
    while let Some(at) = next.pop_front() {
        for other in &uses[at] {
            if other == start {
                let mut circle = vec![at];
                while let Some(before) = circle.last().and_then(|last| came_from.get(last)) {
                    circle.push(before);
                }
                return Some(circle);
            }
            if !came_from.contains_key(other) {
                came_from.insert(other, at);
                next.push_back(other);
            }
        }
    }
    None
}

fn circles(sources: &[(String, String)]) -> BTreeSet<BTreeSet<String>> {
    let mut crates: BTreeMap<&str, Crate> = BTreeMap::new();
    for (file, text) in sources {
        let Some((folder, module)) = module_of(file) else { continue };
        let of = crates.entry(folder).or_insert_with(|| Crate { files: BTreeMap::new(), code: BTreeMap::new() });
        of.files.insert(module.clone(), file);
        of.code.insert(module, code(text));
    }
    crates.values().flat_map(Crate::circles).collect()
}

#[test]
fn no_files_use_each_other_in_a_circle() {
    let found = circles(&sources());
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn a_planted_circle_is_found() {
    let plant = |files: &[(&str, &str)]| -> Vec<BTreeSet<String>> {
        let files = files.iter().map(|(file, text)| (format!("crates/x/src/{file}"), (*text).to_owned()));
        circles(&files.collect::<Vec<_>>()).into_iter().collect()
    };
    let circle = |files: &[&str]| vec![files.iter().map(|file| format!("crates/x/src/{file}")).collect()];

    let two = [("lib.rs", "mod a;\nmod b;\n"), ("a.rs", "use crate::b::B;\n"), ("b.rs", "fn f() { crate::a::g() }\n")];
    assert_eq!(plant(&two), circle(&["a.rs", "b.rs"]));
    let three = [
        ("main.rs", "mod a;\nmod b;\n"),
        ("a/mod.rs", "pub(crate) mod one;\npub(crate) mod two;\n"),
        ("a/one.rs", "use super::two::{C, D};\n"),
        ("a/two.rs", "use crate::{\n    b::{self as other, B},\n    c,\n};\n"),
        ("b.rs", "use crate::a::one;\n"),
    ];
    assert_eq!(plant(&three), circle(&["a/one.rs", "a/two.rs", "b.rs"]));
    let through_the_root = [
        ("lib.rs", "mod a;\nmod b;\npub use a::inner::{Other, A};\npub use crate::b::B;\n"),
        ("a/mod.rs", "pub mod inner;\n"),
        ("a/inner.rs", "use crate::B;\n"),
        ("b.rs", "use crate::A;\n"),
    ];
    assert_eq!(plant(&through_the_root), circle(&["a/inner.rs", "b.rs"]));

    for sound in [
        &[("lib.rs", "mod a;\nmod b;\n"), ("a.rs", "use crate::b::B;\n"), ("b.rs", "// crate::a\n")][..],
        &[("a/mod.rs", "mod b;\npub use self::b::B;\n"), ("a/b.rs", "use super::A;\nuse crate::a::C;\n")],
        &[
            ("a.rs", "use crate::b::B;\n"),
            ("b.rs", "fn f() {}\n\n#[cfg(test)]\nmod tests {\n    use crate::a::A;\n}\n"),
        ],
        &[("lib.rs", "pub use a::A;\n"), ("a.rs", "use crate::b::B;\n"), ("b.rs", "use crate::shared;\n")],
    ] {
        assert_eq!(plant(sound), Vec::<BTreeSet<String>>::new(), "{sound:?}");
    }
}
