//! Sample pictures, and files that pretend to be one.

use std::io::Cursor;

use image::{DynamicImage, ImageFormat, Rgb, RgbImage, Rgba, RgbaImage};

/// Part of the EXIF of [`jpeg_with_exif`]: what a phone would reveal of its owner.
pub(crate) const SECRET_PLACE: &[u8] = b"52.5200N 13.4050E";

/// The same place as GPS EXIF encodes it: 52 degrees, 31 minutes, 12.01 seconds.
pub(crate) const GPS_OF_PLACE: &[u8] = &[52, 0, 0, 0, 1, 0, 0, 0, 31, 0, 0, 0, 1, 0, 0, 0, 0xb1, 4, 0, 0, 100, 0, 0, 0];

pub(crate) fn contains(haystack: &[u8], needle: &[u8]) -> bool {
    haystack.windows(needle.len()).any(|window| window == needle)
}

/// Red on the left, blue on the right, with a gradient from top to bottom.
pub(crate) fn drawn(width: u32, height: u32) -> RgbImage {
    RgbImage::from_fn(width, height, |x, y| {
        let shade = u8::try_from(y * 100 / height).unwrap();
        if x < width / 2 { Rgb([255 - shade, 0, 0]) } else { Rgb([0, 0, 255 - shade]) }
    })
}

fn encoded(picture: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    picture.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

pub(crate) fn png(width: u32, height: u32) -> Vec<u8> {
    encoded(&drawn(width, height).into(), ImageFormat::Png)
}

pub(crate) fn jpeg(width: u32, height: u32) -> Vec<u8> {
    encoded(&drawn(width, height).into(), ImageFormat::Jpeg)
}

pub(crate) fn webp(width: u32, height: u32) -> Vec<u8> {
    webp::Encoder::from_rgb(&drawn(width, height), width, height).encode(80.0).to_vec()
}

/// Opaque red on the left, transparent green on the right; the edge falls inside a pixel of the smaller picture.
pub(crate) fn png_with_holes(width: u32, height: u32) -> Vec<u8> {
    let picture = RgbaImage::from_fn(width, height, |x, _| {
        if x < width / 2 - 1 { Rgba([255, 0, 0, 255]) } else { Rgba([0, 255, 0, 0]) }
    });
    encoded(&picture.into(), ImageFormat::Png)
}

/// A JPEG as a phone writes it: an orientation from 1 to 8, and the place where it was taken, as text and as GPS.
pub(crate) fn jpeg_with_exif(width: u32, height: u32, orientation: u8) -> Vec<u8> {
    // Offsets count from the byte order mark; a directory is a count, twelve bytes per entry, and the offset of the
    // next one.
    const DIRECTORY: usize = 8;
    const WORDS: usize = DIRECTORY + 2 + 3 * 12 + 4;
    const GPS: usize = WORDS + SECRET_PLACE.len() + 1;
    const LATITUDE: usize = GPS + 2 + 2 * 12 + 4;
    let entry = |tag: u16, kind: u16, count: usize, value: [u8; 4]| {
        let count = u32::try_from(count).unwrap().to_le_bytes();
        [&tag.to_le_bytes()[..], &kind.to_le_bytes(), &count, &value].concat()
    };
    let at = |offset: usize| u32::try_from(offset).unwrap().to_le_bytes();
    let exif = [
        b"Exif\0\0II*\0",
        &at(DIRECTORY)[..],
        &3_u16.to_le_bytes(),
        // Description (ASCII), orientation (SHORT), and the offset of the GPS directory (LONG).
        &entry(0x010e, 2, SECRET_PLACE.len() + 1, at(WORDS)),
        &entry(0x0112, 3, 1, [orientation, 0, 0, 0]),
        &entry(0x8825, 4, 1, at(GPS)),
        &at(0),
        SECRET_PLACE,
        b"\0",
        &2_u16.to_le_bytes(),
        // North (ASCII), and the latitude as three RATIONALs.
        &entry(0x0001, 2, 2, *b"N\0\0\0"),
        &entry(0x0002, 5, 3, at(LATITUDE)),
        &at(0),
        GPS_OF_PLACE,
    ]
    .concat();
    let plain = jpeg(width, height);
    let mut bytes = plain[..2].to_vec();
    bytes.extend([0xff, 0xe1]);
    bytes.extend(u16::try_from(exif.len() + 2).unwrap().to_be_bytes());
    bytes.extend(exif);
    bytes.extend(&plain[2..]);
    bytes
}

/// A WebP of two frames, the first red and the second blue.
pub(crate) fn animated_webp(width: u32, height: u32) -> Vec<u8> {
    let frame = |colour| RgbImage::from_pixel(width, height, Rgb(colour));
    let frames = [frame([255, 0, 0]), frame([0, 0, 255])];
    let config = webp::WebPConfig::new().unwrap();
    let mut encoder = webp::AnimEncoder::new(width, height, &config);
    for (frame, at) in frames.iter().zip([0, 100]) {
        encoder.add_frame(webp::AnimFrame::from_rgb(frame, width, height, at));
    }
    encoder.encode().to_vec()
}

/// A PNG whose header promises more than its bytes hold.
pub(crate) fn png_that_claims(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = png(1, 1);
    bytes[16..20].copy_from_slice(&width.to_be_bytes());
    bytes[20..24].copy_from_slice(&height.to_be_bytes());
    let checksum = crc32(&bytes[12..29]);
    bytes[29..33].copy_from_slice(&checksum.to_be_bytes());
    bytes
}

/// A real PNG of one colour: few bytes, many pixels.
pub(crate) fn flat_png(width: u32, height: u32) -> Vec<u8> {
    encoded(&DynamicImage::ImageLuma8(image::GrayImage::new(width, height)), ImageFormat::Png)
}

/// The CRC of PNG's chunks (RFC 2083, section 15).
fn crc32(bytes: &[u8]) -> u32 {
    let fold = |crc: u32, byte: &u8| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| if crc & 1 == 1 { 0xedb8_8320 ^ (crc >> 1) } else { crc >> 1 })
    };
    !bytes.iter().fold(u32::MAX, fold)
}
