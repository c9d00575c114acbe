//! What is printed, before it is known where: the same form for every document.

/// The size of the paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Paper {
    A4,
    /// 8.5 by 11 inches.
    Us,
}

impl Paper {
    /// Width and height in points.
    pub(crate) const fn size(self) -> (f32, f32) {
        match self {
            Self::A4 => (595.0, 842.0),
            Self::Us => (612.0, 792.0),
        }
    }
}

/// A label with what it says.
#[derive(Debug, Clone)]
pub(crate) struct Fact {
    pub(crate) label: String,
    pub(crate) value: String,
}

impl Fact {
    pub(crate) fn new(label: impl Into<String>, value: impl Into<String>) -> Self {
        Self { label: label.into(), value: value.into() }
    }
}

/// Somebody with an address.
#[derive(Debug, Clone)]
pub(crate) struct Party {
    pub(crate) label: &'static str,
    pub(crate) name: String,
    pub(crate) lines: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Right,
}

/// How the text of a column is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Look {
    Plain,
    Quiet,
    Strong,
    /// To be read from where one packs.
    Large,
    /// A box to tick, without text.
    Tick,
}

#[derive(Debug, Clone)]
pub(crate) struct Column {
    pub(crate) heading: &'static str,
    /// In points; none for the one that takes what is left.
    pub(crate) width: Option<f32>,
    pub(crate) align: Align,
    pub(crate) look: Look,
}

impl Column {
    pub(crate) const fn left(heading: &'static str, width: f32, look: Look) -> Self {
        Self { heading, width: Some(width), align: Align::Left, look }
    }

    pub(crate) const fn right(heading: &'static str, width: f32, look: Look) -> Self {
        Self { heading, width: Some(width), align: Align::Right, look }
    }

    pub(crate) const fn rest(heading: &'static str) -> Self {
        Self { heading, width: None, align: Align::Left, look: Look::Plain }
    }
}

/// A line below the table.
#[derive(Debug, Clone)]
pub(crate) struct Sum {
    pub(crate) label: String,
    pub(crate) value: String,
    /// What it all comes to.
    pub(crate) strong: bool,
}

/// A document to be laid out.
#[derive(Debug, Clone)]
pub(crate) struct Sheet {
    pub(crate) paper: Paper,
    pub(crate) title: &'static str,
    pub(crate) number: String,
    pub(crate) seller: String,
    pub(crate) seller_lines: Vec<String>,
    /// The purchase order number: what the customer's accounts department looks for first.
    pub(crate) po_number: Option<String>,
    pub(crate) facts: Vec<Fact>,
    pub(crate) parties: Vec<Party>,
    /// Whether the first party is set large.
    pub(crate) large_party: bool,
    pub(crate) columns: Vec<Column>,
    /// As many cells as there are columns.
    pub(crate) rows: Vec<Vec<String>>,
    pub(crate) sums: Vec<Sum>,
    pub(crate) notes: Vec<Fact>,
}

impl Sheet {
    /// What it is called: its kind and its number.
    pub(crate) fn name(&self) -> String {
        format!("{} {}", self.title, self.number)
    }
}
