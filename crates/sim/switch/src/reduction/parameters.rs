//! Parameter values of collectives in the network.

use philae_units::preset;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Collectives that switches do: limits, times and sizes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct CollectiveParameters {
    /// Time after its first contribution at which an engine sends up its partial result, in microseconds.
    pub timeout_us: u32,
    /// Time after its own contribution at which the root begins an operation again, in microseconds.
    pub retry_us: u32,
    /// Times that the root begins an operation again before it gives its tree up. Counts only where links may err or fail.
    pub retries_max: u8,
    /// Reduction engines of each port towards a root.
    pub engines_per_port: u8,
    /// Operations of one tree that may be in progress at the same time; each takes an engine at every switch of the tree.
    pub reductions_per_tree: u8,
    /// Time from a contribution's last bit to a result at the engine's output, in nanoseconds.
    pub engine_latency_ns: u32,
    /// Bytes of a collective packet in addition to the operands: ids, sequence, cookie, count.
    pub header_bytes: u16,
}

preset!(
    /// Slingshot's collectives as its software sets them.
    CollectiveParameters, slingshot, slingshot_collective_provenance, {
    timeout_us = 32_000, Published, "libfabric cxip_coll.c: default timeout of the hardware engines", "", "when a late rank's partners hear of it";
    retry_us = 32_000, Published, "libfabric cxip_coll.c: default retry of the root", "", "latency of an operation with a late rank";
    retries_max = 2, Assumed, "libfabric cxip_coll.c has a retry count of its own; its default was not found", "1 to 10", "time until ranks continue by messages after a fault";
    engines_per_port = 8, Published, "libfabric cxip_coll.c: 8 engines per upstream port", "", "how many trees share a port";
    reductions_per_tree = 8, Published, "libfabric cxip_coll.c: reduction id of 3 bits", "1 to 8", "operations of one job in flight at a time";
    engine_latency_ns = 60, Assumed, "a lookup and one pass of an adder pipeline at about 1 GHz on top of the switch's own latency; not published", "20 to 300", "latency of an operation, per level of the tree";
    header_bytes = 16, Assumed, "ids, cookie, sequence, count and flags (patents US12393530, US12244489 name them); sizes not published", "8 to 32", "serialisation of collective packets, by nanoseconds";
});

impl Default for CollectiveParameters {
    fn default() -> Self {
        Self::slingshot()
    }
}
