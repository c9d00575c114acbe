//! Postal addresses, in fields, checked by the format of their country.

use thiserror::Error;

use crate::Text;
use crate::delivery::address_format::{AddressField, Need};
use crate::delivery::country::{Country, UnknownCountry};
use crate::platform::text::TextError;

/// A postal address. Every field is one line, and all of them together fit into the single field of an order's contact.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Address {
    company: Option<Text<100>>,
    line1: Text<100>,
    line2: Option<Text<100>>,
    city: Text<60>,
    region: Option<Text<60>>,
    postcode: Option<Text<16>>,
    country: Country,
}

/// An address as somebody typed it. Blank fields count as left out.
#[derive(Debug, Clone, Copy, Default)]
pub struct TypedAddress<'a> {
    /// The company.
    pub company: Option<&'a str>,
    /// Street and number.
    pub line1: Option<&'a str>,
    /// The second line.
    pub line2: Option<&'a str>,
    /// The city.
    pub city: Option<&'a str>,
    /// The region: its code or its name.
    pub region: Option<&'a str>,
    /// The postcode.
    pub postcode: Option<&'a str>,
    /// The country's code.
    pub country: Option<&'a str>,
}

/// A field that is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddressProblem {
    /// Which field.
    pub field: AddressField,
    /// Why.
    pub why: AddressRefused,
}

/// Why a field of an address is refused. A sentence that begins in a small letter lacks the field's label in front.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum AddressRefused {
    /// Left out, too long, or not on one line.
    #[error(transparent)]
    Text(#[from] TextError),
    /// Not a country.
    #[error(transparent)]
    Country(#[from] UnknownCountry),
    /// Addresses of this country have it.
    #[error("{name} is required in {}", country.name())]
    Needed {
        /// What the country calls the field.
        name: &'static str,
        /// The country.
        country: Country,
    },
    /// Not a postcode of this country.
    #[error("{name} is not valid in {}{}", country.name(), such_as(example.as_deref()))]
    NoPostcode {
        /// What the country calls the field.
        name: &'static str,
        /// The country.
        country: Country,
        /// A postcode of its form, if that is known.
        example: Option<String>,
    },
    /// Not a region of this country.
    #[error("{name} is not one of {}", country.name())]
    NoRegion {
        /// What the country calls the field.
        name: &'static str,
        /// The country.
        country: Country,
    },
}

fn such_as(example: Option<&str>) -> String {
    example.map_or_else(String::new, |example| format!(", where one is written as {example}"))
}

impl Address {
    /// The address that somebody typed: its postcode as the country writes it, and its region by its code where the country
    /// has codes.
    ///
    /// # Errors
    /// Every field that is refused, with its reason.
    pub fn new(typed: &TypedAddress<'_>) -> Result<Self, Vec<AddressProblem>> {
        let mut problems = Vec::new();
        let company = keep(&mut problems, AddressField::Company, optional(typed.company));
        let line1 = keep(&mut problems, AddressField::Line1, line(typed.line1.unwrap_or_default()));
        let line2 = keep(&mut problems, AddressField::Line2, optional(typed.line2));
        let city = keep(&mut problems, AddressField::City, line(typed.city.unwrap_or_default()));
        let region = keep(&mut problems, AddressField::Region, optional(typed.region)).flatten();
        let postcode = keep(&mut problems, AddressField::Postcode, optional::<16>(typed.postcode)).flatten();
        let country = keep(&mut problems, AddressField::Country, country(typed.country));
        let may_judge = |field| !problems.iter().any(|problem: &AddressProblem| problem.field == field);
        let (judge_region, judge_postcode) = (may_judge(AddressField::Region), may_judge(AddressField::Postcode));
        let (mut region_kept, mut postcode_kept) = (None, None);
        if let Some(country) = country {
            if judge_region {
                region_kept = keep(&mut problems, AddressField::Region, region_of(country, region)).flatten();
            }
            if judge_postcode {
                postcode_kept = keep(&mut problems, AddressField::Postcode, postcode_of(country, postcode)).flatten();
            }
        }
        match (company, line1, line2, city, country) {
            (Some(company), Some(line1), Some(line2), Some(city), Some(country)) if problems.is_empty() => {
                Ok(Self { company, line1, line2, city, region: region_kept, postcode: postcode_kept, country })
            }
            _ => Err(problems),
        }
    }

    /// The company.
    #[must_use]
    pub fn company(&self) -> Option<&str> {
        self.company.as_ref().map(Text::as_str)
    }

    /// Street and number.
    #[must_use]
    pub fn line1(&self) -> &str {
        self.line1.as_str()
    }

    /// The second line.
    #[must_use]
    pub fn line2(&self) -> Option<&str> {
        self.line2.as_ref().map(Text::as_str)
    }

    /// The city.
    #[must_use]
    pub fn city(&self) -> &str {
        self.city.as_str()
    }

    /// The region: its code in countries that have codes.
    #[must_use]
    pub fn region(&self) -> Option<&str> {
        self.region.as_ref().map(Text::as_str)
    }

    /// The postcode, as the country writes it.
    #[must_use]
    pub fn postcode(&self) -> Option<&str> {
        self.postcode.as_ref().map(Text::as_str)
    }

    /// The country.
    #[must_use]
    pub const fn country(&self) -> Country {
        self.country
    }

    /// The address as an envelope has it, the country's name last. City, region and postcode are one line.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let mut lines: Vec<Vec<&str>> = Vec::new();
        let mut in_town = false;
        for field in self.country.format().order().chain(self.not_in_order()) {
            let Some(text) = self.field(field) else { continue };
            let of_town = matches!(field, AddressField::City | AddressField::Region | AddressField::Postcode);
            match lines.last_mut() {
                Some(line) if of_town && in_town => line.push(text),
                _ => lines.push(vec![text]),
            }
            in_town = of_town;
        }
        lines.push(vec![self.country.name()]);
        lines.into_iter().map(|line| line.join(" ")).collect()
    }

    /// The address on one line, at most 500 characters: the address of an order's contact.
    #[must_use]
    pub fn one_line(&self) -> Text<500> {
        // Its parts have at most 470 characters together; the greatest address is a test below.
        Text::known_good(&self.lines().join(", "))
    }

    /// Fields that were given although the country does not use them.
    fn not_in_order(&self) -> impl Iterator<Item = AddressField> {
        let format = self.country.format();
        [AddressField::Region, AddressField::Postcode]
            .into_iter()
            .filter(|field| !format.order().any(|used| used == *field))
    }

    fn field(&self, field: AddressField) -> Option<&str> {
        match field {
            AddressField::Company => self.company(),
            AddressField::Line1 => Some(self.line1()),
            AddressField::Line2 => self.line2(),
            AddressField::City => Some(self.city()),
            AddressField::Region => self.region(),
            AddressField::Postcode => self.postcode(),
            AddressField::Country => Some(self.country.name()),
        }
    }
}

