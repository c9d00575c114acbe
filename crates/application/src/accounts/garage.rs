//! The vehicles of one's own garage.

use domain::accounts::access::Denied;
use domain::{Caller, ChosenVehicle, Edit, GarageEdit, GarageVehicle, GarageVehicleId, Permission, Text};
use ports::{Added, GarageFull, IdempotencyKey, NewGarageVehicle, SealedVin, StoredGarageVehicle, VinText, WriteError};
use thiserror::Error;

use crate::{Accounts, Failure};

/// Why a vehicle is not kept.
#[derive(Debug, Error)]
pub enum GarageRefused {
    /// There is no space for it.
    #[error(transparent)]
    Full(#[from] GarageFull),
    #[error("the VIN could not be sealed")]
    Unsealed,
}

/// A vehicle in a garage, as its owner sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptVehicle {
    pub vehicle: GarageVehicle,
    /// `None` if it has none, or if the secret that sealed it was dropped.
    pub vin: Option<VinText>,
}

/// What a customer wants to keep.
#[derive(Debug, Clone)]
pub struct GarageSpace {
    pub chosen: ChosenVehicle,
    pub name: Option<Text<60>>,
    pub vin: Option<VinText>,
}

impl Accounts {
    /// The caller's vehicles, those added last first.
    ///
    /// # Errors
    /// [`Failure::Unavailable`].
    pub async fn garage(&self, caller: &Caller) -> Result<Vec<KeptVehicle>, Failure> {
        caller.require_owner(Permission::KeepGarage, caller.account)?;
        Ok(self.garage.list(caller.account).await?.into_iter().map(|stored| self.opened(stored)).collect())
    }

    /// Keeps a vehicle.
    ///
    /// # Errors
    /// [`GarageRefused`].
    pub async fn keep_vehicle(
        &self,
        caller: &Caller,
        wanted: GarageSpace,
        idempotency_key: Option<IdempotencyKey>,
    ) -> Result<KeptVehicle, Failure<GarageRefused>> {
        caller.require_owner(Permission::KeepGarage, caller.account)?;
        let GarageSpace { chosen, name, vin } = wanted;
        let id = GarageVehicleId::new(self.ids.fresh());
        let vehicle = GarageVehicle { id, chosen, name, added_at: self.clock.now() };
        let sealed = vin.map(|vin| self.sealed(id, &vin)).transpose()?;
        let stored = StoredGarageVehicle { vehicle, vin: sealed };
        let new = NewGarageVehicle { account: caller.account, stored, idempotency_key };
        Ok(match self.garage.add(&new).await.map_err(refused)? {
            Added::New => self.opened(new.stored),
            Added::Before(first) => self.opened(first),
        })
    }

    /// Keeps those of the vehicles that are not there under the same name, the first of them first, and returns all.
    ///
    /// # Errors
    /// [`GarageRefused::Full`]: nothing was changed.
    pub async fn merge_garage(
        &self,
        caller: &Caller,
        vehicles: Vec<(ChosenVehicle, Option<Text<60>>)>,
    ) -> Result<Vec<KeptVehicle>, Failure<GarageRefused>> {
        caller.require_owner(Permission::KeepGarage, caller.account)?;
        let at = self.clock.now();
        // Ids grow, and later ones come first.
        let vehicles: Vec<GarageVehicle> = vehicles
            .into_iter()
            .rev()
            .map(|(chosen, name)| GarageVehicle {
                id: GarageVehicleId::new(self.ids.fresh()),
                chosen,
                name,
                added_at: at,
            })
            .collect();
        self.garage.merge(caller.account, &vehicles).await.map_err(refused)?;
        Ok(self.garage.list(caller.account).await?.into_iter().map(|stored| self.opened(stored)).collect())
    }

    /// Changes a vehicle of the caller's.
    ///
    /// # Errors
    /// [`Failure::Denied`] if the caller has no such vehicle.
    pub async fn edit_vehicle(
        &self,
        caller: &Caller,
        id: GarageVehicleId,
        edit: GarageEdit<VinText>,
    ) -> Result<KeptVehicle, Failure<GarageRefused>> {
        caller.require_owner(Permission::KeepGarage, caller.account)?;
        let vin = match edit.vin {
            Edit::Keep => Edit::Keep,
            Edit::Set(vin) => Edit::Set(vin.map(|vin| self.sealed(id, &vin)).transpose()?),
        };
        let edit = GarageEdit { chosen: edit.chosen, name: edit.name, vin };
        let edited = self.garage.edit(caller.account, id, &edit).await?.ok_or(Denied::NotFound)?;
        Ok(self.opened(edited))
    }

    /// Removes a vehicle of the caller's.
    ///
    /// # Errors
    /// [`Failure::Denied`] if the caller has no such vehicle.
    pub async fn remove_vehicle(&self, caller: &Caller, id: GarageVehicleId) -> Result<(), Failure> {
        caller.require_owner(Permission::KeepGarage, caller.account)?;
        if self.garage.remove(caller.account, id).await? { Ok(()) } else { Err(Denied::NotFound.into()) }
    }

