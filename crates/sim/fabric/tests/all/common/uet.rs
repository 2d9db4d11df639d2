//! What tests of Ultra Ethernet share, whether all NICs speak it or third-party endpoints.

use philae_congestion::UetLaw;
use philae_results::RunSummary;
use philae_results::counter::CounterPlace;
use philae_results::record::RunRecord;
use philae_traffic_class::TrafficClass;

/// Its laws, and both together.
pub const LAWS: [&str; 3] = ["nscc", "rccc", "nscc with credits"];

/// The law of one of these names.
pub fn law_of(name: &str) -> UetLaw {
    let mut law = UetLaw::named(name.split(' ').next().expect("a name")).expect("a law");
    if let ("nscc with credits", UetLaw::Nscc(law)) = (name, &mut law) {
        law.credit_packets = 4;
    }
    law
}

/// A class whose packets are trimmed where their queue has this many bytes.
pub fn trimmed(name: &str, queue: u32) -> TrafficClass {
    TrafficClass {
        lossy: true,
        trimming: true,
        queue_max_bytes: Some(queue),
        responses: Some("control".to_owned()),
        ..TrafficClass::named(name)
    }
}

/// The class of answers and of what is left of trimmed packets.
pub fn control() -> TrafficClass {
    TrafficClass { priority: 7, assured_percent: 10, ..TrafficClass::named("control") }
}

/// Mean time of the iterations of a job, in microseconds.
pub fn iteration_us(record: &RunRecord, job: usize) -> f64 {
    RunSummary::of(record).jobs[job].iterations.and_then(|found| found.span).expect("they end").mean_ps / 1e6
}

/// The sum of the counters of a name at these places.
pub fn counted(record: &RunRecord, name: &str, place: impl Fn(CounterPlace) -> bool) -> u64 {
    record.counters.iter().filter(|row| row.name.as_str() == name && place(row.place)).map(|row| row.value).sum()
}
