//! Engines, and the words that people and lists of suppliers have for them.

use crate::id::EngineId;
use crate::names::words;

/// What an engine burns or draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fuel {
    /// Gasoline of whatever grade.
    Gasoline,
    /// Gasoline or ethanol.
    Flex,
    /// Diesel.
    Diesel,
    /// Natural gas.
    NaturalGas,
    /// Gasoline or a gas.
    BiFuel,
    /// Gasoline, and electricity from outside.
    PlugIn,
    /// Electricity alone.
    Electric,
    /// Hydrogen.
    Hydrogen,
}

impl Fuel {
    pub(crate) fn parse(text: &str) -> Option<Self> {
        Some(match text {
            "gasoline" | "gas" | "petrol" => Self::Gasoline,
            "flex" | "ffv" | "e85" => Self::Flex,
            "diesel" | "tdi" => Self::Diesel,
            "cng" => Self::NaturalGas,
            "bifuel" => Self::BiFuel,
            "plugin" | "phev" => Self::PlugIn,
            "electric" | "ev" => Self::Electric,
            "hydrogen" => Self::Hydrogen,
            _ => return None,
        })
    }

    /// What is added to an engine's name; nothing for gasoline, which goes without saying.
    fn shown(self) -> &'static str {
        match self {
            Self::Gasoline => "",
            Self::Flex => "flex fuel",
            Self::Diesel => "diesel",
            Self::NaturalGas => "natural gas",
            Self::BiFuel => "bi-fuel",
            Self::PlugIn => "plug-in hybrid",
            Self::Electric => "electric",
            Self::Hydrogen => "hydrogen",
        }
    }

    /// Whether an engine of one may be what somebody calls the other: what burns two, or has a motor beside, has two names.
    fn may_be(self, other: Self) -> bool {
        let burns_gasoline = |fuel| matches!(fuel, Self::Gasoline | Self::Flex | Self::BiFuel | Self::PlugIn);
        self == other
            || (burns_gasoline(self) && burns_gasoline(other))
            || matches!((self, other), (Self::PlugIn, Self::Electric) | (Self::BiFuel, Self::NaturalGas))
            || matches!((self, other), (Self::Electric, Self::PlugIn) | (Self::NaturalGas, Self::BiFuel))
    }
}

/// The driven wheels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Drive {
    /// The front wheels.
    Front,
    /// The rear wheels.
    Rear,
    /// Two wheels, the source does not say which.
    Two,
    /// All wheels, always.
    All,
    /// All four wheels, at times or always.
    Four,
    /// All wheels; the source does not say how.
    AllOrFour,
}

impl Drive {
    pub(crate) fn parse(text: &str) -> Option<Self> {
        Some(match text {
            "fwd" => Self::Front,
            "rwd" => Self::Rear,
            "2wd" | "4x2" => Self::Two,
            "awd" => Self::All,
            "4wd" => Self::Four,
            "4x4" => Self::AllOrFour,
            _ => return None,
        })
    }

    fn shown(self) -> &'static str {
        match self {
            Self::Front => "FWD",
            Self::Rear => "RWD",
            Self::Two => "2WD",
            Self::All => "AWD",
            Self::Four => "4WD",
            Self::AllOrFour => "4WD or AWD",
        }
    }

    fn drives_all(self) -> bool {
        matches!(self, Self::All | Self::Four | Self::AllOrFour)
    }

    /// Whether one may be what somebody calls the other. Few tell all-wheel from four-wheel drive apart.
    fn may_be(self, other: Self) -> bool {
        let either_says_two = self == Self::Two || other == Self::Two;
        self == other
            || (self.drives_all() && other.drives_all())
            || (either_says_two && !self.drives_all() && !other.drives_all())
    }
}

/// An engine that a vehicle was sold with, and the wheels it drives there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Engine {
    /// Its id.
    pub id: EngineId,
    /// Tenths of a litre; none of an electric motor.
    pub decilitres: Option<u16>,
    /// The number of cylinders; none of an electric motor.
    pub cylinders: Option<u8>,
    /// What it burns, if the source says it.
    pub fuel: Option<Fuel>,
    /// What it drives, if the source says it.
    pub drive: Option<Drive>,
    /// How it is called among the engines of its vehicle: "2.5 L 4 cyl".
    pub name: String,
}

/// What is said of an engine; what is not said is left open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EngineWords {
    /// Tenths of a litre.
    pub decilitres: Option<u16>,
    /// The number of cylinders.
    pub cylinders: Option<u8>,
    /// What it burns.
    pub fuel: Option<Fuel>,
    /// What it drives.
    pub drive: Option<Drive>,
}

