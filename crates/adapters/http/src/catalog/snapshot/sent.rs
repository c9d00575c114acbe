//! How lists are sent: as JSON in one piece, under a tag that follows from what is in it.

use actix_web::web::Bytes;
use sha2::{Digest, Sha256};

use crate::cache::hex_tag;

/// An array of items that are each in two pieces.
pub(super) fn array<'a>(items: impl Iterator<Item = [&'a [u8]; 2]> + Clone) -> Bytes {
    let mut json = vec![b'['];
    join(&mut json, items);
    json.push(b']');
    json.into()
}

/// Writes them with commas between.
pub(super) fn join<'a>(json: &mut Vec<u8>, items: impl Iterator<Item = [&'a [u8]; 2]> + Clone) {
    let length = |[head, tail]: [&[u8]; 2]| head.len() + tail.len() + 1;
    json.reserve_exact(items.clone().map(length).sum::<usize>() + 1);
    let begin = json.len();
    for [head, tail] in items {
        if json.len() > begin {
            json.push(b',');
        }
        json.extend_from_slice(head);
        json.extend_from_slice(tail);
    }
}

/// The tag of a list: of how many it is a part, and what is in it.
pub(super) fn tag_of<'a>(total: u64, digests: impl Iterator<Item = &'a [u8; 16]>) -> String {
    let mut all = Sha256::new();
    all.update(total.to_be_bytes());
    for digest in digests {
        all.update(digest);
    }
    hex_tag(&all.finalize())
}
