//! The account that Postgres runs as: it refuses root, so root runs it as an account with fewer rights.

use std::fs;
use std::io;
use std::os::unix::fs::{MetadataExt, chown, lchown};
use std::path::{Path, PathBuf};

use super::error::StartError;

/// The account that Postgres runs as.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Account {
    /// Our own: this process is an ordinary user.
    Own {
        /// Our user id.
        uid: u32,
    },
    /// Another one: this process is root.
    Other {
        /// Its user id, never 0.
        uid: u32,
        /// Its group id.
        gid: u32,
        /// Its name in messages.
        name: String,
    },
}

impl Account {
    /// The account for the cluster at `cluster`, which need not exist yet.
    ///
    /// An existing cluster keeps its owner, so that a folder filled by an ordinary user can be served by root and
    /// then by that user again.
    pub(super) fn choose(cluster: &Path) -> Result<Self, StartError> {
        let uid = rustix::process::geteuid().as_raw();
        let owner = fs::metadata(cluster).ok();
        if uid != 0 {
            return match owner {
                Some(owner) if owner.uid() != uid => {
                    Err(StartError::OthersData { path: cluster.to_owned(), owner: owner.uid() })
                }
                _ => Ok(Self::Own { uid }),
            };
        }
        if let Some(owner) = owner.filter(|owner| owner.uid() != 0) {
            return Ok(Self::Other { uid: owner.uid(), gid: owner.gid(), name: format!("user {}", owner.uid()) });
        }
        let users = fs::read_to_string("/etc/passwd").map_err(|_| StartError::NoAccount)?;
        ["postgres", "nobody"].into_iter().find_map(|name| find(&users, name)).ok_or(StartError::NoAccount)
    }

    /// Makes the account the owner of `path`. Does nothing if it already is.
    pub(super) fn own(&self, path: &Path) -> io::Result<()> {
        match self {
            Self::Own { .. } => Ok(()),
            Self::Other { uid, gid, .. } => chown(path, Some(*uid), Some(*gid)),
        }
    }

    /// Makes the account the owner of `path` and its contents, if root owns it: a cluster that was copied or restored.
    pub(super) fn adopt(&self, path: &Path) -> io::Result<()> {
        let Self::Other { uid, gid, .. } = self else {
            return Ok(());
        };
        if fs::metadata(path)?.uid() == *uid {
            return Ok(());
        }
        hand_over(path, *uid, *gid)
    }

    /// The first folder on the way to `path`, or `path` itself, that the account may not enter (or execute).
    ///
    /// Access control lists are ignored: where they grant what the mode bits deny, the answer errs towards denied,
    /// which only costs a detour.
    pub(super) fn blocked_on_the_way_to(&self, path: &Path) -> Option<PathBuf> {
        let mut way: Vec<&Path> = path.ancestors().collect();
        way.reverse();
        way.into_iter().find(|step| !self.may_enter(step)).map(Path::to_owned)
    }

    pub(super) fn name(&self) -> String {
        match self {
            Self::Own { .. } => "this user".to_owned(),
            Self::Other { name, .. } => name.clone(),
        }
    }

    fn may_enter(&self, path: &Path) -> bool {
        let Ok(metadata) = fs::metadata(path) else {
            return false;
        };
        let mode = metadata.mode();
        match self {
            Self::Own { .. } => true,
            Self::Other { uid, .. } if metadata.uid() == *uid => mode & 0o100 != 0,
            Self::Other { gid, .. } if metadata.gid() == *gid => mode & 0o010 != 0,
            Self::Other { .. } => mode & 0o001 != 0,
        }
    }
}

/// Finds an account in the text of `/etc/passwd` (passwd(5)); one with root's id does not count.
fn find(users: &str, wanted: &str) -> Option<Account> {
    users.lines().find_map(|line| {
        let mut fields = line.split(':');
        let name = fields.next()?;
        let uid = fields.nth(1)?.parse().ok()?;
        let gid = fields.next()?.parse().ok()?;
        (name == wanted && uid != 0).then(|| Account::Other { uid, gid, name: format!("the user {name}") })
    })
}

fn hand_over(path: &Path, uid: u32, gid: u32) -> io::Result<()> {
    // A link is handed over, never followed: its target may be owned by anyone.
    lchown(path, Some(uid), Some(gid))?;
    if fs::symlink_metadata(path)?.is_dir() {
        for entry in fs::read_dir(path)? {
            hand_over(&entry?.path(), uid, gid)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const USERS: &str = "root:x:0:0:root:/root:/bin/bash\nnobody:x:65534:65533:nobody:/nonexistent:/usr/sbin/nologin\ntoor:x:0:0::/:/bin/sh\nbroken\n";

    #[test]
    fn an_account_is_found_by_its_whole_name() {
        assert_eq!(
            find(USERS, "nobody"),
            Some(Account::Other { uid: 65534, gid: 65533, name: "the user nobody".to_owned() })
        );
        assert_eq!(find(USERS, "nobod"), None);
    }

    #[test]
    fn an_account_with_the_rights_of_root_is_never_chosen() {
        assert_eq!(find(USERS, "toor"), None);
    }
}
