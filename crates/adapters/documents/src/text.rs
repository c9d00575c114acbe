//! Text over several lines.

use crate::fonts::{Fonts, Line, Style};

impl Fonts {
    /// A text as the lines that it needs within a width; at least one. A word that is wider than that is broken.
    pub(crate) fn wrapped(&self, text: &str, style: Style, width: f32) -> Vec<Line> {
        text.lines().flat_map(|paragraph| self.paragraph(paragraph, style, width)).collect()
    }

    fn paragraph(&self, text: &str, style: Style, width: f32) -> Vec<Line> {
        let whole = self.line(text, style);
        if whole.width <= width {
            return vec![whole];
        }
        let mut lines = Vec::new();
        let mut line = String::new();
        let mut used = 0.0;
        let space = self.line(" ", style).width;
        for word in text.split_whitespace() {
            let word_width = self.line(word, style).width;
            if line.is_empty() || used + space + word_width > width {
                if !line.is_empty() {
                    lines.push(self.line(&line, style));
                }
                (line, used) = self.broken(word, word_width, style, width, &mut lines);
            } else {
                line.push(' ');
                line.push_str(word);
                used += space + word_width;
            }
        }
        lines.push(self.line(&line, style));
        lines
    }

    /// The last part of a word that is wider than a line, and its width; the parts before it are lines of their own.
    fn broken(&self, word: &str, word_width: f32, style: Style, width: f32, lines: &mut Vec<Line>) -> (String, f32) {
        if word_width <= width {
            return (word.to_owned(), word_width);
        }
        let mut part = String::new();
        let mut used = 0.0;
        for c in word.chars() {
            let wide = self.line(c.encode_utf8(&mut [0; 4]), style).width;
            if used + wide > width && !part.is_empty() {
                lines.push(self.line(&part, style));
                part.clear();
                used = 0.0;
            }
            part.push(c);
            used += wide;
        }
        (part, used)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STYLE: Style = Style::new(9.0);

    fn shown(line: &Line) -> String {
        line.runs.iter().map(|run| run.text.as_str()).collect()
    }

    #[test]
    fn words_stay_whole_where_they_fit_and_no_line_is_too_wide() {
        let fonts = Fonts::load().unwrap();
        let lines = fonts.wrapped("Front brake disc with an uncommonly long description", STYLE, 90.0);
        assert!(lines.len() > 1);
        assert!(lines.iter().all(|line| line.width <= 90.0));
        let words: Vec<String> = lines.iter().map(shown).collect();
        assert_eq!(words.join(" "), "Front brake disc with an uncommonly long description");
    }

    #[test]
    fn a_word_wider_than_the_line_is_broken_and_loses_nothing() {
        let fonts = Fonts::load().unwrap();
        let word = "X".repeat(200);
        let lines = fonts.wrapped(&format!("a {word} b"), STYLE, 60.0);
        assert!(lines.iter().all(|line| line.width <= 60.5));
        let all: String = lines.iter().map(shown).collect();
        assert_eq!(all.matches('X').count(), 200);
        assert!(all.ends_with('b'));
    }

    #[test]
    fn characters_that_no_font_has_are_replaced_and_still_found_by_a_search() {
        let fonts = Fonts::load().unwrap();
        let line = fonts.line("Диск 刹车 α", STYLE);
        assert_eq!(shown(&line), "Диск ?? α");
        assert_eq!(line.actual.as_deref(), Some("Диск 刹车 α"));
        let plain = fonts.line("Ünïcödé €5 №7", STYLE);
        assert_eq!((shown(&plain).as_str(), plain.actual), ("Ünïcödé €5 №7", None));
    }

    #[test]
    fn no_character_at_all_becomes_a_missing_glyph() {
        let fonts = Fonts::load().unwrap();
        let every = (0..=u32::from(char::MAX)).filter_map(char::from_u32).collect::<Vec<_>>();
        for some in every.chunks(4096) {
            let text: String = some.iter().collect();
            for run in fonts.line(&text, STYLE).runs {
                assert!(run.glyphs.iter().all(|glyph| glyph.glyph_id.to_u32() != 0), "in {:?}", run.text);
                assert!(run.glyphs.iter().all(|glyph| run.text.get(glyph.text_range.clone()).is_some()));
            }
        }
    }

    #[test]
    fn figures_have_one_width_in_a_column() {
        let fonts = Fonts::load().unwrap();
        let width = |text| fonts.line(text, STYLE.tabular()).width;
        assert!((width("111.11") - width("888.88")).abs() < 0.001);
    }
}
