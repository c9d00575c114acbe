//! Tax rates.

use async_trait::async_trait;
use domain::{Day, TaxRate, TaxRateId};
use thiserror::Error;

use crate::{StoreError, WriteError};

/// Two rates of one place would be valid on the same day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the tax rates of a place share no day")]
pub struct RatesOverlap;

/// What has to be known to compute taxes on a day.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RatesOn {
    /// The rates that are valid on the day.
    pub rates: Vec<TaxRate>,
    /// Whether there is any rate at all, on whichever day: then an address has to have a country.
    pub any: bool,
}

/// The tax rates. Rates of one place never share a day.
#[cfg_attr(all(feature = "mock", not(test)), mockall::automock)]
#[async_trait]
pub trait TaxRates: Send + Sync {
    /// All rates, by country, region and day.
    async fn list(&self) -> Result<Vec<TaxRate>, StoreError>;

    /// The rates of a day.
    async fn valid_on(&self, day: Day) -> Result<RatesOn, StoreError>;

    /// Adds rates: all of them or none.
    async fn add(&self, rates: &[TaxRate]) -> Result<(), WriteError<RatesOverlap>>;

    /// Replaces a rate by the one with its id. `false` if there is no such rate.
    async fn replace(&self, rate: &TaxRate) -> Result<bool, WriteError<RatesOverlap>>;

    /// Removes a rate. `false` if there is no such rate.
    async fn remove(&self, id: TaxRateId) -> Result<bool, StoreError>;
}
