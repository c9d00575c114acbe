//! Where `initdb` and `postgres` are, and which of several installations fits.

use std::collections::BTreeSet;
use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::account::Account;
use super::error::StartError;

/// The oldest supported major version: from 13 on, the owner of a database may add the trusted extensions.
const OLDEST: u32 = 13;

const DEBIAN: &str = "/usr/lib/postgresql";

/// Where `scripts/bootstrap` puts the programs that it fetched, relative to the project's folder.
const FETCHED: &str = ".tools/postgres/bin";

/// One installation's programs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Programs {
    /// Absolute path of `initdb`.
    pub(super) initdb: PathBuf,
    /// Absolute path of `postgres`.
    pub(super) postgres: PathBuf,
}

/// Finds the first installation that `account` may run and, where `wanted` is given, that is of that major version.
///
/// The search order: `search`, the folders of `path_variable`, the output of `pg_config --bindir`, Debian's folders
/// from the newest version down, and the programs that `scripts/bootstrap` fetched.
pub(super) fn find(
    search: &[PathBuf],
    path_variable: Option<&OsStr>,
    account: &Account,
    cluster: &Path,
    wanted: Option<u32>,
) -> Result<Programs, StartError> {
    let mut other_versions = BTreeSet::new();
    let mut obstacle = None;
    for bin in candidates(search, path_variable) {
        let programs = Programs { initdb: bin.join("initdb"), postgres: bin.join("postgres") };
        if let Some(blocked) = account.blocked_on_the_way_to(&programs.postgres) {
            obstacle.get_or_insert(StartError::ProgramsOutOfReach { bin, blocked, account: account.name() });
            continue;
        }
        match version(&programs.postgres) {
            Ok(found) if wanted.is_some_and(|wanted| wanted != found) => {
                other_versions.insert(found);
            }
            Ok(found) if found < OLDEST => {
                obstacle.get_or_insert(StartError::TooOld { bin, found, wanted: OLDEST });
            }
            Ok(_) => return Ok(programs),
            Err(reason) => {
                obstacle.get_or_insert(StartError::BrokenPrograms { bin, reason });
            }
        }
    }
    if let (Some(wanted), false) = (wanted, other_versions.is_empty()) {
        let found: Vec<String> = other_versions.iter().map(u32::to_string).collect();
        return Err(StartError::OtherVersion { path: cluster.to_owned(), cluster: wanted, found: found.join(" and ") });
    }
    Err(obstacle.unwrap_or(StartError::NoPrograms))
}

/// Every folder that contains both programs, best first, each once and without symbolic links.
fn candidates(search: &[PathBuf], path_variable: Option<&OsStr>) -> Vec<PathBuf> {
    // An empty entry of PATH means the working folder, from which nothing is ever run here.
    let on_path: Vec<PathBuf> = path_variable
        .map(|path| env::split_paths(path).filter(|folder| folder.is_absolute()).collect())
        .unwrap_or_default();
    let mut folders = search.to_vec();
    folders.extend(on_path.iter().cloned());
    folders.extend(on_path.iter().find_map(|folder| bindir_of(&folder.join("pg_config"))));
    folders.extend(debian(Path::new(DEBIAN)));
    folders.extend(fetched());

    let mut seen = BTreeSet::new();
    folders
        .into_iter()
        .filter(|bin| bin.join("initdb").is_file() && bin.join("postgres").is_file())
        .filter_map(|bin| fs::canonicalize(bin).ok())
        .filter(|bin| seen.insert(bin.clone()))
        .collect()
}

fn bindir_of(pg_config: &Path) -> Option<PathBuf> {
    let output = Command::new(pg_config)
        .arg("--bindir")
        .stdin(Stdio::null())
        .output()
        .ok()
        .filter(|output| output.status.success())?;
    Some(PathBuf::from(String::from_utf8(output.stdout).ok()?.trim()))
}

/// Debian has a folder for every major version, named after it.
fn debian(root: &Path) -> Vec<PathBuf> {
    let mut versions: Vec<u32> = fs::read_dir(root)
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .collect();
    versions.sort_unstable_by(|a, b| b.cmp(a));
    versions.into_iter().map(|version| root.join(version.to_string()).join("bin")).collect()
}

/// The fetched programs of the project that we were started or built in.
fn fetched() -> Vec<PathBuf> {
    let here = env::current_dir().ok();
    let built = env::current_exe().ok();
    let above = built.iter().flat_map(|program| program.ancestors().skip(1).take(4));
    here.iter().map(PathBuf::as_path).chain(above).map(|project| project.join(FETCHED)).collect()
}

