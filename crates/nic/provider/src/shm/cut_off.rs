//! Kills processes after any number of instructions of an operation on another's area: the
//! operation has happened or it has not, and the area is intact.
#![cfg(test)]

use std::sync::atomic::{AtomicU8, Ordering};

use philae_nic_core::nic::{
    ANY_SOURCE, ArrivingMessage, Begun, BufferShape, Criteria, EventKind, IncomingOperation, NicEvent,
    OperationRequest, PortalKind, Receive, RegisteredRegion, ReturnCode, Rights, UnexpectedMessage,
};

use super::area::{AreaCapacity, PortalShape, SharedArea};
use super::flight::Cargo;
use super::inbox::Envelope;

const PORTAL: PortalShape = PortalShape { receives: 4, arrivals: 4, blocks: BufferShape { blocks: [4, 1, 1] } };
const EVENTS: u32 = 8;
const SHAPE: AreaCapacity =
    AreaCapacity { plain: PORTAL, tagged: PORTAL, regions: 4, counters: 2, triggers: 1, events: EVENTS };
const KIND: PortalKind = PortalKind::Tagged;
const KEY: u64 = 9;
/// A process number that no system uses: theirs are smaller.
const NOBODY: u32 = (1 << 30) + 7;
/// An operation with more instructions is cut off at this many of them, evenly spread.
const CUTS: u32 = 1_200;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Deed {
    /// A message with this many bytes, which are kept until the process takes the event.
    Lands(usize),
    /// A message with this many bytes that waits for its receive.
    Waits(usize),
    /// A message whose bytes are delivered later.
    Departs,
    /// The bytes have arrived.
    Arrives,
    /// A write with data.
    Writes,
    /// An operation of the process itself ends.
    Ends,
    /// Two messages of the inbox are matched: one lands, one waits.
    Matches,
}

/// Where a message of the inbox lands when its receiver matches it.
static LANDING: [AtomicU8; 1_000] = [const { AtomicU8::new(0) }; 1_000];

fn message(length: usize) -> (UnexpectedMessage, [u8; 300]) {
    let mut bytes = [0; 300];
    bytes[..length].fill(7);
    (UnexpectedMessage::new(1, 3, length as u64), bytes)
}

/// The operation of the process that is killed. It allocates nothing, because it is the child of a
/// process with threads.
fn carry_out(area: &SharedArea, deed: Deed) {
    let Ok(mut entered) = area.enter() else { return };
    if deed == Deed::Matches {
        // Taking the lock is the operation.
        return;
    }
    let process = &mut entered.process;
    let length = if let Deed::Lands(length) | Deed::Waits(length) = deed { length } else { 30 };
    let (arrival, bytes) = message(length);
    let message = ArrivingMessage { arrival, bytes: &bytes[..length] };
    let send = IncomingOperation { vni: 1, request: OperationRequest::Send { portal: KIND, message } };
    match deed {
        Deed::Waits(_) => _ = process.begin(&send),
        Deed::Lands(_) => {
            let Ok(Begun::Lands(landing)) = process.begin(&send) else { return };
            process.end_message_kept(KIND, &landing, &arrival, &bytes[..length]);
        }
        Deed::Departs => {
            let Ok(Begun::Lands(landing)) = process.begin(&send) else { return };
            entered.flights.depart(NOBODY, Cargo::message(KIND, landing, arrival));
        }
        Deed::Arrives => {
            entered.flights.arrive(0);
            let landing = receive().landing(30);
            process.end_message(KIND, &landing, &arrival, ReturnCode::Ok);
        }
        Deed::Writes => {
            let rights = Rights::REMOTE_WRITE;
            let request = OperationRequest::Access { key: KEY, offset: 0, length: 8, rights, has_event: true };
            let Ok(Begun::Reaches { counters, .. }) = process.begin(&IncomingOperation { vni: 1, request }) else {
                return;
            };
            process.count(counters, ReturnCode::Ok);
            process.end_access(NicEvent { kind: EventKind::RemotePut, ..NicEvent::default() });
        }
        Deed::Ends => process.end_access(NicEvent { kind: EventKind::Send, ..NicEvent::default() }),
        Deed::Matches => {}
    }
}

fn receive() -> Receive {
    Receive::new(Criteria::new(1, 0, ANY_SOURCE), 0x1000, 1_000, 77)
}

