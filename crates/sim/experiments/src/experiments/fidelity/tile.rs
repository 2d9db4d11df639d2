//! A load on one switch at tile fidelity.

use std::sync::atomic::{AtomicBool, Ordering};

use philae_results::Histogram;
use philae_switch::tile::{TileParameters, TileSwitch};
use philae_topology::PROPAGATION_PER_METRE;
use philae_units::Picoseconds;

use super::crossing::{CABLE_M, Crossings, Stopwatch};
use super::traffic::{LINK, SwitchLoad};
use crate::runner::StudyError;

/// Number of pieces of a run; after each it checks whether it was stopped.
const PIECES: u64 = 64;

/// Runs a load on a switch with these figures; returns nothing if stopped.
///
/// # Errors
/// If the switch cannot be built or breaks a law.
pub fn run(
    parameters: TileParameters,
    load: &SwitchLoad,
    seed: u64,
    stop: &AtomicBool,
) -> Result<Option<Crossings>, StudyError> {
    let failed = |source| StudyError::Tile { cell: format!("{} at tile fidelity", load.label()), source };
    let fec_ns = parameters.fec_ns;
    // The times around the crossing, as at port fidelity: a cable and a serialisation behind it,
    // and one cable before.
    let cable = Picoseconds(CABLE_M * PROPAGATION_PER_METRE.0);
    let behind = cable + load.slot() + Picoseconds::from_nanos(fec_ns.into());
    let mut switch = TileSwitch::new(parameters, LINK, seed, load.offers(seed)).map_err(failed)?;
    let watch = Stopwatch::start();
    let (mut latency_ns, mut packets, mut bytes) = (Histogram::new(), 0, 0);
    // A packet leaves the switch's calendar before its last bit is out of the cable: packets that
    // are not out by then do not count.
    for piece in 1..=PIECES {
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let end = Picoseconds(load.end.0 * piece / PIECES);
        let run = switch.run(end, |crossing| {
            let delivered = crossing.departed + behind + cable;
            if delivered < load.end {
                packets += 1;
                if delivered >= load.warm_up() {
                    latency_ns.record((delivered - crossing.arrived).0 / 1_000);
                    bytes += u64::from(crossing.bytes);
                }
            }
        });
        run.map_err(failed)?;
    }
    Ok(Some(Crossings {
        packets,
        events: switch.events(),
        digest: switch.digest(),
        seconds: watch.seconds(),
        ..Crossings::new(load, fec_ns, &latency_ns, bytes)
    }))
}
