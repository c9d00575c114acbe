//! How many file descriptors this process may have: every connection needs one.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Reserved for files, pipes and outgoing calls, besides the connections to the database.
const RESERVED: usize = 96;
/// No instance serves more than this well; it also applies if there is no limit at all.
const CLIENTS_MAX: usize = 100_000;

/// Raises the soft limit to the hard one: the soft one is 1,024 for programs that use `select`, which this program does
/// not. Returns how many clients may be connected, with `database` descriptors reserved for connections to the
/// database.
pub(crate) fn room_for_clients(database: u32) -> usize {
    let limit = getrlimit(Resource::Nofile);
    let raised = Rlimit { current: limit.maximum, maximum: limit.maximum };
    let current = if setrlimit(Resource::Nofile, raised).is_ok() { limit.maximum } else { limit.current };
    let current = current.and_then(|current| usize::try_from(current).ok()).unwrap_or(CLIENTS_MAX).min(CLIENTS_MAX);
    current.saturating_sub(RESERVED + usize::try_from(database).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_soft_limit_is_raised_and_the_database_keeps_its_share() {
        let many = room_for_clients(0);
        let limit = getrlimit(Resource::Nofile);
        assert_eq!(limit.current, limit.maximum);
        assert_eq!(room_for_clients(100), many.saturating_sub(100));
    }
}
