//! The words by which the public page of a part is addressed.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::PartKey;
use crate::catalog::part_number::latin;

/// The longest slug of a name; a longer one ends with its last whole word.
const NAME_MAX: usize = 80;

/// Stands before the number of the shop's own in the slug of a part that has no brand or no part number.
const SHORT_ID: &str = "p";

/// A text in small a to z, digits and hyphens: `Brake disc, 312 mm` is `brake-disc-312-mm`. Empty if nothing is left of it.
#[must_use]
pub fn slug(text: &str) -> String {
    let signs = text.nfkd().filter(|c| !is_combining_mark(*c));
    hyphenated(signs.map(|c| c.is_ascii_alphanumeric().then_some(c)))
}

/// A part number as it stands in a slug. Without its hyphens it is the number's [`PartKey`].
fn number_slug(number: &str) -> String {
    hyphenated(number.nfkc().map(latin))
}

fn hyphenated(signs: impl Iterator<Item = Option<char>>) -> String {
    let mut slug = String::new();
    for sign in signs {
        match sign {
            Some(sign) => slug.push(sign.to_ascii_lowercase()),
            None if slug.is_empty() || slug.ends_with('-') => {}
            None => slug.push('-'),
        }
    }
    slug.truncate(slug.trim_end_matches('-').len());
    slug
}

fn name_slug(name: &str) -> String {
    let mut slug = slug(name);
    if slug.len() > NAME_MAX {
        let end = slug[..=NAME_MAX].rfind('-').unwrap_or(NAME_MAX);
        slug.truncate(end);
    }
    slug
}

/// The slug of a part: `bosch-0-986-479-b12-brake-disc`, of its brand, its number and its name. A part without a brand or a
/// number is known by the number `no` of the shop's own: `brake-disc-p1042`.
#[must_use]
pub fn part_slug(brand: Option<&str>, number: Option<&str>, name: &str, no: i32) -> String {
    let brand = brand.map(slug).filter(|brand| !brand.is_empty());
    let number = number.filter(|number| PartKey::new(number).is_ok()).map(number_slug);
    let name = name_slug(name);
    let words = match (brand, number) {
        (Some(brand), Some(number)) => [brand, number, name],
        _ => [name, String::new(), format!("{SHORT_ID}{no}")],
    };
    let words: Vec<&str> = words.iter().map(String::as_str).filter(|word| !word.is_empty()).collect();
    words.join("-")
}

/// The number of the shop's own at the end of a slug, if there is one.
#[must_use]
pub fn short_id(slug: &str) -> Option<i32> {
    let last = slug.rsplit('-').next().unwrap_or(slug);
    last.strip_prefix(SHORT_ID)?.parse().ok()
}

/// The part numbers that may stand in a slug after its brand, the longest first: any number of its words. None if the slug
/// does not begin with this brand.
#[must_use]
pub fn numbers_after(slug: &str, brand: &str) -> Vec<PartKey> {
    let brand = self::slug(brand);
    let Some(rest) = slug.strip_prefix(&brand).filter(|_| !brand.is_empty()).and_then(|rest| rest.strip_prefix('-'))
    else {
        return Vec::new();
    };
    let ends = rest.match_indices('-').map(|(end, _)| end).chain([rest.len()]);
    let mut keys: Vec<PartKey> = ends.map_while(|end| PartKey::new(&rest[..end]).ok()).collect();
    keys.reverse();
    keys
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_slug_has_small_a_to_z_digits_and_single_hyphens() {
        for (text, expected) in [
            ("Brake disc, 312 mm", "brake-disc-312-mm"),
            ("  Citroën / 2CV  ", "citroen-2cv"),
            ("\"><script>alert(1)</script>", "script-alert-1-script"),
            ("ＤＬ", "dl"),
            ("刹车", ""),
        ] {
            assert_eq!(slug(text), expected, "{text}");
        }
    }

    #[test]
    fn a_part_is_addressed_by_brand_number_and_name_or_by_its_short_id() {
        assert_eq!(part_slug(Some("Bosch"), Some("0 986 479 B12"), "Brake disc", 7), "bosch-0-986-479-b12-brake-disc");
        assert_eq!(part_slug(Some("Bosch"), Some("B-12"), "刹车", 7), "bosch-b-12");
        for (brand, number) in
            [(None, Some("B-12")), (Some("Bosch"), None), (Some("刹"), Some("B")), (Some("B"), Some("/"))]
        {
            assert_eq!(part_slug(brand, number, "Brake disc", 7), "brake-disc-p7", "{brand:?} {number:?}");
        }
        assert_eq!(part_slug(None, None, "刹车", 7), "p7");
        assert_eq!(short_id("brake-disc-p7"), Some(7));
        assert_eq!(short_id("p7"), Some(7));
        for none in ["brake-disc", "brake-disc-7", "p", "brake-p99999999999"] {
            assert_eq!(short_id(none), None, "{none}");
        }
    }

    #[test]
    fn a_long_name_ends_with_a_whole_word() {
        let name = "brake ".repeat(50);
        let slug = part_slug(None, None, &name, 1);
        assert!(slug.len() < NAME_MAX + 4 && slug.ends_with("-brake-p1"), "{slug}");
        for length in [NAME_MAX, 300] {
            assert_eq!(name_slug(&"x".repeat(length)).len(), NAME_MAX, "{length}");
        }
    }

    #[test]
    fn the_numbers_after_a_brand_are_its_next_words() {
        let keys = |slug, brand| {
            let keys = numbers_after(slug, brand);
            keys.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        assert_eq!(keys("acme-12-3-disc", "ACME"), ["123DISC", "123", "12"]);
        assert_eq!(keys("acme-12", "Acme"), ["12"]);
        for (slug, brand) in [("acme-12", "Acm"), ("acme", "Acme"), ("acme-12", "刹"), ("acme-", "Acme")] {
            assert_eq!(keys(slug, brand), [] as [&str; 0], "{slug} {brand}");
        }
    }

    proptest! {
        #[test]
        fn a_parts_slug_names_its_number(brand in "[A-Za-z][ -~]{0,19}", number in "\\PC{1,20}", name in "\\PC{0,40}") {
            if let Ok(key) = PartKey::new(&number) {
                let slug = part_slug(Some(&brand), Some(&number), &name, 1);
                prop_assert!(slug.bytes().all(|sign| sign.is_ascii_alphanumeric() || sign == b'-'), "{}", slug);
                prop_assert!(numbers_after(&slug, &brand).contains(&key), "{} {}", slug, key);
            }
        }
    }
}
