//! Writes e-mails to a folder, where there is no mail server.

use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use async_trait::async_trait;
use ports::{EmailError, EmailMessage, EmailSender};
use tokio::io::AsyncWriteExt;

use crate::message::{Composed, Composer};

/// Writes e-mails to a folder, one file each, in the format that mail programs open.
#[derive(Debug)]
pub struct FolderSender {
    folder: PathBuf,
    composer: Composer,
}

impl FolderSender {
    /// Creates the folder if it is missing.
    ///
    /// # Errors
    /// If the folder cannot be created.
    pub fn in_folder(folder: &Path, composer: Composer) -> io::Result<Self> {
        // E-mails hold links that grant access to accounts.
        std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
        Ok(Self { folder: folder.to_owned(), composer })
    }

    async fn put(&self, id: &str, message: &[u8]) -> io::Result<PathBuf> {
        let (unfinished, file) = (self.folder.join(format!(".{id}")), self.folder.join(format!("{id}.eml")));
        let mut open = tokio::fs::OpenOptions::new();
        let mut written = open.write(true).create(true).truncate(true).mode(0o600).open(&unfinished).await?;
        written.write_all(message).await?;
        written.flush().await?;
        // The rename makes only complete e-mails visible in the folder.
        tokio::fs::rename(&unfinished, &file).await?;
        Ok(file)
    }
}

#[async_trait]
impl EmailSender for FolderSender {
    async fn send(&self, email: &EmailMessage) -> Result<(), EmailError> {
        let Composed { subject, message } = self.composer.compose(email)?;
        let file = self
            .put(&email.id, &message.formatted())
            .await
            .map_err(|error| EmailError::Unavailable(Box::new(error)))?;
        // Not the content: an e-mail may hold a link that grants access to an account.
        tracing::info!(to = %email.to, subject, file = %file.display(), "an e-mail was written to a file");
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;
    use crate::message::tests::{composer, email};

    #[tokio::test]
    async fn an_email_is_a_file_and_sent_again_the_same_file() {
        let folder = tempfile::tempdir().unwrap();
        let email_sender = FolderSender::in_folder(&folder.path().join("mail"), composer()).unwrap();
        for id in ["7.1", "7.1", "8.1"] {
            email_sender.send(&email(id)).await.unwrap();
        }
        let names = std::fs::read_dir(folder.path().join("mail")).unwrap();
        let mut names: Vec<_> = names.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort_unstable();
        assert_eq!(names, ["7.1.eml", "8.1.eml"]);
        let mode = |path: &str| std::fs::metadata(folder.path().join(path)).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode("mail"), mode("mail/7.1.eml")), (0o700, 0o600), "they hold links that grant access");
        let written = std::fs::read_to_string(folder.path().join("mail/7.1.eml")).unwrap();
        assert!(written.contains("Message-ID: <7.1@shop.example.com>"), "{written}");
    }

    #[tokio::test]
    async fn a_missing_folder_is_reported_as_unavailable() {
        let folder = tempfile::tempdir().unwrap();
        let email_sender = FolderSender::in_folder(&folder.path().join("mail"), composer()).unwrap();
        std::fs::remove_dir(folder.path().join("mail")).unwrap();
        assert!(matches!(email_sender.send(&email("7.1")).await, Err(EmailError::Unavailable(_))));
    }
}
