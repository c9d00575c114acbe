//! What is known of the demo's parts beside their names: made of the names and part numbers, so that both always agree.
//!
//! Brands and numbers are the demo's own. GTINs begin with 20, which is kept for numbers that mean something within one
//! company only.

use domain::{Attribute, AttributeValue, NumberKind, PartFacts, PartNumber, Text};

use super::catalogue::{Item, Unsound};

/// The two signs in the middle of a part number, and the part type that they stand for.
const TYPES: [(&str, &str); 16] = [
    ("AW", "Alloy wheel"),
    ("BA", "Starter battery"),
    ("BC", "Brake caliper"),
    ("BD", "Brake disc"),
    ("BP", "Brake pad set"),
    ("CL", "Clutch kit"),
    ("CO", "Coolant"),
    ("FA", "Safety set"),
    ("HL", "Headlamp"),
    ("OL", "Engine oil"),
    ("SA", "Shock absorber"),
    ("SK", "Service kit"),
    ("SW", "Steering wheel"),
    ("TB", "Timing belt kit"),
    ("TC", "Turbocharger"),
    ("TY", "Passenger tire"),
];

/// Families that are bought by their size or grade and not by the number of another part.
const SIZED: [&str; 29] = [
    "AB", "AW", "BA", "BF", "BN", "CH", "CO", "DE", "FA", "FE", "FK", "HB", "IT", "OL", "PF", "SC", "SK", "SN", "SV",
    "SW", "TA", "TF", "TR", "TT", "TW", "TY", "WF", "WI", "WT",
];

/// Words of a name that show for which of the three lines a part is made.
const FLEET: [&str; 5] = ["van", "fleet", "heavy", "light truck", "loaner"];
const SPORT: [&str; 5] = ["sport", "six-piston", "drilled", "high-performance", "suede"];

pub(super) fn facts(item: &Item) -> Result<PartFacts, Unsound> {
    let name = item.name.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| name.contains(word));
    let brand = match () {
        () if has(&FLEET) => "Driveline Fleet",
        () if has(&SPORT) => "Driveline Sport",
        () => "Driveline",
    };
    Ok(PartFacts {
        brand: Some(Text::new(brand)?),
        part_type: part_type(item).map(Text::new).transpose()?,
        // A set for safety fits whatever has wheels.
        universal: family(item) == "FA",
        attributes: attributes(item, &name)?,
        ..PartFacts::NONE
    })
}

fn family(item: &Item) -> &'static str {
    item.part_number.split('-').nth(1).unwrap_or_default()
}

fn part_type(item: &Item) -> Option<&'static str> {
    TYPES.iter().find(|(code, _)| *code == family(item)).map(|(_, name)| *name)
}

/// The sizes and grades that a name holds.
fn attributes(item: &Item, name: &str) -> Result<Vec<Attribute>, Unsound> {
    let words: Vec<&str> = item.name.split([' ', ',']).filter(|word| !word.is_empty()).collect();
    // The number before a unit, as both are written.
    let before = |unit: &str| {
        let at = words.iter().skip(1).position(|word| *word == unit)?;
        words.get(at).map(|number| format!("{number} {unit}"))
    };
    let mut found: Vec<(&str, String)> = Vec::new();
    let mut add = |name, value: Option<String>| found.extend(value.map(|value| (name, value)));
    match family(item) {
        "BD" | "CL" | "SW" => add("Diameter", before("mm")),
        "BA" => {
            add("Capacity", before("Ah"));
            add("Voltage", before("V"));
            add("Cold cranking current", before("A"));
        }
        "OL" => {
            add("Viscosity", words.iter().find(|word| word.contains("W-")).map(|word| (*word).to_owned()));
            add("Contents", before("L"));
        }
        "CO" => add("Contents", before("L")),
        "TY" => {
            let size = words.first().and_then(|size| size.split_once('/'));
            add("Width", size.map(|(width, _)| format!("{width} mm")));
            add("Aspect ratio", size.map(|(_, aspect)| aspect.to_owned()));
            let rim = words.get(1).map(|rim| rim.trim_matches(|c: char| !c.is_ascii_digit()));
            add("Rim, inches", rim.map(ToOwned::to_owned));
        }
        "AW" => {
            add("Rim width, inches", words.first().map(|width| width.trim_end_matches('J').to_owned()));
            add("Rim, inches", words.get(2).map(|rim| (*rim).to_owned()));
        }
        _ => {}
    }
    if matches!(family(item), "BD" | "BP" | "BC" | "SA") {
        let axle = if name.contains("rear") { Some("Rear") } else { name.contains("front").then_some("Front") };
        add("Axle", axle.map(ToOwned::to_owned));
    }
    if family(item) == "BD" {
        add("Vented", name.contains("vented").then(|| "yes".to_owned()));
    }
    for fuel in ["diesel", "gasoline", "hybrid"] {
        add("Fuel", name.contains(fuel).then(|| fuel.to_owned()));
    }
    let attribute = |(name, value): (&str, String)| {
        Ok(Attribute { name: Text::new(name)?, value: AttributeValue::written(&value)? })
    };
    found.into_iter().map(attribute).collect()
}

