//! A queue in which one client's many jobs do not delay the others'.

use std::collections::{BTreeMap, VecDeque};

use domain::ClientNetwork;
use ports::{HashingLane, HashingQueue};

/// Jobs in lanes, and within each lane grouped by the client's network. Lanes and networks are served round-robin, so a
/// job waits for at most one job of each other network in its lane.
#[derive(Debug)]
pub(crate) struct FairQueue<J> {
    lanes: [Lane<J>; 3],
    /// The lane to serve next.
    next: usize,
    waiting: usize,
    of_one: usize,
    of_all: usize,
}

#[derive(Debug)]
struct Lane<J> {
    jobs: BTreeMap<ClientNetwork, VecDeque<J>>,
    /// Each network that has jobs waiting, only once, in the order in which they are served.
    turns: VecDeque<ClientNetwork>,
}

impl<J> Default for Lane<J> {
    fn default() -> Self {
        Self { jobs: BTreeMap::new(), turns: VecDeque::new() }
    }
}

impl<J> Lane<J> {
    fn push(&mut self, from: ClientNetwork, job: J) {
        let jobs = self.jobs.entry(from).or_default();
        if jobs.is_empty() {
            self.turns.push_back(from);
        }
        jobs.push_back(job);
    }

    fn pop(&mut self) -> Option<J> {
        let from = self.turns.pop_front()?;
        let jobs = self.jobs.get_mut(&from)?;
        let job = jobs.pop_front();
        if jobs.is_empty() {
            self.jobs.remove(&from);
        } else {
            self.turns.push_back(from);
        }
        job
    }

    /// Removes the newest job of a network.
    fn drop_last(&mut self, from: ClientNetwork) -> Option<J> {
        let jobs = self.jobs.get_mut(&from)?;
        let job = jobs.pop_back();
        if jobs.is_empty() {
            self.jobs.remove(&from);
            self.turns.retain(|other| *other != from);
        }
        job
    }
}

const fn index(lane: HashingLane) -> usize {
    match lane {
        HashingLane::KnownDevice => 0,
        HashingLane::Stranger => 1,
        HashingLane::Choosing => 2,
    }
}

impl<J> FairQueue<J> {
    /// A queue that holds at most `of_all` jobs, and at most `of_one` of one network in one lane.
    pub(crate) fn new(of_one: usize, of_all: usize) -> Self {
        Self { lanes: Default::default(), next: 0, waiting: 0, of_one, of_all }
    }

    /// Adds a job, or returns it if the network's own queue is full. When the whole queue is full, the newest job of
    /// the longest queue is dropped instead, so that a client with few jobs is not refused because of another's many.
    pub(crate) fn push(&mut self, queue: HashingQueue, job: J) -> Result<(), J> {
        let of_this = self.lanes[index(queue.lane)].jobs.get(&queue.from).map_or(0, VecDeque::len);
        if of_this >= self.of_one {
            return Err(job);
        }
        if self.waiting >= self.of_all {
            match self.longest() {
                Some((lane, from, length)) if length > of_this + 1 => {
                    drop(self.lanes[lane].drop_last(from));
                    self.waiting -= 1;
                }
                _ => return Err(job),
            }
        }
        self.lanes[index(queue.lane)].push(queue.from, job);
        self.waiting += 1;
        Ok(())
    }

    /// The next job.
    pub(crate) fn pop(&mut self) -> Option<J> {
        for _ in 0..self.lanes.len() {
            let lane = self.next;
            self.next = (self.next + 1) % self.lanes.len();
            if let Some(job) = self.lanes[lane].pop() {
                self.waiting -= 1;
                return Some(job);
            }
        }
        None
    }

    #[cfg(test)]
    pub(crate) const fn len(&self) -> usize {
        self.waiting
    }

    fn longest(&self) -> Option<(usize, ClientNetwork, usize)> {
        let queues = self
            .lanes
            .iter()
            .enumerate()
            .flat_map(|(lane, queued)| queued.jobs.iter().map(move |(from, jobs)| (lane, *from, jobs.len())));
        queues.max_by_key(|(_, _, length)| *length)
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    fn queue(lane: HashingLane, from: u8) -> HashingQueue {
        HashingQueue { lane, from: Ipv4Addr::new(192, 0, 2, from).into() }
    }

    fn stranger(from: u8) -> HashingQueue {
        queue(HashingLane::Stranger, from)
    }

    fn drained<J>(queue: &mut FairQueue<J>) -> Vec<J> {
        std::iter::from_fn(|| queue.pop()).collect()
    }

    #[test]
    fn a_job_behind_a_flood_from_another_network_waits_for_one_of_its_jobs() {
        let mut jobs = FairQueue::new(128, 1_024);
        for _ in 0..128 {
            jobs.push(stranger(1), "flood").unwrap();
        }
        assert_eq!(jobs.pop(), Some("flood"));
        jobs.push(stranger(2), "one").unwrap();
        jobs.push(stranger(2), "two").unwrap();
        let order = drained(&mut jobs);
        assert!(order[..2].contains(&"one") && order[..4].contains(&"two"), "{:?}", &order[..5]);
        assert_eq!(order.len(), 129);
    }

    #[test]
    fn networks_take_turns_and_each_networks_jobs_keep_their_order() {
        let mut jobs = FairQueue::new(10, 100);
        for (from, job) in [(1, "a1"), (1, "a2"), (1, "a3"), (2, "b1"), (3, "c1"), (2, "b2")] {
            jobs.push(stranger(from), job).unwrap();
        }
        assert_eq!(drained(&mut jobs), ["a1", "b1", "c1", "a2", "b2", "a3"]);
    }

    #[test]
    fn known_devices_and_sign_ups_from_the_address_of_a_flood_do_not_wait_for_it() {
        let mut jobs = FairQueue::new(128, 1_024);
        for _ in 0..100 {
            jobs.push(stranger(1), "flood").unwrap();
        }
        jobs.push(queue(HashingLane::KnownDevice, 1), "owner").unwrap();
        jobs.push(queue(HashingLane::Choosing, 1), "sign-up").unwrap();
        let order = drained(&mut jobs);
        assert!(order[..3].contains(&"owner") && order[..3].contains(&"sign-up"), "{:?}", &order[..4]);
    }

    #[test]
    fn only_the_network_that_fills_its_own_queue_is_refused() {
        let mut jobs = FairQueue::new(2, 100);
        assert_eq!([1, 2, 3].map(|job| jobs.push(stranger(1), job)), [Ok(()), Ok(()), Err(3)]);
        assert_eq!(jobs.push(stranger(2), 4), Ok(()));
    }

    #[test]
    fn when_the_whole_queue_is_full_the_longest_one_gives_way_to_a_shorter_one() {
        let mut jobs = FairQueue::new(5, 6);
        for job in 0..5 {
            jobs.push(stranger(1), job).unwrap();
        }
        jobs.push(stranger(2), 10).unwrap();
        jobs.push(stranger(3), 11).unwrap();
        assert_eq!(jobs.push(stranger(1), 12), Err(12));
        jobs.push(stranger(2), 13).unwrap();
        assert_eq!(drained(&mut jobs), [0, 10, 11, 1, 13, 2]);
        assert_eq!(jobs.waiting, 0);
    }

    #[test]
    fn many_networks_with_one_job_each_fill_the_queue() {
        let mut jobs = FairQueue::new(5, 3);
        for from in 0..3 {
            jobs.push(stranger(from), from).unwrap();
        }
        assert_eq!(jobs.push(stranger(9), 9), Err(9));
    }
}
