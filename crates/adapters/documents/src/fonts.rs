//! The fonts, and how text becomes glyphs of them.

use krilla::text::{Font, GlyphId, KrillaGlyph};
use rustybuzz::ttf_parser::Tag;
use rustybuzz::{Direction, Face, Feature, UnicodeBuffer};
use thiserror::Error;
use unicode_normalization::UnicodeNormalization;

const REGULAR: &[u8] = include_bytes!("../fonts/Barlow-Regular.ttf");
const SEMI_BOLD: &[u8] = include_bytes!("../fonts/Barlow-SemiBold.ttf");
/// For what Barlow lacks: Greek, Cyrillic, Devanagari and many signs.
const FALLBACK: &[u8] = include_bytes!("../fonts/NotoSans-Regular.ttf");

/// What stands for a character that no font has.
const REPLACEMENT: char = '?';

/// How text is set.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Style {
    /// In points.
    pub(crate) size: f32,
    pub(crate) strong: bool,
    /// Figures of one width, so that columns of them line up.
    pub(crate) tabular: bool,
    /// Extra space after each character, in points.
    pub(crate) spaced: f32,
}

impl Style {
    pub(crate) const fn new(size: f32) -> Self {
        Self { size, strong: false, tabular: false, spaced: 0.0 }
    }

    pub(crate) const fn strong(self) -> Self {
        Self { strong: true, ..self }
    }

    pub(crate) const fn tabular(self) -> Self {
        Self { tabular: true, ..self }
    }

    pub(crate) const fn spaced(self, points: f32) -> Self {
        Self { spaced: points, ..self }
    }

    /// From one line's base to the next.
    pub(crate) fn leading(self) -> f32 {
        (self.size * 1.32).ceil()
    }
}

/// Glyphs of one font that stand for a part of a text.
#[derive(Debug, Clone)]
pub(crate) struct Run {
    pub(crate) font: Font,
    pub(crate) text: String,
    pub(crate) glyphs: Vec<KrillaGlyph>,
}

/// A text as glyphs on one line.
#[derive(Debug, Clone)]
pub(crate) struct Line {
    pub(crate) runs: Vec<Run>,
    /// In points.
    pub(crate) width: f32,
    pub(crate) size: f32,
    /// The text itself where characters of it were replaced: what a search, a copy or a screen reader gets.
    pub(crate) actual: Option<String>,
}

impl Run {
    /// In points.
    pub(crate) fn width(&self, size: f32) -> f32 {
        self.glyphs.iter().map(|glyph| glyph.x_advance * size).sum()
    }
}

struct Loaded {
    font: Font,
    face: Face<'static>,
}

/// All fonts, read once.
pub(crate) struct Fonts {
    regular: Loaded,
    strong: Loaded,
    fallback: Loaded,
}

/// A font of the program is none: a bug.
#[derive(Debug, Error)]
#[error("a font cannot be read")]
pub(crate) struct NoFont;

fn load(bytes: &'static [u8]) -> Result<Loaded, NoFont> {
    let font = Font::new(bytes.into(), 0).ok_or(NoFont)?;
    Ok(Loaded { font, face: Face::from_slice(bytes, 0).ok_or(NoFont)? })
}

/// Characters that show nothing and only steer how their neighbours are shown; no font needs a glyph for them.
const fn steers(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
        | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// Characters that mean nothing to anybody else: a PDF for archives may not contain them.
const fn is_private(c: char) -> bool {
    matches!(c, '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{10ffff}' | '\u{fffc}' | '\u{fffd}')
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    Main,
    Fallback,
}

impl Fonts {
    pub(crate) fn load() -> Result<Self, NoFont> {
        Ok(Self { regular: load(REGULAR)?, strong: load(SEMI_BOLD)?, fallback: load(FALLBACK)? })
    }

    const fn main(&self, style: Style) -> &Loaded {
        if style.strong { &self.strong } else { &self.regular }
    }

    /// A text on one line.
    pub(crate) fn line(&self, text: &str, style: Style) -> Line {
        let mut runs: Vec<(Source, String)> = Vec::new();
        let mut replaced = false;
        for typed in text.nfc().filter(|c| !steers(*c)) {
            let c = if typed.is_control() || typed.is_whitespace() { ' ' } else { typed };
            let has = |loaded: &Loaded| !is_private(c) && loaded.face.glyph_index(c).is_some_and(|glyph| glyph.0 != 0);
            let (source, shown) = if has(self.main(style)) {
                (Source::Main, c)
            } else if has(&self.fallback) {
                (Source::Fallback, c)
            } else {
                replaced = true;
                (Source::Main, REPLACEMENT)
            };
            match runs.last_mut() {
                Some((last, run)) if *last == source => run.push(shown),
                _ => runs.push((source, shown.to_string())),
            }
        }
        let runs: Vec<Run> = runs.into_iter().map(|(source, text)| self.shape(source, text, style)).collect();
        let width = runs.iter().map(|run| run.width(style.size)).sum();
        let actual = replaced.then(|| text.chars().filter(|c| !c.is_control() && !is_private(*c)).collect());
        Line { runs, width, size: style.size, actual }
    }

    fn shape(&self, source: Source, text: String, style: Style) -> Run {
        let loaded = match source {
            Source::Main => self.main(style),
            Source::Fallback => &self.fallback,
        };
        let mut buffer = UnicodeBuffer::new();
        buffer.push_str(&text);
        buffer.guess_segment_properties();
        buffer.set_direction(Direction::LeftToRight);
        let features = [Feature::new(Tag::from_bytes(b"tnum"), 1, ..)];
        let wanted: &[Feature] = if style.tabular { &features } else { &[] };
        let shaped = rustybuzz::shape(&loaded.face, wanted, buffer);
        let infos = shaped.glyph_infos();
        if infos.iter().any(|info| info.glyph_id == 0) {
            // A sign that the font has alone, but not in this company. The replacement is in every font.
            let plain = text.chars().map(|_| REPLACEMENT).collect::<String>();
            if plain != text {
                return self.shape(Source::Main, plain, style);
            }
        }
        let per_em = loaded.font.units_per_em();
        #[expect(clippy::cast_precision_loss, reason = "glyphs are a few thousand units wide")]
        let ems = |units: i32| units as f32 / per_em;
        let extra = style.spaced / style.size;
        let glyphs = infos.iter().zip(shaped.glyph_positions()).enumerate().map(|(at, (info, position))| {
            let start = info.cluster as usize;
            let end = infos[at..].iter().map(|next| next.cluster as usize).find(|next| *next > start);
            KrillaGlyph::new(
                GlyphId::new(info.glyph_id),
                ems(position.x_advance) + extra,
                ems(position.x_offset),
                ems(position.y_offset),
                ems(position.y_advance),
                start..end.unwrap_or(text.len()),
                None,
            )
        });
        let glyphs = glyphs.collect();
        Run { font: loaded.font.clone(), glyphs, text }
    }
}
