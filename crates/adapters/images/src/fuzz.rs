//! Uploads, for fuzzing only: every function panics if a promise is broken.

#![expect(clippy::missing_panics_doc, reason = "to panic is how each of them says that a promise is broken")]

use crate::picture::{Drawings, Picture, is_a_name};

/// The largest side of what is stored.
const STORED_SIDE: u32 = 1_600;

/// An upload: what is accepted is a WebP within the stored size, under a name of ours, and would be accepted again.
pub fn upload(encoded: &[u8]) {
    let Ok(drawn) = Drawings::draw(encoded) else { return };
    let mut widths = Vec::new();
    for (name, picture) in drawn.named() {
        assert!(is_a_name(&name), "{name} is no name");
        let stored = image::load_from_memory_with_format(picture.bytes(), image::ImageFormat::WebP);
        assert!(stored.is_ok(), "what was stored cannot be read");
        let Ok(stored) = stored else { continue };
        assert!(stored.width() <= STORED_SIDE && stored.height() <= STORED_SIDE, "larger than what is stored");
        widths.push(stored.width());
    }
    assert!(widths.is_sorted_by(|narrow, wide| narrow < wide), "the widest is not the last: {widths:?}");
    let largest = drawn.named().last().map(|(_, picture)| picture.bytes().to_vec()).unwrap_or_default();
    assert!(Picture::draw(&largest).is_ok(), "what was stored would be refused");
}
