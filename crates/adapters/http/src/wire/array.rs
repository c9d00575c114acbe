//! Streamed JSON lists.

use std::future::{Future, ready};
use std::io;

use actix_web::web::Bytes;
use actix_web::{HttpResponse, HttpResponseBuilder};
use futures_util::TryStreamExt;
use serde::Serialize;

use crate::problem::Problem;
use crate::wire::batches::{Batch, Placed, batches};

/// Sends a JSON array whose first batch has been read. `read` returns the batch after a cursor. If it fails, the response
/// breaks off and is not valid JSON.
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
    // Most lists are one batch: sent as a whole, with its length.
    if first.1.is_none() {
        return response.json(first.0);
    }
    let pieces =
        batches(first, read).and_then(|Placed { items, is_first, is_last }| ready(text(&items, is_first, is_last)));
    response.content_type("application/json").streaming(pieces)
}

/// One batch as a piece of the array, with the commas and brackets around it. It is never empty: an empty chunk would
/// end the response.
fn text(views: &[impl Serialize], is_first: bool, is_last: bool) -> io::Result<Bytes> {
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
