//! Shared parts of the XML readers: attributes, text with its entities, and lines for errors.

use quick_xml::Reader;
use quick_xml::escape::resolve_xml_entity;
use quick_xml::events::{BytesStart, Event};

/// A part of a document. An element without content is a start and an end.
pub(super) enum XmlToken {
    /// Name without prefix, and attributes with theirs.
    Start(String, Vec<(String, String)>),
    End,
    Text(String),
}

/// Reads tokens, each with the line on which it ends.
pub(super) struct XmlTokens<'t> {
    text: &'t str,
    reader: Reader<&'t [u8]>,
    open: usize,
    /// Whether the last element was empty: its end comes next.
    ends: bool,
    /// Whether the outermost element has ended.
    closed: bool,
}

impl<'t> XmlTokens<'t> {
    pub fn new(text: &'t str) -> Self {
        Self { text, reader: Reader::from_str(text), open: 0, ends: false, closed: false }
    }

    /// An error at the current place.
    pub fn wrong(&self, error: impl std::fmt::Display) -> String {
        let end = usize::try_from(self.reader.buffer_position()).map_or(self.text.len(), |at| at.min(self.text.len()));
        let line = self.text.as_bytes()[..end].iter().filter(|byte| **byte == b'\n').count() + 1;
        format!("line {line}: {error}")
    }

    /// The next token; `None` at the end of the document.
    pub fn next(&mut self) -> Result<Option<XmlToken>, String> {
        if std::mem::take(&mut self.ends) {
            self.closed |= self.open == 0;
            return Ok(Some(XmlToken::End));
        }
        loop {
            let event = self.reader.read_event().map_err(|error| self.wrong(error))?;
            self.check_outside(&event)?;
            return Ok(Some(match event {
                Event::Eof if self.open > 0 => {
                    return Err(self.wrong("the document ends within an element; a whole document would work"));
                }
                Event::Eof => return Ok(None),
                Event::Start(tag) => {
                    self.open += 1;
                    self.start(&tag)?
                }
                Event::Empty(tag) => {
                    self.ends = true;
                    self.start(&tag)?
                }
                Event::End(_) => {
                    self.open -= 1;
                    self.closed = self.open == 0;
                    XmlToken::End
                }
                Event::Text(text) => XmlToken::Text(text.decode().map_err(|error| self.wrong(error))?.into_owned()),
                Event::CData(text) => XmlToken::Text(text.decode().map_err(|error| self.wrong(error))?.into_owned()),
                Event::GeneralRef(reference) => {
                    let name = reference.decode().map_err(|error| self.wrong(error))?;
                    let letter = reference.resolve_char_ref().map_err(|error| self.wrong(error))?;
                    let known = letter.map(String::from).or_else(|| resolve_xml_entity(&name).map(str::to_owned));
                    let unknown = || {
                        let works = "&amp;, &lt;, &gt;, &quot;, &apos; or a number such as &#65; would work";
                        self.wrong(format!("the entity '&{name};' is not known; {works}"))
                    };
                    XmlToken::Text(known.ok_or_else(unknown)?)
                }
                Event::Comment(_) | Event::Decl(_) | Event::DocType(_) | Event::PI(_) => continue,
            }));
        }
    }

    /// Checks that outside of the outermost element, and behind it, there is nothing of a graph.
    fn check_outside(&self, event: &Event<'_>) -> Result<(), String> {
        let works = "one document, from its first element to the end of that, would work";
        match event {
            Event::Start(_) | Event::Empty(_) | Event::Decl(_) if self.closed => {
                Err(self.wrong(format!("a second document begins; {works}")))
            }
            Event::Text(text) if text.iter().all(u8::is_ascii_whitespace) => Ok(()),
            Event::Text(_) | Event::CData(_) | Event::GeneralRef(_) if self.open == 0 => {
                let place = if self.closed { "behind" } else { "before" };
                Err(self.wrong(format!("there is text {place} the document; {works}")))
            }
            _ => Ok(()),
        }
    }

    fn start(&self, tag: &BytesStart<'_>) -> Result<XmlToken, String> {
        let name = String::from_utf8_lossy(tag.local_name().as_ref()).into_owned();
        let mut attributes = Vec::new();
        for attribute in tag.attributes() {
            let attribute = attribute.map_err(|error| self.wrong(error))?;
            let key = String::from_utf8_lossy(attribute.key.as_ref()).into_owned();
            let value = attribute.unescape_value().map_err(|error| self.wrong(error))?;
            attributes.push((key, value.into_owned()));
        }
        Ok(XmlToken::Start(name, attributes))
    }
}

/// Takes an attribute out of a list.
pub(super) fn take(attributes: &mut Vec<(String, String)>, name: &str) -> Option<String> {
    let at = attributes.iter().position(|(key, _)| key == name)?;
    Some(attributes.swap_remove(at).1)
}

/// Whether an attribute concerns XML readers, not the graph.
pub(super) fn is_of_xml(name: &str) -> bool {
    name == "xmlns" || name.starts_with("xmlns:") || name.starts_with("xml:") || name.starts_with("xsi:")
}
