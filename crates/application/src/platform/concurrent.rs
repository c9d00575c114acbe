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
