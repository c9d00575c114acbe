//! XML as a tree that is written at once.

use std::io;

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event};

/// An element with its attributes and either text or elements in it.
#[derive(Debug)]
pub(crate) struct Element {
    name: &'static str,
    attributes: Vec<(&'static str, &'static str)>,
    text: Option<String>,
    children: Vec<Element>,
}

impl Element {
    pub(crate) const fn new(name: &'static str) -> Self {
        Self { name, attributes: Vec::new(), text: None, children: Vec::new() }
    }

    pub(crate) fn text(name: &'static str, text: impl AsRef<str>) -> Self {
        // XML 1.0 has no way to write the rest.
        let allowed = |c: &char| matches!(c, '\t' | '\n' | ' '..='\u{fffd}' | '\u{10000}'..);
        Self { text: Some(text.as_ref().chars().filter(allowed).collect()), ..Self::new(name) }
    }

    pub(crate) fn with(mut self, attribute: &'static str, value: &'static str) -> Self {
        self.attributes.push((attribute, value));
        self
    }

    pub(crate) fn child(mut self, child: Self) -> Self {
        self.children.push(child);
        self
    }

    /// Adds some, or none of an `Option`.
    pub(crate) fn children(mut self, children: impl IntoIterator<Item = Self>) -> Self {
        self.children.extend(children);
        self
    }

    /// The whole document.
    pub(crate) fn document(&self) -> io::Result<Vec<u8>> {
        let mut writer = Writer::new_with_indent(Vec::new(), b' ', 2);
        writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
        self.write(&mut writer)?;
        let mut bytes = writer.into_inner();
        bytes.push(b'\n');
        Ok(bytes)
    }

    fn write(&self, writer: &mut Writer<Vec<u8>>) -> io::Result<()> {
        let mut start = BytesStart::new(self.name);
        for attribute in &self.attributes {
            start.push_attribute(*attribute);
        }
        writer.write_event(Event::Start(start))?;
        if let Some(text) = &self.text {
            writer.write_event(Event::Text(BytesText::new(text)))?;
        }
        for child in &self.children {
            child.write(writer)?;
        }
        writer.write_event(Event::End(BytesEnd::new(self.name)))
    }
}
