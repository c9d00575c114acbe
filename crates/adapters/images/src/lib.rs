//! Product pictures: [`LocalImages`] stores them in a folder of this shop, [`ImgbbImages`] uploads them to an image
//! host.
//!
//! Architecture invariant: no byte of an upload is ever stored or passed on. Both get the picture that [`picture`]
//! encoded anew, so that whatever else an upload held (a script, a place and time, a second file) ends here.

#[cfg(feature = "fuzz")]
pub mod fuzz;
mod imgbb;
mod local;
mod picture;
mod pool;
#[cfg(test)]
mod samples;

pub use imgbb::{HostError, ImgbbImages};
pub use local::{FolderError, LocalImages};