/// The state before the operation.
fn prepare(area: &SharedArea, deed: Deed) {
    let mut entered = area.enter().expect("its owner lives");
    match deed {
        Deed::Lands(_) | Deed::Departs => _ = entered.process.post(KIND, receive()).expect("there is room"),
        Deed::Arrives => {
            entered.process.expect_event().expect("there is room");
            let (arrival, _) = message(30);
            entered.flights.depart(NOBODY, Cargo::message(KIND, receive().landing(30), arrival));
        }
        Deed::Ends => entered.process.expect_event().expect("there is room"),
        Deed::Waits(_) | Deed::Writes => {}
        Deed::Matches => {
            let mut receive = receive();
            receive.address = LANDING.as_ptr() as u64;
            entered.process.post(KIND, receive).expect("there is room");
            drop(entered);
            for source in [3, 4] {
                let envelope = Envelope { bits: 1, data: 0, flags: 0, source, vni: 1 };
                assert!(area.put_mail(KIND, &envelope, &message(200).1[..200]), "there is room");
            }
        }
    }
}

/// Whether the operation has happened; checks that it has not happened in part, and that the area
/// is otherwise unchanged.
fn check(area: &SharedArea, deed: Deed) -> bool {
    let was_matched = !area.awaits_mail(KIND);
    let mut entered = area.enter().expect("its owner lives");
    let flight = entered.flights.lost(|process| process == NOBODY);
    let process = &mut entered.process;
    let event = process.events.pop();
    let posted = process.tagged.receives.cancel(77);
    let waits = process.tagged.peek(&Criteria::new(1, 0, 3));
    let has_happened = match deed {
        Deed::Lands(length) => {
            assert_eq!((event.is_some(), flight.is_some(), waits), (posted.is_none(), false, None), "{deed:?}");
            if let Some(event) = &event {
                assert_eq!((event.context, process.kept_for(event)), (77, &message(length).1[..length]));
                process.release_kept(event);
            }
            event.is_some()
        }
        Deed::Waits(length) => {
            assert_eq!((event, posted, flight.is_some()), (None, None, false), "{deed:?}");
            if let Some((index, arrival)) = waits {
                assert_eq!(process.tagged.kept(&arrival), &message(length).1[..length]);
                process.tagged.discard(index);
            }
            waits.is_some()
        }
        Deed::Departs => {
            assert_eq!((event, flight.is_some(), waits), (None, posted.is_none(), None), "{deed:?}");
            flight.is_some_and(|cargo| {
                let Cargo::Message { landing, .. } = cargo else { panic!("a message: {cargo:?}") };
                assert_eq!((landing.address, landing.receive.context), (0x1000, 77));
                process.forget_event();
                true
            })
        }
        Deed::Arrives => {
            assert_eq!((posted, event.is_some(), waits), (None, flight.is_none(), None), "{deed:?}");
            if event.is_none() {
                process.forget_event();
            }
            event.is_some()
        }
        Deed::Writes => {
            assert_eq!((posted, flight.is_some(), waits), (None, false, None), "{deed:?}");
            event.is_some()
        }
        Deed::Ends => {
            if event.is_none() {
                process.forget_event();
            }
            event.is_some()
        }
        Deed::Matches => {
            let event = event.expect("whoever matched it");
            assert_eq!((event.context, event.source, event.length, posted), (77, 3, 200, None));
            match process.kept_for(&event) {
                [] => assert!(LANDING[..200].iter().all(|byte| byte.load(Ordering::Relaxed) == 7)),
                kept => assert_eq!(kept, &message(200).1[..200]),
            }
            process.release_kept(&event);
            let (index, arrival) = process.tagged.peek(&Criteria::new(1, 0, 4)).expect("the other waits");
            assert_eq!(process.tagged.kept(&arrival), &message(200).1[..200]);
            process.tagged.discard(index);
            LANDING.iter().for_each(|byte| byte.store(0, Ordering::Relaxed));
            was_matched
        }
    };
    assert!(process.events.is_empty() && process.tagged.receives.is_empty() && process.tagged.arrivals.is_empty());
    for (bytes, blocks) in [(3_000, 1), (300, 1), (1, 4)] {
        let taken: Vec<u32> = std::iter::from_fn(|| process.tagged.buffers.keep(&vec![0; bytes]).ok()).collect();
        let greater = match bytes {
            3_000 => 0,
            300 => 1,
            _ => 2,
        };
        assert_eq!(taken.len(), blocks + greater, "blocks of {bytes} B after {deed:?}");
        taken.into_iter().for_each(|block| process.tagged.buffers.release(block));
    }
    let room = (0..).take_while(|_| process.expect_event().is_ok()).count();
    assert_eq!(room, EVENTS as usize, "room that is set aside for nobody after {deed:?}");
    (0..room).for_each(|_| process.forget_event());
    has_happened
}

