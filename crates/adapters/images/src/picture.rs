//! Re-encodes an uploaded picture, so that nothing but its pixels is kept.

use std::fmt;
use std::io::Cursor;

use image::imageops::FilterType;
use image::metadata::Orientation;
use image::{DynamicImage, ImageBuffer, ImageDecoder, ImageFormat, ImageReader, Limits, Pixel, Rgba, RgbaImage};
use ports::{ImageRefused, ProviderError};
use sha2::{Digest, Sha256};

/// The largest upload, in bytes (contract: 5 MB).
const MAX_ENCODED: usize = 5 * 1024 * 1024;
/// The longest side of an upload, in pixels.
const MAX_SIDE: u32 = 8_000;
/// The largest upload, in pixels.
const MAX_PIXELS: u64 = 40_000_000;
/// Memory limit of a decoder, in bytes: the largest picture in 8-bit RGBA, and some working memory.
const MAX_DECODED: u64 = 192 * 1024 * 1024;
/// The longest side of a stored picture, in pixels: a product page on a wide screen.
const STORED_SIDE: u32 = 1_600;
/// libwebp's scale of 0 to 100; above this, the size grows faster than the visible quality.
const QUALITY: f32 = 82.0;
/// The media type of every stored picture.
pub(crate) const MEDIA_TYPE: &str = "image/webp";

/// The widths that screens request, besides the widest that is stored; the catalogue's own pictures have the same.
const WIDTHS: [u32; 3] = [320, 640, 960];

/// A re-encoded picture, as WebP.
pub(crate) struct Picture {
    width: u32,
    bytes: Vec<u8>,
}

impl fmt::Debug for Picture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Picture({} px wide, {} bytes)", self.width, self.bytes.len())
    }
}

impl Picture {
    /// Re-encodes an upload: the first frame, upright, at most 1,600 pixels a side. Takes a second of CPU for the
    /// largest ones, so it belongs on a [`crate::pool::Pool`].
    pub(crate) fn draw(encoded: &[u8]) -> Result<Self, ImageRefused> {
        Self::of(&shrink(decode(encoded)?, STORED_SIDE, STORED_SIDE))
    }

    fn of(drawn: &DynamicImage) -> Result<Self, ImageRefused> {
        encode(drawn).map(|bytes| Self { width: drawn.width(), bytes })
    }

