//! The ids of makes, models, vehicles and engines, which stay when newer data come.

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(i32);

        impl $name {
            /// The id of this number, whether or not there is such a thing.
            #[must_use]
            pub const fn new(number: i32) -> Self {
                Self(number)
            }

            /// Its number.
            #[must_use]
            pub const fn get(self) -> i32 {
                self.0
            }
        }
    };
}

id!(
    /// A make, such as Toyota.
    MakeId
);
id!(
    /// A model of a make, such as Toyota Camry.
    ModelId
);
id!(
    /// A model of one model year: the model's id and the year make its own.
    VehicleId
);
id!(
    /// An engine that a vehicle was sold with: the vehicle's id and its slot there make its own.
    EngineId
);

const FIRST_YEAR: i32 = 1900;
const YEARS: i32 = 256;
const SLOTS: i32 = 128;

impl VehicleId {
    /// The id of a model of a year, whether or not it was sold in that year.
    #[must_use]
    pub fn of(model: ModelId, year: i16) -> Self {
        Self(model.0 * YEARS + (i32::from(year) - FIRST_YEAR).clamp(0, YEARS - 1))
    }
}

impl EngineId {
    /// The id of the engine in a slot of a vehicle.
    pub(crate) const fn of(vehicle: VehicleId, slot: i32) -> Self {
        Self(vehicle.0 * SLOTS + slot)
    }

    /// The vehicle that the engine belongs to.
    #[must_use]
    pub const fn vehicle(self) -> VehicleId {
        VehicleId(self.0.div_euclid(SLOTS))
    }
}
