//! A latency-critical service: clients that send requests at a rate of their own, a server with
//! worker threads.

mod program;
mod time;

use philae_engine::RandomStream;
use philae_units::{Bytes, RankId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use self::program::{ServiceClient, ServiceServer};
pub use self::time::{Lognormal, ServiceTime};
use crate::decimal::Decimal;
use crate::error::{WorkloadError, at_least, message_size, not_zero};
use crate::program::RankProgram;
use crate::quantity::{Size, Span};
use crate::random::purpose;
use crate::workload::{Workload, iterations_text};

/// The application of the Tailbench suite whose numbers are the defaults.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ServiceApplication {
    /// A transactional database in memory (TPC-C).
    #[default]
    Silo,
    /// A search engine's leaf.
    Xapian,
    /// Handwriting by a neural network.
    ImgDnn,
    /// Speech.
    Sphinx,
}

/// `service`: the first `servers` ranks are servers, each other rank is a client of one of them, open loop.
///
/// A client sends requests with exponential gaps, whether or not earlier ones have been answered. A server takes requests in the
/// order of their arrival, processes as many at the same time as it has workers, and answers. One
/// iteration is one request of one client, from the request to its answer: the sojourn time.
/// Warm-up requests are not counted.
///
/// Rates, sizes and the loop are those of the Tailbench harness. Service times are calibration
/// inputs: their orders of magnitude are recollected and none was measured, so they predict no tail
/// latency of a real server. The workload tests the delay that the network adds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Service {
    /// The application whose numbers are the defaults of the other keys. Default `silo`.
    pub application: ServiceApplication,
    /// Requests per second of each client. Default: silo 1,000, xapian 50, img-dnn 500, sphinx 1. Source: Tailbench's run scripts.
    /// Status: published.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate: Option<Decimal>,
    /// Size of a request. Default: a header of 24 B and 4 B, 128 B, 6,272 B or 100,000 B. Source: Tailbench's harness and applications.
    /// Status: published; xapian's and sphinx's are upper bound and order of magnitude.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request: Option<Size>,
    /// Size of an answer. Default: a header of 32 B and 1 B, 4 KiB, 16 B or 100 B. Source: the same. Status: published for silo; assumed for the
    /// others, whose sizes are known as some KiB, a small structure, and text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub response: Option<Size>,
    /// Requests that a server processes at the same time. Default 1. Source: Tailbench's default. Status: assumed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workers: Option<u32>,
    /// Time that a worker takes for a request. Default: lognormal with mean 40 us and 99th percentile 100 us (silo), 1 ms and 4 ms
    /// (xapian), 2 s and 5 s (sphinx); 1 ms always (img-dnn). Source: recollection. Status: assumed; calibrate before use.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub service_time: Option<ServiceTime>,
    /// Servers. Default 1. Client i (counted among the clients) uses server i mod `servers`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub servers: Option<u32>,
    /// Warm-up requests of each client, which are not counted. Default 0. Tailbench: 20,000 (silo), 2,500, 5,000, 10, which warm caches.
    pub warm_up: u32,
    /// Requests of each client; endless when absent. Tailbench: 50,000 (silo), 5,000, 12,500, 25.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iterations: Option<u32>,
}

/// Id, time of generation, length.
const REQUEST_HEADER: u64 = 24;
/// Kind, id, time of service, length: 8 B each.
const RESPONSE_HEADER: u64 = 32;
/// Maximum number of workers: handles contain their numbers.
const WORKERS_MAX: u32 = 1 << 20;

/// The parameters of an application.
struct Defaults {
    name: &'static str,
    per_second: u64,
    request: u64,
    response: u64,
    service_time: ServiceTime,
}

impl ServiceApplication {
    fn defaults(self) -> Defaults {
        let lognormal =
            |mean, p99| ServiceTime::Lognormal(Lognormal { mean: Span::micros(mean), p99: Span::micros(p99) });
        let of = |name, per_second, request, response, service_time| Defaults {
            name,
            per_second,
            request: REQUEST_HEADER + request,
            response: RESPONSE_HEADER + response,
            service_time,
        };
        match self {
            Self::Silo => of("silo", 1_000, 4, 1, lognormal(40, 100)),
            Self::Xapian => of("xapian", 50, 128, 4_096, lognormal(1_000, 4_000)),
            Self::ImgDnn => of("img-dnn", 500, 6_272, 16, ServiceTime::Deterministic(Span::micros(1_000))),
            Self::Sphinx => of("sphinx", 1, 100_000, 100, lognormal(2_000_000, 5_000_000)),
        }
    }
}

impl Service {
    fn servers(&self) -> u32 {
        self.servers.unwrap_or(1)
    }

    fn workers(&self) -> u32 {
        self.workers.unwrap_or(1)
    }

    fn rate(&self) -> Decimal {
        let default = || Decimal::from_millionths(self.application.defaults().per_second * Decimal::ONE);
        self.rate.unwrap_or_else(default)
    }

    fn request(&self) -> Bytes {
        self.request.map_or_else(|| Bytes(self.application.defaults().request), |size| size.0)
    }

    fn response(&self) -> Bytes {
        self.response.map_or_else(|| Bytes(self.application.defaults().response), |size| size.0)
    }

    fn service_time(&self) -> ServiceTime {
        self.service_time.clone().unwrap_or_else(|| self.application.defaults().service_time)
    }

    /// Total number of requests of each client.
    fn total(&self) -> u64 {
        self.iterations.map_or(u64::MAX, |iterations| u64::from(iterations) + u64::from(self.warm_up))
    }
}

impl Workload for Service {
    fn check(&self, ranks: u32) -> Result<(), WorkloadError> {
        let workload = "service";
        message_size(workload, "request", self.request())?;
        message_size(workload, "response", self.response())?;
        not_zero(workload, "servers", self.servers())?;
        not_zero(workload, "workers", self.workers())?;
        if self.workers() > WORKERS_MAX {
            let (found, allowed) = (self.workers().into(), format!("at most {WORKERS_MAX}"));
            return Err(WorkloadError::OutOfRange { workload, key: "workers", found, allowed });
        }
        self.service_time().check(workload)?;
        at_least(workload, self.servers().saturating_add(1), ranks)
    }

    fn program(&self, rank: RankId, ranks: u32, seed: u64) -> Box<dyn RankProgram> {
        let (servers, total) = (self.servers(), self.total());
        let clients = ranks - servers;
        let Some(client) = rank.0.checked_sub(servers) else {
            let mine = (rank.0..clients).step_by(servers as usize).map(|client| servers + client).collect();
            let stream = RandomStream::new(seed, u64::from(rank.0), purpose::SERVICE);
            return Box::new(ServiceServer::new(self, mine, total, stream));
        };
        let stream = RandomStream::new(seed, u64::from(rank.0), purpose::GAP);
        Box::new(ServiceClient::new(self, client % servers, (client, clients), total, stream))
    }

    fn describe(&self) -> String {
        let name = self.application.defaults().name;
        format!("service {name}, {} requests/s per client, {}", self.rate(), iterations_text(self.iterations))
    }

    fn iterations(&self) -> Option<u32> {
        self.iterations
    }
}
