//! Tax rates, as admins manage them.

use domain::accounts::access::Denied;
use domain::{BasisPoints, Caller, Country, Permission, TaxRate, TaxRateId, Text, Validity, find_overlap};
use ports::RatesOverlap;
use thiserror::Error;

use crate::{Failure, Tax};

/// A rate as an admin enters it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewRate {
    pub country: Country,
    /// A code where the country has codes.
    pub region: Option<Text<60>>,
    pub name: Text<60>,
    pub basis_points: BasisPoints,
    pub valid: Validity,
}

/// With what a rate of a file shares a day and a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OverlapsWith {
    /// The rate of the file at this place in the list.
    Earlier(usize),
    /// A rate that the shop has.
    Kept(Box<TaxRate>),
}

/// Why rates were not imported. None was.
#[derive(Debug, Error)]
pub enum ImportRatesRefused {
    /// By their places in the list, in ascending order.
    #[error("rates overlap")]
    Overlaps(Vec<(usize, OverlapsWith)>),
    /// Somebody else entered one of them in the meantime.
    #[error(transparent)]
    Meanwhile(#[from] RatesOverlap),
}

impl NewRate {
    fn with_id(self, id: TaxRateId) -> TaxRate {
        let Self { country, region, name, basis_points, valid } = self;
        TaxRate { id, country, region, name, basis_points, valid }
    }
}

impl Tax {
    /// All tax rates.
    ///
    /// # Errors
    /// [`Failure::Denied`] unless the caller may set taxes.
    pub async fn rates(&self, caller: &Caller) -> Result<Vec<TaxRate>, Failure> {
        caller.require(Permission::ManageProducts)?;
        Ok(self.rates.list().await?)
    }

    /// Adds a tax rate.
    ///
    /// # Errors
    /// [`RatesOverlap`], and as in [`Self::rates`].
    pub async fn add_rate(&self, caller: &Caller, rate: NewRate) -> Result<TaxRateId, Failure<RatesOverlap>> {
        caller.require(Permission::ManageProducts)?;
        let rate = rate.with_id(TaxRateId::new(self.ids.fresh()));
        self.rates.add(std::slice::from_ref(&rate)).await?;
        Ok(rate.id)
    }

    /// Replaces a tax rate; checkouts keep what they were placed with.
    ///
    /// # Errors
    /// [`RatesOverlap`], [`Denied::NotFound`] if there is no such rate, and as in [`Self::rates`].
    pub async fn edit_rate(&self, caller: &Caller, id: TaxRateId, rate: NewRate) -> Result<(), Failure<RatesOverlap>> {
        caller.require(Permission::ManageProducts)?;
        if self.rates.replace(&rate.with_id(id)).await? { Ok(()) } else { Err(Denied::NotFound.into()) }
    }

    /// Removes a tax rate.
    ///
    /// # Errors
    /// [`Denied::NotFound`] if there is no such rate, and as in [`Self::rates`].
    pub async fn remove_rate(&self, caller: &Caller, id: TaxRateId) -> Result<(), Failure> {
        caller.require(Permission::ManageProducts)?;
        if self.rates.remove(id).await? { Ok(()) } else { Err(Denied::NotFound.into()) }
    }

