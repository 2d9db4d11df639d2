//! Interrupted sessions: whatever part of them was written, recovery restores the state before
//! them.

use proptest::prelude::*;

use super::arrivals::torn as torn_arrivals;
use super::buffer::{Block, BufferHeads, BufferShape, Buffers};
use super::counter::{NicCounter, Trigger, TriggerHeads, Triggers};
use super::event::{EventKind, EventRing, NicEvent, ReturnCode, RingState};
use super::journal::Journal;
use super::list::{
    ANY_SOURCE, ArrivalHeads, Arrivals, Criteria, MessageLanding, Receive, ReceiveHeads, Receives, UnexpectedMessage,
};
use super::memory::{Regions, RegisteredRegion, Rights};
use super::portal::{ArrivingMessage, Portal, Posted};
use super::process::{Begun, IncomingOperation, NicProcess, OperationRequest, PortalKind, Reserved};
use super::receives::torn;
use super::software::ProcessMatching;

const KINDS: [PortalKind; 2] = [PortalKind::Plain, PortalKind::Tagged];
const VNI: u16 = 10;
const KEY: u64 = 5;

#[derive(Clone)]
struct Lists {
    receives: (Vec<Receive>, Box<ReceiveHeads>),
    arrivals: (Vec<UnexpectedMessage>, Box<ArrivalHeads>),
    buffers: (Vec<u8>, Vec<Block>, BufferHeads),
}

impl Lists {
    fn new() -> Self {
        let shape = BufferShape { blocks: [3, 2, 1] };
        let (mut receives, mut arrivals) = (vec![Receive::vacant(); 6], vec![UnexpectedMessage::vacant(); 6]);
        let mut blocks = vec![Block::default(); shape.block_count()];
        let heads = BufferHeads::of(shape, &mut blocks);
        let (of_receives, of_arrivals) = (ReceiveHeads::of(&mut receives), ArrivalHeads::of(&mut arrivals));
        let buffers = (vec![0; shape.bytes()], blocks, heads);
        let receives = (receives, Box::new(of_receives));
        Self { receives, arrivals: (arrivals, Box::new(of_arrivals)), buffers }
    }

    fn portal(&mut self) -> Portal<'_> {
        Portal {
            receives: Receives::new(&mut self.receives.0, &mut self.receives.1),
            arrivals: Arrivals::new(&mut self.arrivals.0, &mut self.arrivals.1),
            buffers: Buffers::new(&mut self.buffers.0, &mut self.buffers.1, &mut self.buffers.2),
        }
    }

    fn torn(one: &Self, other: &Self, draw: &mut impl FnMut() -> u32) -> Self {
        let receives =
            one.receives.0.iter().zip(&other.receives.0).map(|(one, other)| torn::receive(one, other, &mut *draw));
        let receives = (receives.collect(), Box::new(torn::receive_heads(&one.receives.1, &mut *draw)));
        let arrivals = one
            .arrivals
            .0
            .iter()
            .zip(&other.arrivals.0)
            .map(|(one, other)| torn_arrivals::arrival(one, other, &mut *draw));
        let arrivals: Vec<UnexpectedMessage> = arrivals.collect();
        let heads = torn_arrivals::arrival_heads(&one.arrivals.1, &other.arrivals.1, &mut *draw);
        let arrivals = (arrivals, Box::new(heads));
        let bytes = one.buffers.0.iter().zip(&other.buffers.0);
        let bytes = bytes.map(|(&one, &other)| if draw().is_multiple_of(2) { one } else { other }).collect();
        let buffers = (bytes, one.buffers.1.clone(), one.buffers.2.torn(&mut *draw));
        Self { receives, arrivals, buffers }
    }
}

/// The state of a process, and what is known of it elsewhere: transfers in flight, and operations
/// of its own that another process will end.
#[derive(Clone)]
struct State {
    lists: [Lists; 2],
    regions: Vec<RegisteredRegion>,
    counters: Vec<NicCounter>,
    triggers: (Vec<Trigger>, TriggerHeads),
    events: (Vec<NicEvent>, RingState),
    reserved: Reserved,
    journal: Journal,
    matching: ProcessMatching,
    flights: Vec<(PortalKind, MessageLanding, UnexpectedMessage)>,
    expected: u32,
}

