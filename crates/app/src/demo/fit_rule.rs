//! What a part of the demo needs of a vehicle.

use std::str::FromStr;

use domain::Position;

use super::catalogue::{Item, Unsound};

/// What a part fits, as a line of the range says it: `all` for every vehicle, `none` if nobody knows, and otherwise how many a
/// vehicle takes, before it the position, behind it the fuel of its engine or `if` for a condition: `front 2`, `1 diesel`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fits {
    All,
    Nothing,
    Vehicles(Rule),
}

/// What a part needs of a vehicle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rule {
    /// Where it belongs, if that matters.
    pub(super) position: Option<Position>,
    /// How many the vehicle takes there.
    pub(super) per_vehicle: u16,
    /// What its engine burns, if that matters.
    pub(super) fuel: Option<Burns>,
    /// Whether it depends on the vehicle's equipment.
    pub(super) conditional: bool,
}

/// What an engine burns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Burns {
    Gasoline,
    Diesel,
}

/// The families whose parts belong to gasoline engines.
const GASOLINE: [&str; 4] = ["gasoline", "hybrid", "1.8 ", "2.0 turbo"];

impl FromStr for Fits {
    type Err = Unsound;

    fn from_str(text: &str) -> Result<Self, Unsound> {
        let mut rule = Rule { position: None, per_vehicle: 0, fuel: None, conditional: false };
        match text {
            "all" => return Ok(Self::All),
            "none" => return Ok(Self::Nothing),
            _ => {}
        }
        for word in text.split(' ') {
            match word {
                "gasoline" => rule.fuel = Some(Burns::Gasoline),
                "diesel" => rule.fuel = Some(Burns::Diesel),
                "if" => rule.conditional = true,
                _ => match word.replace('-', " ").parse() {
                    Ok(position) => rule.position = Some(position),
                    Err(_) => rule.per_vehicle = word.parse()?,
                },
            }
        }
        if rule.per_vehicle == 0 {
            return Err("it does not say how many a vehicle takes".into());
        }
        Ok(Self::Vehicles(rule))
    }
}

impl Fits {
    /// What a part of the catalogue fits, by its family and the words of its name.
    pub(super) fn of_item(item: &Item) -> Self {
        let name = item.name.to_lowercase();
        let has = |word: &str| name.contains(word);
        let family = item.part_number.get(3..5).unwrap_or_default();
        let position = match family {
            "BC" | "HL" if has("left") => Some(Position::FrontLeft),
            "BC" if has("right") => Some(Position::FrontRight),
            "BD" | "BP" | "SA" if has("rear") => Some(Position::Rear),
            "BD" | "BP" | "SA" | "BC" | "HL" => Some(Position::Front),
            _ => None,
        };
        let per_vehicle = match family {
            "FA" => return Self::All,
            "OL" => return Self::Nothing,
            "BD" if !has("pair") => 2,
            "TY" | "AW" => 4,
            _ => 1,
        };
        let engine = matches!(family, "TC" | "CL" | "TB" | "SK");
        let fuel = if engine && has("diesel") {
            Some(Burns::Diesel)
        } else if engine && GASOLINE.iter().any(|word| has(word)) {
            Some(Burns::Gasoline)
        } else {
            None
        };
        Self::Vehicles(Rule { position, per_vehicle, fuel, conditional: has("sport") || has("six-piston") })
    }
}