    /// Adds the rates of a file: all of them or none. With `dry_run`, only says whether it would.
    ///
    /// # Errors
    /// [`ImportRatesRefused`], and as in [`Self::rates`].
    pub async fn import_rates(
        &self,
        caller: &Caller,
        rates: Vec<NewRate>,
        dry_run: bool,
    ) -> Result<(), Failure<ImportRatesRefused>> {
        caller.require(Permission::ManageProducts)?;
        let rates: Vec<TaxRate> =
            rates.into_iter().map(|rate| rate.with_id(TaxRateId::new(self.ids.fresh()))).collect();
        let kept = self.rates.list().await?;
        let overlap = |(place, rate): (usize, &TaxRate)| {
            let earlier = rates.iter().take(place).position(|earlier| earlier.conflicts_with(rate));
            let with = earlier
                .map(OverlapsWith::Earlier)
                .or_else(|| find_overlap(&kept, rate).map(|kept| OverlapsWith::Kept(Box::new(kept.clone()))));
            with.map(|with| (place, with))
        };
        let overlaps: Vec<_> = rates.iter().enumerate().filter_map(overlap).collect();
        if !overlaps.is_empty() {
            return Err(Failure::Refused(ImportRatesRefused::Overlaps(overlaps)));
        }
        if dry_run || rates.is_empty() {
            return Ok(());
        }
        self.rates.add(&rates).await.map_err(|error| Failure::from(error).map(ImportRatesRefused::Meanwhile))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use domain::Role;
    use ports::MockTaxRates;
    use uuid::Uuid;

    use super::*;
    use crate::Ports;
    use crate::testing::{caller, is_forbidden, is_not_found, ports};

    fn rate(country: &str, from: &str, until: Option<&str>) -> NewRate {
        NewRate {
            country: country.parse().unwrap(),
            region: None,
            name: Text::new("VAT").unwrap(),
            basis_points: BasisPoints::new(1_900).unwrap(),
            valid: Validity::new(from.parse().unwrap(), until.map(|until| until.parse().unwrap())).unwrap(),
        }
    }

    fn service(kept: Vec<TaxRate>, added: usize) -> Tax {
        let mut rates = MockTaxRates::new();
        rates.expect_list().returning(move || Ok(kept.clone()));
        rates.expect_add().times(added).returning(|_| Ok(()));
        Tax::new(&Ports { tax_rates: Arc::new(rates), ..ports() })
    }

    fn id(id: u128) -> TaxRateId {
        TaxRateId::new(Uuid::from_u128(id))
    }

    #[tokio::test]
    async fn only_an_admin_sees_and_sets_rates() {
        let (service, customer) = (service(Vec::new(), 0), caller(Role::Customer));
        let german = || rate("DE", "2025-01-01", None);
        assert!(is_forbidden(&service.rates(&customer).await));
        assert!(is_forbidden(&service.add_rate(&customer, german()).await));
        assert!(is_forbidden(&service.edit_rate(&customer, id(1), german()).await));
        assert!(is_forbidden(&service.remove_rate(&customer, id(1)).await));
        assert!(is_forbidden(&service.import_rates(&customer, vec![german()], false).await));
    }

    #[tokio::test]
    async fn an_admin_sees_all_rates() {
        let kept = vec![rate("DE", "2025-01-01", None).with_id(id(1)), rate("FR", "2025-01-01", None).with_id(id(2))];
        assert_eq!(service(kept.clone(), 0).rates(&caller(Role::Admin)).await.unwrap(), kept);
    }

    #[tokio::test]
    async fn a_rate_is_replaced_and_removed_and_one_that_is_not_there_is_not_found() {
        let german = || rate("DE", "2025-01-01", None);
        let mut rates = MockTaxRates::new();
        rates.expect_replace().times(2).returning(move |replaced| Ok(*replaced == german().with_id(id(1))));
        rates.expect_remove().times(2).returning(|removed| Ok(removed == id(1)));
        let service = Tax::new(&Ports { tax_rates: Arc::new(rates), ..ports() });
        let admin = caller(Role::Admin);
        service.edit_rate(&admin, id(1), german()).await.unwrap();
        service.remove_rate(&admin, id(1)).await.unwrap();
        assert!(is_not_found(&service.edit_rate(&admin, id(2), german()).await));
        assert!(is_not_found(&service.remove_rate(&admin, id(2)).await));
    }

    #[tokio::test]
    async fn a_file_with_an_overlap_adds_nothing_and_names_every_one() {
        let kept = rate("FR", "2025-01-01", None).with_id(id(1));
        let service = service(vec![kept.clone()], 0);
        let file = vec![
            rate("DE", "2025-01-01", None),
            rate("DE", "2026-01-01", None),
            rate("FR", "2026-01-01", None),
            rate("IT", "2026-01-01", None),
        ];
        let refused = service.import_rates(&caller(Role::Admin), file, false).await;
        let Err(Failure::Refused(ImportRatesRefused::Overlaps(overlaps))) = refused else { panic!("{refused:?}") };
        assert_eq!(overlaps, [(1, OverlapsWith::Earlier(0)), (2, OverlapsWith::Kept(Box::new(kept)))]);
    }

    #[tokio::test]
    async fn a_file_is_added_at_once_and_a_dry_run_adds_nothing() {
        let file = || vec![rate("DE", "2025-01-01", Some("2025-12-31")), rate("DE", "2026-01-01", None)];
        service(Vec::new(), 1).import_rates(&caller(Role::Admin), file(), false).await.unwrap();
        service(Vec::new(), 0).import_rates(&caller(Role::Admin), file(), true).await.unwrap();
    }
}
