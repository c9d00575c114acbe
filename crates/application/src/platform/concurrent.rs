//! Background work on many items at a time.

use tokio::task::JoinSet;

/// How many items a background job processes concurrently, so that one that hangs delays few others.
pub(crate) const MAX_CONCURRENT: usize = 10;

/// Processes the items, several concurrently. Returns the results in no particular order; an item whose task panics is
/// left out.
pub(crate) async fn for_each_concurrent<S, T, R, F>(service: &S, items: Vec<T>, run: impl Fn(S, T) -> F) -> Vec<R>
where
    S: Clone,
    R: Send + 'static,
    F: Future<Output = R> + Send + 'static,
{
    let mut waiting = items.into_iter();
    let mut under_way = JoinSet::new();
    let mut done = Vec::new();
    loop {
        while under_way.len() < MAX_CONCURRENT
            && let Some(item) = waiting.next()
        {
            under_way.spawn(run(service.clone(), item));
        }
        match under_way.join_next().await {
            None => return done,
            Some(Ok(one)) => done.push(one),
            Some(Err(error)) => tracing::error!(%error, "a background task panicked"),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use tokio::task::yield_now;

    use super::*;

    /// How many items are under way, and how many were at most.
    #[derive(Debug, Default, PartialEq)]
    struct UnderWay {
        now: usize,
        most: usize,
    }

    impl UnderWay {
        fn begin(&mut self) {
            self.now += 1;
            self.most = self.most.max(self.now);
        }
    }

    #[tokio::test]
    async fn every_item_is_processed_and_no_more_than_ten_at_a_time() {
        let items: Vec<usize> = (0..3 * MAX_CONCURRENT).collect();
        let under_way = Arc::new(Mutex::new(UnderWay::default()));
        let run = |under_way: Arc<Mutex<UnderWay>>, item| async move {
            under_way.lock().unwrap().begin();
            yield_now().await;
            under_way.lock().unwrap().now -= 1;
            item
        };
        let mut done = for_each_concurrent(&under_way, items.clone(), run).await;
        done.sort_unstable();
        assert_eq!(done, items);
        assert_eq!(*under_way.lock().unwrap(), UnderWay { now: 0, most: MAX_CONCURRENT });
    }

    #[tokio::test]
    async fn an_item_whose_task_panics_is_left_out() {
        let run = |wrong: u32, item: u32| async move {
            assert_ne!(item, wrong);
            item
        };
        let mut done = for_each_concurrent(&2, vec![1, 2, 3], run).await;
        done.sort_unstable();
        assert_eq!(done, [1, 3]);
    }
}
