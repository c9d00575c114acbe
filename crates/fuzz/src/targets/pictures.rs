//! Uploads.

use std::io::Cursor;
use std::time::Duration;

use image::{DynamicImage, ImageFormat, Rgb, RgbImage, Rgba, RgbaImage};

use super::texts;
use crate::target::Target;

/// The bytes of a picture, and what pretends to be one. A decoder may take what the largest picture needs, which the limits of
/// the shop put at 192 MiB, and what is drawn of it.
pub(super) const UPLOAD: Target = Target {
    tries: 200,
    time: Duration::from_secs(20),
    memory: 448 << 20,
    ..Target::of_text(
        "picture",
        pictures,
        &[
            "\u{89}PNG",
            "IHDR",
            "IDAT",
            "iCCP",
            "zTXt",
            "acTL",
            "RIFF",
            "WEBPVP8X",
            "ANIM",
            "ANMF",
            "ICCP",
            "EXIF",
            "Exif\0\0II*\0",
            "<?php",
            "<svg",
            "PK\u{3}\u{4}",
            "\0\0\0\0",
        ],
        images::fuzz::upload,
    )
};

/// The form that a picture comes in.
pub(super) const FORM: Target = Target::of_text(
    "picture-form",
    || {
        texts(&[
            "--b\r\nContent-Disposition: form-data; name=\"image\"; filename=\"a.png\"\r\nContent-Type: image/png\r\n\r\nPNG\r\n--b--\r\n",
            "--b\r\nContent-Disposition: form-data; name=\"other\"\r\n\r\nx\r\n--b\r\ncontent-disposition: form-data; name=image\r\n\r\n\r\n--b--",
        ])
    },
    &[
        "--b",
        "--b--",
        "\r\n",
        "\r\n\r\n",
        "name=",
        "\"image\"",
        "filename*=utf-8''",
        "Content-Disposition:",
        "Content-Transfer-Encoding: base64",
        ";",
        "\u{0}",
    ],
    http_adapter::fuzz::picture_form,
);

fn encoded(picture: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    // Writing to memory does not fail; without it the sample would be empty.
    let _ = picture.write_to(&mut bytes, format);
    bytes.into_inner()
}

/// A small one of each format, one that is also a page, one that unpacks to very much, and one that says that it is large.
fn pictures() -> Vec<Vec<u8>> {
    let opaque: DynamicImage =
        RgbImage::from_fn(24, 16, |x, y| Rgb([(x * 10).to_le_bytes()[0], (y * 15).to_le_bytes()[0], 90])).into();
    let clear: DynamicImage = RgbaImage::from_fn(20, 20, |x, y| Rgba([200, 10, 10, (x * y).to_le_bytes()[0]])).into();
    let grey: DynamicImage = DynamicImage::ImageLuma16(opaque.to_luma16());
    let png = encoded(&opaque, ImageFormat::Png);
    let polyglot = [png.as_slice(), b"<html><script>alert(1)</script>PK\x03\x04"].concat();
    // All of one colour packs best: 4 million pixels in 5 KB.
    let bomb = encoded(&DynamicImage::ImageLuma8(image::GrayImage::new(2_000, 2_000)), ImageFormat::Png);
    let mut claims = png.clone();
    claims.get_mut(16..24).into_iter().for_each(|size| size.copy_from_slice(&[0, 0, 0x1f, 0x40, 0, 0, 0x1f, 0x40]));
    let jpeg = encoded(&opaque, ImageFormat::Jpeg);
    let webp = encoded(&clear, ImageFormat::WebP);
    let lossy = webp::Encoder::from_rgb(opaque.as_bytes(), 24, 16).encode(50.0).to_vec();
    vec![
        png,
        jpeg,
        webp,
        lossy,
        encoded(&clear, ImageFormat::Png),
        encoded(&grey, ImageFormat::Png),
        polyglot,
        claims,
        bomb,
    ]
}
