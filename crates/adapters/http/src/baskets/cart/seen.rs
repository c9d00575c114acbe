//! The header `If-Match` (RFC 9110, section 13.1.1).

use actix_web::HttpRequest;
use actix_web::http::StatusCode;
use actix_web::http::header::IF_MATCH;
use application::SeenVersions;

use crate::problem::Problem;

/// The versions that a request names.
///
/// # Errors
/// 428 without the header, 400 if it is malformed.
pub(super) fn seen_versions(request: &HttpRequest) -> Result<SeenVersions, Problem> {
    let mut values = request.headers().get_all(IF_MATCH).peekable();
    if values.peek().is_none() {
        let message = "Say which version you saw (If-Match: \"3\")";
        return Err(Problem::new(StatusCode::PRECONDITION_REQUIRED, "version-required", "Version required", message));
    }
    let values = values.map(|value| value.to_str()).collect::<Result<Vec<_>, _>>().map_err(|_| malformed())?;
    parsed(&values.join(",")).ok_or_else(malformed)
}

fn malformed() -> Problem {
    Problem::bad_request("If-Match must be a version in quotation marks, such as \"3\"")
}

/// `*`, or tags separated by commas. A weak tag and one that is no version match nothing.
fn parsed(value: &str) -> Option<SeenVersions> {
    if value.trim() == "*" {
        return Some(SeenVersions::Any);
    }
    let mut versions = Vec::new();
    let (mut rest, mut count) = (value, 0);
    loop {
        rest = rest.trim_start_matches([' ', '\t', ',']);
        if rest.is_empty() {
            return (count > 0).then_some(SeenVersions::These(versions));
        }
        let strong = rest.strip_prefix("W/");
        let (tag, after) = strong.unwrap_or(rest).strip_prefix('"')?.split_once('"')?;
        if strong.is_none() {
            versions.extend(tag.parse::<u32>().ok().filter(|version| version.to_string() == tag).map(i64::from));
        }
        let after = after.trim_start_matches([' ', '\t']);
        if !after.is_empty() && !after.starts_with(',') {
            return None;
        }
        (rest, count) = (after, count + 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_stand_in_quotation_marks() {
        let these = |versions: &[i64]| Some(SeenVersions::These(versions.to_vec()));
        for (value, expected) in [
            ("\"3\"", these(&[3])),
            (" \"0\" ", these(&[0])),
            ("\"3\", \"4\"", these(&[3, 4])),
            ("*", Some(SeenVersions::Any)),
            ("W/\"3\"", these(&[])),
            ("\"abc\"", these(&[])),
            ("\"03\"", these(&[])),
            ("\"\"", these(&[])),
            ("3", None),
            ("\"3", None),
            ("3\"", None),
            ("\"3\" \"4\"", None),
            ("\"3\"x", None),
            ("", None),
            (",", None),
        ] {
            assert_eq!(parsed(value), expected, "{value}");
        }
    }
}
