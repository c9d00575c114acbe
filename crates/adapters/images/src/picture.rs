//! Draws an uploaded picture anew: whatever is no picture is left behind.

use std::fmt;
use std::io::Cursor;

use image::imageops::FilterType;
use image::metadata::Orientation;
use image::{
    DynamicImage, ImageBuffer, ImageDecoder, ImageFormat, ImageReader, Limits, Pixel, Rgba,
    RgbaImage,
};
use ports::{ImageRefused, ProviderError};
use sha2::{Digest, Sha256};

/// The largest upload, in bytes (contract: 5 MB).
const MAX_ENCODED: usize = 5 * 1024 * 1024;
/// The longest side of an upload, in pixels.
const MAX_SIDE: u32 = 8_000;
/// The largest upload, in pixels.
const MAX_PIXELS: u64 = 40_000_000;
/// The most that a decoder may take, in bytes: the largest picture in 8-bit RGBA, and some room to work.
const MAX_DECODED: u64 = 192 * 1024 * 1024;
/// The longest side of what is stored, in pixels: a product page on a wide screen.
const STORED_SIDE: u32 = 1_600;
/// libwebp's scale of 0 to 100; above it, bytes grow faster than anybody can see.
const QUALITY: f32 = 82.0;
/// What every stored picture is.
pub(crate) const MEDIA_TYPE: &str = "image/webp";

/// A picture that was drawn anew, as WebP.
pub(crate) struct Picture {
    bytes: Vec<u8>,
}

impl fmt::Debug for Picture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Picture({} bytes)", self.bytes.len())
    }
}

impl Picture {
    /// Draws an upload anew: the first frame, upright, at most 1,600 pixels a side. Takes a second of CPU for the
    /// largest ones, so it belongs on a [`crate::pool::Pool`].
    pub(crate) fn draw(encoded: &[u8]) -> Result<Self, ImageRefused> {
        let decoded = decode(encoded)?;
        encode(&shrink(decoded)).map(|bytes| Self { bytes })
    }

    /// The name of these bytes and no others: their SHA-256 in hexadecimal, and what they are.
    pub(crate) fn name(&self) -> String {
        use fmt::Write;
        let mut name = String::with_capacity(NAME_LENGTH);
        for byte in Sha256::digest(&self.bytes) {
            // Writing to a string cannot fail.
            let _ = write!(name, "{byte:02x}");
        }
        name + EXTENSION
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

const EXTENSION: &str = ".webp";
const HASH_LENGTH: usize = 64;
const NAME_LENGTH: usize = HASH_LENGTH + EXTENSION.len();

/// Whether a name has the exact shape of those that [`Picture::name`] gives.
pub(crate) fn is_a_name(name: &str) -> bool {
    name.strip_suffix(EXTENSION).is_some_and(|hash| {
        hash.len() == HASH_LENGTH && hash.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
    })
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
    if width > MAX_SIDE
        || height > MAX_SIDE
        || too_many_pixels
        || decoder.total_bytes() > MAX_DECODED
    {
        return Err(ImageRefused::TooLarge);
    }
    // A camera's note that cannot be read turns nothing.
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let mut picture = DynamicImage::from_decoder(decoder).map_err(|error| refusal(&error))?;
    picture.apply_orientation(orientation);
    Ok(picture)
}

/// What the first bytes say that it is; names and media types of an upload are anybody's claim.
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
        image::ImageError::Limits(_) => ImageRefused::TooLarge,
        _ => ImageRefused::NotAPicture,
    }
}

fn shrink(picture: DynamicImage) -> DynamicImage {
    let longest = picture.width().max(picture.height());
    if longest <= STORED_SIDE {
        return picture;
    }
    // The good filter works in floating point, on rows of the whole width: a rough first step keeps its memory small.
    let rough = if longest > 2 * STORED_SIDE {
        picture.thumbnail(2 * STORED_SIDE, 2 * STORED_SIDE)
    } else {
        picture
    };
    if rough.color().has_alpha() {
        let mut pixels = rough.into_rgba8();
        weigh_by_alpha(&mut pixels);
        let small =
            DynamicImage::ImageRgba8(pixels).resize(STORED_SIDE, STORED_SIDE, FilterType::Lanczos3);
        let mut pixels = small.into_rgba8();
        unweigh_by_alpha(&mut pixels);
        DynamicImage::ImageRgba8(pixels)
    } else {
        rough.resize(STORED_SIDE, STORED_SIDE, FilterType::Lanczos3)
    }
}

/// Gives each pixel the weight of its opacity, so that the colour of what cannot be seen does not bleed into the edges.
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
        ImageRefused::Provider(ProviderError::Nonsense(cause.into()))
    })
}
