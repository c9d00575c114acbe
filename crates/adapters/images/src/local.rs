//! Pictures in a folder of this shop.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use async_trait::async_trait;
use domain::PictureUrl;
use ports::{ImageHost, ImageRefused, PictureLibrary, ProviderError, StoredPicture};
use thiserror::Error;

use crate::picture::{self, Picture};
use crate::pool::{NotDone, Pool};

/// The prefix of a picture's address; the rest is its name.
const ADDRESS: &str = "/images/";
/// The prefix of a file that is being written.
const UNFINISHED: &str = ".unfinished-";
/// How long a file may be in the writing before it is taken for one that a crash left behind.
const ABANDONED: Duration = Duration::from_secs(60 * 60);

/// Threads that draw, and uploads that wait for one. A waiting upload holds up to 5 MB, one being drawn up to 400.
const DRAWING: (usize, usize) = (2, 8);
/// Threads that read, and requests that wait for one. A read takes microseconds, unless the disk is ill.
const READING: (usize, usize) = (2, 512);

/// Why the folder cannot be used.
#[derive(Debug, Error)]
pub enum FolderError {
    /// It can be neither made nor written.
    #[error("cannot write to {}: {source}", path.display())]
    Unwritable {
        /// The folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The system has no thread left.
    #[error("cannot start the threads that draw pictures: {0}")]
    NoThread(#[source] io::Error),
}

/// An image host that is a folder: one file per picture, named by the hash of its bytes.
pub struct LocalImages {
    folder: PathBuf,
    drawing: Pool,
    reading: Pool,
}

impl fmt::Debug for LocalImages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("LocalImages").field(&self.folder).finish()
    }
}

impl LocalImages {
    /// Keeps pictures in a folder, which is made if it is not there. Several copies of the shop may share one.
    ///
    /// # Errors
    /// [`FolderError`] if nothing can be written there.
    pub fn in_folder(folder: &Path) -> Result<Self, FolderError> {
        prepare(folder).map_err(|source| FolderError::Unwritable {
            path: folder.to_owned(),
            source,
        })?;
        let start = |name, (threads, waiting)| {
            Pool::start(name, threads, waiting).map_err(FolderError::NoThread)
        };
        Ok(Self {
            folder: folder.to_owned(),
            drawing: start("draw", DRAWING)?,
            reading: start("picture", READING)?,
        })
    }
}

#[async_trait]
impl ImageHost for LocalImages {
    async fn store(&self, encoded: Vec<u8>) -> Result<PictureUrl, ImageRefused> {
        let folder = self.folder.clone();
        let name = self
            .drawing
            .run(move || {
                let picture = Picture::draw(&encoded)?;
                drop(encoded);
                keep(&folder, &picture).map_err(|error| ImageRefused::Provider(away(error)))
            })
            .await
            .map_err(not_drawn)??;
        let address: Result<PictureUrl, _> = format!("{ADDRESS}{name}").parse();
        address.map_err(|error| ProviderError::Nonsense(Box::new(error)).into())
    }
}

#[async_trait]
impl PictureLibrary for LocalImages {
    async fn read(&self, name: &str) -> Result<Option<StoredPicture>, ProviderError> {
        if !picture::is_a_name(name) {
            return Ok(None);
        }
        let path = self.folder.join(name);
        match self
            .reading
            .run(move || fs::read(path))
            .await
            .map_err(away)?
        {
            Ok(bytes) => Ok(Some(StoredPicture {
                bytes,
                media_type: picture::MEDIA_TYPE,
            })),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(away(error)),
        }
    }
}

/// What to answer when an upload was not drawn: one that breaks the decoder is no picture.
pub(crate) fn not_drawn(reason: NotDone) -> ImageRefused {
    match reason {
        NotDone::Crowded => ImageRefused::Provider(away(reason)),
        NotDone::BrokeOff => ImageRefused::NotAPicture,
    }
}

fn away(cause: impl std::error::Error + Send + Sync + 'static) -> ProviderError {
    ProviderError::Away(Box::new(cause))
}

/// Makes the folder, shows that it can be written, and clears away what a crash left half-written.
fn prepare(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    unfinished(folder)?;
    for file in fs::read_dir(folder)? {
        let file = file?;
        let ours = file.file_name().to_string_lossy().starts_with(UNFINISHED);
        if ours && is_abandoned(&file) {
            // Another copy of the shop may have cleared it away first.
            let _ = fs::remove_file(file.path());
        }
    }
    Ok(())
}

fn is_abandoned(file: &fs::DirEntry) -> bool {
    file.metadata()
        .and_then(|metadata| metadata.modified())
        .is_ok_and(|modified| modified.elapsed().is_ok_and(|age| age > ABANDONED))
}

/// A file with a name of its own that vanishes unless it is renamed.
fn unfinished(folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    tempfile::Builder::new()
        .prefix(UNFINISHED)
        .tempfile_in(folder)
}

/// Writes a picture under its name: whoever finds the name finds all of it, also after a crash.
fn keep(folder: &Path, picture: &Picture) -> io::Result<String> {
    let name = picture.name();
    let path = folder.join(&name);
    if path.try_exists()? {
        return Ok(name);
    }
    let mut file = unfinished(folder)?;
    file.write_all(picture.bytes())?;
    file.as_file().sync_all()?;
    // The same picture at the same moment writes the same bytes over itself.
    file.persist(&path).map_err(|error| error.error)?;
    File::open(folder)?.sync_all()?;
    Ok(name)
}