    fn sealed(&self, id: GarageVehicleId, vin: &VinText) -> Result<SealedVin, Failure<GarageRefused>> {
        self.vins.seal(id, vin).ok_or(Failure::Refused(GarageRefused::Unsealed))
    }

    fn opened(&self, stored: StoredGarageVehicle) -> KeptVehicle {
        let StoredGarageVehicle { vehicle, vin } = stored;
        let vin = vin.and_then(|sealed| self.vins.open(vehicle.id, &sealed));
        KeptVehicle { vehicle, vin }
    }
}

fn refused(error: WriteError<GarageFull>) -> Failure<GarageRefused> {
    Failure::from(error).map(GarageRefused::Full)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use domain::Role;
    use ports::{MockGarageRepository, MockVinSeal};
    use uuid::Uuid;

    use super::*;
    use crate::Ports;
    use crate::testing::{caller, now, ports};

    const CAMRY: ChosenVehicle = ChosenVehicle { vehicle: 390_258, engine: None };

    fn vin() -> VinText {
        VinText::new("1HGCM82633A004352".into())
    }

    fn id(number: u128) -> GarageVehicleId {
        GarageVehicleId::new(Uuid::from_u128(number))
    }

    fn stored(number: u128, sealed: Option<SealedVin>) -> StoredGarageVehicle {
        let vehicle = GarageVehicle { id: id(number), chosen: CAMRY, name: None, added_at: now() };
        StoredGarageVehicle { vehicle, vin: sealed }
    }

    #[tokio::test]
    async fn a_garage_shows_all_its_vehicles_and_every_vin_that_can_be_opened() {
        let mut garage = MockGarageRepository::new();
        let inside = vec![stored(3, Some(SealedVin(vec![1]))), stored(2, Some(SealedVin(vec![2]))), stored(1, None)];
        garage
            .expect_list()
            .times(1)
            .withf(|account| *account == caller(Role::Customer).account)
            .returning(move |_| Ok(inside.clone()));
        let mut vins = MockVinSeal::new();
        vins.expect_open().times(2).returning(|of, sealed| (of == id(3) && sealed.0 == [1]).then(vin));
        let service = Accounts::new(&Ports { garage: Arc::new(garage), vins: Arc::new(vins), ..ports() });
        let kept = service.garage(&caller(Role::Customer)).await.unwrap();
        let shown: Vec<_> = kept.into_iter().map(|kept| (kept.vehicle.id, kept.vin)).collect();
        assert_eq!(shown, [(id(3), Some(vin())), (id(2), None), (id(1), None)]);
    }

    #[tokio::test]
    async fn a_vehicle_is_kept_for_its_owner_with_a_sealed_vin() {
        let mut garage = MockGarageRepository::new();
        garage
            .expect_add()
            .times(1)
            .withf(|new| new.account == caller(Role::Customer).account && new.stored.vin == Some(SealedVin(vec![1])))
            .returning(|_| Ok(Added::New));
        let mut vins = MockVinSeal::new();
        vins.expect_seal().times(1).returning(|_, _| Some(SealedVin(vec![1])));
        vins.expect_open().times(1).returning(|_, _| Some(vin()));
        let service = Accounts::new(&Ports { garage: Arc::new(garage), vins: Arc::new(vins), ..ports() });
        let wanted = GarageSpace { chosen: CAMRY, name: None, vin: Some(vin()) };
        let kept = service.keep_vehicle(&caller(Role::Customer), wanted, None).await.unwrap();
        assert_eq!((kept.vehicle.chosen, kept.vin), (CAMRY, Some(vin())));
    }

    #[tokio::test]
    async fn the_first_of_merged_vehicles_gets_the_latest_id() {
        let mut garage = MockGarageRepository::new();
        garage
            .expect_merge()
            .times(1)
            .withf(|_, vehicles| {
                vehicles[1].chosen == CAMRY && vehicles[1].id > vehicles[0].id && vehicles[0].chosen.vehicle == 1
            })
            .returning(|_, _| Ok(()));
        garage.expect_list().returning(|_| Ok(Vec::new()));
        let service = Accounts::new(&Ports { garage: Arc::new(garage), ..ports() });
        let other = ChosenVehicle { vehicle: 1, engine: None };
        service.merge_garage(&caller(Role::Customer), vec![(CAMRY, None), (other, None)]).await.unwrap();
    }

    #[tokio::test]
    async fn a_vehicle_that_the_caller_does_not_have_is_not_found() {
        let mut garage = MockGarageRepository::new();
        garage.expect_edit().returning(|_, _, _| Ok(None));
        garage.expect_remove().returning(|_, _| Ok(false));
        let service = Accounts::new(&Ports { garage: Arc::new(garage), ..ports() });
        let (id, caller) = (GarageVehicleId::new(service.ids.fresh()), caller(Role::Admin));
        let edit = GarageEdit { chosen: None, name: Edit::Keep, vin: Edit::Keep };
        let edited = service.edit_vehicle(&caller, id, edit).await;
        assert!(matches!(edited, Err(Failure::Denied(Denied::NotFound))));
        let removed = service.remove_vehicle(&caller, id).await;
        assert!(matches!(removed, Err(Failure::Denied(Denied::NotFound))));
    }
}
