//! Where everything goes: a sheet as pages of placed text, with the structure that a screen reader follows.

use crate::fonts::{Fonts, Line, Style};
use crate::marks::{Element, Ink, Laid, Mark, Role};
use crate::sheet::{Align, Column, Look, Party, Sheet};

const SIDE: f32 = 48.0;
const FIRST_BASE: f32 = 66.0;
const NEXT_PAGES_TOP: f32 = 76.0;
const BOTTOM: f32 = 64.0;
const GAP: f32 = 12.0;
const ROW_PADDING: f32 = 6.0;

const LABEL: Style = Style::new(7.5).strong().spaced(0.6);
const BODY: Style = Style::new(9.5);
const SMALL: Style = Style::new(8.0);

pub(crate) fn lay_out(sheet: &Sheet, fonts: &Fonts) -> Laid {
    let (width, height) = sheet.paper.size();
    let laid = Laid {
        pages: vec![Vec::new()],
        leaves: 0,
        before: Vec::new(),
        header: Vec::new(),
        rows: Vec::new(),
        after: Vec::new(),
    };
    let mut flow = Flow { fonts, width, bottom: height - BOTTOM, y: FIRST_BASE, laid };
    flow.head(sheet);
    flow.strip(sheet);
    flow.parties(&sheet.parties, sheet.large_party);
    flow.table(sheet);
    flow.sums(sheet);
    flow.notes(sheet);
    flow.page_edges(sheet, height);
    flow.laid
}

struct Flow<'a> {
    fonts: &'a Fonts,
    width: f32,
    /// Nothing of the content is below.
    bottom: f32,
    /// Where the next thing begins.
    y: f32,
    laid: Laid,
}

/// Where a line of text ends or begins.
#[derive(Clone, Copy)]
enum At {
    Left(f32),
    Right(f32),
}

