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

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::sync::Arc;

    use domain::{Category, Fitment, FitmentSource, PartFitments, PerVehicle, Product, Role, Text, Verdict};
    use ports::{MockFitmentRepository, MockProductRepository, PartType};
    use uuid::Uuid;

    use super::*;
    use crate::testing::{caller, catalog, now, product};

    const VEHICLE: VehicleNo = VehicleNo::new(7);

    fn id(no: u128) -> ProductId {
        ProductId::new(Uuid::from_u128(no))
    }

    fn wanted() -> WantedVehicle {
        WantedVehicle::new(VEHICLE, Vec::new(), None).unwrap()
    }

    fn fitment(by_hand: bool) -> VehicleFitment {
        let source = FitmentSource { name: Text::new("A maker").unwrap(), dated: None };
        let fitment = Fitment { engine: None, position: None, per_vehicle: PerVehicle::ONE, condition: None, source };
        VehicleFitment { vehicle: VEHICLE, fitment, by_hand }
    }

    fn entered() -> NewFitment {
        NewFitment { vehicle: VEHICLE, engine: None, position: None, per_vehicle: PerVehicle::ONE, condition: None }
    }

    /// Part 1 fits the vehicle, part 2 only others and part 3 every one; of part 4 nobody says anything.
    fn known() -> MockFitmentRepository {
        let mut fitments = MockFitmentRepository::new();
        fitments.expect_of_vehicle().withf(|_, vehicle| *vehicle == VEHICLE).returning(|ids, _| {
            let part = |universal, has_any, of_vehicle| PartFitments { universal, has_any, of_vehicle };
            let known = [
                (id(1), part(false, true, vec![fitment(true).fitment])),
                (id(2), part(false, true, Vec::new())),
                (id(3), part(true, false, Vec::new())),
                (id(4), part(false, false, Vec::new())),
            ];
            Ok(known.into_iter().filter(|(id, _)| ids.contains(id)).collect())
        });
        fitments
    }

    fn with(fitments: MockFitmentRepository) -> Catalog {
        Catalog { fitments: Arc::new(fitments), ..catalog() }
    }

    #[tokio::test]
    async fn whether_a_part_fits_is_said_of_parts_for_sale() {
        let mut products = MockProductRepository::new();
        products.expect_find().returning(|asked| Ok((asked == id(1)).then(product)));
        let catalog = Catalog { products: Arc::new(products), ..with(known()) };
        let fit = catalog.fit(id(1), &wanted()).await.unwrap().unwrap();
        assert_eq!((fit.verdict, fit.because), (Verdict::Yes, vec![fitment(true).fitment]));
        assert_eq!(catalog.fit(id(2), &wanted()).await.unwrap(), None);
    }

    #[tokio::test]
    async fn a_list_for_a_vehicle_says_how_each_part_fits_and_leaves_out_those_that_do_not() {
        let mut products = MockProductRepository::new();
        products.expect_find_all().withf(|_, archived| !archived).returning(|ids, _| {
            let for_sale = ids.iter().filter(|asked| **asked != id(9));
            Ok(for_sale.map(|asked| Product { id: *asked, ..product() }).collect())
        });
        let catalog = Catalog { products: Arc::new(products), ..with(known()) };
        let found = catalog.products_for(&wanted(), [4, 9, 2, 1, 3].map(id).to_vec()).await.unwrap();
        let verdict = |found: FoundProduct| (found.product.id, found.fit.map(|fit| fit.verdict));
        let verdicts: Vec<_> = found.into_iter().map(verdict).collect();
        let expected = [(4, Verdict::Unknown), (1, Verdict::Yes), (3, Verdict::Universal)];
        assert_eq!(verdicts, expected.map(|(no, verdict)| (id(no), Some(verdict))));
    }

    #[tokio::test]
    async fn everybody_sees_all_fitments_of_a_part_for_sale_and_an_admin_those_of_the_shop() {
        let mut fitments = MockFitmentRepository::new();
        fitments
            .expect_of_product()
            .returning(|part| Ok((part == id(1)).then(|| vec![fitment(false), fitment(true), fitment(false)])));
        let (catalog, admin) = (with(fitments), caller(Role::Admin));
        let all = catalog.fitments(id(1)).await.unwrap();
        assert_eq!(all, Some(vec![fitment(false), fitment(true), fitment(false)]));
        assert_eq!(catalog.fitments(id(2)).await.unwrap(), None);
        assert_eq!(catalog.fitments_by_hand(&admin, id(1)).await.unwrap(), [fitment(true)]);
        let unknown = catalog.fitments_by_hand(&admin, id(2)).await;
        assert!(matches!(unknown, Err(Failure::Denied(Denied::NotFound))), "{unknown:?}");
    }

    #[tokio::test]
    async fn what_an_admin_enters_is_written_with_its_day_if_the_part_is_for_sale() {
        let mut fitments = MockFitmentRepository::new();
        fitments
            .expect_set_by_hand()
            .withf(|_, fitments, day| fitments == [entered()] && *day == Day::of(now()))
            .times(2)
            .returning(|part, _, _| Ok((part == id(1)).then_some(())));
        let (catalog, admin) = (with(fitments), caller(Role::Admin));
        catalog.set_fitments(&admin, id(1), &[entered()]).await.unwrap();
        let unknown = catalog.set_fitments(&admin, id(2), &[entered()]).await;
        assert!(matches!(unknown, Err(Failure::Denied(Denied::NotFound))), "{unknown:?}");
    }

    #[tokio::test]
    async fn an_admin_sees_for_how_many_vehicles_there_are_parts() {
        let coverage = || {
            let part_type = PartType { id: 5, name: Text::new("Brake disc").unwrap(), category: Category::Brakes };
            TypeCoverage { part_type, universal: false, vehicles: HashMap::from([(3, 12)]) }
        };
        let mut fitments = MockFitmentRepository::new();
        fitments
            .expect_coverage()
            .withf(|makes| makes == [(VEHICLE, 3)])
            .times(1)
            .returning(move |_| Ok(vec![coverage()]));
        let covered = with(fitments).fitment_coverage(&caller(Role::Admin), &[(VEHICLE, 3)]).await.unwrap();
        assert_eq!(covered, [coverage()]);
    }

    #[tokio::test]
    async fn a_customer_neither_enters_fitments_nor_sees_what_the_shop_entered_or_lacks() {
        let (catalog, customer) = (catalog(), caller(Role::Customer));
        let refused = catalog.fitments_by_hand(&customer, id(1)).await;
        assert!(matches!(refused, Err(Failure::Denied(Denied::Forbidden))), "{refused:?}");
        let refused = catalog.set_fitments(&customer, id(1), &[entered()]).await;
        assert!(matches!(refused, Err(Failure::Denied(Denied::Forbidden))), "{refused:?}");
        let refused = catalog.fitment_coverage(&customer, &[(VEHICLE, 3)]).await;
        assert!(matches!(refused, Err(Failure::Denied(Denied::Forbidden))), "{refused:?}");
    }
}
