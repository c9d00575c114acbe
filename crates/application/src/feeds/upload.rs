//! Sending the file of a feed, piece by piece.

use std::sync::Arc;

use domain::{Actor, Caller, FeedMode, FileWatch, Permission};
use ports::{FeedRepository, FileSeen, NewFeed, StoreError};
use thiserror::Error;

use crate::feeds::{Feeds, SendFeed};
use crate::{Failure, Unavailable};

/// What is stored at once: large enough for few statements, small enough for many senders.
const PIECE: usize = 512 * 1_024;

/// Why a feed's file is not accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum UploadRefused {
    /// It is larger than a file may be.
    #[error("at most {most} bytes")]
    TooLarge {
        /// The limit.
        most: u64,
    },
    /// Nothing came.
    #[error("the file is empty")]
    Empty,
    /// It is something else than text.
    #[error("{0}")]
    NotText(&'static str),
    /// A feed of this kind cannot say what there is.
    #[error("only feeds of products, numbers and fitment can replace")]
    CannotReplace,
}

/// A file that is coming. If it is dropped before its end, it is forgotten after a while.
pub struct FeedUpload {
    feeds: Arc<dyn FeedRepository>,
    feed: i32,
    most: u64,
    watch: FileWatch,
    waiting: Vec<u8>,
    next: u32,
}

impl Feeds {
    /// Begins a feed. One that was sent before under the same key is `Err` with its number.
    ///
    /// # Errors
    /// [`UploadRefused::CannotReplace`], and [`Failure::Denied`] to anyone but an admin.
    pub async fn send(
        &self,
        caller: &Caller,
        sent: SendFeed,
    ) -> Result<Result<FeedUpload, i32>, Failure<UploadRefused>> {
        caller.require(Permission::ManageProducts)?;
        self.begin(caller.actor(), sent).await
    }

    /// Begins a feed that an operator sends from the command line.
    ///
    /// # Errors
    /// [`UploadRefused::CannotReplace`].
    pub async fn send_from_console(&self, sent: SendFeed) -> Result<Result<FeedUpload, i32>, Failure<UploadRefused>> {
        self.begin(Actor::Shop, sent).await
    }

    async fn begin(&self, by: Actor, sent: SendFeed) -> Result<Result<FeedUpload, i32>, Failure<UploadRefused>> {
        if sent.mode == FeedMode::Replace && !sent.kind.can_replace() {
            return Err(Failure::Refused(UploadRefused::CannotReplace));
        }
        let SendFeed { kind, mode, name, dry_run, consent, idempotency_key } = sent;
        let begun = self.repository.begin(&NewFeed { kind, mode, name, dry_run, consent, by, idempotency_key }).await?;
        Ok(begun.map(|feed| FeedUpload {
            feeds: Arc::clone(&self.repository),
            feed,
            most: self.rules.most_bytes,
            watch: FileWatch::default(),
            waiting: Vec::new(),
            next: 0,
        }))
    }
}

impl FeedUpload {
    /// Takes the next piece of the file.
    ///
    /// # Errors
    /// [`UploadRefused`].
    pub async fn piece(&mut self, piece: &[u8]) -> Result<(), Failure<UploadRefused>> {
        self.watch.see(piece);
        if self.watch.bytes() > self.most {
            return Err(Failure::Refused(UploadRefused::TooLarge { most: self.most }));
        }
        if let Some(why) = self.watch.is_no_text() {
            return Err(Failure::Refused(UploadRefused::NotText(why)));
        }
        self.waiting.extend_from_slice(piece);
        if self.waiting.len() >= PIECE {
            self.store().await?;
        }
        Ok(())
    }

    async fn store(&mut self) -> Result<(), Unavailable> {
        let piece = std::mem::take(&mut self.waiting);
        self.feeds.store(self.feed, self.next, piece).await?;
        self.next += 1;
        Ok(())
    }

    /// Ends the file; from now on the feed waits to be worked on. Returns its number.
    ///
    /// # Errors
    /// [`UploadRefused::Empty`].
    pub async fn end(mut self) -> Result<i32, Failure<UploadRefused>> {
        if self.watch.bytes() == 0 {
            self.feeds.abandon(self.feed).await?;
            return Err(Failure::Refused(UploadRefused::Empty));
        }
        if !self.waiting.is_empty() {
            self.store().await?;
        }
        let (bytes, is_utf8) = (self.watch.bytes(), self.watch.is_utf8());
        let seen = FileSeen { bytes, is_utf8, sha256: std::mem::take(&mut self.watch).sha256() };
        self.feeds.finish(self.feed, &seen).await?;
        Ok(self.feed)
    }

    /// Gives up: nothing of the file stays.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed; then it is forgotten later.
    pub async fn abandon(self) -> Result<(), StoreError> {
        self.feeds.abandon(self.feed).await
    }
}

#[cfg(test)]
mod tests {
    use domain::accounts::access::Denied;
    use domain::{FeedConsent, FeedKind, Role};
    use ports::MockFeedRepository;

