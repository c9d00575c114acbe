//! Streamed JSON lists: they are read from the store in batches, so that a long list takes no more memory than a
//! short one, however slowly the client reads it.

use std::future::Future;

use actix_web::web::Bytes;
use actix_web::{HttpResponse, HttpResponseBuilder};
use futures_util::stream::try_unfold;
use serde::Serialize;

use crate::problem::Problem;

/// How many items are read per batch.
pub(crate) const BATCH: u32 = 500;

/// A batch: its items, and the cursor of the next batch, if there is one.
pub(crate) type Batch<View, Cursor> = (Vec<View>, Option<Cursor>);

enum Progress<View, Cursor> {
    Begin(Batch<View, Cursor>),
    Read(Cursor),
    End,
}

/// Sends a JSON array whose first batch has been read. `read` returns the batch after a cursor. If it fails, the response
/// breaks off and is not valid JSON: it has already begun, so there is no other way to report the error.
pub(crate) fn send<View, Cursor, Reading>(
    mut response: HttpResponseBuilder,
    first: Batch<View, Cursor>,
    read: impl FnMut(Cursor) -> Reading + 'static,
) -> HttpResponse
where
    View: Serialize + 'static,
    Cursor: 'static,
    Reading: Future<Output = Result<Batch<View, Cursor>, Problem>> + 'static,
{
    let batches = try_unfold((Progress::Begin(first), read), |(progress, mut read)| async move {
        let ((views, next), is_first) = match progress {
            Progress::Begin(batch) => (batch, true),
            Progress::Read(cursor) => {
                (read(cursor).await.map_err(|problem| std::io::Error::other(problem.to_string()))?, false)
            }
            Progress::End => return Ok(None),
        };
        let text = text(&views, is_first, next.is_none())?;
        Ok(Some((text, (next.map_or(Progress::End, Progress::Read), read))))
    });
    response.content_type("application/json").streaming::<_, std::io::Error>(batches)
}

/// One batch as a piece of the array, with the commas and brackets around it. It is never empty: an empty chunk would
/// end the response.
fn text(views: &[impl Serialize], is_first: bool, is_last: bool) -> std::io::Result<Bytes> {
    let mut text = serde_json::to_vec(views)?;
    text.pop();
    if !is_first {
        if views.is_empty() {
            text.clear();
        } else if let Some(bracket) = text.first_mut() {
            *bracket = b',';
        }
    }
    if is_last {
        text.push(b']');
    }
    Ok(text.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(batches: &[&[u32]]) -> String {
        let last = batches.len() - 1;
        let batches = batches.iter().enumerate().map(|(nth, batch)| text(batch, nth == 0, nth == last).unwrap());
        batches.map(|batch| String::from_utf8(batch.to_vec()).unwrap()).collect()
    }

    #[test]
    fn batches_join_to_one_array_however_they_are_split() {
        assert_eq!(joined(&[&[]]), "[]");
        assert_eq!(joined(&[&[1, 2]]), "[1,2]");
        assert_eq!(joined(&[&[1, 2], &[3], &[4]]), "[1,2,3,4]");
        // The items that were there when the first batch was read are gone.
        assert_eq!(joined(&[&[1, 2], &[]]), "[1,2]");
    }
}
