//! Lists that are read from the store in batches, so that a long list takes no more memory than a short one, however
//! slowly the client reads it.

use std::future::Future;
use std::io;

use futures_util::stream::{Stream, try_unfold};

use crate::problem::Problem;

/// How many items are read per batch.
pub(crate) const BATCH: u32 = 500;

/// A batch: its items, and the cursor of the next batch, if there is one.
pub(crate) type Batch<Item, Cursor> = (Vec<Item>, Option<Cursor>);

/// A batch, and where it stands in its list.
pub(crate) struct Placed<Item> {
    pub(crate) items: Vec<Item>,
    pub(crate) is_first: bool,
    pub(crate) is_last: bool,
}

enum Progress<Item, Cursor> {
    Begin(Batch<Item, Cursor>),
    Read(Cursor),
    End,
}

/// Every batch of a list whose first one has been read. `read` returns the batch after a cursor. If it fails, the
/// response has already begun, so the error can only be reported by breaking it off; its cause is in the log.
pub(crate) fn batches<Item, Cursor, Reading>(
    first: Batch<Item, Cursor>,
    read: impl FnMut(Cursor) -> Reading + 'static,
) -> impl Stream<Item = io::Result<Placed<Item>>> + 'static
where
    Item: 'static,
    Cursor: 'static,
    Reading: Future<Output = Result<Batch<Item, Cursor>, Problem>> + 'static,
{
    try_unfold((Progress::Begin(first), read), |(progress, mut read)| async move {
        let ((items, next), is_first) = match progress {
            Progress::Begin(batch) => (batch, true),
            Progress::Read(cursor) => {
                (read(cursor).await.map_err(|problem| io::Error::other(problem.to_string()))?, false)
            }
            Progress::End => return Ok(None),
        };
        let placed = Placed { items, is_first, is_last: next.is_none() };
        Ok(Some((placed, (next.map_or(Progress::End, Progress::Read), read))))
    })
}