/// Lets a child run an operation and kills it after this many instructions. Returns their number if
/// the operation had ended before; `None` if the system does not let one process trace another.
fn killed_after(instructions: u32, deed: impl FnOnce()) -> Option<u32> {
    let none = std::ptr::null_mut::<libc::c_void>();
    // SAFETY: the child calls only the operation and the system, and ends; the parent waits for it.
    unsafe {
        let child = libc::fork();
        assert!(child >= 0, "a process can be made");
        if child == 0 {
            libc::ptrace(libc::PTRACE_TRACEME, 0, none, none);
            libc::raise(libc::SIGSTOP);
            deed();
            libc::_exit(0);
        }
        let mut status = 0;
        libc::waitpid(child, &raw mut status, libc::WUNTRACED);
        let mut done = None;
        for step in 0..instructions {
            if libc::ptrace(libc::PTRACE_SINGLESTEP, child, none, none) != 0 {
                break;
            }
            libc::waitpid(child, &raw mut status, 0);
            if libc::WIFEXITED(status) {
                done = Some(step);
                break;
            }
            assert!(libc::WIFSTOPPED(status), "it runs on: {status:#x}");
        }
        if done.is_none() {
            libc::kill(child, libc::SIGKILL);
            libc::waitpid(child, &raw mut status, 0);
        }
        done
    }
}

fn cut_off_anywhere(deed: Deed) {
    let name = format!("philae-test-cut-off-{deed:?}-{}", std::process::id());
    let owner = SharedArea::create(&name, SHAPE, 1, 77).expect("it can be made");
    let peer = SharedArea::open(&name).expect("it can be mapped");
    {
        let mut entered = owner.enter().expect("its owner lives");
        entered
            .process
            .regions
            .register(RegisteredRegion::new(KEY, 0x2000, 64, Rights::REMOTE_WRITE))
            .expect("there is room");
    }
    prepare(&owner, deed);
    let Some(instructions) = killed_after(u32::MAX, || carry_out(&peer, deed)) else {
        println!("this machine does not let one process step through another");
        return;
    };
    assert!(check(&owner, deed), "it was not cut off");
    let stride = instructions.div_ceil(CUTS).max(1);
    let (mut happened, mut cuts) = (0, 0);
    for count in (0..instructions).step_by(stride as usize) {
        prepare(&owner, deed);
        let _ = killed_after(count, || carry_out(&peer, deed));
        happened += u32::from(check(&owner, deed));
        cuts += 1;
    }
    println!("{deed:?}: {instructions} instructions, cut off at {cuts} of them, {happened} times after it was done");
    assert!(happened > 0 || cuts < instructions, "the last instructions come after it is done");
    assert!(happened < cuts, "the first ones come before");
}

#[test]
fn messages_of_the_inbox_are_matched_once() {
    cut_off_anywhere(Deed::Matches);
}

#[test]
fn a_short_message_lands_or_not() {
    cut_off_anywhere(Deed::Lands(8));
}

#[test]
fn a_message_in_a_block_lands_or_not() {
    cut_off_anywhere(Deed::Lands(200));
}

#[test]
fn a_message_waits_or_not() {
    cut_off_anywhere(Deed::Waits(200));
}

#[test]
fn a_transfer_begins_or_not() {
    cut_off_anywhere(Deed::Departs);
}

#[test]
fn a_transfer_ends_or_not() {
    cut_off_anywhere(Deed::Arrives);
}

#[test]
fn a_write_is_told_or_not() {
    cut_off_anywhere(Deed::Writes);
}

#[test]
fn an_operation_ends_or_not() {
    cut_off_anywhere(Deed::Ends);
}