impl State {
    fn new() -> Self {
        let mut triggers = vec![Trigger::default(); 1];
        let heads = TriggerHeads::of(&mut triggers);
        let mut regions = vec![RegisteredRegion::default(); 4];
        let region = RegisteredRegion::new(KEY, 0x1000, 64, Rights::REMOTE_WRITE);
        Regions::new(&mut regions).register(region).expect("there is room");
        Self {
            lists: [Lists::new(), Lists::new()],
            regions,
            counters: vec![NicCounter::default(); 1],
            triggers: (triggers, heads),
            events: (vec![NicEvent::default(); 7], RingState::default()),
            reserved: Reserved::default(),
            journal: Journal::default(),
            matching: ProcessMatching::default(),
            flights: Vec::new(),
            expected: 0,
        }
    }

    fn process(&mut self) -> NicProcess<'_> {
        let [plain, tagged] = &mut self.lists;
        NicProcess {
            vni: VNI,
            plain: plain.portal(),
            tagged: tagged.portal(),
            regions: Regions::new(&mut self.regions),
            counters: &mut self.counters,
            triggers: Triggers::new(&mut self.triggers.0, &mut self.triggers.1),
            events: EventRing::new(&mut self.events.0, &mut self.events.1),
            reserved: &mut self.reserved,
            journal: &mut self.journal,
            matching: &mut self.matching,
        }
    }

    /// A mixture of this state and of `other`, which is this state after a session.
    fn torn(&self, other: &Self, draw: &mut impl FnMut() -> u32) -> Self {
        let [plain, tagged] = [0, 1].map(|kind| Lists::torn(&self.lists[kind], &other.lists[kind], draw));
        let slots = self.events.0.iter().zip(&other.events.0);
        let slots = slots.map(|(&one, &other)| if draw().is_multiple_of(2) { one } else { other }).collect();
        let ring = RingState::torn(self.events.1, other.events.1, draw().is_multiple_of(2));
        let reserved = [self.reserved.events, other.reserved.events, self.reserved.events + 1];
        let reserved = Reserved { events: reserved[draw() as usize % 3] };
        Self { lists: [plain, tagged], events: (slots, ring), reserved, journal: other.journal.clone(), ..self.clone() }
    }
}

/// How a message that lands ends.
#[derive(Clone, Copy, Debug)]
enum Delivery {
    Kept,
    Direct,
    Flight,
}

/// What another process does in one session.
#[derive(Clone, Debug)]
enum Deed {
    Send { kind: usize, bits: u64, source: u32, length: usize, handle: u64, delivery: Delivery },
    Write { has_event: bool },
    EndOwn,
    EndFlight,
}

/// What the process does.
#[derive(Clone, Debug)]
enum Step {
    Deed(Deed),
    Post { kind: usize, bits: u64, source: u32, least_free: u64 },
    Cancel { context: u64 },
    Discard { kind: usize, bits: u64 },
    Read,
    Expect,
}

fn begin_send(state: &mut State, deed: &Deed) -> String {
    let &Deed::Send { kind, bits, source, length, handle, delivery } = deed else { panic!("a message") };
    let kind = KINDS[kind];
    let bytes: Vec<u8> = (0..length).map(|byte| (byte as u64 + bits + u64::from(source)) as u8).collect();
    let kept = if handle == 0 { &bytes[..] } else { &[] };
    let arrival = UnexpectedMessage { handle, ..UnexpectedMessage::new(bits, source, length as u64) };
    let mut process = state.process();
    let request = OperationRequest::Send { portal: kind, message: ArrivingMessage { arrival, bytes: kept } };
    match process.begin(&IncomingOperation { vni: VNI, request }) {
        Ok(Begun::Lands(landing)) => {
            let is_kept =
                matches!(delivery, Delivery::Kept) && process.end_message_kept(kind, &landing, &arrival, &bytes);
            match delivery {
                _ if is_kept => {}
                Delivery::Flight => state.flights.push((kind, landing, arrival)),
                _ => process.end_message(kind, &landing, &arrival, ReturnCode::Ok),
            }
            let MessageLanding { address, room, receive, is_last } = landing;
            format!("lands {address} {room} {} {is_last} {is_kept}", receive.context)
        }
        Ok(begun) => format!("waits {}", matches!(begun, Begun::Waits { .. })),
        Err(code) => format!("{code:?}"),
    }
}

