//! The widths in which pictures of the shop itself exist; the client's `lib/pictures.ts` has the same rule.

use domain::PictureUrl;

/// Every picture is kept in those of these widths that are narrower than it is, and in its own.
const WIDTHS: [u32; 3] = [320, 640, 960];

/// The `srcset` of a picture; `None` for one from elsewhere, which exists as it is.
pub(crate) fn srcset(img: &PictureUrl) -> Option<String> {
    let (base, width) = img.as_str().strip_suffix(".webp")?.rsplit_once('-')?;
    let width: u32 = width.parse().ok().filter(|width| (1..10_000).contains(width))?;
    let is_hex = |name: &str| name.len() == 64 && name.bytes().all(|sign| matches!(sign, b'0'..=b'9' | b'a'..=b'f'));
    let is_word =
        |name: &str| !name.is_empty() && name.bytes().all(|sign| matches!(sign, b'0'..=b'9' | b'a'..=b'z' | b'-'));
    let is_own =
        base.strip_prefix("/images/").is_some_and(is_hex) || base.strip_prefix("/pictures/parts/").is_some_and(is_word);
    if !is_own || width <= WIDTHS[0] {
        return None;
    }
    let narrower = WIDTHS.into_iter().filter(|each| *each < width);
    let sources: Vec<String> = narrower.chain([width]).map(|width| format!("{base}-{width}.webp {width}w")).collect();
    Some(sources.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(img: &str) -> Option<String> {
        srcset(&img.parse().unwrap())
    }

    #[test]
    fn a_picture_of_the_shop_comes_in_several_widths_and_another_as_it_is() {
        let hash = "a".repeat(64);
        assert_eq!(
            of("/pictures/parts/brake-disc-800.webp").unwrap(),
            "/pictures/parts/brake-disc-320.webp 320w, /pictures/parts/brake-disc-640.webp 640w, \
            /pictures/parts/brake-disc-800.webp 800w"
        );
        assert_eq!(of(&format!("/images/{hash}-960.webp")).unwrap().matches("w,").count(), 2);
        for img in
            ["https://elsewhere.example.com/x-640.webp", "/images/x-640.webp", "/pictures/parts/x-320.webp", "/x.png"]
        {
            assert_eq!(of(img), None, "{img}");
        }
    }
}
