//! How many descriptors this process may have: every connection is one.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// What is kept for files, pipes, and calls to others, besides the connections to the database.
const KEPT: usize = 96;
/// More than this no copy of the shop serves well; where there is no limit at all, this is one.
const MOST: usize = 100_000;

/// Raises the soft limit to the hard one: the soft one is 1,024 for the sake of programs that use `select`, which none of
/// this is. Answers how many clients may be connected, with `database` connections to the database kept free.
pub(crate) fn room_for_clients(database: u32) -> usize {
    let limit = getrlimit(Resource::Nofile);
    let raised = Rlimit { current: limit.maximum, maximum: limit.maximum };
    let current = if setrlimit(Resource::Nofile, raised).is_ok() { limit.maximum } else { limit.current };
    let current = current.and_then(|current| usize::try_from(current).ok()).unwrap_or(MOST).min(MOST);
    current.saturating_sub(KEPT + usize::try_from(database).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_soft_limit_becomes_the_hard_one_and_the_database_keeps_its_share() {
        let many = room_for_clients(0);
        let limit = getrlimit(Resource::Nofile);
        assert_eq!(limit.current, limit.maximum);
        assert_eq!(room_for_clients(100), many.saturating_sub(100));
    }
}