/// Asks `postgres` for its major version.
fn version(postgres: &Path) -> Result<u32, String> {
    let output = Command::new(postgres)
        .arg("--version")
        .env_clear()
        .stdin(Stdio::null())
        .output()
        .map_err(|source| source.to_string())?;
    let said = String::from_utf8_lossy(&output.stdout);
    major(&said).ok_or_else(|| {
        let complaint = String::from_utf8_lossy(&output.stderr);
        let line = complaint.lines().chain(said.lines()).next();
        line.unwrap_or("it says nothing").to_owned()
    })
}

/// Reads the major version out of `postgres (PostgreSQL) 15.18 (Debian ...)` or `... 18beta1`.
fn major(said: &str) -> Option<u32> {
    let number = said.split_once("(PostgreSQL) ")?.1;
    let end = number.find(|c: char| !c.is_ascii_digit()).unwrap_or(number.len());
    number[..end].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    /// A folder with programs that only print `version`.
    fn installation(root: &Path, version: &str) -> PathBuf {
        let bin = root.join(version).join("bin");
        fs::create_dir_all(&bin).unwrap();
        for name in ["initdb", "postgres"] {
            let program = bin.join(name);
            fs::write(&program, format!("#!/bin/sh\necho 'postgres (PostgreSQL) {version}'\n")).unwrap();
            fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        }
        bin
    }

    fn anyone() -> Account {
        Account::Own { uid: 1000 }
    }

    #[test]
    fn the_major_version_is_read_from_releases_and_betas() {
        assert_eq!(major("postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)\n"), Some(15));
        assert_eq!(major("postgres (PostgreSQL) 18beta1\n"), Some(18));
        assert_eq!(major("postgres (PostgreSQL) 17"), Some(17));
        assert_eq!(major("psql (PostgreSQL) x"), None);
        assert_eq!(major(""), None);
    }

    #[test]
    fn debians_folders_are_tried_from_the_newest_version_down() {
        let root = tempfile::tempdir().unwrap();
        for name in ["9.6", "15", "9", "18", "common"] {
            fs::create_dir(root.path().join(name)).unwrap();
        }
        let found = debian(root.path());
        let expected: Vec<PathBuf> =
            ["18", "15", "9"].iter().map(|version| root.path().join(version).join("bin")).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_configured_folder_comes_before_all_others() {
        let root = tempfile::tempdir().unwrap();
        let asked = installation(root.path(), "14.2");
        let on_path = installation(root.path(), "16.1");
        let found = candidates(std::slice::from_ref(&asked), Some(on_path.as_os_str()));
        assert_eq!(found[..2], [asked, on_path]);
    }

    #[test]
    fn an_existing_cluster_gets_the_programs_of_its_own_version() {
        let root = tempfile::tempdir().unwrap();
        let search = [installation(root.path(), "98.1"), installation(root.path(), "97.4")];
        let found = find(&search, None, &anyone(), Path::new("/c"), Some(97)).unwrap();
        assert_eq!(found.postgres, search[1].join("postgres"));
    }

    #[test]
    fn a_missing_version_is_distinguished_from_no_postgres_at_all() {
        let root = tempfile::tempdir().unwrap();
        let search = [installation(root.path(), "98.1")];
        let refused = find(&search, None, &anyone(), Path::new("/c"), Some(96)).unwrap_err();
        let StartError::OtherVersion { cluster, found, .. } = refused else {
            panic!("{refused}");
        };
        assert_eq!(cluster, 96);
        assert!(found.split(" and ").any(|version| version == "98"), "{found}");
    }

    #[test]
    fn programs_that_do_not_run_are_skipped() {
        let root = tempfile::tempdir().unwrap();
        let broken = installation(root.path(), "broken");
        fs::write(broken.join("postgres"), "#!/nowhere\n").unwrap();
        let sound = installation(root.path(), "98.1");
        let found = find(&[broken, sound.clone()], None, &anyone(), Path::new("/c"), None).unwrap();
        assert_eq!(found.postgres, sound.join("postgres"));
    }

    #[test]
    fn programs_in_an_inaccessible_folder_are_skipped_for_another_account() {
        let root = tempfile::tempdir().unwrap();
        fs::set_permissions(root.path(), fs::Permissions::from_mode(0o755)).unwrap();
        let closed = root.path().join("closed");
        let hidden = installation(&closed, "98.1");
        fs::set_permissions(&closed, fs::Permissions::from_mode(0o700)).unwrap();
        let open = installation(root.path(), "97.1");
        let other = Account::Other { uid: 65_000, gid: 65_000, name: "the user nobody".to_owned() };
        let found = find(&[hidden, open.clone()], None, &other, Path::new("/c"), None).unwrap();
        assert_eq!(found.postgres, open.join("postgres"));
    }
}
