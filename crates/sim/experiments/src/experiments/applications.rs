//! The applications among the publication's victims: solvers, particles, transforms, training, and
//! services.
//!
//! None of their inputs is published. Each runs one rank per node on a problem so small that an
//! iteration takes 0.1 to 0.6 ms alone, and nodes compute fast (64 cores of the workload's default
//! rate, if that is a core's). So about half of an iteration or more is messages, which a congested
//! network can slow down.

use philae_workload::{
    Decimal, Fft, Hpcg, Lammps, Lognormal, Milc, ResnetProxy, Service, ServiceApplication, ServiceTime, Span,
    WorkloadSpec,
};

use super::victims::{Fit, Victim, VictimWorkload, Window, ended};

/// Cores of a node. Source: De Sensi et al., SC'20, section III (Shandy's AMD EPYC Rome). Status:
/// published; that all systems have as many is assumed, so that the same victim runs on each.
const CORES: u32 = 64;
/// Divisor of the proxy's gradients and times: 23.8 µs and about 25 KB for a bucket. Source: ours.
/// Status: assumed.
const RESNET_SCALE: u32 = 1_000;
/// Smallest side of a transform: 2 MiB points, so that even a few ranks have work. Source: ours.
/// Status: assumed.
const TRANSFORM_SIDE_MIN: u32 = 128;
/// Minimum time for which a service of the heat map runs next to an aggressor. Source: ours.
/// Status: assumed.
const SERVICE_WINDOW: Span = Span::micros(2_000);

impl Victim {
    fn application(label: &str, workload: WorkloadSpec, fit: Fit) -> Self {
        Self { label: label.to_owned(), problem: VictimWorkload::Application(workload), fit, window: Window::Turns }
    }

    /// MILC's solver on 8^4 sites of each rank.
    #[must_use]
    pub fn milc(iterations: u32) -> Self {
        let workload = Milc { gflops: 2 * CORES, iterations: ended(iterations), ..Milc::default() };
        Self::application("milc", WorkloadSpec::Milc(workload), Fit::Hypercube)
    }

    /// LAMMPS' melt with 8,000 atoms of each rank.
    #[must_use]
    pub fn lammps(iterations: u32) -> Self {
        // 0.3125 µs for an atom on one core, as in the workload's default.
        let (atoms, compute) = (8_000, Span::nanos(8_000 * 10_000_000 / 32_000 / u64::from(CORES)));
        let workload = Lammps { atoms, compute, iterations: ended(iterations), ..Lammps::default() };
        Self::application("lammps", WorkloadSpec::Lammps(workload), Fit::Cube)
    }

    /// HPCG on 32^3 cells of each rank.
    #[must_use]
    pub fn hpcg(iterations: u32) -> Self {
        let gflops = Hpcg::default().gflops * CORES;
        let workload = Hpcg { cells: [32; 3], gflops, iterations: ended(iterations), ..Hpcg::default() };
        Self::application("hpcg", WorkloadSpec::Hpcg(workload), Fit::Cube)
    }

    /// FFTW's transform over slabs, of as many points in each dimension as there are ranks.
    #[must_use]
    pub fn fft(iterations: u32) -> Self {
        let gflops = Fft::default().gflops * CORES;
        let workload = Fft { transposes: 1, gflops, iterations: ended(iterations), ..Fft::default() };
        let problem = VictimWorkload::Transform(workload);
        Self { label: "fft".to_owned(), problem, fit: Fit::PowerOfTwo, window: Window::Turns }
    }

    /// A training step of ResNet-152, a thousandth of it.
    #[must_use]
    pub fn resnet(iterations: u32) -> Self {
        let workload = ResnetProxy { scale: RESNET_SCALE, iterations: ended(iterations), ..ResnetProxy::default() };
        Self::application("resnet-proxy", WorkloadSpec::ResnetProxy(workload), Fit::Any)
    }

    /// A Tailbench service: the first half of the nodes serve, and each of the others sends
    /// requests to a server of its own.
    pub fn service(label: &str, service: Service, window: Window) -> Self {
        let service = Service { warm_up: Self::WARM_UP, ..service };
        Self { label: label.to_owned(), problem: VictimWorkload::Pairs(service), fit: Fit::Even, window }
    }

    /// The five applications, long enough for an incast of several milliseconds.
    #[must_use]
    pub fn applications() -> Vec<Self> {
        vec![Self::milc(12), Self::lammps(16), Self::hpcg(6), Self::fft(5), Self::resnet(8)]
    }

    /// The services, with work so short that some of it ends within the simulated milliseconds.
    #[must_use]
    pub fn services() -> Vec<Self> {
        use ServiceApplication::{ImgDnn, Silo, Sphinx, Xapian};
        let lognormal =
            |mean, p99| ServiceTime::Lognormal(Lognormal { mean: Span::micros(mean), p99: Span::micros(p99) });
        let services = [
            ("silo", Silo, 5_000, lognormal(40, 100)),
            ("xapian / 10", Xapian, 2_000, lognormal(100, 400)),
            ("img-dnn / 10", ImgDnn, 5_000, ServiceTime::Deterministic(Span::micros(100))),
            ("sphinx / 10,000", Sphinx, 1_000, lognormal(200, 500)),
        ];
        let victim = |(label, application, per_second, time)| {
            let iterations = Some(8);
            let service = Service { service_time: Some(time), iterations, ..asked(application, per_second) };
            Self::service(label, service, Window::AtLeast(SERVICE_WINDOW))
        };
        services.map(victim).to_vec()
    }
}

