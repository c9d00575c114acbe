//! What stands where on the pages, and what it is.

use crate::fonts::Line;

/// Which of the document's colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ink {
    Text,
    Quiet,
    Accent,
    Hairline,
    Tint,
}

/// What a text is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Role {
    Title,
    /// With what it says.
    Heading(String),
    Paragraph,
    /// Of the table: a heading, a cell, or a sum below.
    HeaderCell,
    Cell,
}

/// A structure element: the lines of text that it has, by their place among the leaves.
#[derive(Debug, Clone)]
pub(crate) struct Element {
    pub(crate) role: Role,
    pub(crate) leaves: Vec<usize>,
}

/// What is drawn on a page, in order.
#[derive(Debug)]
pub(crate) enum Mark {
    /// A line of text from its left end on its base; without a leaf it repeats or numbers, and is not read.
    Text {
        x: f32,
        y: f32,
        line: Line,
        ink: Ink,
        leaf: Option<usize>,
    },
    Filled {
        x: f32,
        y: f32,
        width: f32,
        height: f32,
        ink: Ink,
    },
    Framed {
        x: f32,
        y: f32,
        size: f32,
    },
}

/// A sheet that has found its place.
#[derive(Debug)]
pub(crate) struct Laid {
    pub(crate) pages: Vec<Vec<Mark>>,
    pub(crate) leaves: usize,
    /// What is read before the table, its heading, its rows, and what is read after it.
    pub(crate) before: Vec<Element>,
    pub(crate) header: Vec<Element>,
    pub(crate) rows: Vec<Vec<Element>>,
    pub(crate) after: Vec<Element>,
}
