"""What all simulators run: networks, traffic and the timing that makes a message alone take the same time in each."""

from __future__ import annotations

from dataclasses import dataclass, replace

RATE_GBPS = 200.0
# CAMINOS counts in phits. One phit is 250 bytes, one cycle what a link of 200 Gb/s needs for it.
PHIT_BYTES = 250
CYCLE_NS = 10
PACKET_PHITS = 16
PACKET_BYTES = PACKET_PHITS * PHIT_BYTES
MESSAGE_PACKETS = 16
MESSAGE_BYTES = MESSAGE_PACKETS * PACKET_BYTES
# Input buffer of each channel, in phits: more than a round trip of a link and two packets.
BUFFER_PHITS = 128
# Philae's cables: a metre takes 5 ns.
LINK_NS = 200
CABLE_M = LINK_NS // 5


@dataclass(frozen=True)
class Network:
    """A dragonfly with one link between each two groups, or a fat tree of two levels with full bisection."""

    kind: str
    # Groups of a dragonfly, leaves of a tree.
    groups: int
    # Switches of a group; of a tree, spines.
    switches: int
    endpoints_per_switch: int
    # Time in a switch, beyond that on the links. SimGrid's trees have one latency for all links, so
    # theirs is least.
    switch_ns: int

    @property
    def is_tree(self) -> bool:
        """Whether it is a fat tree."""
        return self.kind == "fat-tree"

    @property
    def endpoints(self) -> int:
        """Endpoints."""
        return self.groups * self.endpoints_per_switch * (1 if self.is_tree else self.switches)

    @property
    def global_per_switch(self) -> int:
        """Global links of a switch of a dragonfly."""
        return (self.groups - 1) // self.switches

    @property
    def mean_switches(self) -> float:
        """Switches on a minimal path, on average over all pairs of endpoints."""
        per_switch, others = self.endpoints_per_switch, self.endpoints - 1
        if self.is_tree:
            return (per_switch - 1 + 3 * (self.endpoints - per_switch)) / others
        group = per_switch * self.switches
        far = 2 + 2 * (self.switches - 1) / self.switches
        return (per_switch - 1 + 2 * (group - per_switch) + far * (self.endpoints - group)) / others

    def probes(self) -> list[tuple[int, int]]:
        """Receivers of a message of endpoint 0 that goes alone, with the switches on its way."""
        near = (1, 1)
        if self.is_tree:
            return [near, (self.endpoints_per_switch, 3)]
        # The group in the middle: in both arrangements its link is neither on the first switch nor
        # ends at the last.
        far = self.groups // 2 * self.switches + self.switches // 2 + 1
        return [near, (self.endpoints_per_switch, 2), (far * self.endpoints_per_switch, 4)]

    def alone_ns(self, switches: int) -> int:
        """Time of a message alone, from its making to its last bit: what every simulator is to give."""
        first = PACKET_PHITS * CYCLE_NS + (switches + 1) * LINK_NS + switches * self.switch_ns
        return first + (MESSAGE_PACKETS - 1) * PACKET_PHITS * CYCLE_NS


@dataclass(frozen=True)
class Case:
    """A network under traffic."""

    network: Network
    pattern: str
    load: float
    until_us: int
    warm_up_us: int
    seed: int = 1

    @property
    def name(self) -> str:
        """The case in words."""
        return f"{self.pattern}, {self.network.kind}, {self.network.endpoints:,} endpoints, load {self.load:.2f}"

    def with_seed(self, seed: int) -> Case:
        """The same with other random numbers."""
        return replace(self, seed=seed)


DRAGONFLY = Network("dragonfly", groups=33, switches=8, endpoints_per_switch=4, switch_ns=30)
TREE = Network("fat-tree", groups=32, switches=32, endpoints_per_switch=32, switch_ns=1)
SMALL_DRAGONFLY = Network("dragonfly", groups=9, switches=4, endpoints_per_switch=2, switch_ns=30)
SMALL_TREE = Network("fat-tree", groups=8, switches=8, endpoints_per_switch=8, switch_ns=1)

# With static routes several flows of a permutation may share a link forever: at this load six fit.
LOADS = {"uniform": 0.3, "permutation": 0.15}


def cases(small: bool) -> list[Case]:
    """All cases; small ones show that the physics agree, in a second or two each."""
    networks = [SMALL_DRAGONFLY, SMALL_TREE] if small else [DRAGONFLY, TREE]

    def times(network: Network) -> tuple[int, int]:
        """Simulated time and warm-up, in us: CAMINOS, which has no tree here, takes longest by far."""
        if small:
            return 400, 50
        return (200, 50) if network.is_tree else (60, 20)

    return [Case(network, pattern, load, *times(network)) for network in networks for pattern, load in LOADS.items()]