fn carry_out(state: &mut State, deed: &Deed) -> String {
    match deed {
        Deed::Send { .. } => begin_send(state, deed),
        &Deed::Write { has_event } => {
            let rights = Rights::REMOTE_WRITE;
            let request = OperationRequest::Access { key: KEY, offset: 8, length: 8, rights, has_event };
            let mut process = state.process();
            let begun = process.begin(&IncomingOperation { vni: VNI, request });
            if let (Ok(_), true) = (&begun, has_event) {
                process.end_access(NicEvent { kind: EventKind::RemotePut, data: 3, ..NicEvent::default() });
            }
            format!("{begun:?}")
        }
        Deed::EndOwn if state.expected == 0 => "none is expected".to_owned(),
        Deed::EndOwn => {
            state.expected -= 1;
            state.process().end_access(NicEvent { kind: EventKind::Send, context: 4, ..NicEvent::default() });
            "ended".to_owned()
        }
        Deed::EndFlight if state.flights.is_empty() => "none is in flight".to_owned(),
        Deed::EndFlight => {
            let (kind, landing, arrival) = state.flights.remove(0);
            state.process().end_message(kind, &landing, &arrival, ReturnCode::Ok);
            "arrived".to_owned()
        }
    }
}

fn read(state: &mut State) -> String {
    let mut process = state.process();
    let Some(event) = process.events.pop() else { return "no event".to_owned() };
    let bytes = process.kept_for(&event).to_vec();
    process.release_kept(&event);
    let NicEvent { context, bits, length, address, lost, source, kind, code, is_last, is_tagged, .. } = event;
    format!("{context} {bits} {length} {address} {lost} {source} {kind:?} {code:?} {is_last} {is_tagged} {bytes:?}")
}

/// The visible result of a step.
fn step(state: &mut State, step: &Step, context: u64) -> String {
    match *step {
        Step::Deed(ref deed) => {
            state.process().open();
            let seen = carry_out(state, deed);
            state.process().close();
            seen
        }
        Step::Post { kind, bits, source, least_free } => {
            let criteria = Criteria::new(bits, 0, source);
            let receive = Receive { least_free, ..Receive::new(criteria, 0x1000 * context, 40, context) };
            let mut process = state.process();
            match process.post(KINDS[kind], receive) {
                Ok(Posted::Takes { arrival, landing }) => {
                    let bytes = process.portal(KINDS[kind]).kept(&arrival).to_vec();
                    process.portal(KINDS[kind]).done(&arrival);
                    process.end_message(KINDS[kind], &landing, &arrival, ReturnCode::Ok);
                    format!("takes {} {} {} {} {bytes:?}", arrival.bits, arrival.source, arrival.handle, arrival.length)
                }
                Ok(Posted::Waits { .. }) => "posted".to_owned(),
                Err(full) => full.to_string(),
            }
        }
        Step::Cancel { context } => {
            let mut process = state.process();
            let found = KINDS.map(|kind| process.portal(kind).receives.cancel(context));
            format!("{:?}", found.map(|receive| receive.map(|receive| (receive.context, receive.used))))
        }
        Step::Discard { kind, bits } => {
            let mut process = state.process();
            let portal = process.portal(KINDS[kind]);
            let found = portal.peek(&Criteria::new(bits, 0, ANY_SOURCE)).map(|(index, _)| portal.discard(index).handle);
            format!("{found:?}")
        }
        Step::Read => read(state),
        Step::Expect => {
            let expects = state.process().expect_event().is_ok();
            state.expected += u32::from(expects);
            format!("{expects}")
        }
    }
}