    /// The name that belongs to these bytes: their SHA-256 in hexadecimal, and the extension.
    pub(crate) fn name(&self) -> String {
        hash_of([self]) + EXTENSION
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

/// One picture in several widths, none wider than the upload.
pub(crate) struct Drawings {
    hash: String,
    narrower: Vec<Picture>,
    widest: Picture,
}

impl Drawings {
    /// Re-encodes an upload as [`Picture::draw`] does, and once more in each of [`WIDTHS`] that is narrower.
    pub(crate) fn draw(encoded: &[u8]) -> Result<Self, ImageRefused> {
        let drawn = shrink(decode(encoded)?, STORED_SIDE, STORED_SIDE);
        let widths = WIDTHS.into_iter().filter(|width| *width < drawn.width());
        // From the widest and not from the upload, so that the memory and time of each are bounded by the stored size.
        let narrower = widths.map(|width| Picture::of(&shrink(drawn.clone(), width, u32::MAX)));
        let narrower = narrower.collect::<Result<Vec<_>, _>>()?;
        let widest = Picture::of(&drawn)?;
        let hash = hash_of(narrower.iter().chain([&widest]));
        Ok(Self { hash, narrower, widest })
    }

    /// Each with its name, the widest last. A name is the hash of all of them and its own width. So the widest's name
    /// implies which others exist: each of [`WIDTHS`] that is narrower.
    pub(crate) fn named(&self) -> impl Iterator<Item = (String, &Picture)> {
        let named = |picture: &Picture| format!("{}-{}{EXTENSION}", self.hash, picture.width);
        self.narrower.iter().chain([&self.widest]).map(move |picture| (named(picture), picture))
    }
}

/// The SHA-256 of the concatenated pictures, in hexadecimal.
fn hash_of<'a>(pictures: impl IntoIterator<Item = &'a Picture>) -> String {
    use fmt::Write;
    let mut hasher = Sha256::new();
    for picture in pictures {
        hasher.update(&picture.bytes);
    }
    let mut hash = String::with_capacity(HASH_LENGTH);
    for byte in hasher.finalize() {
        // Writing to a string cannot fail.
        let _ = write!(hash, "{byte:02x}");
    }
    hash
}

const EXTENSION: &str = ".webp";
const HASH_LENGTH: usize = 64;

/// Whether a name has the exact format of [`Drawings::named`] or [`Picture::name`]. Earlier versions used the latter
/// for the shop's own pictures, and products still have such addresses.
pub(crate) fn is_a_name(name: &str) -> bool {
    let Some((hash, width)) = name.strip_suffix(EXTENSION).and_then(|rest| rest.split_at_checked(HASH_LENGTH)) else {
        return false;
    };
    let is_width = |digits: &str| {
        !digits.starts_with('0') && digits.bytes().all(|b| b.is_ascii_digit()) && matches!(digits.len(), 1..=4)
    };
    hash.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
        && (width.is_empty() || width.strip_prefix('-').is_some_and(is_width))
}

fn decode(encoded: &[u8]) -> Result<DynamicImage, ImageRefused> {
    if encoded.len() > MAX_ENCODED {
        return Err(ImageRefused::TooLarge);
    }
    let format = sniff(encoded).ok_or(ImageRefused::NotAPicture)?;
    let mut limits = Limits::no_limits();
    limits.max_image_width = Some(MAX_SIDE);
    limits.max_image_height = Some(MAX_SIDE);
    limits.max_alloc = Some(MAX_DECODED);
    let mut reader = ImageReader::with_format(Cursor::new(encoded), format);
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(|error| refusal(&error))?;
    let (width, height) = decoder.dimensions();
    let too_many_pixels = u64::from(width) * u64::from(height) > MAX_PIXELS;
    if width > MAX_SIDE || height > MAX_SIDE || too_many_pixels || decoder.total_bytes() > MAX_DECODED {
        return Err(ImageRefused::TooManyPixels);
    }
    // Unreadable EXIF orientation is ignored.
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let mut picture = DynamicImage::from_decoder(decoder).map_err(|error| refusal(&error))?;
    picture.apply_orientation(orientation);
    Ok(picture)
}

/// The format according to the first bytes; the client's file name and media type are not trusted.
fn sniff(encoded: &[u8]) -> Option<ImageFormat> {
    const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";
    const JPEG: &[u8] = b"\xff\xd8\xff";
    if encoded.starts_with(PNG) {
        Some(ImageFormat::Png)
    } else if encoded.starts_with(JPEG) {
        Some(ImageFormat::Jpeg)
    } else if encoded.starts_with(b"RIFF") && encoded.get(8..12) == Some(b"WEBP") {
        Some(ImageFormat::WebP)
    } else {
        None
    }
}

fn refusal(error: &image::ImageError) -> ImageRefused {
    match error {
        image::ImageError::Limits(_) => ImageRefused::TooManyPixels,
        _ => ImageRefused::NotAPicture,
    }
}

/// Scales a picture down until it fits; never up.
fn shrink(picture: DynamicImage, width: u32, height: u32) -> DynamicImage {
    if picture.width() <= width && picture.height() <= height {
        return picture;
    }
    // The Lanczos filter works in floating point on rows of the whole width: a rough first step limits its memory.
    let rough = if picture.width().max(picture.height()) > 2 * STORED_SIDE {
        picture.thumbnail(2 * STORED_SIDE, 2 * STORED_SIDE)
    } else {
        picture
    };
    if rough.color().has_alpha() {
        let mut pixels = rough.into_rgba8();
        weigh_by_alpha(&mut pixels);
        let small = DynamicImage::ImageRgba8(pixels).resize(width, height, FilterType::Lanczos3);
        let mut pixels = small.into_rgba8();
        unweigh_by_alpha(&mut pixels);
        DynamicImage::ImageRgba8(pixels)
    } else {
        rough.resize(width, height, FilterType::Lanczos3)
    }
}

/// Multiplies each pixel's colour by its opacity, so that the colour of transparent pixels does not bleed into the
/// edges.
fn weigh_by_alpha(pixels: &mut RgbaImage) {
    each_colour(pixels, |colour, alpha| {
        u8::try_from((u32::from(colour) * u32::from(alpha) + 127) / 255).unwrap_or(u8::MAX)
    });
}

fn unweigh_by_alpha(pixels: &mut RgbaImage) {
    each_colour(pixels, |colour, alpha| match u32::from(alpha) {
        0 => 0,
        alpha => u8::try_from((u32::from(colour) * 255 + alpha / 2) / alpha).unwrap_or(u8::MAX),
    });
}

fn each_colour(pixels: &mut ImageBuffer<Rgba<u8>, Vec<u8>>, change: impl Fn(u8, u8) -> u8) {
    for pixel in pixels.pixels_mut() {
        let alpha = pixel.0[3];
        pixel.apply_without_alpha(|colour| change(colour, alpha));
    }
}

fn encode(picture: &DynamicImage) -> Result<Vec<u8>, ImageRefused> {
    let (width, height) = (picture.width(), picture.height());
    let encoded = if picture.color().has_alpha() {
        let pixels = picture.to_rgba8();
        webp::Encoder::from_rgba(&pixels, width, height).encode_simple(false, QUALITY)
    } else {
        let pixels = picture.to_rgb8();
        webp::Encoder::from_rgb(&pixels, width, height).encode_simple(false, QUALITY)
    };
    encoded.map(|memory| memory.to_vec()).map_err(|error| {
        let cause = format!("libwebp: {error:?}");
        ImageRefused::Provider(ProviderError::InvalidResponse(cause.into()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    /// The stored picture, decoded as a client would.
    fn seen(upload: &[u8]) -> DynamicImage {
        let picture = Picture::draw(upload).unwrap();
        image::load_from_memory_with_format(picture.bytes(), ImageFormat::WebP).unwrap()
    }

    fn refused(upload: &[u8]) -> ImageRefused {
        Picture::draw(upload).unwrap_err()
    }

    fn is_reddish(picture: &DynamicImage, x: u32, y: u32) -> bool {
        let [red, _, blue] = picture.to_rgb8().get_pixel(x, y).0;
        red > 120 && blue < 80
    }

    #[test]
    fn png_jpeg_and_webp_are_accepted_and_keep_their_look() {
        for upload in [samples::png(80, 60), samples::jpeg(80, 60), samples::webp(80, 60)] {
            let picture = seen(&upload);
            assert_eq!((picture.width(), picture.height()), (80, 60));
            assert!(is_reddish(&picture, 10, 10));
            assert!(!is_reddish(&picture, 70, 10));
        }
    }

    #[test]
    fn the_stored_picture_is_lossy_webp() {
        let picture = Picture::draw(&samples::png(80, 60)).unwrap();
        assert_eq!(&picture.bytes()[..4], b"RIFF");
        // "VP8 " is the lossy chunk, "VP8L" the lossless one.
        assert_eq!(&picture.bytes()[8..16], b"WEBPVP8 ");
    }

    #[test]
    fn a_large_picture_is_scaled_down_to_the_stored_size() {
        for (width, height, expected) in [
            (1_600, 1_200, (1_600, 1_200)),
            (2_000, 1_000, (1_600, 800)),
            (400, 4_000, (160, 1_600)),
            (8_000, 16, (1_600, 3)),
        ] {
            let picture = seen(&samples::flat_png(width, height));
            assert_eq!((picture.width(), picture.height()), expected);
        }
    }

    #[test]
    fn a_small_picture_is_not_scaled_up() {
        let picture = seen(&samples::png(1, 1));
        assert_eq!((picture.width(), picture.height()), (1, 1));
    }

    /// The widths of the stored pictures: in their names, and actual.
    fn widths(upload: &[u8]) -> Vec<(u32, u32)> {
        let drawings = Drawings::draw(upload).unwrap();
        let width_in = |name: &str| {
            assert!(is_a_name(name), "{name}");
            name[HASH_LENGTH + 1..].strip_suffix(EXTENSION).unwrap().parse().unwrap()
        };
        let seen = |picture: &Picture| image::load_from_memory(picture.bytes()).unwrap().width();
        drawings.named().map(|(name, picture)| (width_in(&name), seen(picture))).collect()
    }

    #[test]
    fn a_picture_is_stored_in_the_standard_widths_and_never_wider_than_it_was() {
        for (width, height, expected) in [
            (2_000, 1_500, &[320, 640, 960, 1_600][..]),
            (961, 4, &[320, 640, 960, 961]),
            (960, 720, &[320, 640, 960]),
            (700, 525, &[320, 640, 700]),
            (320, 240, &[320]),
            (12, 9, &[12]),
            // Tall: the height is the side that was scaled down.
            (1_500, 3_000, &[320, 640, 800]),
            (16, 8_000, &[3]),
        ] {
            let expected: Vec<_> = expected.iter().map(|width| (*width, *width)).collect();
            assert_eq!(widths(&samples::flat_png(width, height)), expected, "{width} x {height}");
        }
    }

    #[test]
    fn no_metadata_is_kept_in_any_width() {
        let drawings = Drawings::draw(&samples::jpeg_with_exif(1_000, 750, 6)).unwrap();
        assert_eq!(drawings.named().count(), 3);
        for (name, picture) in drawings.named() {
            for trace in [samples::SECRET_PLACE, samples::GPS_OF_PLACE, b"Exif", b"EXIF"] {
                assert!(!samples::contains(picture.bytes(), trace), "{name}");
            }
            let seen = image::load_from_memory(picture.bytes()).unwrap();
            assert!(seen.height() > seen.width(), "{name} lies on its side");
        }
    }

    #[test]
    fn transparency_is_kept_in_every_width() {
        let drawings = Drawings::draw(&samples::png_with_holes(1_000, 20)).unwrap();
        for (name, picture) in drawings.named() {
            let seen = image::load_from_memory(picture.bytes()).unwrap().to_rgba8();
            assert_eq!(seen.get_pixel(4, 2).0[3], 255, "{name}");
            assert_eq!(seen.get_pixel(picture.width - 4, 2).0[3], 0, "{name}");
        }
    }

    #[test]
    fn only_names_of_the_two_formats_are_valid() {
        let hash = "0123456789abcdef".repeat(4);
        for good in [format!("{hash}.webp"), format!("{hash}-1.webp"), format!("{hash}-1600.webp")] {
            assert!(is_a_name(&good), "{good}");
        }
        for bad in [
            "-.webp",
            "-0320.webp",
            "-0.webp",
            "-16000.webp",
            "-32a.webp",
            "-320",
            "320.webp",
            "--320.webp",
            "-320.webp.webp",
        ] {
            assert!(!is_a_name(&format!("{hash}{bad}")), "{bad}");
        }
        for bad in
            [format!("{}-320.webp", &hash[1..]), format!("{}-320.webp", hash.to_uppercase()), "ä".repeat(80) + ".webp"]
        {
            assert!(!is_a_name(&bad), "{bad}");
        }
    }

    #[test]
    fn a_picture_taken_sideways_is_rotated_upright() {
        // Orientation 6: the camera was turned; the left edge belongs to the top.
        let picture = seen(&samples::jpeg_with_exif(80, 40, 6));
        assert_eq!((picture.width(), picture.height()), (40, 80));
        assert!(is_reddish(&picture, 20, 10));
        assert!(!is_reddish(&picture, 20, 70));
        // Orientation 3: upside down.
        let picture = seen(&samples::jpeg_with_exif(80, 40, 3));
        assert!(!is_reddish(&picture, 10, 10));
        assert!(is_reddish(&picture, 70, 10));
    }

    #[test]
    fn no_metadata_is_kept() {
        let upload = samples::jpeg_with_exif(80, 60, 1);
        assert!(samples::contains(&upload, samples::SECRET_PLACE));
        let picture = Picture::draw(&upload).unwrap();
        assert!(samples::contains(&upload, samples::GPS_OF_PLACE));
        for trace in [samples::SECRET_PLACE, samples::GPS_OF_PLACE, b"Exif", b"EXIF", b"ICCP", b"XMP "] {
            assert!(!samples::contains(picture.bytes(), trace));
        }
    }

    #[test]
    fn a_page_hidden_behind_a_picture_is_not_kept() {
        let script = b"<html><script>alert(document.cookie)</script>";
        for mut upload in [samples::png(20, 20), samples::jpeg(20, 20), samples::webp(20, 20)] {
            upload.extend_from_slice(script);
            let picture = Picture::draw(&upload).unwrap();
            assert!(!samples::contains(picture.bytes(), b"<script"));
        }
    }

    #[test]
    fn transparency_is_kept_and_hidden_colour_does_not_bleed_into_edges() {
        let picture = seen(&samples::png_with_holes(2_000, 20)).to_rgba8();
        assert_eq!(picture.get_pixel(10, 5).0[3], 255);
        assert_eq!(picture.get_pixel(1_590, 5).0[3], 0);
        for pixel in picture.pixels().filter(|pixel| pixel.0[3] > 40) {
            let [red, green, ..] = pixel.0;
            assert!(red > green + 100, "{pixel:?}");
        }
    }

    #[test]
    fn any_other_file_is_not_a_picture() {
        for upload in [
            &b""[..],
            b"\x89PNG\r\n\x1a\n",
            b"\xff\xd8\xff",
            b"RIFF\x04\0\0\0WEBP",
            b"GIF89a\x01\0\x01\0\x80\0\0\xff\xff\xff\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;",
            b"<svg xmlns=\"http://www.w3.org/2000/svg\"><script>alert(1)</script></svg>",
            b"<?xml version=\"1.0\"?><svg/>",
            b"BM\x3a\0\0\0\0\0\0\0",
            b"%PDF-1.7",
            b"RIFF\x24\0\0\0WAVEfmt ",
            b"hello",
            &[0xff; 4_096],
        ] {
            let refusal = refused(upload);
            assert!(matches!(refusal, ImageRefused::NotAPicture), "{upload:?}: {refusal:?}");
        }
    }

    #[test]
    fn a_truncated_picture_is_refused_or_drawn_without_another_error() {
        for upload in [
            samples::png(60, 40),
            samples::webp(60, 40),
            samples::jpeg_with_exif(60, 40, 6),
            samples::animated_webp(60, 40),
        ] {
            for length in (0..upload.len()).step_by(7) {
                match Picture::draw(&upload[..length]) {
                    // A truncated JPEG shows its upper part, as in any browser.
                    Ok(_) | Err(ImageRefused::NotAPicture) => {}
                    Err(other) => panic!("{length}: {other:?}"),
                }
            }
        }
        let png = samples::png(60, 40);
        assert!(matches!(refused(&png[..png.len() / 2]), ImageRefused::NotAPicture));
    }

    #[test]
    fn a_picture_with_flipped_bytes_is_refused_or_drawn_without_another_error() {
        for upload in [
            samples::png(60, 40),
            samples::webp(60, 40),
            samples::jpeg_with_exif(60, 40, 6),
            samples::animated_webp(60, 40),
        ] {
            for place in (0..upload.len()).step_by(5) {
                let mut changed = upload.clone();
                changed[place] ^= 0xff;
                match Picture::draw(&changed) {
                    Ok(_) | Err(ImageRefused::NotAPicture | ImageRefused::TooLarge | ImageRefused::TooManyPixels) => {}
                    Err(other) => panic!("{place}: {other:?}"),
                }
            }
        }
    }

    #[test]
    fn a_header_with_too_large_dimensions_is_refused_before_decoding() {
        let began = std::time::Instant::now();
        for (width, height) in [(30_000, 30_000), (8_001, 1), (1, 8_001), (8_000, 8_000), (0x7fff_ffff, 0x7fff_ffff)] {
            let refusal = refused(&samples::png_that_claims(width, height));
            assert!(matches!(refusal, ImageRefused::TooManyPixels), "{width} x {height}: {refusal:?}");
        }
        assert!(began.elapsed().as_secs() < 2);
    }

    #[test]
    fn a_small_file_with_too_many_pixels_is_refused() {
        let bomb = samples::flat_png(8_000, 5_001);
        assert!(bomb.len() < 200_000, "{}", bomb.len());
        assert!(matches!(refused(&bomb), ImageRefused::TooManyPixels));
    }

    #[test]
    fn forty_megapixels_are_accepted() {
        let picture = seen(&samples::flat_png(8_000, 5_000));
        assert_eq!((picture.width(), picture.height()), (1_600, 1_000));
    }

    #[test]
    fn five_megabytes_are_accepted_and_one_byte_more_is_too_large() {
        let mut upload = samples::png(4, 4);
        upload.resize(MAX_ENCODED, 0);
        assert!(Picture::draw(&upload).is_ok());
        upload.push(0);
        assert!(matches!(refused(&upload), ImageRefused::TooLarge));
    }

    #[test]
    fn only_the_first_frame_of_an_animation_is_kept() {
        let picture = seen(&samples::animated_webp(60, 40));
        assert_eq!((picture.width(), picture.height()), (60, 40));
        assert!(is_reddish(&picture, 30, 20));
        let stored = Picture::draw(&samples::animated_webp(60, 40)).unwrap();
        assert!(!samples::contains(stored.bytes(), b"ANIM"));
    }

    #[test]
    fn the_same_upload_gets_the_same_name_and_another_gets_another() {
        let name = |upload: &[u8]| Picture::draw(upload).unwrap().name();
        assert_eq!(name(&samples::png(20, 20)), name(&samples::png(20, 20)));
        assert_ne!(name(&samples::png(20, 20)), name(&samples::png(20, 21)));
        assert!(is_a_name(&name(&samples::png(20, 20))));
    }
}
