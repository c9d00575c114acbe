//! What a search box was asked for, as words that are looked up.

/// The words of a search, folded by [`crate::fold`]: sizes are written together, as they are stored (`205/55 R16` is
/// `2055516`, `70 Ah` is `70ah`), and what is nothing but punctuation is left out if there is anything else.
#[must_use]
pub fn wanted_words(folded: &str) -> Vec<String> {
    let words: Vec<&str> = folded.split_whitespace().collect();
    let mut wanted = Vec::with_capacity(words.len());
    let mut rest = words.as_slice();
    while let [first, after @ ..] = rest {
        let (word, taken) = size(rest).unwrap_or_else(|| ((*first).to_owned(), 1));
        wanted.push(word);
        rest = after.get(taken - 1..).unwrap_or_default();
    }
    let tells = |word: &String| word.chars().any(char::is_alphanumeric);
    if wanted.iter().any(tells) {
        wanted.retain(tells);
    }
    wanted
}

/// Units that are written after a number, with or without a space.
const UNITS: [&str; 14] = ["ah", "mm", "cm", "v", "a", "w", "kw", "l", "ml", "kg", "g", "nm", "bar", "psi"];

/// The size that the words begin with, and of how many words it is made.
fn size(words: &[&str]) -> Option<(String, usize)> {
    tire(words).or_else(|| match words {
        [number, unit, ..] if is_number(number) && UNITS.contains(unit) => Some((format!("{number}{unit}"), 2)),
        _ => None,
    })
}

/// A tire's width, aspect and rim, in at most three words.
fn tire(words: &[&str]) -> Option<(String, usize)> {
    (1..=words.len().min(3)).rev().find_map(|taken| {
        let joined = words[..taken].join(" ");
        let bare = joined.strip_prefix('p').unwrap_or(&joined);
        // A plain run of digits is as it is stored already.
        if !bare.contains([' ', '/', '-', 'r']) {
            return None;
        }
        let parts: Vec<&str> = bare.split([' ', '/', '-', 'r', 'z', 'f']).filter(|part| !part.is_empty()).collect();
        let [width, aspect, rim] = parts.as_slice() else { return None };
        let digits = |text: &str, count: usize| text.len() == count && text.bytes().all(|sign| sign.is_ascii_digit());
        let is_tire = digits(width, 3) && digits(aspect, 2) && digits(rim, 2);
        is_tire.then(|| (format!("{width}{aspect}{rim}"), taken))
    })
}

fn is_number(word: &str) -> bool {
    word.bytes().all(|sign| sign.is_ascii_digit() || sign == b'.') && word.bytes().any(|sign| sign.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_one_word() {
        for (written, words) in [
            ("205/55 r16", vec!["2055516"]),
            ("205/55r16", vec!["2055516"]),
            ("205-55-16", vec!["2055516"]),
            ("205 55 16", vec!["2055516"]),
            ("205/55 zr16 winter", vec!["2055516", "winter"]),
            ("p205/55r16", vec!["2055516"]),
            ("2055516", vec!["2055516"]),
            ("battery 70 ah", vec!["battery", "70ah"]),
            ("70ah", vec!["70ah"]),
            ("brake - disc", vec!["brake", "disc"]),
            ("5w-30", vec!["5w-30"]),
            ("100%", vec!["100%"]),
            ("%", vec!["%"]),
            ("", vec![]),
            ("123 45", vec!["123", "45"]),
            ("h7 ah", vec!["h7", "ah"]),
            ("abc 55 16", vec!["abc", "55", "16"]),
            ("2055 5 16", vec!["2055", "5", "16"]),
        ] {
            assert_eq!(wanted_words(written), words, "{written}");
        }
    }
}