/// The numbers of the product at a place of the catalogue, beside its own.
pub(super) fn numbers(item: &Item, place: u32) -> Result<Vec<PartNumber>, Unsound> {
    let digits = format!("20{place:010}");
    let sum: u32 = digits.bytes().zip([1, 3].into_iter().cycle()).map(|(digit, by)| u32::from(digit - b'0') * by).sum();
    let number = |kind, shown: String, brand: Option<&str>| -> Result<PartNumber, Unsound> {
        let note = Some(Text::new("Demo data")?);
        Ok(PartNumber { kind, shown: Text::new(&shown)?, brand: brand.map(Text::new).transpose()?, note, since: None })
    };
    let mut numbers = vec![number(NumberKind::Gtin, format!("{digits}{}", (10 - sum % 10) % 10), None)?];
    let rest = item.part_number.trim_start_matches("DL-");
    if !SIZED.contains(&family(item)) {
        numbers.push(number(NumberKind::Competitor, format!("EX {rest}"), Some("Example Parts"))?);
        numbers.push(number(NumberKind::Superseded, format!("DX-{rest}"), None)?);
        // As makers of vehicles write theirs, and of none of them.
        let (group, last) = (100 + place % 900, char::from(b'A' + u8::try_from(place % 26)?));
        numbers.push(number(NumberKind::Oe, format!("DEMO {group} {place:03} {last}"), None)?);
    }
    Ok(numbers)
}

#[cfg(test)]
mod tests {
    use super::super::catalogue::PRODUCTS;
    use super::*;

    fn of(part_number: &str) -> PartFacts {
        facts(PRODUCTS.iter().find(|item| item.part_number == part_number).unwrap()).unwrap()
    }

    fn values(part_number: &str) -> Vec<(String, AttributeValue)> {
        let attributes = of(part_number).attributes.into_iter();
        attributes.map(|attribute| (attribute.name.into_string(), attribute.value)).collect()
    }

    #[test]
    fn a_name_holds_the_sizes_of_its_part() {
        let written = |name: &str, value: &str| (name.to_owned(), AttributeValue::written(value).unwrap());
        assert_eq!(
            values("DL-BD-3120"),
            [written("Diameter", "312 mm"), written("Axle", "Front"), written("Vented", "yes")]
        );
        assert_eq!(
            values("DL-BA-0740"),
            [written("Capacity", "74 Ah"), written("Voltage", "12 V"), written("Cold cranking current", "680 A")]
        );
        assert_eq!(
            values("DL-TY-2055"),
            [written("Width", "205 mm"), written("Aspect ratio", "55"), written("Rim, inches", "16")]
        );
        assert_eq!(values("DL-OL-0530"), [written("Viscosity", "5W-30"), written("Contents", "5 L")]);
        assert_eq!(values("DL-AW-1775"), [written("Rim width, inches", "7.5"), written("Rim, inches", "17")]);
        assert_eq!(values("DL-TC-2044"), [written("Fuel", "diesel")]);
    }

    #[test]
    fn every_part_has_a_brand_a_type_and_a_valid_gtin_of_its_own() {
        let mut gtins = std::collections::HashSet::new();
        for (item, place) in PRODUCTS.iter().zip(1..) {
            let facts = facts(item).unwrap();
            assert!(facts.brand.is_some() && facts.part_type.is_some(), "{}", item.part_number);
            let numbers = numbers(item, place).unwrap();
            let gtin = numbers[0].shown.as_str().parse::<domain::Gtin>().unwrap();
            assert!(gtins.insert(gtin.as_str().to_owned()), "{}", item.part_number);
            assert!(numbers.iter().all(|number| number.key().is_ok()), "{}", item.part_number);
        }
    }
}