    use super::*;
    use crate::testing::{caller, ports};

    fn sending(mode: FeedMode) -> SendFeed {
        let consent = FeedConsent::default();
        SendFeed { kind: FeedKind::Stock, mode, name: None, dry_run: true, consent, idempotency_key: None }
    }

    fn feeds(most_bytes: u64, repository: MockFeedRepository) -> Feeds {
        let mut ports = ports();
        ports.feeds = Arc::new(repository);
        ports.feed_rules.most_bytes = most_bytes;
        Feeds::new(&ports)
    }

    /// The upload of feed 7.
    async fn upload(most_bytes: u64, mut repository: MockFeedRepository) -> FeedUpload {
        repository.expect_begin().returning(|_| Ok(Ok(7)));
        let begun = feeds(most_bytes, repository).send(&caller(Role::Admin), sending(FeedMode::Update)).await;
        begun.unwrap().ok().unwrap()
    }

    #[tokio::test]
    async fn a_file_is_stored_in_pieces_and_ends_with_what_was_seen_of_it() {
        let mut repository = MockFeedRepository::new();
        repository.expect_store().times(2).returning(|feed, no, piece| {
            assert_eq!((feed, piece.len()), (7, if no == 0 { PIECE } else { 1 }));
            Ok(())
        });
        repository.expect_finish().times(1).returning(|_, seen| {
            assert_eq!((seen.bytes, seen.is_utf8), (PIECE as u64 + 1, true));
            Ok(())
        });
        let mut upload = upload(u64::MAX, repository).await;
        upload.piece(&vec![b'a'; PIECE]).await.unwrap();
        upload.piece(b"b").await.unwrap();
        assert_eq!(upload.end().await.unwrap(), 7);
    }

    #[tokio::test]
    async fn half_a_mebibyte_of_a_file_is_stored_at_once_however_its_pieces_come() {
        let mut repository = MockFeedRepository::new();
        repository
            .expect_store()
            .times(2)
            .withf(|feed, no, piece| *feed == 7 && [(0, 524_288), (1, 1)].contains(&(*no, piece.len())))
            .returning(|_, _, _| Ok(()));
        repository.expect_finish().times(1).returning(|_, _| Ok(()));
        let mut upload = upload(u64::MAX, repository).await;
        for bytes in [524_287, 1, 1] {
            upload.piece(&vec![b'a'; bytes]).await.unwrap();
        }
        assert_eq!(upload.end().await.unwrap(), 7);
    }

    #[tokio::test]
    async fn a_file_may_be_as_large_as_the_limit() {
        let mut repository = MockFeedRepository::new();
        repository.expect_store().times(1).withf(|_, _, piece| piece == b"12345678").returning(|_, _, _| Ok(()));
        repository.expect_finish().times(1).withf(|_, seen| seen.bytes == 8).returning(|_, _| Ok(()));
        let mut upload = upload(8, repository).await;
        upload.piece(b"12345").await.unwrap();
        upload.piece(b"678").await.unwrap();
        assert_eq!(upload.end().await.unwrap(), 7);
    }

    #[tokio::test]
    async fn nothing_stays_of_an_upload_that_is_given_up() {
        let mut repository = MockFeedRepository::new();
        repository.expect_abandon().times(1).withf(|feed| *feed == 7).returning(|_| Ok(()));
        let mut upload = upload(8, repository).await;
        upload.piece(b"brand").await.unwrap();
        upload.abandon().await.unwrap();
    }

    #[tokio::test]
    async fn what_is_too_large_empty_or_no_text_is_refused() {
        let begin = || {
            let mut repository = MockFeedRepository::new();
            repository.expect_begin().returning(|_| Ok(Ok(7)));
            repository.expect_abandon().returning(|_| Ok(()));
            feeds(8, repository)
        };
        for (piece, expected) in [
            (&b"123456789"[..], UploadRefused::TooLarge { most: 8 }),
            (b"\x1f\x8b\x08", UploadRefused::NotText("This file is compressed. Send it unpacked.")),
        ] {
            let upload = begin().send(&caller(Role::Admin), sending(FeedMode::Update)).await.unwrap();
            let refused = upload.ok().unwrap().piece(piece).await;
            assert!(matches!(refused, Err(Failure::Refused(why)) if why == expected), "{expected:?}");
        }
        let upload = begin().send(&caller(Role::Admin), sending(FeedMode::Update)).await.unwrap().ok().unwrap();
        assert!(matches!(upload.end().await, Err(Failure::Refused(UploadRefused::Empty))));
        let refused = begin().send(&caller(Role::Admin), sending(FeedMode::Replace)).await;
        assert!(matches!(refused, Err(Failure::Refused(UploadRefused::CannotReplace))));
        let refused = begin().send(&caller(Role::Customer), sending(FeedMode::Update)).await;
        assert!(matches!(refused, Err(Failure::Denied(Denied::Forbidden))));
    }
}
