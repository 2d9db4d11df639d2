//! The parser: a graph of states. Each state reads one header and selects the next state by a field
//! of it.

use crate::error::{EngineError, hint};
use crate::field::{Field, FieldLayer, FieldName, HeaderKind};
use crate::packet::{EnginePacket, Metadata};
use crate::spec::{ParserSpec, PipelineStage};
use std::collections::BTreeSet;

/// The most headers that a parser may be configured to read.
///
/// Source: ours: a tunnelled, tagged RoCEv2 frame has nine. Status: assumed.
pub const DEPTH_MAX: u32 = 32;

/// The place that error messages name.
const PLACE: &str = "packet_engine.parser";

#[derive(Clone, Debug)]
struct State {
    header: HeaderKind,
    select: Option<FieldName>,
    next: Vec<(u64, usize)>,
    otherwise: Option<usize>,
}

/// A compiled parser.
#[derive(Clone, Debug)]
pub struct ParseGraph {
    states: Vec<State>,
    depth: usize,
    /// Headers that may occur outside and inside a tunnel.
    found: BTreeSet<(FieldLayer, HeaderKind)>,
}

impl ParseGraph {
    /// Checks and compiles a description.
    ///
    /// # Errors
    /// [`EngineError`]: no state, two states of one name, a header where it cannot occur, a field
    /// that the header does not have.
    pub fn new(spec: &ParserSpec) -> Result<Self, EngineError> {
        if spec.depth == 0 || spec.depth > DEPTH_MAX {
            let works = format!("1 to {DEPTH_MAX} headers would work");
            return Err(EngineError::value(PLACE, "depth", spec.depth, works));
        }
        let names: Vec<String> = spec.states.iter().map(|state| state.name.clone()).collect();
        if let Some(at) = (1..names.len()).find(|&at| names[..at].contains(&names[at])) {
            return Err(EngineError::Twice { what: "states of the parser", name: names[at].clone() });
        }
        let mut states = Vec::new();
        for state in &spec.states {
            let place = format!("{PLACE}, state '{}'", state.name);
            let number = |name: &String| {
                names.iter().position(|known| known == name).ok_or_else(|| {
                    let works = format!("no state has that name{} states: {}", hint(name, &names), names.join(", "));
                    EngineError::value(&place, "next", format!("\"{name}\""), works)
                })
            };
            let select = state.select.as_ref().map(|text| selector(text, state.header, &place)).transpose()?;
            let mut next = Vec::new();
            for branch in &state.next {
                let Some(name) = select else {
                    let works = "name the field whose value decides, or use `otherwise`";
                    return Err(EngineError::value(&place, "select", "absent", works));
                };
                let text = branch.value.to_string();
                let value = Field::of(name).value(&text, &[]);
                let value = value
                    .map_err(|works| EngineError::value(&place, "a value of `next`", format!("\"{text}\""), works))?;
                next.push((value, number(&branch.state)?));
            }
            let otherwise = state.otherwise.as_ref().map(number).transpose()?;
            states.push(State { header: state.header, select, next, otherwise });
        }
        let graph = Self { states, depth: spec.depth as usize, found: BTreeSet::new() };
        graph.check_order(&names)?;
        Ok(Self { found: graph.reach(), ..graph })
    }

    /// Checks that each header occurs only where its format allows.
    fn check_order(&self, names: &[String]) -> Result<(), EngineError> {
        match self.states.first() {
            None => {
                return Err(EngineError::value(
                    PLACE,
                    "states",
                    "empty",
                    "a first state that reads \"ethernet\" would work",
                ));
            }
            Some(first) if first.header != HeaderKind::Ethernet => {
                let (found, works) = (first.header.name(), "a frame starts with \"ethernet\"");
                return Err(EngineError::value(PLACE, "the header of the first state", found, works));
            }
            Some(_) => {}
        }
        for (at, state) in self.states.iter().enumerate() {
            for &next in state.next.iter().map(|(_, next)| next).chain(&state.otherwise) {
                let follower = self.states[next].header;
                if !follower.may_follow().contains(&state.header) {
                    let place = format!("{PLACE}, state '{}'", names[at]);
                    let list: Vec<&str> = follower.may_follow().iter().map(|kind| kind.name()).collect();
                    let works = format!("{} can follow {}", follower.name(), list.join(" or "));
                    let found = format!("'{}' behind {}", names[next], state.header.name());
                    return Err(EngineError::value(place, "next", found, works));
                }
            }
        }
        Ok(())
    }

