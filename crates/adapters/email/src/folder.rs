//! A folder that letters go to, where nobody's mail server is.

use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use async_trait::async_trait;
use ports::{EmailError, EmailMessage, EmailSender};
use tokio::io::AsyncWriteExt;

use crate::message::{Sender, written};

/// Puts letters into a folder, one file each, as any mail program opens them.
#[derive(Debug)]
pub struct FolderSender {
    folder: PathBuf,
    from: Sender,
}

impl FolderSender {
    /// Makes the folder if it is missing.
    ///
    /// # Errors
    /// If there can be no such folder.
    pub fn in_folder(folder: &Path, from: Sender) -> io::Result<Self> {
        // E-mails hold links that let their readers in.
        std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
        Ok(Self { folder: folder.to_owned(), from })
    }

    async fn put(&self, id: &str, message: &[u8]) -> io::Result<PathBuf> {
        let (unfinished, file) = (self.folder.join(format!(".{id}")), self.folder.join(format!("{id}.eml")));
        let mut open = tokio::fs::OpenOptions::new();
        let mut written = open.write(true).create(true).truncate(true).mode(0o600).open(&unfinished).await?;
        written.write_all(message).await?;
        written.flush().await?;
        // Whoever looks into the folder sees whole letters only.
        tokio::fs::rename(&unfinished, &file).await?;
        Ok(file)
    }
}

#[async_trait]
impl EmailSender for FolderSender {
    async fn send(&self, email: &EmailMessage) -> Result<(), EmailError> {
        let message = written(email, &self.from)?.formatted();
        let file = self.put(&email.id, &message).await.map_err(|error| EmailError::Unavailable(Box::new(error)))?;
        // Not what it says: a letter may hold a link that lets its reader in.
        tracing::info!(to = %email.to, subject = email.subject, file = %file.display(), "a letter");
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;
    use crate::message::tests::{email, sender};

    #[tokio::test]
    async fn an_email_is_a_file_and_sent_again_the_same_file() {
        let folder = tempfile::tempdir().unwrap();
        let email_sender = FolderSender::in_folder(&folder.path().join("mail"), sender()).unwrap();
        for id in ["7.1", "7.1", "8.1"] {
            email_sender.send(&email(id)).await.unwrap();
        }
        let names = std::fs::read_dir(folder.path().join("mail")).unwrap();
        let mut names: Vec<_> = names.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort_unstable();
        assert_eq!(names, ["7.1.eml", "8.1.eml"]);
        let mode = |path: &str| std::fs::metadata(folder.path().join(path)).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode("mail"), mode("mail/7.1.eml")), (0o700, 0o600), "they hold links that let their readers in");
        let told = std::fs::read_to_string(folder.path().join("mail/7.1.eml")).unwrap();
        assert!(told.contains("Message-ID: <7.1@shop.example.com>"), "{told}");
    }

    #[tokio::test]
    async fn a_folder_that_is_gone_is_trouble_that_passes() {
        let folder = tempfile::tempdir().unwrap();
        let email_sender = FolderSender::in_folder(&folder.path().join("mail"), sender()).unwrap();
        std::fs::remove_dir(folder.path().join("mail")).unwrap();
        assert!(matches!(email_sender.send(&email("7.1")).await, Err(EmailError::Unavailable(_))));
    }
}
