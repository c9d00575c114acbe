//! How goods are delivered.

use async_trait::async_trait;
use domain::{ProductId, ShippingMethod, ShippingMethodId, ShippingTerms, Text};
use thiserror::Error;

use crate::{StoreError, WriteError};

/// Another method has this name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("another shipping method has this name")]
pub struct MethodNameTaken;

/// A product whose weight nobody knows, so that it is delivered as if it weighed nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnweighedProduct {
    /// Its id.
    pub id: ProductId,
    /// Its name.
    pub name: Text<200>,
    /// The maker's number, if it has one.
    pub part_number: Option<Text<60>>,
}

/// How many products without a weight are listed at most.
pub const UNWEIGHED_MAX: usize = 500;

/// The shipping methods. There are few: whoever needs some reads all.
#[cfg_attr(all(feature = "mock", not(test)), mockall::automock)]
#[async_trait]
pub trait ShippingMethods: Send + Sync {
    /// All methods, in the order in which they were added.
    async fn list(&self) -> Result<Vec<ShippingMethod>, StoreError>;

    /// Adds a method. Names are compared ignoring case.
    async fn add(&self, terms: &ShippingTerms) -> Result<ShippingMethodId, WriteError<MethodNameTaken>>;

    /// Replaces the terms of a method; checkouts keep what they were placed with. `false` if there is no such method.
    async fn replace(&self, method: &ShippingMethod) -> Result<bool, WriteError<MethodNameTaken>>;

    /// Removes a method. `false` if there is no such method.
    async fn remove(&self, id: ShippingMethodId) -> Result<bool, StoreError>;

    /// Products for sale without a weight, those added last first; at most [`UNWEIGHED_MAX`].
    async fn unweighed(&self) -> Result<Vec<UnweighedProduct>, StoreError>;
}
