//! Masks: what a short code has to be made of, such as a postcode or a VAT number.
//!
//! In a mask `#` is a digit, `@` a Latin letter, `*` either, and everything else is itself.

/// The code as the mask writes it, if it matches; spaces and hyphens do not count, nor do capital letters.
pub(crate) fn written_as(mask: &str, typed: &str) -> Option<String> {
    let mut signs = typed.chars().filter(|sign| !is_separator(*sign)).map(|sign| sign.to_ascii_uppercase());
    let mut written = String::with_capacity(mask.len());
    for part in mask.chars() {
        if is_separator(part) {
            written.push(part);
            continue;
        }
        let sign = signs.next()?;
        let matches = match part {
            '#' => sign.is_ascii_digit(),
            '@' => sign.is_ascii_uppercase(),
            '*' => sign.is_ascii_digit() || sign.is_ascii_uppercase(),
            itself => sign == itself,
        };
        if !matches {
            return None;
        }
        written.push(sign);
    }
    if signs.next().is_none() { Some(written) } else { None }
}

/// The code as the first of the masks that matches writes it. Masks are separated by `|`.
pub(crate) fn written_as_one_of(masks: &str, typed: &str) -> Option<String> {
    masks.split('|').find_map(|mask| written_as(mask, typed))
}

const fn is_separator(sign: char) -> bool {
    matches!(sign, ' ' | '-')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_code_is_written_as_its_mask_says() {
        for (masks, typed, written) in [
            ("#####|#####-####", "90210", Some("90210")),
            ("#####|#####-####", "902101234", Some("90210-1234")),
            ("@#@ #@#", "k1a0b1", Some("K1A 0B1")),
            ("LV-####|####", "lv 1010", Some("LV-1010")),
            ("LV-####|####", "1010", Some("1010")),
            ("#####", "9021", None),
            ("#####", "902101", None),
            ("#####", "9021O", None),
            ("#####", "٩٠٢١٠", None),
            ("@#", "ß1", None),
            ("*", "-", None),
        ] {
            assert_eq!(written_as_one_of(masks, typed).as_deref(), written, "{typed} as {masks}");
        }
    }

    proptest! {
        #[test]
        fn a_written_code_is_written_the_same_again(typed in ".{0,12}") {
            if let Some(written) = written_as_one_of("#####|@#@ #@#|***-**", &typed) {
                prop_assert_eq!(written_as_one_of("#####|@#@ #@#|***-**", &written), Some(written));
            }
        }
    }
}
