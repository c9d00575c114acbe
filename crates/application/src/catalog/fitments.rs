//! Which part fits which vehicle.

use domain::accounts::access::Denied;
use domain::{Caller, Day, Fit, Permission, ProductId, VehicleNo, WantedVehicle};
use ports::{NewFitment, StoreError, TypeCoverage, VehicleFitment};

use crate::{Catalog, Failure, FoundProduct};

impl Catalog {
    /// Whether a product that is for sale fits a vehicle, and why; `None` if there is no such product.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed.
    pub async fn fit(&self, product: ProductId, wanted: &WantedVehicle) -> Result<Option<Fit>, StoreError> {
        if self.products.find(product).await?.is_none() {
            return Ok(None);
        }
        let mut known = self.fitments.of_vehicle(&[product], wanted.vehicle()).await?;
        Ok(known.remove(&product).map(|part| Fit::of(part, wanted)))
    }

    /// The products of a list, each with whether it fits; without those that do not fit any more.
    pub(super) async fn with_fit(
        &self,
        found: Vec<FoundProduct>,
        wanted: &WantedVehicle,
    ) -> Result<Vec<FoundProduct>, StoreError> {
        if found.is_empty() {
            return Ok(found);
        }
        let ids: Vec<ProductId> = found.iter().map(|found| found.product.id).collect();
        let mut known = self.fitments.of_vehicle(&ids, wanted.vehicle()).await?;
        let fitting = found.into_iter().filter_map(|found| {
            let fit = Fit::of(known.remove(&found.product.id)?, wanted);
            (fit.verdict != domain::Verdict::No).then_some(FoundProduct { fit: Some(fit), ..found })
        });
        Ok(fitting.collect())
    }

    /// The vehicles that a product fits, ordered by the vehicle; `None` if it is not for sale.
    ///
    /// # Errors
    /// [`StoreError`] if the store failed.
    pub async fn fitments(&self, product: ProductId) -> Result<Option<Vec<VehicleFitment>>, StoreError> {
        self.fitments.of_product(product).await
    }

    /// The vehicles that a product fits, as far as the shop entered them itself.
    ///
    /// # Errors
    /// [`Denied::NotFound`] if it is not for sale.
    pub async fn fitments_by_hand(&self, caller: &Caller, product: ProductId) -> Result<Vec<VehicleFitment>, Failure> {
        caller.require(Permission::ManageProducts)?;
        let mut fitments = self.fitments.of_product(product).await?.ok_or(Denied::NotFound)?;
        fitments.retain(|fitment| fitment.by_hand);
        Ok(fitments)
    }

    /// Replaces what the shop entered itself of the vehicles that a product fits.
    ///
    /// # Errors
    /// [`Denied::NotFound`] if it is not for sale.
    pub async fn set_fitments(
        &self,
        caller: &Caller,
        product: ProductId,
        fitments: &[NewFitment],
    ) -> Result<(), Failure> {
        caller.require(Permission::ManageProducts)?;
        let today = Day::of(self.clock.now());
        self.fitments.set_by_hand(product, fitments, today).await?.ok_or(Denied::NotFound.into())
    }

    /// For how many of these vehicles there are parts, by part type and make. Of each comes its number and that of its make.
    ///
    /// # Errors
    /// [`Failure::Denied`] to anyone but an admin.
    pub async fn fitment_coverage(
        &self,
        caller: &Caller,
        makes: &[(VehicleNo, i32)],
    ) -> Result<Vec<TypeCoverage>, Failure> {
        caller.require(Permission::ManageProducts)?;
        Ok(self.fitments.coverage(makes).await?)
    }
}