    /// Headers that may occur, by layer.
    fn reach(&self) -> BTreeSet<(FieldLayer, HeaderKind)> {
        let (mut seen, mut waiting) = (BTreeSet::new(), vec![(FieldLayer::Outer, 0)]);
        while let Some((layer, at)) = waiting.pop() {
            if !seen.insert((layer, at)) {
                continue;
            }
            let state = &self.states[at];
            let behind = match (layer, state.header) {
                // A tunnel within a tunnel counts as payload.
                (FieldLayer::Inner, HeaderKind::Vxlan) => continue,
                (_, HeaderKind::Vxlan) => FieldLayer::Inner,
                _ => layer,
            };
            waiting.extend(state.next.iter().map(|&(_, next)| (behind, next)));
            waiting.extend(state.otherwise.map(|next| (behind, next)));
        }
        seen.into_iter().map(|(layer, at)| (layer, self.states[at].header)).collect()
    }

    /// Checks that the parser can find a field.
    pub(crate) fn must_find(&self, field: Field, place: &str) -> Result<(), EngineError> {
        let headers = field.name.headers();
        let Some(first) = headers.first() else { return Ok(()) };
        if headers.iter().any(|kind| self.found.contains(&(field.layer, *kind))) {
            return Ok(());
        }
        Err(EngineError::NeverParsed {
            place: place.to_owned(),
            field: field.to_string(),
            header: first.name(),
            inner: if field.layer == FieldLayer::Inner { " behind a VXLAN header" } else { "" },
        })
    }

    /// Whether the parser selects a next state by this field.
    pub(crate) fn selects(&self, name: FieldName) -> bool {
        self.states.iter().any(|state| state.select == Some(name) && !state.next.is_empty())
    }

    /// Parses the headers of a frame (without frame check sequence). Any bytes are a packet: bytes
    /// that are no header of the graph are payload.
    #[must_use]
    pub fn parse<'frame>(&self, frame: &'frame [u8], stage: PipelineStage, metadata: Metadata) -> EnginePacket<'frame> {
        let mut packet = EnginePacket::new(frame, self.depth, stage as u8, metadata);
        let (mut next, mut tunnels) = (Some(0), 0);
        for _ in 0..self.depth {
            let Some(at) = next else { return packet };
            let state: &State = &self.states[at];
            if state.header == HeaderKind::Vxlan {
                tunnels += 1;
                if tunnels > 1 {
                    return packet;
                }
            }
            match packet.read(state.header) {
                Err(_) => {
                    packet.mark_malformed();
                    return packet;
                }
                Ok(false) => return packet,
                Ok(true) => {}
            }
            let selected = state.select.and_then(|name| packet.headers().last().and_then(|header| header.get(name)));
            let branch = state.next.iter().find(|(value, _)| Some(*value) == selected);
            next = branch.map(|(_, next)| *next).or(state.otherwise);
        }
        if next.is_some() {
            packet.mark_malformed();
        }
        packet
    }
}

/// The field by which a state selects the next one: a field of its own header.
fn selector(text: &str, header: HeaderKind, place: &str) -> Result<FieldName, EngineError> {
    let field = Field::named(text, place)?;
    if field.layer == FieldLayer::Outer && field.name.headers().contains(&header) {
        return Ok(field.name);
    }
    let own: Vec<String> = Field::all()
        .filter(|f| f.layer == FieldLayer::Outer && f.name.headers().contains(&header))
        .map(|f| f.to_string())
        .collect();
    let works = format!("a field of the state's own header would work: {}", own.join(", "));
    Err(EngineError::value(place, "select", format!("\"{text}\""), works))
}