impl Flow<'_> {
    fn right(&self) -> f32 {
        self.width - SIDE
    }

    fn inner(&self) -> f32 {
        self.width - 2.0 * SIDE
    }

    fn mark(&mut self, mark: Mark) {
        if let Some(page) = self.laid.pages.last_mut() {
            page.push(mark);
        }
    }

    /// Draws a line and answers its leaf.
    fn text(&mut self, at: At, y: f32, line: Line, ink: Ink) -> usize {
        let x = match at {
            At::Left(x) => x,
            At::Right(x) => x - line.width,
        };
        let leaf = self.laid.leaves;
        self.laid.leaves += 1;
        self.mark(Mark::Text { x, y, line, ink, leaf: Some(leaf) });
        leaf
    }

    /// Draws lines below each other from the base `y`.
    fn lines(&mut self, at: At, y: f32, lines: Vec<Line>, leading: f32, ink: Ink) -> Vec<usize> {
        let mut leaves = Vec::with_capacity(lines.len());
        let mut base = y;
        for line in lines.into_iter().filter(|line| !line.runs.is_empty()) {
            leaves.push(self.text(at, base, line, ink));
            base += leading;
        }
        leaves
    }

    fn label(&mut self, at: At, y: f32, text: &str, ink: Ink) -> usize {
        let line = self.fonts.line(&text.to_uppercase(), LABEL);
        self.text(at, y, line, ink)
    }

    fn next_page(&mut self) {
        self.laid.pages.push(Vec::new());
        self.y = NEXT_PAGES_TOP;
    }

    fn room_for(&mut self, height: f32) {
        if self.y + height > self.bottom {
            self.next_page();
        }
    }

    /// The shop on the left, the document's name and number on the right.
    fn head(&mut self, sheet: &Sheet) {
        let title = self.fonts.line(sheet.title, Style::new(24.0).strong());
        let number = self.fonts.line(&sheet.number, Style::new(11.0).strong().tabular());
        let room = self.inner() - title.width.max(number.width) - 24.0;
        let name = self.fonts.wrapped(&sheet.seller.to_uppercase(), Style::new(17.0).strong().spaced(2.4), room);
        let count = name.len();
        let leaves = self.lines(At::Left(SIDE), self.y, name, 21.0, Ink::Text);
        self.laid.before.push(Element { role: Role::Paragraph, leaves });
        #[expect(clippy::cast_precision_loss, reason = "a handful of lines")]
        let mut y = self.y + 21.0 * (count.saturating_sub(1)) as f32 + 16.0;
        for text in &sheet.seller_lines {
            let lines = self.fonts.wrapped(text, SMALL, room);
            #[expect(clippy::cast_precision_loss, reason = "a handful of lines")]
            let taken = lines.len() as f32 * SMALL.leading();
            let leaves = self.lines(At::Left(SIDE), y, lines, SMALL.leading(), Ink::Quiet);
            self.laid.before.push(Element { role: Role::Paragraph, leaves });
            y += taken;
        }
        let (right, base) = (self.right(), self.y);
        let title = self.text(At::Right(right), base, title, Ink::Accent);
        let number = self.text(At::Right(right), base + 18.0, number, Ink::Text);
        self.laid.before.insert(0, Element { role: Role::Title, leaves: vec![title, number] });
        self.y = y.max(base + 34.0) + 6.0;
    }

    /// The purchase order number and the facts on a tinted strip.
    fn strip(&mut self, sheet: &Sheet) {
        let po_style = Style::new(14.0).strong();
        let fact_style = Style::new(10.5).strong().tabular();
        let po_width = if sheet.po_number.is_some() { self.inner() * 0.36 } else { 0.0 };
        #[expect(clippy::cast_precision_loss, reason = "a handful of facts")]
        let each = (self.inner() - po_width) / sheet.facts.len().max(1) as f32;
        let fact_lines: Vec<Vec<Line>> =
            sheet.facts.iter().map(|fact| self.fonts.wrapped(&fact.value, fact_style, each - 2.0 * GAP)).collect();
        let po_lines = sheet.po_number.as_ref().map(|po| self.fonts.wrapped(po, po_style, po_width - 2.0 * GAP));
        #[expect(clippy::cast_precision_loss, reason = "a handful of lines")]
        let tall = |lines: usize, style: Style| lines as f32 * style.leading();
        let facts_height = fact_lines.iter().map(|lines| tall(lines.len(), fact_style)).fold(0.0, f32::max);
        let po_height = po_lines.as_ref().map_or(0.0, |lines| tall(lines.len(), po_style));
        let height = facts_height.max(po_height) + 30.0;
        let (top, inner) = (self.y, self.inner());
        self.mark(Mark::Filled { x: SIDE, y: top, width: inner, height, ink: Ink::Tint });
        let mut x = SIDE;
        if let Some(lines) = po_lines {
            self.mark(Mark::Filled { x: SIDE, y: top, width: 3.0, height, ink: Ink::Accent });
            let label = self.label(At::Left(x + GAP), top + 16.0, "Purchase order", Ink::Accent);
            let leaves = self.lines(At::Left(x + GAP), top + 34.0, lines, po_style.leading(), Ink::Text);
            self.laid.before.push(heading("Purchase order", label));
            self.laid.before.push(Element { role: Role::Paragraph, leaves });
            x += po_width;
        }
        for (fact, lines) in sheet.facts.iter().zip(fact_lines) {
            let label = self.label(At::Left(x + GAP), top + 16.0, &fact.label, Ink::Quiet);
            let leaves = self.lines(At::Left(x + GAP), top + 33.0, lines, fact_style.leading(), Ink::Text);
            self.laid.before.push(heading(&fact.label, label));
            self.laid.before.push(Element { role: Role::Paragraph, leaves });
            x += each;
        }
        self.y = top + height + 20.0;
    }

    fn parties(&mut self, parties: &[Party], large: bool) {
        let (name_style, line_style) =
            if large { (Style::new(19.0).strong(), Style::new(15.0)) } else { (Style::new(10.5).strong(), BODY) };
        #[expect(clippy::cast_precision_loss, reason = "two parties")]
        let each = self.inner() / parties.len().max(1) as f32;
        let top = self.y;
        let mut lowest = top;
        for (x, party) in (0_u16..).map(|at| SIDE + each * f32::from(at)).zip(parties) {
            let label = self.label(At::Left(x), top + 6.0, party.label, Ink::Quiet);
            self.laid.before.push(heading(party.label, label));
            let mut y = top + 10.0 + name_style.leading();
            let mut leaves = Vec::new();
            let texts =
                std::iter::once((&party.name, name_style)).chain(party.lines.iter().map(|line| (line, line_style)));
            for (text, style) in texts {
                for line in self.fonts.wrapped(text, style, each - 2.0 * GAP) {
                    if !line.runs.is_empty() {
                        leaves.push(self.text(At::Left(x), y, line, Ink::Text));
                        y += line_style.leading();
                    }
                }
            }
            self.laid.before.push(Element { role: Role::Paragraph, leaves });
            lowest = lowest.max(y);
        }
        self.y = lowest + 10.0;
    }

    /// Where each column begins and how wide it is, for its text.
    fn places(&self, columns: &[Column]) -> Vec<(f32, f32)> {
        let fixed: f32 = columns.iter().filter_map(|column| column.width).sum();
        let rest = self.inner() - fixed;
        let mut x = SIDE;
        let mut places = Vec::with_capacity(columns.len());
        for column in columns {
            let width = column.width.unwrap_or(rest);
            places.push((x, width - 8.0));
            x += width;
        }
        places
    }

    fn table_head(&mut self, columns: &[Column], places: &[(f32, f32)], again: bool) {
        let y = self.y + 10.0;
        for (column, (x, width)) in columns.iter().zip(places) {
            let at = match column.align {
                Align::Left => At::Left(*x),
                Align::Right => At::Right(x + width + 8.0),
            };
            let leaf = self.label(at, y, column.heading, Ink::Quiet);
            if !again {
                self.laid.header.push(Element { role: Role::HeaderCell, leaves: vec![leaf] });
            } else if let Some(Mark::Text { leaf, .. }) = self.laid.pages.last_mut().and_then(|page| page.last_mut()) {
                // Repeated for the eye: the table was read out with its heading already.
                *leaf = None;
                self.laid.leaves -= 1;
            }
        }
        let (y, width) = (y + 6.0, self.inner());
        self.mark(Mark::Filled { x: SIDE, y, width, height: 1.0, ink: Ink::Text });
        self.y = y + 1.0;
    }

    fn table(&mut self, sheet: &Sheet) {
        if sheet.columns.is_empty() {
            return;
        }
        let places = self.places(&sheet.columns);
        self.room_for(60.0);
        self.table_head(&sheet.columns, &places, false);
        for row in &sheet.rows {
            let cells: Vec<Vec<Line>> = row
                .iter()
                .zip(&sheet.columns)
                .zip(&places)
                .map(|((text, column), (_, width))| self.fonts.wrapped(text, set(column), *width))
                .collect();
            #[expect(clippy::cast_precision_loss, reason = "a handful of lines")]
            let tall = |(lines, column): (&Vec<Line>, &Column)| lines.len() as f32 * set(column).leading();
            let content = cells.iter().zip(&sheet.columns).map(tall).fold(0.0, f32::max);
            let height = content + 2.0 * ROW_PADDING;
            if self.y + height > self.bottom {
                self.next_page();
                self.table_head(&sheet.columns, &places, true);
            }
            self.row(cells, &sheet.columns, &places);
            let (y, width) = (self.y + height, self.inner());
            self.mark(Mark::Filled { x: SIDE, y, width, height: 0.5, ink: Ink::Hairline });
            self.y = y + 0.5;
        }
        self.y += 12.0;
    }

    fn row(&mut self, cells: Vec<Vec<Line>>, columns: &[Column], places: &[(f32, f32)]) {
        // All cells of a row stand on one line, whatever their size.
        let base = columns.iter().map(|column| set(column).size).fold(0.0, f32::max);
        let top = self.y + ROW_PADDING;
        let mut elements = Vec::with_capacity(cells.len());
        for ((lines, column), (x, width)) in cells.into_iter().zip(columns).zip(places) {
            if column.look == Look::Tick {
                self.mark(Mark::Framed { x: x + width - 4.0, y: top, size: 12.0 });
            }
            let style = set(column);
            let at = match column.align {
                Align::Left => At::Left(*x),
                Align::Right => At::Right(x + width + 8.0),
            };
            let ink = if column.look == Look::Quiet { Ink::Quiet } else { Ink::Text };
            let leaves = self.lines(at, top + base, lines, style.leading(), ink);
            elements.push(Element { role: Role::Cell, leaves });
        }
        self.laid.rows.push(elements);
    }

    fn sums(&mut self, sheet: &Sheet) {
        if sheet.sums.is_empty() {
            return;
        }
        let heights: f32 = sheet.sums.iter().map(|sum| if sum.strong { 34.0 } else { 16.0 }).sum();
        // What it comes to stands on one page, unless there are more taxes than a page has lines.
        self.room_for(heights.min(self.bottom - NEXT_PAGES_TOP));
        let (left, right) = (self.right() - 260.0, self.right());
        for sum in &sheet.sums {
            let (style, ink) = if sum.strong { (Style::new(13.0).strong(), Ink::Text) } else { (BODY, Ink::Quiet) };
            self.room_for(if sum.strong { 34.0 } else { 16.0 });
            if sum.strong {
                let y = self.y + 4.0;
                self.mark(Mark::Filled { x: left, y, width: right - left, height: 1.5, ink: Ink::Accent });
                self.y += 10.0;
            }
            let value = self.fonts.line(&sum.value, style.tabular());
            let room = right - left - value.width - GAP;
            let label = self.fonts.wrapped(&sum.label, style, room);
            #[expect(clippy::cast_precision_loss, reason = "a handful of lines")]
            let taken = label.len() as f32 * style.leading();
            let base = self.y + style.size + 1.0;
            let mut leaves = self.lines(At::Left(left), base, label, style.leading(), ink);
            leaves.push(self.text(At::Right(right), base, value, Ink::Text));
            self.laid.after.push(Element { role: Role::Paragraph, leaves });
            self.y += taken + if sum.strong { 8.0 } else { 3.0 };
        }
        self.y += 14.0;
    }

    fn notes(&mut self, sheet: &Sheet) {
        for note in &sheet.notes {
            self.room_for(32.0);
            let label = self.label(At::Left(SIDE), self.y + 8.0, &note.label, Ink::Quiet);
            self.laid.after.push(heading(&note.label, label));
            self.y += 12.0;
            let mut leaves = Vec::new();
            for line in self.fonts.wrapped(&note.value, BODY, self.inner()) {
                self.room_for(BODY.leading());
                if !line.runs.is_empty() {
                    leaves.push(self.text(At::Left(SIDE), self.y + 10.0, line, Ink::Text));
                }
                self.y += BODY.leading();
            }
            self.laid.after.push(Element { role: Role::Paragraph, leaves });
            self.y += 10.0;
        }
    }

    /// What every page has: the stripe, whose document it is, and which page.
    fn page_edges(&mut self, sheet: &Sheet, height: f32) {
        let (width, right, count) = (self.width, self.right(), self.laid.pages.len());
        for (at, page) in self.laid.pages.iter_mut().enumerate() {
            let mut write = |x: f32, y: f32, line: Line, from_right: bool| {
                let x = if from_right { x - line.width } else { x };
                page.push(Mark::Text { x, y, line, ink: Ink::Quiet, leaf: None });
            };
            let base = height - 34.0;
            let which = sheet.name();
            write(SIDE, base, self.fonts.line(&format!("{} \u{b7} {which}", sheet.seller), SMALL), false);
            write(right, base, self.fonts.line(&format!("Page {} of {count}", at + 1), SMALL.tabular()), true);
            if at > 0 {
                write(SIDE, 48.0, self.fonts.line(&sheet.seller.to_uppercase(), LABEL), false);
                write(right, 48.0, self.fonts.line(&which, SMALL.strong()), true);
            }
            page.push(Mark::Filled { x: 0.0, y: 0.0, width, height: 5.0, ink: Ink::Accent });
            let (y, width) = (height - 48.0, width - 2.0 * SIDE);
            page.push(Mark::Filled { x: SIDE, y, width, height: 0.5, ink: Ink::Hairline });
        }
    }
}

fn heading(text: &str, leaf: usize) -> Element {
    Element { role: Role::Heading(text.to_owned()), leaves: vec![leaf] }
}

/// How a column's text is set.
const fn set(column: &Column) -> Style {
    let style = match column.look {
        Look::Plain | Look::Quiet | Look::Tick => BODY,
        Look::Strong => BODY.strong(),
        Look::Large => Style::new(13.0).strong(),
    };
    match column.align {
        Align::Right => style.tabular(),
        Align::Left => style,
    }
}
