//! Keeping a search engine in step with the products.

use async_trait::async_trait;
use domain::{Category, NumberKind, ProductId, Timestamp};
use thiserror::Error;
use uuid::Uuid;

use crate::StoreError;
use crate::platform::error::Cause;

/// All by which a product is found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchDocument {
    /// Its small number, by which it is followed.
    pub no: i32,
    /// Its id.
    pub id: ProductId,
    /// Whether it is archived.
    pub archived: bool,
    /// Its category.
    pub category: Category,
    /// Its brand.
    pub brand: Option<Named>,
    /// Its part type, and the number of that.
    pub part_type: Option<(i32, Named)>,
    /// The unit price in cents, as it was; for filters and order only.
    pub price: i64,
    /// Whether the stock covered the minimum order; for filters only.
    pub in_stock: bool,
    /// When it was added.
    pub added: Timestamp,
    /// Its name, as lists are sorted by it.
    pub name_key: String,
    /// Its words, as they are looked up, with spaces between them.
    pub words: String,
    /// The numbers that lead to it.
    pub numbers: Vec<DocumentNumber>,
    /// Its attributes.
    pub attributes: Vec<DocumentAttribute>,
}

/// A name, and how it is compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// The name.
    pub name: String,
    /// The name, folded.
    pub key: String,
}

/// A number that leads to a product.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentNumber {
    /// What it is, of the product that has it.
    pub kind: NumberKind,
    /// What it is compared by.
    pub key: String,
    /// The number as it is printed.
    pub shown: String,
    /// Whose number it is.
    pub brand: Option<Named>,
    /// When it was entered.
    pub since: Timestamp,
    /// How many replacements lie between the product that has it and this one; 0 for its own.
    pub steps: u8,
}

/// An attribute of a product.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentAttribute {
    /// Its name.
    pub name: Named,
    /// The unit of its numbers.
    pub unit: Option<String>,
    /// Its value.
    pub value: DocumentValue,
}

/// The value of an attribute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DocumentValue {
    /// Thousandths of its unit.
    Number(i64),
    /// Words.
    Words(Named),
    /// Yes or no.
    Flag(bool),
}

/// Documents of one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Documents {
    /// When they were read: of two readings the later one has not the lower version.
    pub version: i64,
    /// The documents, by number.
    pub found: Vec<SearchDocument>,
}

/// How far an index has followed the changes of products: all of transactions below `xact`, and those of `xact` up to `seq`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The transaction.
    pub xact: i64,
    /// The change within it.
    pub seq: i64,
}

/// Whether a follower can go on from where it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// Transactions that were open when it began still run; what they change may be in no change that it hears of.
    Waits,
    /// It can go on.
    GoesOn,
    /// It cannot: its changes are not known. So it is in a database that was restored on another server.
    Lost,
}

/// An index of the engine that follows the products.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Follower {
    /// The index's name.
    pub name: String,
    /// How far it is; `None` until it is known from when on it follows.
    pub position: Option<Position>,
    /// Whether it can go on from there.
    pub standing: Standing,
    /// All products up to this number are in; `None` once all are.
    pub filled_to: Option<i32>,
    /// Whether searches are answered from it.
    pub live: bool,
    /// The nightly comparison has come to this number.
    pub compared_to: i32,
    /// Whether the last comparison ended more than a day ago.
    pub compare_due: bool,
}

/// Changes that come next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changes {
    /// The products, and those that are found by their numbers; each once.
    pub products: Vec<i32>,
    /// Where these changes end; `None` if there are none.
    pub to: Option<Position>,
}

/// How far the index behind searches is behind the products.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct IndexLag {
    /// Whether searches can be answered from an index at all.
    pub live: bool,
    /// How many changes it lacks, counted to ten thousand.
    pub changes: u64,
    /// How long ago the oldest of them was made, in seconds.
    pub seconds: u64,
}

/// What changed in the products, for those who follow it.
#[cfg_attr(all(feature = "mock", not(test)), mockall::automock)]
#[async_trait]
pub trait CatalogLog: Send + Sync {
    /// Takes or keeps the lease on writing to the engine for a minute; `false` if another one has it.
    async fn lease(&self, holder: Uuid) -> Result<bool, StoreError>;

