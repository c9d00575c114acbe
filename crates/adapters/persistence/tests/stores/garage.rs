//! The vehicles that customers keep.

use domain::{Account, ChosenVehicle, Edit, GARAGE_MAX, GarageEdit, GarageVehicle, GarageVehicleId, Text};
use ports::{
    Added, GarageRepository, IdempotencyKey, NewGarageVehicle, SealedVin, StoreError, StoredGarageVehicle, WriteError,
};

use crate::world::{World, at, concurrently, id, key};

const CAMRY: ChosenVehicle = ChosenVehicle { vehicle: 390_258, engine: None };

fn vehicle(chosen: ChosenVehicle, name: Option<&str>, second: i64) -> GarageVehicle {
    let name = name.map(|name| Text::new(name).unwrap());
    GarageVehicle { id: GarageVehicleId::new(id()), chosen, name, added_at: at(second) }
}

fn new(account: &Account, vehicle: GarageVehicle) -> NewGarageVehicle {
    let stored = StoredGarageVehicle { vehicle, vin: None };
    NewGarageVehicle { account: account.id, stored, idempotency_key: None }
}

async fn kept(world: &World, account: &Account) -> Vec<StoredGarageVehicle> {
    world.garage().list(account.id).await.unwrap()
}

fn camries(count: usize) -> Vec<GarageVehicle> {
    (0..count).map(|nth| vehicle(CAMRY, Some(&format!("Camry {nth}")), 1)).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn vehicles_read_back_with_their_sealed_vins_latest_first_and_only_to_their_account() {
    let world = World::fresh().await;
    let (ada, ben) = (world.customer("ada@example.com").await, world.customer("ben@example.com").await);
    let mut first = new(&ada, vehicle(CAMRY, Some("Mine; 'old'"), 10));
    first.stored.vin = Some(SealedVin(vec![7; 45]));
    let with_engine = ChosenVehicle { engine: Some(49_953_025), ..CAMRY };
    let second = new(&ada, vehicle(with_engine, None, 20));
    for new in [&first, &second] {
        assert_eq!(world.garage().add(new).await.unwrap(), Added::New);
    }
    assert_eq!(kept(&world, &ada).await, [second.stored.clone(), first.stored.clone()]);
    assert_eq!(kept(&world, &ben).await, []);

    let edit = GarageEdit { chosen: Some(with_engine), name: Edit::Set(None), vin: Edit::Keep };
    let others = world.garage().edit(ben.id, first.stored.vehicle.id, &edit).await.unwrap();
    assert_eq!(others, None, "another's vehicle is not found");
    let edited = world.garage().edit(ada.id, first.stored.vehicle.id, &edit).await.unwrap().unwrap();
    assert_eq!((edited.vehicle.chosen, edited.vehicle.name, edited.vin.is_some()), (with_engine, None, true));
    let nothing = GarageEdit { chosen: None, name: Edit::Keep, vin: Edit::Keep };
    let same = world.garage().edit(ada.id, second.stored.vehicle.id, &nothing).await.unwrap();
    assert_eq!(same, Some(second.stored.clone()));
    let forgets = GarageEdit { vin: Edit::Set(None), ..nothing };
    let edited = world.garage().edit(ada.id, first.stored.vehicle.id, &forgets).await.unwrap().unwrap();
    assert_eq!(edited.vin, None);

    assert!(!world.garage().remove(ben.id, second.stored.vehicle.id).await.unwrap());
    assert!(world.garage().remove(ada.id, second.stored.vehicle.id).await.unwrap());
    assert!(!world.garage().remove(ada.id, second.stored.vehicle.id).await.unwrap());
    assert_eq!(kept(&world, &ada).await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn merging_adds_only_what_is_not_there_with_the_same_engine_under_the_same_name() {
    let world = World::with_pool(8).await;
    let ada = world.customer("ada@example.com").await;
    let engine = ChosenVehicle { engine: Some(49_953_025), ..CAMRY };
    world.garage().add(&new(&ada, vehicle(CAMRY, None, 10))).await.unwrap();
    let visitors = [
        vehicle(CAMRY, None, 20),
        vehicle(CAMRY, Some("Mine"), 20),
        vehicle(engine, None, 20),
        vehicle(engine, None, 20),
    ];
    concurrently(8, |_| {
        let (database, visitors, ada) = (world.database.clone(), visitors.clone(), ada.id);
        async move {
            // The ids of another browser are other ones.
            let visitors = visitors.map(|each| GarageVehicle { id: GarageVehicleId::new(id()), ..each });
            database.merge(ada, &visitors).await.unwrap();
        }
    })
    .await;
    let kept: Vec<_> = kept(&world, &ada).await.into_iter().map(|each| each.vehicle).collect();
    let same: Vec<_> = kept.iter().map(|each| (each.chosen, each.name.as_ref().map(Text::as_str))).collect();
    assert_eq!(same, [(engine, None), (CAMRY, Some("Mine")), (CAMRY, None)]);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_has_at_most_two_hundred_vehicles_however_many_are_added_at_once() {
    let world = World::with_pool(8).await;
    let ada = world.customer("ada@example.com").await;
    world.garage().merge(ada.id, &camries(GARAGE_MAX - 3)).await.unwrap();
    let added = concurrently(8, |nth| {
        let (database, new) = (world.database.clone(), new(&ada, vehicle(CAMRY, None, 2)));
        let name = format!("Camry {}", 300 + nth);
        async move {
            if nth % 2 == 0 {
                return database.add(&new).await.map(drop);
            }
            database.merge(new.account, &[vehicle(CAMRY, Some(&name), 2)]).await
        }
    })
    .await;
    assert_eq!(added.iter().filter(|added| added.is_ok()).count(), 3);
    assert!(added.iter().all(|added| matches!(added, Ok(()) | Err(WriteError::Refused(_)))), "{added:?}");
    assert_eq!(kept(&world, &ada).await.len(), GARAGE_MAX);

    let ben = world.customer("ben@example.com").await;
    world.garage().add(&new(&ben, vehicle(CAMRY, None, 1))).await.unwrap();
    let refused = world.garage().merge(ben.id, &camries(GARAGE_MAX)).await;
    assert!(matches!(refused, Err(WriteError::Refused(_))));
    assert_eq!(kept(&world, &ben).await.len(), 1, "all or none");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_vehicle_with_the_same_key_is_added_once() {
    let world = World::with_pool(8).await;
    let ada = world.customer("ada@example.com").await;
    let keyed =
        |key: IdempotencyKey| NewGarageVehicle { idempotency_key: Some(key), ..new(&ada, vehicle(CAMRY, None, 10)) };
    let added = concurrently(8, |_| {
        let (database, new) = (world.database.clone(), keyed(key(1)));
        async move {
            match database.add(&new).await.unwrap() {
                Added::New => new.stored,
                Added::Before(first) => first,
            }
        }
    })
    .await;
    assert!(added.iter().all(|each| *each == added[0]), "{added:?}");
    assert_eq!(kept(&world, &ada).await.len(), 1);
    let other = IdempotencyKey { fingerprint: key(2).fingerprint, ..key(1) };
    assert!(matches!(world.garage().add(&keyed(other)).await, Err(WriteError::Store(StoreError::KeyReused))));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_removed_accounts_vehicles_are_gone() {
    let world = World::fresh().await;
    let (ada, ben) = (world.customer("ada@example.com").await, world.customer("ben@example.com").await);
    for account in [&ada, &ben] {
        world.garage().add(&new(account, vehicle(CAMRY, None, 1))).await.unwrap();
    }
    world.accounts().remove(&ada.email, at(20)).await.unwrap();
    assert_eq!((kept(&world, &ada).await.len(), kept(&world, &ben).await.len()), (0, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_database_keeps_a_vehicles_bounds() {
    let world = World::fresh().await;
    let ada = world.customer("ada@example.com").await;
    world.garage().add(&new(&ada, vehicle(CAMRY, None, 1))).await.unwrap();
    for (set, by) in [
        ("vehicle_id = 0", "garage_vehicle_id_check"),
        ("engine_id = 0", "garage_engine_id_check"),
        ("name = ''", "garage_name_check"),
        ("name = repeat('a', 61)", "garage_name_check"),
        ("vin_sealed = ''", "garage_vin_sealed_check"),
        ("once_key = sha256('a')", "garage_once_is_whole"),
    ] {
        world.refuses(&format!("UPDATE garage SET {set}"), by);
    }
}
