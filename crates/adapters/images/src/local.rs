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

use crate::picture::{self, Drawings, Picture};
use crate::pool::{DRAWING_THREADS, DRAWING_WAITING, Pool};

/// The prefix of a picture's address; the rest is its name.
const ADDRESS: &str = "/images/";
/// The prefix of a file that is being written.
const UNFINISHED: &str = ".unfinished-";
/// Age after which an unfinished file counts as left behind by a crash.
const ABANDONED: Duration = Duration::from_hours(1);

/// Threads that read, and requests that may wait for one. A read takes microseconds, unless the disk is failing.
const READING: (usize, usize) = (2, 512);

/// Why the folder cannot be used.
#[derive(Debug, Error)]
pub enum FolderError {
    /// The folder can be neither created nor written.
    #[error("cannot write to {}: {source}", path.display())]
    Unwritable { path: PathBuf, source: io::Error },
    #[error("cannot start the threads that draw pictures: {0}")]
    NoThread(#[source] io::Error),
}

/// An image host that is a folder: one file per width of a picture, named by the hash of its bytes.
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
    /// Stores pictures in a folder, which is created if it is missing. Several instances may share one.
    ///
    /// # Errors
    /// [`FolderError`] if the folder cannot be written, or the threads cannot be started.
    pub fn in_folder(folder: &Path) -> Result<Self, FolderError> {
        prepare(folder).map_err(|source| FolderError::Unwritable { path: folder.to_owned(), source })?;
        let start = |name, (threads, waiting)| Pool::start(name, threads, waiting).map_err(FolderError::NoThread);
        Ok(Self {
            folder: folder.to_owned(),
            drawing: start("draw", (DRAWING_THREADS, DRAWING_WAITING))?,
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
                let drawings = Drawings::draw(&encoded)?;
                drop(encoded);
                keep(&folder, &drawings).map_err(|error| ImageRefused::Provider(unavailable(error)))
            })
            .await??;
        let address: Result<PictureUrl, _> = format!("{ADDRESS}{name}").parse();
        address.map_err(|error| ProviderError::InvalidResponse(Box::new(error)).into())
    }
}

#[async_trait]
impl PictureLibrary for LocalImages {
    async fn read(&self, name: &str) -> Result<Option<StoredPicture>, ProviderError> {
        if !picture::is_a_name(name) {
            return Ok(None);
        }
        let path = self.folder.join(name);
        match self.reading.run(move || fs::read(path)).await.map_err(unavailable)? {
            Ok(bytes) => Ok(Some(StoredPicture { bytes, media_type: picture::MEDIA_TYPE })),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(unavailable(error)),
        }
    }
}

fn unavailable(cause: impl std::error::Error + Send + Sync + 'static) -> ProviderError {
    ProviderError::Unavailable(Box::new(cause))
}