    /// Gives the lease up.
    async fn release(&self, holder: Uuid) -> Result<(), StoreError>;

    /// All followers, the live one first.
    async fn followers(&self) -> Result<Vec<Follower>, StoreError>;

    /// Adds a follower. Changes are written down from now on.
    async fn follow(&self, name: &str) -> Result<(), StoreError>;

    /// Sets a new follower's position to now.
    async fn begin(&self, name: &str) -> Result<(), StoreError>;

    /// Removes a follower.
    async fn forget(&self, name: &str) -> Result<(), StoreError>;

    /// At most `most` changes after a position, of transactions that are over and before every one that is not.
    async fn changes(&self, after: Position, most: u32) -> Result<Changes, StoreError>;

    /// Notes how far a follower is.
    async fn followed(&self, name: &str, to: Position) -> Result<(), StoreError>;

    /// Notes up to which product a follower is filled; `None` once it is full.
    async fn filled(&self, name: &str, to: Option<i32>) -> Result<(), StoreError>;

    /// Notes up to which product a follower was compared; `None` once that is done.
    async fn compared(&self, name: &str, to: Option<i32>) -> Result<(), StoreError>;

    /// Makes a follower a live one, in place of a former one.
    async fn make_live(&self, name: &str, former: Option<String>) -> Result<(), StoreError>;

    /// The documents of these products, all of one moment. Products that do not exist have none.
    async fn documents(&self, products: &[i32]) -> Result<Documents, StoreError>;

    /// The numbers of the products that come next, at most `most`.
    async fn products_after(&self, no: i32, most: u32) -> Result<Vec<i32>, StoreError>;

    /// Deletes at most `most` changes that every follower has, and returns how many. Followers that nobody has had the lease to write
    /// for in a week are gone.
    async fn forget_changes(&self, most: u32) -> Result<u32, StoreError>;

    /// How far the newest live follower is behind.
    async fn lag(&self) -> Result<IndexLag, StoreError>;
}

/// Why a call to the search engine failed.
#[derive(Debug, Error)]
pub enum EngineError {
    /// It did not answer in time, or that it has too much to do.
    #[error("the search engine does not answer")]
    Unavailable(#[source] Cause),
    /// It answered what makes no sense, or lets nobody in.
    #[error("the search engine's answer makes no sense")]
    InvalidResponse(#[source] Cause),
    /// It refuses what was sent; others may be welcome.
    #[error("the search engine refuses what it was sent")]
    Refused(#[source] Cause),
    /// It does not have the index.
    #[error("the search engine has no such index")]
    Missing,
}

/// A search engine, as it is filled. Every call may be repeated.
#[cfg_attr(all(feature = "mock", not(test)), mockall::automock)]
#[async_trait]
pub trait SearchEngine: Send + Sync {
    /// The name of a new index.
    fn name(&self, made_at: Timestamp) -> String;

    /// Whether an index has the fields that this program writes.
    fn owns(&self, name: &str) -> bool;

    /// Makes an index, unless it is there.
    async fn create(&self, name: &str) -> Result<(), EngineError>;

    /// Whether an index is there.
    async fn exists(&self, name: &str) -> Result<bool, EngineError>;

    /// The index from which searches are answered.
    async fn serving(&self) -> Result<Option<String>, EngineError>;

    /// Writes documents into an index, and removes the products of `asked` that have none. What is in it already of a later
    /// version stays. Returns the documents that the engine refused, each with why; all others are written.
    async fn write(&self, name: &str, asked: &[i32], documents: &Documents) -> Result<Vec<(i32, String)>, EngineError>;

    /// Of the products from one number to another, those whose documents in the index are not these.
    async fn differing(
        &self,
        name: &str,
        from: i32,
        to: i32,
        documents: &[SearchDocument],
    ) -> Result<Vec<i32>, EngineError>;

    /// Lets searches be answered from an index, in place of any other, at once.
    async fn serve(&self, name: &str) -> Result<(), EngineError>;

    /// Removes all indexes of the shop but these.
    async fn keep_only(&self, names: &[String]) -> Result<(), EngineError>;
}