/// All that is visible of a state: the results of these steps, then everything that is left, and
/// the free room.
fn all(mut state: State, steps: &[Step]) -> Vec<String> {
    let mut seen: Vec<String> = (500..).zip(steps).map(|(context, each)| step(&mut state, each, context)).collect();
    let rest = [Deed::EndOwn, Deed::EndFlight].map(Step::Deed);
    let rest = rest.iter().cycle().take(24).chain(std::iter::repeat_n(&Step::Read, 8));
    seen.extend(rest.map(|each| step(&mut state, each, 0)));
    for kind in [0, 1] {
        let each = |bits| [Step::Cancel { context: bits }, Step::Discard { kind, bits: bits % 3 }];
        seen.extend((0..120).flat_map(each).map(|each| step(&mut state, &each, 0)));
        let mut process = state.process();
        let portal = process.portal(KINDS[kind]);
        seen.push(format!("{} {}", portal.receives.len(), portal.arrivals.len()));
        seen.extend(
            [1, 300, 3_000].map(|bytes| {
                format!("{}", (0..9).take_while(|_| portal.buffers.keep(&vec![0; bytes]).is_ok()).count())
            }),
        );
        let post = Step::Post { kind, bits: 1, source: 1, least_free: 0 };
        seen.extend((0..8).map(|context| step(&mut state, &post, context)));
    }
    seen.push(format!("{}", state.reserved.events));
    seen
}

fn deed() -> impl Strategy<Value = Deed> {
    let length = prop_oneof![Just(0_usize), Just(8), Just(30), Just(64), Just(65), Just(200), Just(300), Just(3_000)];
    let delivery = prop_oneof![Just(Delivery::Kept), Just(Delivery::Direct), Just(Delivery::Flight)];
    prop_oneof![
        6 => (0_usize..2, 0_u64..3, 0_u32..2, length, prop_oneof![3 => Just(0_u64), 1 => 1_u64..9], delivery)
            .prop_map(|(kind, bits, source, length, handle, delivery)| Deed::Send { kind, bits, source, length, handle, delivery }),
        1 => any::<bool>().prop_map(|has_event| Deed::Write { has_event }),
        1 => Just(Deed::EndOwn),
        1 => Just(Deed::EndFlight),
    ]
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let source = prop_oneof![2 => 0_u32..2, 1 => Just(ANY_SOURCE)];
    let post = (0_usize..2, 0_u64..3, source, prop_oneof![3 => Just(0_u64), 1 => Just(20)]);
    let each = prop_oneof![
        6 => deed().prop_map(Step::Deed),
        5 => post.prop_map(|(kind, bits, source, least_free)| Step::Post { kind, bits, source, least_free }),
        1 => (0_u64..60).prop_map(|context| Step::Cancel { context }),
        1 => (0_usize..2, 0_u64..3).prop_map(|(kind, bits)| Step::Discard { kind, bits }),
        4 => Just(Step::Read),
        1 => Just(Step::Expect),
    ];
    prop::collection::vec(each, 0..40)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]
    #[test]
    fn what_was_cut_off_has_not_happened(before in steps(), deed in deed(), seed in any::<u64>(), later in steps()) {
        let mut state = State::new();
        for (context, each) in (0..).zip(&before) {
            step(&mut state, each, context);
        }
        let mut random = seed;
        let mut draw = || {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (random >> 33) as u32
        };
        let expected = all(state.clone(), &later);
        let mut after = state.clone();
        after.process().open();
        let opened = after.journal.clone();
        carry_out(&mut after, &deed);
        let (flights, outside) = (state.flights.clone(), state.expected);

        // Interrupted in the middle: all records are there, and any part of the changes that they
        // describe.
        let mut cut = state.torn(&after, &mut draw);
        (cut.flights, cut.expected) = (flights, outside);
        let as_it_was_left = cut.clone();
        cut.process().recover();
        prop_assert!(!cut.process().is_open());
        prop_assert_eq!(&all(cut.clone(), &later), &expected);

        // The process that recovered was interrupted as well.
        let mut again = as_it_was_left.torn(&cut, &mut draw);
        again.journal = as_it_was_left.journal;
        again.process().recover();
        prop_assert_eq!(&all(again, &later), &expected);

        // Interrupted before anything but the beginning was recorded.
        let mut early = State { journal: opened.without_notes(), ..state.clone() };
        early.reserved.events += u64::from(draw() % 2);
        early.process().recover();
        prop_assert_eq!(&all(early, &later), &expected);

        // Interrupted before it had begun, or after its end: nothing to recover.
        after.process().close();
        let done = all(after.clone(), &later);
        after.process().recover();
        prop_assert_eq!(&all(after, &later), &done);
    }
}