impl EngineWords {
    /// Reads "2.5L L4", "V6 3.5", "4cyl diesel AWD"; `None` if a word is nothing that is said of engines.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let words = words(text);
        let mut said = Self::default();
        let mut rest = words.as_slice();
        while !rest.is_empty() {
            let taken = said.take(rest)?;
            rest = &rest[taken..];
        }
        (said != Self::default()).then_some(said)
    }

    /// Reads the first words of a text, if they say something of an engine; answers how many words that were.
    pub(crate) fn take(&mut self, words: &[String]) -> Option<usize> {
        let word = words.first()?.as_str();
        let next = words.get(1).map(String::as_str);
        if let Some(fuel) = Fuel::parse(word) {
            self.fuel = Some(fuel);
        } else if let Some(drive) = Drive::parse(word) {
            self.drive = Some(drive);
        } else if let Some(decilitres) = litres(word) {
            self.decilitres = Some(decilitres);
            return Some(1 + usize::from(matches!(next, Some("l" | "liter" | "litre"))));
        } else if let Some(cylinders) = cylinders(word) {
            self.cylinders = Some(cylinders);
        } else if matches!(next, Some("cyl" | "cylinder" | "cylinders")) {
            self.cylinders = Some(count(word)?);
            return Some(2);
        } else if !matches!(word, "turbo" | "engine" | "hybrid") {
            return None;
        }
        Some(1)
    }

    /// Whether an engine may be the one that is meant: what either leaves open rules nothing out.
    #[must_use]
    pub fn mean(self, engine: &Engine) -> bool {
        fn open<T>(said: Option<T>, is: Option<T>, same: impl Fn(T, T) -> bool) -> bool {
            said.zip(is).is_none_or(|(said, is)| same(said, is))
        }
        let is_electric = |fuel| matches!(fuel, Some(Fuel::Electric | Fuel::Hydrogen));
        let says_size = self.decilitres.is_some() || self.cylinders.is_some();
        let has_cylinders = engine.fuel.is_none() && engine.cylinders.is_some();
        let differ = (says_size && is_electric(engine.fuel)) || (is_electric(self.fuel) && has_cylinders);
        !differ
            && open(self.decilitres, engine.decilitres, |said, is| said == is)
            && open(self.cylinders, engine.cylinders, |said, is| said == is)
            && open(self.fuel, engine.fuel, Fuel::may_be)
            && open(self.drive, engine.drive, Drive::may_be)
    }

    /// What is said, in the form of an engine's name: "2.5 L 4 cyl"; nothing if nothing is said of size and fuel.
    #[must_use]
    pub fn name(self) -> String {
        let litres = self.decilitres.map(|tenths| format!("{}.{} L", tenths / 10, tenths % 10));
        let cylinders = self.cylinders.map(|count| format!("{count} cyl"));
        let fuel = self.fuel.map(|fuel| fuel.shown().to_owned());
        let parts: Vec<String> =
            [litres, cylinders, fuel].into_iter().flatten().filter(|part| !part.is_empty()).collect();
        let mut name = parts.join(" ");
        if let Some(first) = name.get_mut(..1) {
            first.make_ascii_uppercase();
        }
        name
    }

    /// The name, with the wheels that are driven.
    pub(crate) fn name_with_drive(self) -> String {
        let drive = self.drive.map_or("", Drive::shown);
        format!("{} {drive}", self.name()).trim().to_owned()
    }
}

/// Tenths of a litre: `2.5`, `2.5l`, `2l`, `2494cc`.
fn litres(word: &str) -> Option<u16> {
    if let Some(cubic) = word.strip_suffix("cc") {
        let cubic: u16 = cubic.parse().ok()?;
        return (cubic >= 100).then_some(cubic.saturating_add(50) / 100);
    }
    let (number, said) = word.strip_suffix('l').map_or((word, false), |number| (number, true));
    let (whole, tenth) = match number.split_once('.') {
        Some((whole, tenth)) if tenth.len() == 1 => (whole, tenth),
        None if said => (number, "0"),
        _ => return None,
    };
    let whole = whole.parse::<u16>().ok().filter(|whole| *whole < 40)?;
    Some(whole * 10 + tenth.parse::<u16>().ok()?)
}

/// The number of cylinders: `v6`, `l4`, `i4`, `h6`, `w12`, `flat6`, `4cyl`.
fn cylinders(word: &str) -> Option<u8> {
    let number = word
        .strip_suffix("cyl")
        .or_else(|| ["v", "l", "i", "h", "w", "flat", "inline"].iter().find_map(|form| word.strip_prefix(form)))?;
    count(number)
}

fn count(number: &str) -> Option<u8> {
    number.parse().ok().filter(|count| (1..=16).contains(count))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Option<(Option<u16>, Option<u8>)> {
        EngineWords::parse(text).map(|words| (words.decilitres, words.cylinders))
    }

    #[test]
    fn engines_are_read_as_lists_and_people_write_them() {
        assert_eq!(parse("2.5L L4"), Some((Some(25), Some(4))));
        assert_eq!(parse("V6-3.5L"), Some((Some(35), Some(6))));
        assert_eq!(parse("2.5 L 4 cyl"), Some((Some(25), Some(4))));
        assert_eq!(parse("5L"), Some((Some(50), None)));
        assert_eq!(parse("1998cc"), Some((Some(20), None)));
        assert_eq!(parse("Turbo 4-cyl"), Some((None, Some(4))));
        for nothing in ["", "Camry", "2.55L", "V99", "4", "2.5 Camry", "99L", "1e1L", "v"] {
            assert_eq!(parse(nothing), None, "{nothing}");
        }
    }

    #[test]
    fn what_is_left_open_rules_nothing_out() {
        let engine = |fuel, drive| Engine {
            id: EngineId::new(1),
            decilitres: Some(25),
            cylinders: Some(4),
            fuel,
            drive,
            name: String::new(),
        };
        let said = |text: &str| EngineWords::parse(text).unwrap();
        assert!(said("2.5L").mean(&engine(None, None)));
        assert!(said("gas AWD").mean(&engine(Some(Fuel::Flex), Some(Drive::Four))));
        assert!(said("2wd").mean(&engine(None, Some(Drive::Rear))));
        assert!(!said("2wd").mean(&engine(None, Some(Drive::All))));
        assert!(!said("fwd").mean(&engine(None, Some(Drive::Rear))));
        assert!(!said("diesel").mean(&engine(Some(Fuel::Gasoline), None)));
        assert!(!said("electric").mean(&engine(None, None)));
        assert!(!said("2.0L").mean(&engine(None, None)));
    }
}