/// Creates the folder, checks that it can be written, and removes files that a crash left half-written.
fn prepare(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    unfinished(folder)?;
    for file in fs::read_dir(folder)? {
        let file = file?;
        let ours = file.file_name().to_string_lossy().starts_with(UNFINISHED);
        if ours && is_abandoned(&file) {
            // Another instance may have removed it first.
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

/// A file with a unique name that is deleted unless it is renamed.
fn unfinished(folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    tempfile::Builder::new().prefix(UNFINISHED).tempfile_in(folder)
}

/// Writes a picture in all its widths, and returns the name of the widest. That one is written last: if it exists, all
/// of them exist, also after a crash. The files that a crash leaves are complete, and are reused when the upload is
/// retried.
fn keep(folder: &Path, drawings: &Drawings) -> io::Result<String> {
    let mut last = String::new();
    for (name, picture) in drawings.named() {
        write(folder, &name, picture)?;
        last = name;
    }
    Ok(last)
}

/// Writes a file under its name atomically: if the name exists, the file is complete.
fn write(folder: &Path, name: &str, picture: &Picture) -> io::Result<()> {
    let path = folder.join(name);
    if path.try_exists()? {
        return Ok(());
    }
    let mut file = unfinished(folder)?;
    file.write_all(picture.bytes())?;
    file.as_file().sync_all()?;
    // The same picture stored concurrently is overwritten with the same bytes.
    file.persist(&path).map_err(|error| error.error)?;
    File::open(folder)?.sync_all()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::samples;

    fn files(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> =
            fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[tokio::test]
    async fn a_stored_picture_can_be_read_back_under_its_address() {
        let folder = tempfile::tempdir().unwrap();
        let images = LocalImages::in_folder(folder.path()).unwrap();
        let address = images.store(samples::jpeg(64, 48)).await.unwrap();
        let name = address.as_str().strip_prefix("/images/").unwrap();
        let stored = images.read(name).await.unwrap().unwrap();
        assert_eq!(stored.media_type, "image/webp");
        assert_eq!(&stored.bytes[8..12], b"WEBP");
        assert_eq!(files(folder.path()), [name]);
    }

    #[tokio::test]
    async fn pictures_survive_a_restart() {
        let folder = tempfile::tempdir().unwrap();
        let address = {
            let images = LocalImages::in_folder(folder.path()).unwrap();
            images.store(samples::png(10, 10)).await.unwrap()
        };
        let images = LocalImages::in_folder(folder.path()).unwrap();
        let name = address.as_str().strip_prefix("/images/").unwrap();
        assert!(images.read(name).await.unwrap().is_some());
    }

    #[tokio::test]
    async fn the_same_picture_uploaded_concurrently_is_one_file() {
        let folder = tempfile::tempdir().unwrap();
        let images = Arc::new(LocalImages::in_folder(folder.path()).unwrap());
        let uploads: Vec<_> = (0..8)
            .map(|_| {
                let images = Arc::clone(&images);
                tokio::spawn(async move { images.store(samples::png(300, 200)).await })
            })
            .collect();
        let mut addresses = Vec::new();
        for upload in uploads {
            addresses.push(upload.await.unwrap().unwrap());
        }
        addresses.dedup();
        assert_eq!(addresses.len(), 1);
        assert_eq!(files(folder.path()).len(), 1);
    }

    #[tokio::test]
    async fn the_address_implies_the_widths_and_each_of_them_can_be_read() {
        let folder = tempfile::tempdir().unwrap();
        let images = LocalImages::in_folder(folder.path()).unwrap();
        let address = images.store(samples::png(1_000, 750)).await.unwrap();
        let base = address.as_str().strip_prefix("/images/").unwrap().strip_suffix("-1000.webp").unwrap();
        for width in [320, 640, 960, 1_000] {
            let stored = images.read(&format!("{base}-{width}.webp")).await.unwrap().unwrap();
            assert_eq!(image::load_from_memory(&stored.bytes).unwrap().width(), width);
        }
        assert_eq!(files(folder.path()).len(), 4);
        assert_eq!(images.read(&format!("{base}-1600.webp")).await.unwrap(), None);
    }

    #[tokio::test]
    async fn an_interrupted_upload_is_completed_by_the_next_attempt() {
        let folder = tempfile::tempdir().unwrap();
        let images = LocalImages::in_folder(folder.path()).unwrap();
        let address = images.store(samples::png(700, 525)).await.unwrap();
        let whole = files(folder.path());
        let widest = address.as_str().strip_prefix("/images/").unwrap();
        // As if the program had stopped before the last of the three files, and while the first was being written.
        fs::remove_file(folder.path().join(widest)).unwrap();
        fs::remove_file(folder.path().join(&whole[0])).unwrap();
        fs::write(folder.path().join(".unfinished-first"), b"RIFF").unwrap();
        assert_eq!(images.store(samples::png(700, 525)).await.unwrap(), address);
        fs::remove_file(folder.path().join(".unfinished-first")).unwrap();
        assert_eq!(files(folder.path()), whole);
    }

    #[tokio::test]
    async fn a_picture_stored_before_there_were_widths_is_still_found() {
        let folder = tempfile::tempdir().unwrap();
        let picture = Picture::draw(&samples::png(10, 10)).unwrap();
        fs::write(folder.path().join(picture.name()), picture.bytes()).unwrap();
        let images = LocalImages::in_folder(folder.path()).unwrap();
        assert_eq!(images.read(&picture.name()).await.unwrap().unwrap().bytes, picture.bytes());
    }

    #[tokio::test]
    async fn uploads_beyond_the_queue_are_refused_and_the_others_are_stored() {
        let folder = tempfile::tempdir().unwrap();
        let images = Arc::new(LocalImages::in_folder(folder.path()).unwrap());
        let uploads: Vec<_> = (0..40)
            .map(|_| {
                let images = Arc::clone(&images);
                tokio::spawn(async move { images.store(samples::flat_png(1_000, 1_000)).await })
            })
            .collect();
        let mut kept = 0;
        let mut refused = 0;
        for upload in uploads {
            match upload.await.unwrap() {
                Ok(_) => kept += 1,
                Err(ImageRefused::Provider(ProviderError::Unavailable(_))) => refused += 1,
                Err(other) => panic!("{other:?}"),
            }
        }
        assert!(kept >= DRAWING_WAITING, "{kept}");
        assert!(refused > 0);
    }

    #[tokio::test]
    async fn only_names_of_the_exact_format_are_looked_up() {
        let parent = tempfile::tempdir().unwrap();
        let folder = parent.path().join("images");
        let images = LocalImages::in_folder(&folder).unwrap();
        let address = images.store(samples::png(10, 10)).await.unwrap();
        let name = address.as_str().strip_prefix("/images/").unwrap();
        fs::write(parent.path().join("secret"), "x").unwrap();
        fs::write(folder.join("secret.webp"), "x").unwrap();
        let hash = name.strip_suffix("-10.webp").unwrap();
        for asked in [
            "",
            ".",
            "..",
            "../secret",
            "secret.webp",
            "/etc/passwd",
            &format!("./{name}"),
            &format!("../images/{name}"),
            &format!("{name}\0"),
            &format!("{name}/"),
            hash,
            &format!("{hash}.WEBP"),
            &format!("{hash}.png"),
            &format!("{}.webp", hash.to_uppercase()),
            &format!("{}.webp", &hash[1..]),
            &format!("a{hash}.webp"),
            &format!("{}.webp", "ä".repeat(32)),
            &format!("{hash}.webp"),
            &format!("{hash}-010.webp"),
            &format!("{hash}-320.webp"),
            &format!("{hash}-10.webp/../{name}"),
        ] {
            assert_eq!(images.read(asked).await.unwrap(), None, "{asked:?}");
        }
    }

    #[tokio::test]
    async fn an_unknown_name_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let images = LocalImages::in_folder(folder.path()).unwrap();
        let name = format!("{}.webp", "0".repeat(64));
        assert_eq!(images.read(&name).await.unwrap(), None);
    }

    #[tokio::test]
    async fn a_refused_upload_leaves_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let images = LocalImages::in_folder(folder.path()).unwrap();
        let refused = images.store(b"<svg xmlns='x'/>".to_vec()).await;
        assert!(matches!(refused, Err(ImageRefused::NotAPicture)));
        assert!(files(folder.path()).is_empty());
    }

    #[test]
    fn a_folder_that_cannot_be_written_is_refused_at_startup() {
        let parent = tempfile::tempdir().unwrap();
        let file = parent.path().join("file");
        fs::write(&file, "").unwrap();
        let refused = LocalImages::in_folder(&file.join("images")).unwrap_err();
        assert!(matches!(refused, FolderError::Unwritable { .. }));
        assert!(refused.to_string().contains("file/images"), "{refused}");
    }

    #[test]
    fn files_that_a_crash_left_are_removed_but_not_files_being_written() {
        let folder = tempfile::tempdir().unwrap();
        let old = folder.path().join(".unfinished-old");
        let file = File::create(&old).unwrap();
        file.set_modified(std::time::SystemTime::now() - 2 * ABANDONED).unwrap();
        let fresh = folder.path().join(".unfinished-fresh");
        File::create(&fresh).unwrap();
        LocalImages::in_folder(folder.path()).unwrap();
        assert_eq!(files(folder.path()), [".unfinished-fresh"]);
    }
}
