//! Which part fits which vehicle.

pub mod model_years;
pub mod position;
pub mod verdict;
pub mod wanted_vehicle;

use thiserror::Error;

use crate::{Day, Text};
use position::Position;

macro_rules! number {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(i32);

        impl $name {
            /// The one of this number, whether or not there is one.
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

number!(
    /// The number of a vehicle, a model of one model year, in the table of vehicles.
    VehicleNo
);
number!(
    /// The number of one of a vehicle's engines in the table of vehicles.
    EngineNo
);
number!(
    /// The id of a condition.
    ConditionId
);

/// What else has to be true for a part to fit, such as "carbon version".
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Condition {
    /// Its id.
    pub id: ConditionId,
    /// What has to be true.
    pub text: Text<500>,
}

impl Condition {
    /// Several things as one text; `None` if nothing is said, or too much.
    #[must_use]
    pub fn all_of(said: &[Option<&str>]) -> Option<Text<500>> {
        let said: Vec<&str> = said.iter().copied().flatten().collect();
        Text::new(&said.join("; ")).ok()
    }
}

/// How many of a part a vehicle takes at one position: 1 to 1,000.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PerVehicle(u16);

/// Not a number of parts that a vehicle can take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("must be between 1 and 1000")]
pub struct OutOfBounds;

impl PerVehicle {
    /// One.
    pub const ONE: Self = Self(1);

    /// So many.
    ///
    /// # Errors
    /// [`OutOfBounds`] outside 1 to 1,000.
    pub fn new(parts: i64) -> Result<Self, OutOfBounds> {
        u16::try_from(parts).ok().filter(|parts| (1..=1_000).contains(parts)).map(Self).ok_or(OutOfBounds)
    }

    /// How many.
    #[must_use]
    pub const fn get(self) -> u16 {
        self.0
    }
}

/// Who says that a part fits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FitmentSource {
    /// The source's name.
    pub name: Text<120>,
    /// The day of which it is.
    pub dated: Option<Day>,
}

/// That a part fits a vehicle, as one source says. Several of them are alternatives; all of what one says is needed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fitment {
    /// Only with this engine; with any if there is none.
    pub engine: Option<EngineNo>,
    /// Where it belongs, if the source says it.
    pub position: Option<Position>,
    /// How many the vehicle takes there.
    pub per_vehicle: PerVehicle,
    /// What else has to be true.
    pub condition: Option<Condition>,
    /// Who says so.
    pub source: FitmentSource,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_to_be_true_is_one_text() {
        let text = |said: &[Option<&str>]| Condition::all_of(said).map(Text::into_string);
        assert_eq!(text(&[Some("GTI"), None, Some("carbon version")]).as_deref(), Some("GTI; carbon version"));
        assert_eq!(text(&[None, None]), None);
    }

    #[test]
    fn a_vehicle_takes_one_to_a_thousand() {
        for (parts, taken) in [(0, None), (1, Some(1)), (1_000, Some(1_000)), (1_001, None), (-1, None)] {
            assert_eq!(PerVehicle::new(parts).ok().map(PerVehicle::get), taken, "{parts}");
        }
    }
}