/// A service whose clients send requests at this rate.
pub fn asked(application: ServiceApplication, per_second: u64) -> Service {
    Service { application, rate: Some(Decimal::from_millionths(per_second * Decimal::ONE)), ..Service::default() }
}

/// The assumptions about these victims, in sentences.
#[must_use]
pub fn assumptions(victims: &[Victim]) -> Vec<String> {
    let has = |label: &str| victims.iter().any(|victim| victim.label == label);
    let services = victims.iter().any(|victim| matches!(victim.problem, VictimWorkload::Pairs(_)));
    let applications = ["milc", "lammps", "hpcg", "fft", "resnet-proxy"];
    let mut lines = Vec::new();
    if !services && !applications.iter().any(|&name| has(name)) {
        lines.push("victims are microbenchmarks; no application runs here".to_owned());
        return lines;
    }
    lines.push(format!(
        "inputs of the publication's applications are not published: small problems of one rank per node, where \
         messages take about half of an iteration or more; nodes compute as {CORES} cores, on every system; rebuilds \
         and sums that come every 20th or 100th step fall outside"
    ));
    let of = [
        ("milc", "milc: 8^4 sites, 128 Gflop/s; as many ranks as fill a grid of four nearly equal sides".to_owned()),
        ("lammps", "lammps: 8,000 atoms of the Lennard-Jones melt, 39 us of forces a step".to_owned()),
        ("hpcg", "hpcg: 32^3 cells, four levels, 128 Gflop/s".to_owned()),
        (
            "fft",
            format!(
                "fft: slabs on a power of two of ranks, each dimension as long as there are ranks (at least \
                 {TRANSFORM_SIDE_MIN}), result left transposed, 640 Gflop/s; with blocks of a few KiB the hosts' cost \
                 of a message decides more than links do"
            ),
        ),
        (
            "resnet-proxy",
            format!(
                "resnet-proxy: ResNet-152 with gradients and times divided by {RESNET_SCALE}; messages stay as many, \
                 so that latency weighs more than in a whole step"
            ),
        ),
    ];
    lines.extend(of.into_iter().filter(|(name, _)| has(name)).map(|(_, line)| line));
    if applications.iter().any(|&name| !has(name)) {
        let left_out: Vec<&str> = applications.into_iter().filter(|&name| !has(name)).collect();
        lines.push(format!("left out here: {}", left_out.join(", ")));
    }
    if services {
        lines.push(pairs_assumption());
        if victims.iter().any(|victim| victim.label.contains(" / ")) {
            lines.push(
                "services of the heat map work for a tenth (xapian, img-dnn) or a ten-thousandth (sphinx) of the \
                 time, asked so often that a server is busy a fifth of the time, img-dnn's half: the shorter the work, \
                 the more a delay weighs, so that their impact is an upper bound"
                    .to_owned(),
            );
        }
    }
    lines
}

/// The sampling of services.
#[must_use]
pub fn pairs_assumption() -> String {
    "a service is one client and one server, as published; many independent pairs run on the victim's nodes at once \
     to gather requests, the servers on the first half of the nodes, each client half of the nodes away; an iteration \
     is a request, made whether or not earlier ones are answered; sizes are Tailbench's, service times are assumed. \
     Requests made too late to be answered in a run that is cut are not counted, unanswered ones before count as long \
     as they have waited (>=)"
        .to_owned()
}

/// The side of a transform on this many ranks.
pub(super) fn side(ranks: u32) -> u32 {
    ranks.max(TRANSFORM_SIDE_MIN)
}

#[cfg(test)]
mod tests {
    use philae_workload::Workload;

    use super::*;

    #[test]
    fn every_application_runs_on_the_ranks_that_suit_it() {
        let victims = [Victim::applications(), Victim::services()].concat();
        for victim in &victims {
            for nodes in [2, 13, 51, 64, 115, 461, 922] {
                let ranks = victim.fit.ranks(nodes);
                let workload = victim.workload(ranks);
                assert!(workload.check(ranks).is_ok(), "{} on {ranks} of {nodes}", victim.label);
                assert!(workload.iterations().is_some(), "{} ends by itself", victim.label);
            }
        }
    }

    #[test]
    fn assumptions_name_what_runs_and_what_does_not() {
        let text = |victims: &[Victim]| assumptions(victims).join("\n");
        assert!(text(&Victim::few()).contains("no application"));
        let some = text(&[Victim::milc(1)]);
        assert!(some.contains("8^4 sites") && some.contains("left out here: lammps"), "{some}");
        assert!(!text(&Victim::applications()).contains("left out"));
        assert!(text(&Victim::services()).contains("ten-thousandth"));
    }
}