fn keep<T>(problems: &mut Vec<AddressProblem>, field: AddressField, parsed: Result<T, AddressRefused>) -> Option<T> {
    parsed.map_err(|why| problems.push(AddressProblem { field, why })).ok()
}

/// Text on one line: a line break or a tab in a field is refused like any other control character.
fn line<const MAX: usize>(typed: &str) -> Result<Text<MAX>, AddressRefused> {
    let text = Text::new(typed)?;
    let breaks = |sign: char| sign.is_control() || matches!(sign, '\u{2028}' | '\u{2029}');
    if text.as_str().contains(breaks) {
        return Err(TextError::Unshowable.into());
    }
    Ok(text)
}

fn optional<const MAX: usize>(typed: Option<&str>) -> Result<Option<Text<MAX>>, AddressRefused> {
    match typed.map(line) {
        None | Some(Err(AddressRefused::Text(TextError::Empty))) => Ok(None),
        Some(parsed) => parsed.map(Some),
    }
}

fn country(typed: Option<&str>) -> Result<Country, AddressRefused> {
    let typed = typed.filter(|typed| !typed.trim().is_empty()).ok_or(TextError::Empty)?;
    Ok(typed.parse()?)
}

fn region_of(country: Country, typed: Option<Text<60>>) -> Result<Option<Text<60>>, AddressRefused> {
    let (need, name) = (country.format().region, country.format().region_name);
    match typed {
        None if need == Need::Required => Err(AddressRefused::Needed { name, country }),
        Some(typed) if !country.regions().is_empty() => {
            let code = country.region_code(typed.as_str()).ok_or(AddressRefused::NoRegion { name, country })?;
            Ok(Some(Text::known_good(code)))
        }
        typed => Ok(typed),
    }
}

fn postcode_of(country: Country, typed: Option<Text<16>>) -> Result<Option<Text<16>>, AddressRefused> {
    let format = country.format();
    let name = format.postcode_name;
    match typed {
        None if format.postcode == Need::Required => Err(AddressRefused::Needed { name, country }),
        None => Ok(None),
        Some(typed) => {
            let refused = || AddressRefused::NoPostcode { name, country, example: format.example() };
            format.postcode(typed.as_str()).map(|code| Some(Text::known_good(&code))).ok_or_else(refused)
        }
    }
}

#[cfg(test)]
mod tests;
