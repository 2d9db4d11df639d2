//! Stories as rows of the record.

use philae_results::explain::{BlockerRow, Explained, PartRow};
use philae_units::{Bytes, ClassId, EndpointId, JobId, Picoseconds, RankId};

use super::packet_path::TimeSpan;
use super::{ExplainedMessage, Explainer, place_of, ranks_of};
use crate::model::shared::Shared;

impl Explainer {
    /// The parts of all delivered messages, and the flows that delayed them.
    ///
    /// # Panics
    /// If the parts of a message do not add up to its time: our mistake.
    pub fn rows(&self, shared: &Shared) -> (Vec<PartRow>, Vec<BlockerRow>) {
        let (mut parts, mut blockers) = (Vec::new(), Vec::new());
        for (followed, number) in self.messages.iter().zip(0..) {
            let Some(message) = explained(followed, number, shared) else { continue };
            let spans: Vec<&TimeSpan> = followed.spans.spans.iter().filter(|span| span.time > 0).collect();
            let sum: u64 = spans.iter().map(|span| span.time).sum();
            let latency = message.delivered.0 - message.issued.0;
            assert_eq!(sum, latency, "the parts of a message's time add up to it: {followed:?}");
            for (span, place) in spans.into_iter().zip(0..) {
                let (port, endpoint) = place_of(span.place);
                parts.push(PartRow {
                    message,
                    number: place,
                    part: span.part,
                    port,
                    endpoint,
                    time: Picoseconds(span.time),
                    queued_bytes: span.queued_bytes,
                });
                blame(span, followed, &message, place, &mut blockers);
            }
        }
        (parts, blockers)
    }
}

fn explained(followed: &ExplainedMessage, number: u32, shared: &Shared) -> Option<Explained> {
    let (message, kind, delivered) = followed.done.as_ref()?;
    let header = &message.header;
    let base = shared.places.rank_base[header.job.index()];
    let (issuer, other) = ranks_of(header);
    Some(Explained {
        number,
        job: header.job,
        source: RankId(issuer - base),
        destination: RankId(other - base),
        kind: *kind,
        class: header.class,
        bytes: Bytes(header.operation_bytes),
        issued: Picoseconds(followed.issued),
        delivered: Picoseconds(*delivered),
    })
}

/// Divides a span's time among flows by their bytes. The remainder of the division goes to the
/// first flow.
fn blame(span: &TimeSpan, followed: &ExplainedMessage, message: &Explained, part: u32, blockers: &mut Vec<BlockerRow>) {
    let total: u64 = span.flows.values().sum();
    if total == 0 {
        return;
    }
    let share = |bytes: u64| (u128::from(span.time) * u128::from(bytes) / u128::from(total)) as u64;
    let mut left = span.time - span.flows.values().map(|&bytes| share(bytes)).sum::<u64>();
    let Some((message_of, ..)) = &followed.done else { return };
    for (&(job, source, destination, class), &bytes) in span.flows.iter().filter(|(_, bytes)| **bytes > 0) {
        let time = share(bytes) + std::mem::take(&mut left);
        let ends = [message_of.source, message_of.destination];
        blockers.push(BlockerRow {
            message: message.number,
            part,
            job: JobId(job),
            source: EndpointId(source),
            destination: EndpointId(destination),
            class: ClassId(class),
            bytes: Bytes(bytes),
            time: Picoseconds(time),
            own: job == message.job.0 && class == message.class.0 && [source, destination] == ends,
        });
    }
}
