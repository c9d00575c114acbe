//! Laid-out pages as PDF, with the structure that a screen reader follows.

use std::num::NonZeroU16;

use krilla::Document;
use krilla::color::rgb;
use krilla::destination::XyzDestination;
use krilla::geom::{PathBuilder, Point, Rect};
use krilla::num::NormalizedF32;
use krilla::outline::{Outline, OutlineNode};
use krilla::page::PageSettings;
use krilla::paint::{Fill, FillRule, Stroke};
use krilla::surface::Surface;
use krilla::tagging::{
    Artifact, ArtifactType, ContentTag, Identifier, SpanTag, TableHeaderScope, Tag, TagGroup, TagTree,
};

use crate::marks::{Element, Ink, Laid, Mark, Role};

impl Ink {
    fn colour(self) -> rgb::Color {
        match self {
            Self::Text => rgb::Color::new(0x1c, 0x1e, 0x21),
            Self::Quiet => rgb::Color::new(0x5f, 0x5a, 0x52),
            Self::Accent => rgb::Color::new(0xb3, 0x41, 0x0a),
            Self::Hairline => rgb::Color::new(0xd9, 0xd3, 0xc8),
            Self::Tint => rgb::Color::new(0xf7, 0xf3, 0xec),
        }
    }

    fn fill(self) -> Fill {
        Fill { paint: self.colour().into(), opacity: NormalizedF32::ONE, rule: FillRule::NonZero }
    }
}

/// A sheet that has found its place, on which paper, and what it is called.
pub(crate) struct Placed {
    pub(crate) laid: Laid,
    pub(crate) paper: PageSettings,
    pub(crate) title: String,
}

/// Draws the pages of all sheets into the document, with an outline and one structure of them.
pub(crate) fn draw(document: &mut Document, sheets: Vec<Placed>) {
    let mut outline = Outline::new();
    let mut tree = TagTree::new().with_lang(Some("en".to_owned()));
    let mut first_page = 0;
    for Placed { laid, paper, title } in sheets {
        outline.push_child(OutlineNode::new(title.clone(), XyzDestination::new(first_page, Point::from_xy(0.0, 0.0))));
        first_page += laid.pages.len();
        draw_sheet(document, laid, &paper, &title, &mut tree);
    }
    document.set_outline(outline);
    document.set_tag_tree(tree);
}

fn draw_sheet(document: &mut Document, laid: Laid, settings: &PageSettings, title: &str, tree: &mut TagTree) {
    let Laid { pages, leaves, before, header, rows, after } = laid;
    let mut identifiers: Vec<Option<Identifier>> = (0..leaves).map(|_| None).collect();
    for marks in pages {
        let mut page = document.start_page_with(settings.clone());
        let mut surface = page.surface();
        for mark in marks {
            if let Some((leaf, identifier)) = draw_mark(&mut surface, mark)
                && let Some(place) = identifiers.get_mut(leaf)
            {
                *place = Some(identifier);
            }
        }
        surface.finish();
        page.finish();
    }
    let identifiers = &mut identifiers;
    for element in before {
        tree.push(group(element, identifiers, title));
    }
    if !header.is_empty() {
        tree.push(table(identifiers, title, header, rows));
    }
    for element in after {
        tree.push(group(element, identifiers, title));
    }
}

fn draw_mark(surface: &mut Surface, mark: Mark) -> Option<(usize, Identifier)> {
    match mark {
        Mark::Text { x, y, line, ink, leaf } => {
            let tag = if leaf.is_some() {
                ContentTag::Span(SpanTag::empty().with_actual_text(line.actual.as_deref()))
            } else {
                ContentTag::Artifact(Artifact::with_kind(ArtifactType::PaginationOther))
            };
            let identifier = surface.start_tagged(tag);
            surface.set_fill(Some(ink.fill()));
            let mut at = x;
            for run in line.runs {
                let width = run.width(line.size);
                surface.draw_glyphs(Point::from_xy(at, y), &run.glyphs, run.font, &run.text, line.size, false);
                at += width;
            }
            surface.end_tagged();
            leaf.map(|leaf| (leaf, identifier))
        }
        Mark::Filled { x, y, width, height, ink } => {
            rectangle(surface, Rect::from_xywh(x, y, width, height), Some(ink.fill()), None);
            None
        }
        Mark::Framed { x, y, size } => {
            let stroke = Stroke { paint: Ink::Text.colour().into(), width: 0.8, ..Stroke::default() };
            rectangle(surface, Rect::from_xywh(x, y, size, size), None, Some(stroke));
            None
        }
    }
}

fn rectangle(surface: &mut Surface, area: Option<Rect>, fill: Option<Fill>, stroke: Option<Stroke>) {
    let mut path = PathBuilder::new();
    if let Some(area) = area {
        path.push_rect(area);
    }
    let Some(path) = path.finish() else { return };
    surface.start_tagged(ContentTag::Artifact(Artifact::with_kind(ArtifactType::Layout)));
    surface.set_fill(fill);
    surface.set_stroke(stroke);
    surface.draw_path(&path);
    surface.set_stroke(None);
    surface.end_tagged();
}

fn table(
    identifiers: &mut [Option<Identifier>],
    title: &str,
    header: Vec<Element>,
    rows: Vec<Vec<Element>>,
) -> TagGroup {
    let mut table = TagGroup::new(Tag::Table);
    let mut row = |cells: Vec<Element>| {
        let mut row = TagGroup::new(Tag::TR);
        for cell in cells {
            row.push(group(cell, identifiers, title));
        }
        row
    };
    let mut head = TagGroup::new(Tag::THead);
    head.push(row(header));
    let mut body = TagGroup::new(Tag::TBody);
    for cells in rows {
        body.push(row(cells));
    }
    table.push(head);
    table.push(body);
    table
}

fn group(element: Element, identifiers: &mut [Option<Identifier>], title: &str) -> TagGroup {
    let level = |level| NonZeroU16::new(level).unwrap_or(NonZeroU16::MIN);
    let mut group = match element.role {
        Role::Title => TagGroup::new(Tag::Hn(level(1), Some(title.to_owned()))),
        Role::Heading(text) => TagGroup::new(Tag::Hn(level(2), Some(text))),
        Role::Paragraph => TagGroup::new(Tag::P),
        Role::HeaderCell => TagGroup::new(Tag::TH(TableHeaderScope::Column)),
        Role::Cell => TagGroup::new(Tag::TD),
    };
    for leaf in element.leaves {
        if let Some(identifier) = identifiers.get_mut(leaf).and_then(Option::take) {
            group.push(identifier);
        }
    }
    group
}
