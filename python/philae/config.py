"""The tables of a scenario as classes. Written by `tools/generate.py` from the schema: do not edit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Union

from philae._base import Key, Section

if TYPE_CHECKING:
    from philae.system import System

__all__ = [
    "Action",
    "Allgather",
    "AllgatherAlgorithm",
    "Allocation",
    "Allreduce",
    "AllreduceAlgorithm",
    "Alltoall",
    "AlltoallAlgorithm",
    "Alltoallv",
    "AlltoallvAlgorithm",
    "AriesMode",
    "Arrangement",
    "Assumed",
    "Bandwidth",
    "Barrier",
    "BarrierAlgorithm",
    "Bisection",
    "BranchSpec",
    "Broadcast",
    "BroadcastAlgorithm",
    "Cable",
    "Capture",
    "ClassAction",
    "Collectives",
    "Computation",
    "ComputeOn",
    "Congestion",
    "CongestionControl",
    "Congestors",
    "CountAction",
    "DecapsulateAction",
    "Decimal",
    "Decomposition",
    "DenyAction",
    "Dlrm",
    "Dragonfly",
    "Draw",
    "EncapsulateAction",
    "EntropyRouting",
    "EntropySpray",
    "EntrySpec",
    "Ethernet",
    "EthernetEndpoints",
    "ExplainSection",
    "Fairness",
    "FatTree",
    "FatTreeCores",
    "Fault",
    "FaultLaw",
    "FaultName",
    "Faults",
    "FecKind",
    "Fft",
    "Fill",
    "FlowSizes",
    "FullMeshWiring",
    "Gaps",
    "Gather",
    "GatherAlgorithm",
    "GlobalLinks",
    "GlobalWiring",
    "GotoAction",
    "Graph",
    "GraphEndpoint",
    "GraphLink",
    "GridWiring",
    "GroupKind",
    "Gups",
    "Halo3d",
    "Halo3d26",
    "Hardware",
    "HeaderKind",
    "Host",
    "HostPath",
    "Hot",
    "Hpcg",
    "Incast",
    "IncastOperation",
    "IncastTarget",
    "InjectionScope",
    "Iperf",
    "Jitter",
    "Job",
    "KeyPart",
    "Lammps",
    "Link",
    "LinkChoice",
    "ListedLink",
    "ListedSizes",
    "LocalWiring",
    "Lognormal",
    "MatchKind",
    "MatchMode",
    "Matrix",
    "Measure",
    "Medium",
    "Members",
    "Milc",
    "Nic",
    "NicChoice",
    "NicSpread",
    "Node",
    "Nodes",
    "Offered",
    "OneSided",
    "OneSidedOperation",
    "OneSidedPattern",
    "PacketEngine",
    "PairSizes",
    "Pairing",
    "ParserSpec",
    "PerSecond",
    "PermitAction",
    "Permutation",
    "PingPong",
    "PipelineSchedule",
    "PopVlanAction",
    "PortRanges",
    "Program",
    "Purpose",
    "PushVlanAction",
    "RandomRing",
    "RankMapping",
    "RateGbps",
    "Reduce",
    "ReduceAlgorithm",
    "ReduceScatter",
    "ReduceScatterAlgorithm",
    "ResnetModel",
    "ResnetProxy",
    "ResponseScope",
    "Retry",
    "Routes",
    "Routing",
    "RoutingMode",
    "Rule",
    "Rule2",
    "Rule3",
    "Rule4",
    "Rule5",
    "Rule6",
    "Rule7",
    "Rule8",
    "Rule9",
    "Run",
    "Scatter",
    "ScenarioTable",
    "SelectionTable",
    "SendrecvAlltoall",
    "Series",
    "Service",
    "ServiceApplication",
    "ServiceTime",
    "SetAction",
    "Share",
    "Shift",
    "Size",
    "SizeDistribution",
    "SizePoint",
    "Sizes",
    "SlicedCollective",
    "SlicedOperation",
    "Span",
    "Stage",
    "StateSpec",
    "StreamOperation",
    "Sweep3d",
    "Switch",
    "SystemTable",
    "TableEntry",
    "TableName",
    "TableSpec",
    "Tcp",
    "Telemetry",
    "TensorCollective",
    "TimelineSection",
    "Trace",
    "TrafficClass",
    "Transformer",
    "Transport",
    "Uet",
    "UetEncapsulation",
    "UetLaw",
    "UetLongSend",
    "UniformRandom",
    "Value",
    "VlanPort",
    "VniAction",
    "Workload",
]

#: Algorithm of an allgather.
AllgatherAlgorithm = Literal["auto", "recursive-doubling", "bruck", "ring", "bine"]

#: How nodes are allocated to jobs that do not list theirs.
Allocation = Literal["linear", "interleaved", "random"]

#: Algorithm of an allreduce.
AllreduceAlgorithm = Literal[
    "auto", "recursive-doubling", "rabenseifner", "ring", "tree", "bine", "bine-rabenseifner", "switch-offloaded"
]

#: Algorithm of an alltoall.
AlltoallAlgorithm = Literal["auto", "bruck", "scattered", "pairwise", "sendrecv-replace", "random", "spread"]

#: Algorithm of an alltoallv.
AlltoallvAlgorithm = Literal["auto", "scattered", "pairwise", "sendrecv-replace"]

#: Aries' routing modes (`MPICH_GNI_ROUTING_MODE`): how strongly minimal paths are preferred.
AriesMode = Literal["ADAPTIVE_0", "ADAPTIVE_1", "ADAPTIVE_2", "ADAPTIVE_3", "IN_ORDER"]

#: Order in which a group distributes its global links to its switches, one at a time in turn. The links of a
#: pair follow each other, so they are on different switches (up to the number of switches), and counts per
#: switch differ by at most one.
Arrangement = Literal["absolute", "relative"]

#: Algorithm of a barrier.
BarrierAlgorithm = Literal["auto", "dissemination", "switch-offloaded"]

#: Algorithm of a broadcast.
BroadcastAlgorithm = Literal[
    "auto", "binomial", "scatter-recursive-doubling", "scatter-ring", "bine", "switch-offloaded"
]

#: How long a process computes between two of its calls.
Computation = Literal["none", "fixed", "processor"]

#: The computing device, which decides whether messages progress during computation.
ComputeOn = Literal["accelerator", "core"]

#: How a sender finds what the network takes.
CongestionControl = Literal["reno", "none"]

Decimal = float

#: Decomposition of the cube.
Decomposition = Literal["slab", "pencil"]

#: Distribution of the sizes of blocks.
Draw = Literal["uniform", "exponential"]

#: How switches choose paths by the entropy of packets.
EntropyRouting = Literal["ecmp", "ecmp-nonminimal"]

#: How the entropy of packets is chosen, by which switches choose paths.
EntropySpray = Literal["flow", "oblivious", "recycled", "path-aware"]

#: To what an output is fair: who takes turns.
Fairness = Literal["input", "flow"]

#: Kind of a fault.
FaultName = Literal["link_down", "lanes_lost", "switch_down", "nic_down", "nic_pause"]

#: Which forward error correction a link runs.
FecKind = Literal["none", "low-latency", "rs544"]

#: Distribution of nodes to the groups of their kind, if they do not fill all places.
Fill = Literal["even", "in-order"]

#: Distribution of the start times of an open-loop stream.
Gaps = Literal["fixed", "exponential"]

#: Algorithm of a gather or a scatter.
GatherAlgorithm = Literal["auto", "binomial", "linear"]

#: Which switch of a group has which of its global links. Except with `round-robin` and `listed`, each switch in
#: turn takes as many links as it has global ports, in the order that the value names. If a pair of groups has
#: several links, the order begins again with the second link of each pair.
GlobalWiring = Literal["round-robin", "absolute", "consecutive", "relative", "palmtree", "circulant", "listed"]

#: A kind of header that the parser can take out of a frame.
HeaderKind = Literal["ethernet", "vlan", "ipv4", "udp", "tcp", "roce", "vxlan", "fabric"]

#: The way of two-sided data between a program's memory and its NIC.
HostPath = Literal["direct", "messages", "kernel", "kernel-udp"]

#: Operation of an origin on the target.
IncastOperation = Literal["put", "send", "get"]

#: Which ranks are the targets.
IncastTarget = Literal["first", "last"]

#: What the injection limit bounds.
InjectionScope = Literal["flow", "port"]

#: The links that fail at random.
LinkChoice = Literal["fabric", "edge", "local", "global"]

#: How a field of a key is compared.
MatchKind = Literal["exact", "ternary", "prefix", "range"]

#: Whether the NIC or software matches.
MatchMode = Literal["hardware", "hybrid", "software"]

#: What a signal travels in.
Medium = Literal["backplane", "copper", "optical"]

#: Which NIC of its node a rank uses.
NicChoice = Literal["by-rank", "first", "alternate"]

#: Where the NICs of a node are attached.
NicSpread = Literal["different-switches", "same-switch"]

#: A number of nodes (64), a share of them (0.9), a list of nodes and ranges, or "rest".
Nodes = Union[int, float, Literal["rest"], Sequence[Union[int, str]]]

#: Kind of the operations.
OneSidedOperation = Literal["put", "get", "amo", "fetching-amo"]

#: Which ranks operate on the memory of which.
OneSidedPattern = Literal["symmetric", "one-to-many", "many-to-one"]

#: Sizes of the blocks of pairs of ranks that are not all the same. One key of: matrix, drawn, hot.
PairSizes = Mapping[str, Any]

#: The pairs of ranks. The first of a pair begins.
Pairing = Literal["first", "ends", "halves", "neighbours"]

#: A whole number per second, such as 5e9.
PerSecond = float

#: Order of the micro-batches.
PipelineSchedule = Literal["1f1b", "gpipe"]

#: Whether jobs run on a group's nodes.
Purpose = Literal["compute", "service"]

#: Distribution of ranks over a job's nodes.
RankMapping = Literal["block", "cyclic"]

RateGbps = float

#: Algorithm of a reduction to one rank.
ReduceAlgorithm = Literal["auto", "binomial", "reduce-scatter-gather", "bine"]

#: Algorithm of a reduce-scatter.
ReduceScatterAlgorithm = Literal["auto", "recursive-halving", "pairwise", "bine"]

#: Which network.
ResnetModel = Literal["resnet-152", "resnet-50"]

#: How a NIC learns that the packets it has sent have arrived.
ResponseScope = Literal["switch", "message", "packet"]

#: How paths are chosen.
RoutingMode = Literal["minimal", "ecmp", "ecmp-nonminimal", "valiant", "adaptive"]

#: The application of the Tailbench suite whose numbers are the defaults.
ServiceApplication = Literal["silo", "xapian", "img-dnn", "sphinx"]

#: The law of service times. All are inputs: nothing here was measured. One key of: deterministic, exponential,
#: lognormal, empirical.
ServiceTime = Mapping[str, Any]

Share = float

#: A size: bytes as an integer, or text such as "128KiB".
Size = Union[int, str]

#: Published distributions of the sizes of flows.
SizeDistribution = Literal["web-search", "fb-hadoop", "ali-storage"]

#: Sizes of the blocks of ranks that are not all the same. One key of: listed, drawn, hot.
Sizes = Mapping[str, Any]

#: Which collective.
SlicedOperation = Literal["allreduce", "alltoall", "allgather", "broadcast", "reduce", "barrier"]

#: A time with its unit, such as "10us".
Span = Union[Literal[0], str]

#: The side of the switch: ingress or egress.
Stage = Literal["ingress", "egress"]

#: Operation of the messages of a stream.
StreamOperation = Literal["put", "send"]

#: How the shards of a layer are combined.
TensorCollective = Literal["allreduce", "sequence-parallel"]

#: What carries a third-party endpoint's messages.
Transport = Literal["roce", "tcp", "udp", "uet"]

#: What is around the transport's headers, and so how many bytes its packets have.
UetEncapsulation = Literal["udp", "ip", "nic"]

#: How a message that is too long for an eager send goes.
UetLongSend = Literal["rendezvous", "deferrable"]

#: A number, or text in the field's own form: "10.0.0.1", "02:00:00:00:07:ea", "0x88b5", a traffic class, a
#: pattern such as "10.0.0.0/8", "0x10&0xf0" or "1024-2047". A field's name has a dot in it, so it stands in
#: quotes.
Value = Union[int, str]

#: The tables of a result.
TableName = Literal[
    "messages",
    "iterations",
    "ports",
    "flows",
    "classes",
    "switches",
    "congestion",
    "faults",
    "discards",
    "failures",
    "packet_engine",
    "edge_links",
    "counters",
    "telemetry",
    "explained",
    "blockers",
]

ListedSizes = Sequence[Size]

Matrix = Sequence[Sequence[Size]]


class Action(Section):
    """What is done with a packet."""

    _kinds: ClassVar[dict[str, str]] = {
        "permit": "PermitAction",
        "deny": "DenyAction",
        "count": "CountAction",
        "set": "SetAction",
        "class": "ClassAction",
        "push-vlan": "PushVlanAction",
        "pop-vlan": "PopVlanAction",
        "encapsulate": "EncapsulateAction",
        "decapsulate": "DecapsulateAction",
        "vni": "VniAction",
        "goto": "GotoAction",
    }


class PermitAction(Action):
    """It passes; no further table of the stage sees it."""

    _keys: ClassVar[dict[str, Key]] = {}
    _kinds: ClassVar[dict[str, str]] = {}
    _tag = ("do", "permit")

    def __init__(self) -> None:
        """Takes the values of its keys."""
        super().__init__()


class DenyAction(Action):
    """It is discarded."""

    _keys: ClassVar[dict[str, Key]] = {
        "cause": Key("cause"),
    }
    _kinds: ClassVar[dict[str, str]] = {}
    _tag = ("do", "deny")
    cause: str

    def __init__(self, *, cause: str) -> None:
        """Takes the values of its keys.

        Args:
            cause: Why, as results name it.

        """
        super().__init__(cause=cause)


class CountAction(Action):
    """It is counted."""

    _keys: ClassVar[dict[str, Key]] = {
        "counter": Key("counter"),
    }
    _kinds: ClassVar[dict[str, str]] = {}
    _tag = ("do", "count")
    counter: str

    def __init__(self, *, counter: str) -> None:
        """Takes the values of its keys.

        Args:
            counter: The counter, which exists once named.

        """
        super().__init__(counter=counter)


class SetAction(Action):
    """A field is set; a packet without the field stays as it is."""

    _keys: ClassVar[dict[str, Key]] = {
        "field": Key("field"),
        "from_": Key("from"),
        "value": Key("value"),
    }
    _kinds: ClassVar[dict[str, str]] = {}
    _tag = ("do", "set")
    field: str
    from_: str | None
    value: Value | None

    def __init__(self, *, field: str, from_: str | None = None, value: Value | None = None) -> None:
        """Takes the values of its keys.

        Args:
            field: The field.
            from_: The field that its value is copied from. One of `value` and `from`.
            value: Its value. One of `value` and `from`.

        """
        super().__init__(field=field, from_=from_, value=value)


class ClassAction(Action):
    """It changes its traffic class."""

    _keys: ClassVar[dict[str, Key]] = {
        "class_": Key("class"),
    }
    _kinds: ClassVar[dict[str, str]] = {}
    _tag = ("do", "class")
    class_: Value

    def __init__(self, *, class_: Value) -> None:
        """Takes the values of its keys.

        Args:
            class_: The class, by name or number.

        """
        super().__init__(class_=class_)


class PushVlanAction(Action):
    """An 802.1Q tag is put in front of what the Ethernet header carries."""

    _keys: ClassVar[dict[str, Key]] = {
        "id": Key("id"),
        "pcp": Key("pcp"),
    }
    _kinds: ClassVar[dict[str, str]] = {}
    _tag = ("do", "push-vlan")
    id: int
    pcp: int | None

    def __init__(self, *, id: int, pcp: int | None = None) -> None:
        """Takes the values of its keys.

        Args:
            id: VLAN: 1 to 4094.
            pcp: Priority: 0 to 7. Default 0.

        """
        super().__init__(id=id, pcp=pcp)


class PopVlanAction(Action):
    """The outermost 802.1Q tag is taken away; a packet without one stays as it is."""

    _keys: ClassVar[dict[str, Key]] = {}
    _kinds: ClassVar[dict[str, str]] = {}
    _tag = ("do", "pop-vlan")

    def __init__(self) -> None:
        """Takes the values of its keys."""
        super().__init__()


class EncapsulateAction(Action):
    """The frame is put into a VXLAN tunnel. Each address is a value, or the field that it is copied from."""

    _keys: ClassVar[dict[str, Key]] = {
        "destination": Key("destination"),
        "destination_mac": Key("destination_mac"),
        "source": Key("source"),
        "source_mac": Key("source_mac"),
        "vni": Key("vni"),
    }
    _kinds: ClassVar[dict[str, str]] = {}
    _tag = ("do", "encapsulate")
    destination: Value
    destination_mac: Value
    source: Value
    source_mac: Value
    vni: int | None

    def __init__(
        self, *, destination: Value, destination_mac: Value, source: Value, source_mac: Value, vni: int | None = None
    ) -> None:
        """Takes the values of its keys.

        Args:
            destination: Outer destination address.
            destination_mac: Outer Ethernet destination.
            source: Outer source address.
            source_mac: Outer Ethernet source.
            vni: Virtual network: 1 to 16777215. Default: that of the packet, `meta.vni`.

        """
        super().__init__(
            destination=destination, destination_mac=destination_mac, source=source, source_mac=source_mac, vni=vni
        )


class DecapsulateAction(Action):
    """The frame is taken out of its VXLAN tunnel; a packet that is in none stays as it is."""

    _keys: ClassVar[dict[str, Key]] = {}
    _kinds: ClassVar[dict[str, str]] = {}
    _tag = ("do", "decapsulate")

    def __init__(self) -> None:
        """Takes the values of its keys."""
        super().__init__()


class VniAction(Action):
    """It changes its virtual network, `meta.vni`."""

    _keys: ClassVar[dict[str, Key]] = {
        "vni": Key("vni"),
    }
    _kinds: ClassVar[dict[str, str]] = {}
    _tag = ("do", "vni")
    vni: int

    def __init__(self, *, vni: int) -> None:
        """Takes the values of its keys.

        Args:
            vni: Virtual network: 0 to 16777215; 0 for none.

        """
        super().__init__(vni=vni)


class GotoAction(Action):
    """A later table of the stage is next."""

    _keys: ClassVar[dict[str, Key]] = {
        "table": Key("table"),
    }
    _kinds: ClassVar[dict[str, str]] = {}
    _tag = ("do", "goto")
    table: str

    def __init__(self, *, table: str) -> None:
        """Takes the values of its keys.

        Args:
            table: The table.

        """
        super().__init__(table=table)


class Assumed(Section):
    """A figure that no source gives, with the reason for the value taken."""

    _keys: ClassVar[dict[str, Key]] = {
        "key": Key("key"),
        "value": Key("value"),
        "why": Key("why"),
    }
    key: str
    value: str
    why: str

    def __init__(self, *, key: str, value: str, why: str) -> None:
        """Takes the values of its keys.

        Args:
            key: The key of the description that it concerns.
            value: The value taken, in words.
            why: The reason, and the evidence that would change it.

        """
        super().__init__(key=key, value=value, why=why)


class BranchSpec(Section):
    """Which state follows for a value."""

    _keys: ClassVar[dict[str, Key]] = {
        "state": Key("state"),
        "value": Key("value"),
    }
    state: str
    value: Value

    def __init__(self, *, state: str, value: Value) -> None:
        """Takes the values of its keys.

        Args:
            state: The state that follows.
            value: Value of the field that the state selects by.

        """
        super().__init__(state=state, value=value)


class Cable(Section):
    """A run of cables as a system file describes it: medium, length (or a range of lengths) and rate. With
    `length_max_m`, lengths grow evenly from `length_m` between neighbours (switch or group numbers that
    differ by one) to `length_max_m` between those that are farthest apart, in steps of 1 m (optical) or
    0.1 m (otherwise)."""

    _keys: ClassVar[dict[str, Key]] = {
        "length_m": Key("length_m"),
        "medium": Key("medium"),
        "rate_gbps": Key("rate_gbps"),
        "length_max_m": Key("length_max_m"),
        "links_per_cable": Key("links_per_cable"),
    }
    length_m: float
    medium: Medium
    rate_gbps: float
    length_max_m: float | None
    links_per_cable: int | None

    def __init__(
        self,
        *,
        length_m: float,
        medium: Medium,
        rate_gbps: float,
        length_max_m: float | None = None,
        links_per_cable: int | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            length_m: Length in metres, of the shortest where `length_max_m` is given.
            medium: Medium of the cable.
            rate_gbps: Rate of a link in one direction, in Gb/s; steps of 0.001.
            length_max_m: Length of the longest, in metres; absent: all are equal.
            links_per_cable: Links that share one physical cable: 2 for dual-density cables.

        """
        super().__init__(
            length_m=length_m,
            medium=medium,
            rate_gbps=rate_gbps,
            length_max_m=length_max_m,
            links_per_cable=links_per_cable,
        )


class Capture(Section):
    """A capture of the packets of one port, in both directions, as a pcapng file."""

    _keys: ClassVar[dict[str, Key]] = {
        "file": Key("file"),
        "port": Key("port"),
        "packets_max": Key("packets_max"),
        "snap_bytes": Key("snap_bytes"),
    }
    file: str
    port: str
    packets_max: int | None
    snap_bytes: int | None

    def __init__(self, *, file: str, port: str, packets_max: int | None = None, snap_bytes: int | None = None) -> None:
        """Takes the values of its keys.

        Args:
            file: The file to write, relative to the working folder. An existing one is replaced.
            port: The port: "endpoint:N", or "switch:S/port:P" with the numbers of the result's tables.
            packets_max: Largest number of frames written; the rest is counted. Default 1,000,000.
            snap_bytes: Largest number of bytes kept of each frame: 64 to 65,535. Default 128: all
                headers.

        """
        super().__init__(file=file, port=port, packets_max=packets_max, snap_bytes=snap_bytes)


class Dragonfly(Section):
    """A dragonfly: groups of switches, every pair of groups joined by at least one link. Groups, switches and
    nodes are numbered in the order of `groups`."""

    _keys: ClassVar[dict[str, Key]] = {
        "groups": Key("groups", "GroupKind", True, False),
        "arrangement": Key("arrangement"),
        "edge": Key("edge", "Cable", False, True),
        "global_": Key("global", "Cable", False, True),
        "global_links": Key("global_links", "GlobalLinks", True, True),
        "links_per_pair": Key("links_per_pair"),
        "listed_links": Key("listed_links", "ListedLink", True, True),
        "local": Key("local", "Cable", False, True),
        "local_column": Key("local_column", "Cable", False, True),
        "port_ranges": Key("port_ranges", "PortRanges", False, True),
        "wiring": Key("wiring"),
    }
    groups: list[GroupKind]
    arrangement: Arrangement | None
    edge: Cable
    global_: Cable
    global_links: list[GlobalLinks]
    links_per_pair: int | None
    listed_links: list[ListedLink]
    local: Cable
    local_column: Cable
    port_ranges: PortRanges
    wiring: GlobalWiring | None

    def __init__(
        self,
        *,
        groups: Sequence[GroupKind | Mapping[str, Any]],
        arrangement: Arrangement | None = None,
        edge: Cable | Mapping[str, Any] | None = None,
        global_: Cable | Mapping[str, Any] | None = None,
        global_links: Sequence[GlobalLinks | Mapping[str, Any]] | None = None,
        links_per_pair: int | None = None,
        listed_links: Sequence[ListedLink | Mapping[str, Any]] | None = None,
        local: Cable | Mapping[str, Any] | None = None,
        local_column: Cable | Mapping[str, Any] | None = None,
        port_ranges: PortRanges | Mapping[str, Any] | None = None,
        wiring: GlobalWiring | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            groups: The kinds of group; each has its own sizes.
            arrangement: With `round-robin` wiring, the order of the links.
            edge: Cables of the edge links.
            global_: Cables of the global links.
            global_links: Global links between pairs of groups of two kinds.
            links_per_pair: Global links between each pair of groups, unless `global_links` has the pair.
            listed_links: With `listed` wiring, every global link.
            local: Cables of the local links; in a grid, of its rows.
            local_column: Cables of a grid's columns; absent: as the rows.
            port_ranges: Numbers of the ports of each role; absent: edge from 0, then local, then global,
                without gaps.
            wiring: Which switch of a group has which of its global links.

        """
        super().__init__(
            groups=groups,
            arrangement=arrangement,
            edge=edge,
            global_=global_,
            global_links=global_links,
            links_per_pair=links_per_pair,
            listed_links=listed_links,
            local=local,
            local_column=local_column,
            port_ranges=port_ranges,
            wiring=wiring,
        )


class EntrySpec(Section):
    """One entry of a table."""

    _keys: ClassVar[dict[str, Key]] = {
        "actions": Key("actions", "Action", True, True),
        "match": Key("match"),
        "priority": Key("priority"),
    }
    actions: list[Action]
    match: Mapping[str, Any] | None
    priority: int | None

    def __init__(
        self,
        *,
        actions: Sequence[Action | Mapping[str, Any]] | None = None,
        match: Mapping[str, Any] | None = None,
        priority: int | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            actions: The actions. Without `permit`, `deny` or `goto`, the next table follows.
            match: Matched values, by field. An omitted field of the key matches every packet, even one
                without the field; a given field matches only packets that have it. Fields
                that are compared exactly must be given.
            priority: Of several entries that match, the one of highest priority counts, then the one with
                the longer prefixes, then the older. Default 0.

        """
        super().__init__(actions=actions, match=match, priority=priority)


class EthernetEndpoints(Section):
    """Third-party endpoints on one switch: `[[ethernet]]` of a system."""

    _keys: ClassVar[dict[str, Key]] = {
        "rate_gbps": Key("rate_gbps"),
        "compute": Key("compute"),
        "count": Key("count"),
        "endpoint": Key("endpoint"),
        "length_m": Key("length_m"),
        "medium": Key("medium"),
        "port": Key("port"),
        "split": Key("split"),
        "switch": Key("switch"),
    }
    rate_gbps: int
    compute: bool | None
    count: int | None
    endpoint: int | None
    length_m: float | None
    medium: Medium | None
    port: int | None
    split: int | None
    switch: int | None

    def __init__(
        self,
        *,
        rate_gbps: int,
        compute: bool | None = None,
        count: int | None = None,
        endpoint: int | None = None,
        length_m: float | None = None,
        medium: Medium | None = None,
        port: int | None = None,
        split: int | None = None,
        switch: int | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            rate_gbps: Rate of each link in one direction, in Gb/s: 25, 50, 100, 200 or 400.
            compute: Whether jobs run on these nodes. If false, the nodes exist but no job uses them.
            count: Links, each with an endpoint on its own node. Default: as many as one port has.
            endpoint: An endpoint that the wiring has: it becomes a third-party endpoint, the first on its
                port.
            length_m: Length of the cable, in metres.
            medium: Medium of the cable.
            port: With `switch`: the first port that is taken; absent: the lowest that are free.
            split: Links that each port is split into: 1, 2 or 4.
            switch: The switch, counted over the whole system: new endpoints on ports that are free.
                Either this or `endpoint`.

        """
        super().__init__(
            rate_gbps=rate_gbps,
            compute=compute,
            count=count,
            endpoint=endpoint,
            length_m=length_m,
            medium=medium,
            port=port,
            split=split,
            switch=switch,
        )


class ExplainSection(Section):
    """Messages to explain. The run is made twice, with the same seed: first to find them, then to follow them."""

    _keys: ClassVar[dict[str, Key]] = {
        "job": Key("job"),
        "message": Key("message"),
        "slowest": Key("slowest"),
    }
    job: str
    message: str | None
    slowest: int | None

    def __init__(self, *, job: str, message: str | None = None, slowest: int | None = None) -> None:
        """Takes the values of its keys.

        Args:
            job: The job whose messages are explained, by its name.
            message: One message instead: "3->7" is the slowest that rank 3 issued to rank 7, "3->7:2" the
                third, counted from 0.
            slowest: Number of messages, the slowest first: 1 to 1,000. Default 3.

        """
        super().__init__(job=job, message=message, slowest=slowest)


class FatTreeCores(Section):
    """The third level of a fat tree: pods of leaves and spines, joined by cores. Spine `s` of every pod is
    joined to the cores of plane `s`, and to no other."""

    _keys: ClassVar[dict[str, Key]] = {
        "per_plane": Key("per_plane"),
        "pods": Key("pods"),
        "links_per_pair": Key("links_per_pair"),
    }
    per_plane: int
    pods: int
    links_per_pair: int | None

    def __init__(self, *, per_plane: int, pods: int, links_per_pair: int | None = None) -> None:
        """Takes the values of its keys.

        Args:
            per_plane: Cores of each plane; there are as many planes as a pod has spines.
            pods: Pods.
            links_per_pair: Links between each spine and each core of its plane.

        """
        super().__init__(per_plane=per_plane, pods=pods, links_per_pair=links_per_pair)


class FatTree(Section):
    """A fat tree of two levels or, with `cores`, of three. Oversubscription is `endpoints_per_leaf / (spines *
    links_per_pair)`: 1 is full bandwidth. A leaf-spine cable that carries two links is `links_per_pair =
    2` with `uplink.links_per_cable = 2`."""

    _keys: ClassVar[dict[str, Key]] = {
        "endpoints_per_leaf": Key("endpoints_per_leaf"),
        "leaves": Key("leaves"),
        "spines": Key("spines"),
        "core_link": Key("core_link", "Cable", False, True),
        "cores": Key("cores", "FatTreeCores", False, True),
        "edge": Key("edge", "Cable", False, True),
        "links_per_pair": Key("links_per_pair"),
        "nics_per_node": Key("nics_per_node"),
        "nodes": Key("nodes"),
        "uplink": Key("uplink", "Cable", False, True),
    }
    endpoints_per_leaf: int
    leaves: int
    spines: int
    core_link: Cable
    cores: FatTreeCores
    edge: Cable
    links_per_pair: int | None
    nics_per_node: int | None
    nodes: int | None
    uplink: Cable

    def __init__(
        self,
        *,
        endpoints_per_leaf: int,
        leaves: int,
        spines: int,
        core_link: Cable | Mapping[str, Any] | None = None,
        cores: FatTreeCores | Mapping[str, Any] | None = None,
        edge: Cable | Mapping[str, Any] | None = None,
        links_per_pair: int | None = None,
        nics_per_node: int | None = None,
        nodes: int | None = None,
        uplink: Cable | Mapping[str, Any] | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            endpoints_per_leaf: Endpoints of each leaf.
            leaves: Leaves; with three levels, of each pod.
            spines: Spines; with three levels, of each pod.
            core_link: Cables between spines and cores; absent: as `uplink`.
            cores: The third level; absent: two levels.
            edge: Cables of the edge links.
            links_per_pair: Links between each leaf and each spine (of its pod).
            nics_per_node: NICs of each node, on the same leaf one after the other.
            nodes: Nodes of the system; absent: one for each place. If there are fewer, the last leaves
                stay empty.
            uplink: Cables between switches.

        """
        super().__init__(
            endpoints_per_leaf=endpoints_per_leaf,
            leaves=leaves,
            spines=spines,
            core_link=core_link,
            cores=cores,
            edge=edge,
            links_per_pair=links_per_pair,
            nics_per_node=nics_per_node,
            nodes=nodes,
            uplink=uplink,
        )


class FaultLaw(Section):
    """Random faults: exponential times between their beginnings, exponential durations, each on one link, switch
    or NIC at random."""

    _keys: ClassVar[dict[str, Key]] = {
        "gap_mean": Key("gap_mean"),
        "kind": Key("kind"),
        "length_mean": Key("length_mean"),
        "lanes": Key("lanes"),
        "links": Key("links"),
    }
    gap_mean: Span
    kind: FaultName
    length_mean: Span
    lanes: int | None
    links: LinkChoice | None

    def __init__(
        self,
        *,
        gap_mean: Span,
        kind: FaultName,
        length_mean: Span,
        lanes: int | None = None,
        links: LinkChoice | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            gap_mean: Mean time between the beginnings of two faults in the whole system.
            kind: Kind of the faults.
            length_mean: Mean duration.
            lanes: Lanes that are lost. Default: all.
            links: Which links, for faults of links.

        """
        super().__init__(gap_mean=gap_mean, kind=kind, length_mean=length_mean, lanes=lanes, links=links)


class Fault(Section):
    """One fault."""

    _keys: ClassVar[dict[str, Key]] = {
        "at": Key("at"),
        "kind": Key("kind"),
        "endpoint": Key("endpoint"),
        "lanes": Key("lanes"),
        "link": Key("link"),
        "switch": Key("switch"),
        "until": Key("until"),
    }
    at: Span
    kind: FaultName
    endpoint: int | None
    lanes: int | None
    link: str | None
    switch: int | None
    until: Span | None

    def __init__(
        self,
        *,
        at: Span,
        kind: FaultName,
        endpoint: int | None = None,
        lanes: int | None = None,
        link: str | None = None,
        switch: int | None = None,
        until: Span | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            at: When.
            kind: Kind of the fault.
            endpoint: The NIC, as the number of its endpoint.
            lanes: Lanes that are lost.
            link: The link: "switch:3/port:17", "endpoint:12", "switches:3-9" or "groups:0-5"; with
                several links between the two, "/link:1" is the second.
            switch: The switch, counted over the whole system.
            until: When it is repaired. Default: never.

        """
        super().__init__(at=at, kind=kind, endpoint=endpoint, lanes=lanes, link=link, switch=switch, until=until)


class Faults(Section):
    """Reactions of the switches to faults."""

    _keys: ClassVar[dict[str, Key]] = {
        "pause_guard": Key("pause_guard"),
        "reroute": Key("reroute"),
    }
    pause_guard: Span | None
    reroute: Span | None

    def __init__(self, *, pause_guard: Span | None = None, reroute: Span | None = None) -> None:
        """Takes the values of its keys.

        Args:
            pause_guard: Time for which a NIC may pause its switch before the switch discards the packets
                for it. Source: the existence of such a guard is published, its time is not.
                Status: assumed ("10ms" to "1s"; affects how much a stuck NIC slows others).
            reroute: Time from a change in the fabric until the routing tables of all switches reflect it.
                A switch avoids its own dead ports immediately. Source: none; a manager that
                is notified immediately and writes about a thousand tables. Status: assumed
                ("1ms" to "10s"; affects the number of packets discarded until then).

        """
        super().__init__(pause_guard=pause_guard, reroute=reroute)


class GlobalLinks(Section):
    """Global links between pairs of groups of two kinds."""

    _keys: ClassVar[dict[str, Key]] = {
        "between": Key("between"),
        "per_pair": Key("per_pair"),
    }
    between: Sequence[str]
    per_pair: int

    def __init__(self, *, between: Sequence[str], per_pair: int) -> None:
        """Takes the values of its keys.

        Args:
            between: The two kinds; the same one twice for pairs of that kind.
            per_pair: Links between each pair of groups.

        """
        super().__init__(between=between, per_pair=per_pair)


class Graph(Section):
    """Any graph of switches with endpoints: connected, or in `fabrics` separate parts."""

    _keys: ClassVar[dict[str, Key]] = {
        "links": Key("links", "GraphLink", True, False),
        "switches": Key("switches"),
        "edge": Key("edge", "Cable", False, True),
        "endpoints": Key("endpoints", "GraphEndpoint", True, True),
        "endpoints_per_switch": Key("endpoints_per_switch"),
        "fabrics": Key("fabrics"),
        "link": Key("link", "Cable", False, True),
    }
    links: list[GraphLink]
    switches: int
    edge: Cable
    endpoints: list[GraphEndpoint]
    endpoints_per_switch: int | None
    fabrics: int | None
    link: Cable

    def __init__(
        self,
        *,
        links: Sequence[GraphLink | Mapping[str, Any]],
        switches: int,
        edge: Cable | Mapping[str, Any] | None = None,
        endpoints: Sequence[GraphEndpoint | Mapping[str, Any]] | None = None,
        endpoints_per_switch: int | None = None,
        fabrics: int | None = None,
        link: Cable | Mapping[str, Any] | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            links: Links between switches.
            switches: Switches, numbered from 0.
            edge: Cables of the edge links, unless an endpoint has its own.
            endpoints: Endpoints, in order of their node.
            endpoints_per_switch: Endpoints on every switch, after those of `endpoints`; each on its own
                node.
            fabrics: Fabrics that share no switch. Two of them exchange messages through gateways: nodes
                with a NIC in each.
            link: Cables between switches, unless a link has its own.

        """
        super().__init__(
            links=links,
            switches=switches,
            edge=edge,
            endpoints=endpoints,
            endpoints_per_switch=endpoints_per_switch,
            fabrics=fabrics,
            link=link,
        )


class GraphEndpoint(Section):
    """A NIC."""

    _keys: ClassVar[dict[str, Key]] = {
        "switch": Key("switch"),
        "length_m": Key("length_m"),
        "medium": Key("medium"),
        "node": Key("node"),
        "port": Key("port"),
        "rate_gbps": Key("rate_gbps"),
    }
    switch: int
    length_m: float | None
    medium: Medium | None
    node: int | None
    port: int | None
    rate_gbps: float | None

    def __init__(
        self,
        *,
        switch: int,
        length_m: float | None = None,
        medium: Medium | None = None,
        node: int | None = None,
        port: int | None = None,
        rate_gbps: float | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            switch: The switch it is attached to.
            length_m: Length in metres; absent: as `edge`.
            medium: Medium of the cable; absent: as `edge`.
            node: Its node; absent: a new node. Endpoints of a node follow each other, nodes are counted
                from 0.
            port: Port number; absent: the lowest that no part of the file uses.
            rate_gbps: Rate in Gb/s, one direction; absent: as `edge`.

        """
        super().__init__(switch=switch, length_m=length_m, medium=medium, node=node, port=port, rate_gbps=rate_gbps)


class GraphLink(Section):
    """A link between two switches."""

    _keys: ClassVar[dict[str, Key]] = {
        "between": Key("between"),
        "global_": Key("global"),
        "length_m": Key("length_m"),
        "medium": Key("medium"),
        "ports": Key("ports"),
        "rate_gbps": Key("rate_gbps"),
    }
    between: Sequence[int]
    global_: bool | None
    length_m: float | None
    medium: Medium | None
    ports: Sequence[int] | None
    rate_gbps: float | None

    def __init__(
        self,
        *,
        between: Sequence[int],
        global_: bool | None = None,
        length_m: float | None = None,
        medium: Medium | None = None,
        ports: Sequence[int] | None = None,
        rate_gbps: float | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            between: The two switches.
            global_: Whether the link counts as a global one; it matters to reports only.
            length_m: Length in metres; absent: as `link`.
            medium: Medium of the cable; absent: as `link`.
            ports: Port number at either end; absent: the lowest that no part of the file uses.
            rate_gbps: Rate in Gb/s, one direction; absent: as `link`.

        """
        super().__init__(
            between=between, global_=global_, length_m=length_m, medium=medium, ports=ports, rate_gbps=rate_gbps
        )


class GroupKind(Section):
    """Groups of equal size and purpose."""

    _keys: ClassVar[dict[str, Key]] = {
        "name": Key("name"),
        "count": Key("count"),
        "endpoints_per_switch": Key("endpoints_per_switch"),
        "switches": Key("switches"),
        "fill": Key("fill"),
        "local": Key("local", "LocalWiring", False, False),
        "nic_rate_gbps": Key("nic_rate_gbps"),
        "nic_spread": Key("nic_spread"),
        "nics_per_node": Key("nics_per_node"),
        "nodes": Key("nodes"),
        "purpose": Key("purpose"),
        "switch_rate_gbps": Key("switch_rate_gbps"),
    }
    name: str
    count: int
    endpoints_per_switch: int
    switches: int
    fill: Fill | None
    local: LocalWiring | None
    nic_rate_gbps: float | None
    nic_spread: NicSpread | None
    nics_per_node: int | None
    nodes: int | None
    purpose: Purpose | None
    switch_rate_gbps: float | None

    def __init__(
        self,
        name: str,
        *,
        count: int,
        endpoints_per_switch: int,
        switches: int,
        fill: Fill | None = None,
        local: LocalWiring | Mapping[str, Any] | None = None,
        nic_rate_gbps: float | None = None,
        nic_spread: NicSpread | None = None,
        nics_per_node: int | None = None,
        nodes: int | None = None,
        purpose: Purpose | None = None,
        switch_rate_gbps: float | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            name: Name of the kind: "compute", "storage", ...
            count: Groups of this kind.
            endpoints_per_switch: Edge ports of each switch.
            switches: Switches of each group.
            fill: Distribution of nodes to groups, if they do not fill all places.
            local: How the switches of a group are joined.
            nic_rate_gbps: Highest rate of the NICs of these nodes, in Gb/s. Absent: that of the cables.
            nic_spread: Where the NICs of a node are attached.
            nics_per_node: NICs of each node.
            nodes: Nodes of all groups of this kind together; absent: one for each place. If there are
                fewer, `fill` distributes them to the groups; within a group the last places
                stay empty.
            purpose: Whether jobs run here.
            switch_rate_gbps: Highest rate of the ports of these switches, in Gb/s: a link between two
                switches, or to a NIC, runs at the lesser rate of its ends. Absent: that of
                the cables.

        """
        super().__init__(
            name=name,
            count=count,
            endpoints_per_switch=endpoints_per_switch,
            switches=switches,
            fill=fill,
            local=local,
            nic_rate_gbps=nic_rate_gbps,
            nic_spread=nic_spread,
            nics_per_node=nics_per_node,
            nodes=nodes,
            purpose=purpose,
            switch_rate_gbps=switch_rate_gbps,
        )


class Hardware(Section):
    """Switch, NIC and host: each has a preset, and values that differ from it."""

    _keys: ClassVar[dict[str, Key]] = {
        "ethernet": Key("ethernet", "Ethernet", False, True),
        "host": Key("host", "Host", False, True),
        "jitter": Key("jitter", "Jitter", False, True),
        "nic": Key("nic", "Nic", False, True),
        "node": Key("node", "Node", False, True),
        "switch": Key("switch", "Switch", False, True),
        "tcp": Key("tcp", "Tcp", False, True),
        "uet": Key("uet", "Uet", False, True),
        "uet_law": Key("uet_law", "UetLaw", False, True),
    }
    ethernet: Ethernet
    host: Host
    jitter: Jitter
    nic: Nic
    node: Node
    switch: Switch
    tcp: Tcp
    uet: Uet
    uet_law: UetLaw

    def __init__(
        self,
        *,
        ethernet: Ethernet | Mapping[str, Any] | None = None,
        host: Host | Mapping[str, Any] | None = None,
        jitter: Jitter | Mapping[str, Any] | None = None,
        nic: Nic | Mapping[str, Any] | None = None,
        node: Node | Mapping[str, Any] | None = None,
        switch: Switch | Mapping[str, Any] | None = None,
        tcp: Tcp | Mapping[str, Any] | None = None,
        uet: Uet | Mapping[str, Any] | None = None,
        uet_law: UetLaw | Mapping[str, Any] | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            ethernet: Third-party Ethernet endpoints, in systems that have them (`[[ethernet]]`). Default
                preset: "ethernet".
            host: The host's software. Default preset: MPI on the NIC's preset.
            jitter: How the cores of hosts are late, by a law: "exponential" or "periodic". Without this
                table they never are.
            nic: The NIC. Default preset: the system's `nic`.
            node: The bus and the memory of the node, for the system's own NICs. Default preset: that of
                the NIC's name, or "none", which has no limit.
            switch: The switch. Default preset: the system's `switch`.
            tcp: Windows and acknowledgements of TCP connections, where hosts or third-party endpoints
                speak TCP. Without this table no window limits a sender.
            uet: Ultra Ethernet's transport, which the NICs have under the laws "nscc" and "rccc", and
                third-party endpoints with `hardware.ethernet.transport = "uet"`. Default
                preset: "uec".
            uet_law: The law of third-party endpoints that speak Ultra Ethernet
                (`hardware.ethernet.transport = "uet"`): "nscc" or "rccc", with their keys.
                Default: "nscc".

        """
        super().__init__(
            ethernet=ethernet,
            host=host,
            jitter=jitter,
            nic=nic,
            node=node,
            switch=switch,
            tcp=tcp,
            uet=uet,
            uet_law=uet_law,
        )


class Hot(Section):
    """The first ranks have larger blocks than the others."""

    _keys: ClassVar[dict[str, Key]] = {
        "factor": Key("factor"),
        "ranks": Key("ranks"),
    }
    factor: int
    ranks: int

    def __init__(self, *, factor: int, ranks: int) -> None:
        """Takes the values of its keys.

        Args:
            factor: Their size, as a multiple of the others'.
            ranks: Number of ranks with larger blocks.

        """
        super().__init__(factor=factor, ranks=ranks)


class Job(Section):
    """One `[[job]]` of a scenario."""

    _keys: ClassVar[dict[str, Key]] = {
        "name": Key("name"),
        "workload": Key("workload", "Workload", False, False),
        "class_": Key("class"),
        "mapping": Key("mapping"),
        "nic": Key("nic"),
        "nodes": Key("nodes"),
        "processes_per_node": Key("processes_per_node"),
        "start": Key("start"),
        "vni": Key("vni"),
    }
    name: str
    workload: Workload
    class_: str | None
    mapping: RankMapping | None
    nic: NicChoice | None
    nodes: Nodes | None
    processes_per_node: int | None
    start: Span | None
    vni: int | None

    def __init__(
        self,
        name: str,
        *,
        workload: Workload | Mapping[str, Any],
        class_: str | None = None,
        mapping: RankMapping | None = None,
        nic: NicChoice | None = None,
        nodes: Nodes | None = None,
        processes_per_node: int | None = None,
        start: Span | None = None,
        vni: int | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            name: Name of the job in results.
            workload: The workload of its ranks.
            class_: Traffic class by name. Default: the first class.
            mapping: How ranks are distributed over its nodes. Default "block".
            nic: Which NIC of its node each rank uses. Default "by-rank".
            nodes: Its nodes: a number, a share of all, a list, or "rest" (the default): all nodes that no
                other job requests.
            processes_per_node: Ranks on each node. Default 1.
            start: Start time. Default 0.
            vni: Virtual network of its messages, for the packet engine: 1 to 65535. Default: the smallest
                number that no job uses yet, in the order of the jobs.

        """
        super().__init__(
            name=name,
            workload=workload,
            class_=class_,
            mapping=mapping,
            nic=nic,
            nodes=nodes,
            processes_per_node=processes_per_node,
            start=start,
            vni=vni,
        )


class KeyPart(Section):
    """One field of a key."""

    _keys: ClassVar[dict[str, Key]] = {
        "field": Key("field"),
        "match": Key("match"),
    }
    field: str
    match: MatchKind

    def __init__(self, *, field: str, match: MatchKind) -> None:
        """Takes the values of its keys.

        Args:
            field: The field.
            match: How it is compared: exact, ternary, prefix or range.

        """
        super().__init__(field=field, match=match)


class ListedLink(Section):
    """A global link of a dragonfly whose links are listed."""

    _keys: ClassVar[dict[str, Key]] = {
        "between": Key("between"),
        "switches": Key("switches"),
        "ports": Key("ports"),
    }
    between: Sequence[int]
    switches: Sequence[int]
    ports: Sequence[int] | None

    def __init__(self, *, between: Sequence[int], switches: Sequence[int], ports: Sequence[int] | None = None) -> None:
        """Takes the values of its keys.

        Args:
            between: The two groups.
            switches: The switch of each, counted within its group.
            ports: The port of each, counted within its switch; absent: the lowest that is free.

        """
        super().__init__(between=between, switches=switches, ports=ports)


class LocalWiring(Section):
    """How the switches of a group are joined."""

    _kinds: ClassVar[dict[str, str]] = {
        "full-mesh": "FullMeshWiring",
        "grid": "GridWiring",
    }


class FullMeshWiring(LocalWiring):
    """Each with each other."""

    _keys: ClassVar[dict[str, Key]] = {
        "parallel": Key("parallel"),
    }
    _kinds: ClassVar[dict[str, str]] = {}
    _tag = ("wiring", "full-mesh")
    parallel: int | None

    def __init__(self, *, parallel: int | None = None) -> None:
        """Takes the values of its keys.

        Args:
            parallel: Links between each pair.

        """
        super().__init__(parallel=parallel)


class GridWiring(LocalWiring):
    """Rows and columns, each with each other in the same row and in the same column. Switch `row * columns +
    column`. Aries: 16 columns (a chassis is a row: rank-1), 6 rows (rank-2), 1 link in a row and 3 in a
    column."""

    _keys: ClassVar[dict[str, Key]] = {
        "column_links": Key("column_links"),
        "columns": Key("columns"),
        "row_links": Key("row_links"),
        "rows": Key("rows"),
    }
    _kinds: ClassVar[dict[str, str]] = {}
    _tag = ("wiring", "grid")
    column_links: int
    columns: int
    row_links: int
    rows: int

    def __init__(self, *, column_links: int, columns: int, row_links: int, rows: int) -> None:
        """Takes the values of its keys.

        Args:
            column_links: Links between each pair of a column (rank-2).
            columns: Switches of a row.
            row_links: Links between each pair of a row (rank-1).
            rows: Switches of a column.

        """
        super().__init__(column_links=column_links, columns=columns, row_links=row_links, rows=rows)


class Lognormal(Section):
    """A lognormal law, by its mean and 99th percentile."""

    _keys: ClassVar[dict[str, Key]] = {
        "mean": Key("mean"),
        "p99": Key("p99"),
    }
    mean: Span
    p99: Span

    def __init__(self, *, mean: Span, p99: Span) -> None:
        """Takes the values of its keys.

        Args:
            mean: Mean.
            p99: 99th percentile: the mean to 14 times the mean.

        """
        super().__init__(mean=mean, p99=p99)


class Measure(Section):
    """What is recorded."""

    _keys: ClassVar[dict[str, Key]] = {
        "flows": Key("flows"),
        "message_rows_max": Key("message_rows_max"),
        "messages": Key("messages"),
        "sample_interval": Key("sample_interval"),
    }
    flows: bool | None
    message_rows_max: int | None
    messages: Sequence[str] | None
    sample_interval: Span | None

    def __init__(
        self,
        *,
        flows: bool | None = None,
        message_rows_max: int | None = None,
        messages: Sequence[str] | None = None,
        sample_interval: Span | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            flows: Whether rows per flow are kept. Default true.
            message_rows_max: Largest number of messages and iterations kept as rows (histograms count
                all). Default 1,000,000.
            messages: Jobs whose messages are kept as rows. Default: all jobs that end by themselves.
            sample_interval: Length of a sampling interval; 0 for no time series. Default 10 us.

        """
        super().__init__(
            flows=flows, message_rows_max=message_rows_max, messages=messages, sample_interval=sample_interval
        )


class Members(Section):
    """Endpoints that belong to a virtual network."""

    _keys: ClassVar[dict[str, Key]] = {
        "endpoints": Key("endpoints"),
        "vni": Key("vni"),
    }
    endpoints: Sequence[int]
    vni: int

    def __init__(self, *, endpoints: Sequence[int], vni: int) -> None:
        """Takes the values of its keys.

        Args:
            endpoints: Endpoints, by number.
            vni: Virtual network: 1 to 65535.

        """
        super().__init__(endpoints=endpoints, vni=vni)


class Offered(Section):
    """An open-loop load: messages start at a given rate, whether or not earlier ones have arrived. The schedule
    is absolute: times do not slip when the core, the NIC or the network cannot keep up, and the latency
    of a message counts from its scheduled time. The results have the accepted load beside this one."""

    _keys: ClassVar[dict[str, Key]] = {
        "load": Key("load"),
        "rate_gbps": Key("rate_gbps"),
        "gaps": Key("gaps"),
        "outstanding_max": Key("outstanding_max"),
    }
    load: Share
    rate_gbps: RateGbps
    gaps: Gaps | None
    outstanding_max: int | None

    def __init__(
        self, *, load: Share, rate_gbps: RateGbps, gaps: Gaps | None = None, outstanding_max: int | None = None
    ) -> None:
        """Takes the values of its keys.

        Args:
            load: Share of `rate_gbps` that each rank offers, in (0, 1].
            rate_gbps: Rate of the injection link, in Gb/s. With several ranks on a link, give each its
                share of the load.
            gaps: Default `exponential`.
            outstanding_max: Largest number of outstanding messages of one rank; further ones wait, and
                their latency counts this wait. Default 1,024. Source: ours. Status: assumed;
                matters only beyond saturation, where it bounds memory.

        """
        super().__init__(load=load, rate_gbps=rate_gbps, gaps=gaps, outstanding_max=outstanding_max)


class PacketEngine(Section):
    """The packet engine of every switch: `[packet_engine]` of a scenario."""

    _keys: ClassVar[dict[str, Key]] = {
        "entries": Key("entries", "TableEntry", True, True),
        "jobs_are_members": Key("jobs_are_members"),
        "members": Key("members", "Members", True, True),
        "parser": Key("parser", "ParserSpec", False, True),
        "programs": Key("programs"),
        "signature": Key("signature"),
        "tables": Key("tables", "TableSpec", True, True),
        "vlan": Key("vlan", "VlanPort", True, True),
    }
    entries: list[TableEntry]
    jobs_are_members: bool | None
    members: list[Members]
    parser: ParserSpec
    programs: Sequence[str] | None
    signature: Sequence[str] | None
    tables: list[TableSpec]
    vlan: list[VlanPort]

    def __init__(
        self,
        *,
        entries: Sequence[TableEntry | Mapping[str, Any]] | None = None,
        jobs_are_members: bool | None = None,
        members: Sequence[Members | Mapping[str, Any]] | None = None,
        parser: ParserSpec | Mapping[str, Any] | None = None,
        programs: Sequence[str] | None = None,
        signature: Sequence[str] | None = None,
        tables: Sequence[TableSpec | Mapping[str, Any]] | None = None,
        vlan: Sequence[VlanPort | Mapping[str, Any]] | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            entries: Entries for tables of built-in programs.
            jobs_are_members: Whether the endpoints of each job are members of its VNI, for "vni-
                isolation". Default true.
            members: Further members of virtual networks, for "vni-isolation".
            parser: The parser's graph. Default: the built-in one, which reads every field.
            programs: Built-in programs: "vlan-edge", "acl", "vni-isolation", "vxlan-edge". Packets pass
                them in this order at the ingress, and in the opposite order at the egress.
                Default: none.
            signature: Fields that tell flows of one source and destination apart, such as
                "inner.l4.sport". Default: none.
            tables: Additional tables: after those of the built-in programs in both stages, unless
                `before` places them.
            vlan: VLANs of edge ports, for "vlan-edge".

        """
        super().__init__(
            entries=entries,
            jobs_are_members=jobs_are_members,
            members=members,
            parser=parser,
            programs=programs,
            signature=signature,
            tables=tables,
            vlan=vlan,
        )


class ParserSpec(Section):
    """A parser."""

    _keys: ClassVar[dict[str, Key]] = {
        "depth": Key("depth"),
        "states": Key("states", "StateSpec", True, False),
    }
    depth: int
    states: list[StateSpec]

    def __init__(self, *, depth: int, states: Sequence[StateSpec | Mapping[str, Any]]) -> None:
        """Takes the values of its keys.

        Args:
            depth: The most headers of a packet: 1 to 32.
            states: The states; the first reads the start of the frame.

        """
        super().__init__(depth=depth, states=states)


class PortRanges(Section):
    """Numbers of the ports of each role, each `[first, last]`, both included."""

    _keys: ClassVar[dict[str, Key]] = {
        "edge": Key("edge"),
        "global_": Key("global"),
        "local": Key("local"),
    }
    edge: Sequence[int]
    global_: Sequence[int]
    local: Sequence[int]

    def __init__(self, *, edge: Sequence[int], global_: Sequence[int], local: Sequence[int]) -> None:
        """Takes the values of its keys.

        Args:
            edge: Of edge ports.
            global_: Of global ports.
            local: Of local ports.

        """
        super().__init__(edge=edge, global_=global_, local=local)


class Routes(Section):
    """Forwarding tables for the switches, instead of the topology's own paths."""

    _keys: ClassVar[dict[str, Key]] = {
        "file": Key("file"),
        "checksum": Key("checksum"),
    }
    file: str
    checksum: str | None

    def __init__(self, *, file: str, checksum: str | None = None) -> None:
        """Takes the values of its keys.

        Args:
            file: A file that `philae routes` wrote for this system. Its dead links are down from the
                beginning.
            checksum: The file's checksum, as `philae routes --check` prints it: another file is refused.
                Default: any file.

        """
        super().__init__(file=file, checksum=checksum)


class Rule(Section):
    """Chooses an algorithm for the cases within all of its limits."""

    _keys: ClassVar[dict[str, Key]] = {
        "algorithm": Key("algorithm"),
        "bytes_max": Key("bytes_max"),
        "element_per_rank": Key("element_per_rank"),
        "power_of_two": Key("power_of_two"),
        "ranks_max": Key("ranks_max"),
        "ranks_min": Key("ranks_min"),
        "too_few_elements": Key("too_few_elements"),
        "total_max": Key("total_max"),
        "uneven": Key("uneven"),
    }
    algorithm: AlltoallAlgorithm
    bytes_max: Size | None
    element_per_rank: bool | None
    power_of_two: bool | None
    ranks_max: int | None
    ranks_min: int | None
    too_few_elements: bool | None
    total_max: Size | None
    uneven: bool | None

    def __init__(
        self,
        *,
        algorithm: AlltoallAlgorithm,
        bytes_max: Size | None = None,
        element_per_rank: bool | None = None,
        power_of_two: bool | None = None,
        ranks_max: int | None = None,
        ranks_min: int | None = None,
        too_few_elements: bool | None = None,
        total_max: Size | None = None,
        uneven: bool | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            algorithm: The choice; `auto` is refused.
            bytes_max: Most bytes of one block (alltoall: per destination; the mean of uneven blocks), or
                of the vector or message that is not in blocks.
            element_per_rank: Only with at least one element for each of the largest power of two of
                ranks; for `allreduce` and `reduce`.
            power_of_two: Only for a power of two of ranks.
            ranks_max: Most ranks.
            ranks_min: Fewest ranks.
            too_few_elements: Only with fewer elements than that.
            total_max: Most bytes of all blocks together; of a vector or message, times the ranks.
            uneven: Only for uneven blocks (MPI's collectives with a `v`).

        """
        super().__init__(
            algorithm=algorithm,
            bytes_max=bytes_max,
            element_per_rank=element_per_rank,
            power_of_two=power_of_two,
            ranks_max=ranks_max,
            ranks_min=ranks_min,
            too_few_elements=too_few_elements,
            total_max=total_max,
            uneven=uneven,
        )


class Rule2(Section):
    """Chooses an algorithm for the cases within all of its limits."""

    _keys: ClassVar[dict[str, Key]] = {
        "algorithm": Key("algorithm"),
        "bytes_max": Key("bytes_max"),
        "element_per_rank": Key("element_per_rank"),
        "power_of_two": Key("power_of_two"),
        "ranks_max": Key("ranks_max"),
        "ranks_min": Key("ranks_min"),
        "too_few_elements": Key("too_few_elements"),
        "total_max": Key("total_max"),
        "uneven": Key("uneven"),
    }
    algorithm: AlltoallvAlgorithm
    bytes_max: Size | None
    element_per_rank: bool | None
    power_of_two: bool | None
    ranks_max: int | None
    ranks_min: int | None
    too_few_elements: bool | None
    total_max: Size | None
    uneven: bool | None

    def __init__(
        self,
        *,
        algorithm: AlltoallvAlgorithm,
        bytes_max: Size | None = None,
        element_per_rank: bool | None = None,
        power_of_two: bool | None = None,
        ranks_max: int | None = None,
        ranks_min: int | None = None,
        too_few_elements: bool | None = None,
        total_max: Size | None = None,
        uneven: bool | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            algorithm: The choice; `auto` is refused.
            bytes_max: Most bytes of one block (alltoall: per destination; the mean of uneven blocks), or
                of the vector or message that is not in blocks.
            element_per_rank: Only with at least one element for each of the largest power of two of
                ranks; for `allreduce` and `reduce`.
            power_of_two: Only for a power of two of ranks.
            ranks_max: Most ranks.
            ranks_min: Fewest ranks.
            too_few_elements: Only with fewer elements than that.
            total_max: Most bytes of all blocks together; of a vector or message, times the ranks.
            uneven: Only for uneven blocks (MPI's collectives with a `v`).

        """
        super().__init__(
            algorithm=algorithm,
            bytes_max=bytes_max,
            element_per_rank=element_per_rank,
            power_of_two=power_of_two,
            ranks_max=ranks_max,
            ranks_min=ranks_min,
            too_few_elements=too_few_elements,
            total_max=total_max,
            uneven=uneven,
        )


class Rule3(Section):
    """Chooses an algorithm for the cases within all of its limits."""

    _keys: ClassVar[dict[str, Key]] = {
        "algorithm": Key("algorithm"),
        "bytes_max": Key("bytes_max"),
        "element_per_rank": Key("element_per_rank"),
        "power_of_two": Key("power_of_two"),
        "ranks_max": Key("ranks_max"),
        "ranks_min": Key("ranks_min"),
        "too_few_elements": Key("too_few_elements"),
        "total_max": Key("total_max"),
        "uneven": Key("uneven"),
    }
    algorithm: AllreduceAlgorithm
    bytes_max: Size | None
    element_per_rank: bool | None
    power_of_two: bool | None
    ranks_max: int | None
    ranks_min: int | None
    too_few_elements: bool | None
    total_max: Size | None
    uneven: bool | None

    def __init__(
        self,
        *,
        algorithm: AllreduceAlgorithm,
        bytes_max: Size | None = None,
        element_per_rank: bool | None = None,
        power_of_two: bool | None = None,
        ranks_max: int | None = None,
        ranks_min: int | None = None,
        too_few_elements: bool | None = None,
        total_max: Size | None = None,
        uneven: bool | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            algorithm: The choice; `auto` is refused.
            bytes_max: Most bytes of one block (alltoall: per destination; the mean of uneven blocks), or
                of the vector or message that is not in blocks.
            element_per_rank: Only with at least one element for each of the largest power of two of
                ranks; for `allreduce` and `reduce`.
            power_of_two: Only for a power of two of ranks.
            ranks_max: Most ranks.
            ranks_min: Fewest ranks.
            too_few_elements: Only with fewer elements than that.
            total_max: Most bytes of all blocks together; of a vector or message, times the ranks.
            uneven: Only for uneven blocks (MPI's collectives with a `v`).

        """
        super().__init__(
            algorithm=algorithm,
            bytes_max=bytes_max,
            element_per_rank=element_per_rank,
            power_of_two=power_of_two,
            ranks_max=ranks_max,
            ranks_min=ranks_min,
            too_few_elements=too_few_elements,
            total_max=total_max,
            uneven=uneven,
        )


class Rule4(Section):
    """Chooses an algorithm for the cases within all of its limits."""

    _keys: ClassVar[dict[str, Key]] = {
        "algorithm": Key("algorithm"),
        "bytes_max": Key("bytes_max"),
        "element_per_rank": Key("element_per_rank"),
        "power_of_two": Key("power_of_two"),
        "ranks_max": Key("ranks_max"),
        "ranks_min": Key("ranks_min"),
        "too_few_elements": Key("too_few_elements"),
        "total_max": Key("total_max"),
        "uneven": Key("uneven"),
    }
    algorithm: ReduceScatterAlgorithm
    bytes_max: Size | None
    element_per_rank: bool | None
    power_of_two: bool | None
    ranks_max: int | None
    ranks_min: int | None
    too_few_elements: bool | None
    total_max: Size | None
    uneven: bool | None

    def __init__(
        self,
        *,
        algorithm: ReduceScatterAlgorithm,
        bytes_max: Size | None = None,
        element_per_rank: bool | None = None,
        power_of_two: bool | None = None,
        ranks_max: int | None = None,
        ranks_min: int | None = None,
        too_few_elements: bool | None = None,
        total_max: Size | None = None,
        uneven: bool | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            algorithm: The choice; `auto` is refused.
            bytes_max: Most bytes of one block (alltoall: per destination; the mean of uneven blocks), or
                of the vector or message that is not in blocks.
            element_per_rank: Only with at least one element for each of the largest power of two of
                ranks; for `allreduce` and `reduce`.
            power_of_two: Only for a power of two of ranks.
            ranks_max: Most ranks.
            ranks_min: Fewest ranks.
            too_few_elements: Only with fewer elements than that.
            total_max: Most bytes of all blocks together; of a vector or message, times the ranks.
            uneven: Only for uneven blocks (MPI's collectives with a `v`).

        """
        super().__init__(
            algorithm=algorithm,
            bytes_max=bytes_max,
            element_per_rank=element_per_rank,
            power_of_two=power_of_two,
            ranks_max=ranks_max,
            ranks_min=ranks_min,
            too_few_elements=too_few_elements,
            total_max=total_max,
            uneven=uneven,
        )


class Rule5(Section):
    """Chooses an algorithm for the cases within all of its limits."""

    _keys: ClassVar[dict[str, Key]] = {
        "algorithm": Key("algorithm"),
        "bytes_max": Key("bytes_max"),
        "element_per_rank": Key("element_per_rank"),
        "power_of_two": Key("power_of_two"),
        "ranks_max": Key("ranks_max"),
        "ranks_min": Key("ranks_min"),
        "too_few_elements": Key("too_few_elements"),
        "total_max": Key("total_max"),
        "uneven": Key("uneven"),
    }
    algorithm: AllgatherAlgorithm
    bytes_max: Size | None
    element_per_rank: bool | None
    power_of_two: bool | None
    ranks_max: int | None
    ranks_min: int | None
    too_few_elements: bool | None
    total_max: Size | None
    uneven: bool | None

    def __init__(
        self,
        *,
        algorithm: AllgatherAlgorithm,
        bytes_max: Size | None = None,
        element_per_rank: bool | None = None,
        power_of_two: bool | None = None,
        ranks_max: int | None = None,
        ranks_min: int | None = None,
        too_few_elements: bool | None = None,
        total_max: Size | None = None,
        uneven: bool | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            algorithm: The choice; `auto` is refused.
            bytes_max: Most bytes of one block (alltoall: per destination; the mean of uneven blocks), or
                of the vector or message that is not in blocks.
            element_per_rank: Only with at least one element for each of the largest power of two of
                ranks; for `allreduce` and `reduce`.
            power_of_two: Only for a power of two of ranks.
            ranks_max: Most ranks.
            ranks_min: Fewest ranks.
            too_few_elements: Only with fewer elements than that.
            total_max: Most bytes of all blocks together; of a vector or message, times the ranks.
            uneven: Only for uneven blocks (MPI's collectives with a `v`).

        """
        super().__init__(
            algorithm=algorithm,
            bytes_max=bytes_max,
            element_per_rank=element_per_rank,
            power_of_two=power_of_two,
            ranks_max=ranks_max,
            ranks_min=ranks_min,
            too_few_elements=too_few_elements,
            total_max=total_max,
            uneven=uneven,
        )


class Rule6(Section):
    """Chooses an algorithm for the cases within all of its limits."""

    _keys: ClassVar[dict[str, Key]] = {
        "algorithm": Key("algorithm"),
        "bytes_max": Key("bytes_max"),
        "element_per_rank": Key("element_per_rank"),
        "power_of_two": Key("power_of_two"),
        "ranks_max": Key("ranks_max"),
        "ranks_min": Key("ranks_min"),
        "too_few_elements": Key("too_few_elements"),
        "total_max": Key("total_max"),
        "uneven": Key("uneven"),
    }
    algorithm: BroadcastAlgorithm
    bytes_max: Size | None
    element_per_rank: bool | None
    power_of_two: bool | None
    ranks_max: int | None
    ranks_min: int | None
    too_few_elements: bool | None
    total_max: Size | None
    uneven: bool | None

    def __init__(
        self,
        *,
        algorithm: BroadcastAlgorithm,
        bytes_max: Size | None = None,
        element_per_rank: bool | None = None,
        power_of_two: bool | None = None,
        ranks_max: int | None = None,
        ranks_min: int | None = None,
        too_few_elements: bool | None = None,
        total_max: Size | None = None,
        uneven: bool | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            algorithm: The choice; `auto` is refused.
            bytes_max: Most bytes of one block (alltoall: per destination; the mean of uneven blocks), or
                of the vector or message that is not in blocks.
            element_per_rank: Only with at least one element for each of the largest power of two of
                ranks; for `allreduce` and `reduce`.
            power_of_two: Only for a power of two of ranks.
            ranks_max: Most ranks.
            ranks_min: Fewest ranks.
            too_few_elements: Only with fewer elements than that.
            total_max: Most bytes of all blocks together; of a vector or message, times the ranks.
            uneven: Only for uneven blocks (MPI's collectives with a `v`).

        """
        super().__init__(
            algorithm=algorithm,
            bytes_max=bytes_max,
            element_per_rank=element_per_rank,
            power_of_two=power_of_two,
            ranks_max=ranks_max,
            ranks_min=ranks_min,
            too_few_elements=too_few_elements,
            total_max=total_max,
            uneven=uneven,
        )


class Rule7(Section):
    """Chooses an algorithm for the cases within all of its limits."""

    _keys: ClassVar[dict[str, Key]] = {
        "algorithm": Key("algorithm"),
        "bytes_max": Key("bytes_max"),
        "element_per_rank": Key("element_per_rank"),
        "power_of_two": Key("power_of_two"),
        "ranks_max": Key("ranks_max"),
        "ranks_min": Key("ranks_min"),
        "too_few_elements": Key("too_few_elements"),
        "total_max": Key("total_max"),
        "uneven": Key("uneven"),
    }
    algorithm: ReduceAlgorithm
    bytes_max: Size | None
    element_per_rank: bool | None
    power_of_two: bool | None
    ranks_max: int | None
    ranks_min: int | None
    too_few_elements: bool | None
    total_max: Size | None
    uneven: bool | None

    def __init__(
        self,
        *,
        algorithm: ReduceAlgorithm,
        bytes_max: Size | None = None,
        element_per_rank: bool | None = None,
        power_of_two: bool | None = None,
        ranks_max: int | None = None,
        ranks_min: int | None = None,
        too_few_elements: bool | None = None,
        total_max: Size | None = None,
        uneven: bool | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            algorithm: The choice; `auto` is refused.
            bytes_max: Most bytes of one block (alltoall: per destination; the mean of uneven blocks), or
                of the vector or message that is not in blocks.
            element_per_rank: Only with at least one element for each of the largest power of two of
                ranks; for `allreduce` and `reduce`.
            power_of_two: Only for a power of two of ranks.
            ranks_max: Most ranks.
            ranks_min: Fewest ranks.
            too_few_elements: Only with fewer elements than that.
            total_max: Most bytes of all blocks together; of a vector or message, times the ranks.
            uneven: Only for uneven blocks (MPI's collectives with a `v`).

        """
        super().__init__(
            algorithm=algorithm,
            bytes_max=bytes_max,
            element_per_rank=element_per_rank,
            power_of_two=power_of_two,
            ranks_max=ranks_max,
            ranks_min=ranks_min,
            too_few_elements=too_few_elements,
            total_max=total_max,
            uneven=uneven,
        )


class Rule8(Section):
    """Chooses an algorithm for the cases within all of its limits."""

    _keys: ClassVar[dict[str, Key]] = {
        "algorithm": Key("algorithm"),
        "bytes_max": Key("bytes_max"),
        "element_per_rank": Key("element_per_rank"),
        "power_of_two": Key("power_of_two"),
        "ranks_max": Key("ranks_max"),
        "ranks_min": Key("ranks_min"),
        "too_few_elements": Key("too_few_elements"),
        "total_max": Key("total_max"),
        "uneven": Key("uneven"),
    }
    algorithm: GatherAlgorithm
    bytes_max: Size | None
    element_per_rank: bool | None
    power_of_two: bool | None
    ranks_max: int | None
    ranks_min: int | None
    too_few_elements: bool | None
    total_max: Size | None
    uneven: bool | None

    def __init__(
        self,
        *,
        algorithm: GatherAlgorithm,
        bytes_max: Size | None = None,
        element_per_rank: bool | None = None,
        power_of_two: bool | None = None,
        ranks_max: int | None = None,
        ranks_min: int | None = None,
        too_few_elements: bool | None = None,
        total_max: Size | None = None,
        uneven: bool | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            algorithm: The choice; `auto` is refused.
            bytes_max: Most bytes of one block (alltoall: per destination; the mean of uneven blocks), or
                of the vector or message that is not in blocks.
            element_per_rank: Only with at least one element for each of the largest power of two of
                ranks; for `allreduce` and `reduce`.
            power_of_two: Only for a power of two of ranks.
            ranks_max: Most ranks.
            ranks_min: Fewest ranks.
            too_few_elements: Only with fewer elements than that.
            total_max: Most bytes of all blocks together; of a vector or message, times the ranks.
            uneven: Only for uneven blocks (MPI's collectives with a `v`).

        """
        super().__init__(
            algorithm=algorithm,
            bytes_max=bytes_max,
            element_per_rank=element_per_rank,
            power_of_two=power_of_two,
            ranks_max=ranks_max,
            ranks_min=ranks_min,
            too_few_elements=too_few_elements,
            total_max=total_max,
            uneven=uneven,
        )


class Rule9(Section):
    """Chooses an algorithm for the cases within all of its limits."""

    _keys: ClassVar[dict[str, Key]] = {
        "algorithm": Key("algorithm"),
        "bytes_max": Key("bytes_max"),
        "element_per_rank": Key("element_per_rank"),
        "power_of_two": Key("power_of_two"),
        "ranks_max": Key("ranks_max"),
        "ranks_min": Key("ranks_min"),
        "too_few_elements": Key("too_few_elements"),
        "total_max": Key("total_max"),
        "uneven": Key("uneven"),
    }
    algorithm: BarrierAlgorithm
    bytes_max: Size | None
    element_per_rank: bool | None
    power_of_two: bool | None
    ranks_max: int | None
    ranks_min: int | None
    too_few_elements: bool | None
    total_max: Size | None
    uneven: bool | None

    def __init__(
        self,
        *,
        algorithm: BarrierAlgorithm,
        bytes_max: Size | None = None,
        element_per_rank: bool | None = None,
        power_of_two: bool | None = None,
        ranks_max: int | None = None,
        ranks_min: int | None = None,
        too_few_elements: bool | None = None,
        total_max: Size | None = None,
        uneven: bool | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            algorithm: The choice; `auto` is refused.
            bytes_max: Most bytes of one block (alltoall: per destination; the mean of uneven blocks), or
                of the vector or message that is not in blocks.
            element_per_rank: Only with at least one element for each of the largest power of two of
                ranks; for `allreduce` and `reduce`.
            power_of_two: Only for a power of two of ranks.
            ranks_max: Most ranks.
            ranks_min: Fewest ranks.
            too_few_elements: Only with fewer elements than that.
            total_max: Most bytes of all blocks together; of a vector or message, times the ranks.
            uneven: Only for uneven blocks (MPI's collectives with a `v`).

        """
        super().__init__(
            algorithm=algorithm,
            bytes_max=bytes_max,
            element_per_rank=element_per_rank,
            power_of_two=power_of_two,
            ranks_max=ranks_max,
            ranks_min=ranks_min,
            too_few_elements=too_few_elements,
            total_max=total_max,
            uneven=uneven,
        )


class Run(Section):
    """How a run goes."""

    _keys: ClassVar[dict[str, Key]] = {
        "partitions": Key("partitions"),
        "start_skew": Key("start_skew"),
        "threads": Key("threads"),
        "time_limit": Key("time_limit"),
        "warm_up": Key("warm_up"),
    }
    partitions: int | None
    start_skew: Span | None
    threads: int | None
    time_limit: Span | None
    warm_up: Span | None

    def __init__(
        self,
        *,
        partitions: int | None = None,
        start_skew: Span | None = None,
        threads: int | None = None,
        time_limit: Span | None = None,
        warm_up: Span | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            partitions: Number of partitions, each of whole groups. The result does not depend on it.
                Default 1.
            start_skew: Each rank starts at a random time within this span. Default 0.
            threads: Number of threads, each of which processes one partition at a time; the run has at
                least as many partitions. The result does not depend on it. Default 1.
            time_limit: Latest simulated time at which the run ends. Without it every run needs a job that
                ends by itself.
            warm_up: Time at which measurements begin. Default 0.

        """
        super().__init__(
            partitions=partitions, start_skew=start_skew, threads=threads, time_limit=time_limit, warm_up=warm_up
        )


class SelectionTable(Section):
    """Rules for each collective; the first that matches decides. The last rule of each list must match
    everything. The default is MPICH's (`src/collective/mpich.toml`), also for a collective whose list is
    left out. Cray MPICH's own thresholds are not public: to study another library, write a table of the
    same form."""

    _keys: ClassVar[dict[str, Key]] = {
        "source": Key("source"),
        "allgather": Key("allgather", "Rule5", True, True),
        "allreduce": Key("allreduce", "Rule3", True, True),
        "alltoall": Key("alltoall", "Rule", True, True),
        "alltoallv": Key("alltoallv", "Rule2", True, True),
        "barrier": Key("barrier", "Rule9", True, True),
        "broadcast": Key("broadcast", "Rule6", True, True),
        "gather": Key("gather", "Rule8", True, True),
        "reduce": Key("reduce", "Rule7", True, True),
        "reduce_scatter": Key("reduce-scatter", "Rule4", True, True),
        "scatter": Key("scatter", "Rule8", True, True),
    }
    source: str
    allgather: list[Rule5]
    allreduce: list[Rule3]
    alltoall: list[Rule]
    alltoallv: list[Rule2]
    barrier: list[Rule9]
    broadcast: list[Rule6]
    gather: list[Rule8]
    reduce: list[Rule7]
    reduce_scatter: list[Rule4]
    scatter: list[Rule8]

    def __init__(
        self,
        *,
        source: str,
        allgather: Sequence[Rule5 | Mapping[str, Any]] | None = None,
        allreduce: Sequence[Rule3 | Mapping[str, Any]] | None = None,
        alltoall: Sequence[Rule | Mapping[str, Any]] | None = None,
        alltoallv: Sequence[Rule2 | Mapping[str, Any]] | None = None,
        barrier: Sequence[Rule9 | Mapping[str, Any]] | None = None,
        broadcast: Sequence[Rule6 | Mapping[str, Any]] | None = None,
        gather: Sequence[Rule8 | Mapping[str, Any]] | None = None,
        reduce: Sequence[Rule7 | Mapping[str, Any]] | None = None,
        reduce_scatter: Sequence[Rule4 | Mapping[str, Any]] | None = None,
        scatter: Sequence[Rule8 | Mapping[str, Any]] | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            source: Source of the numbers.
            allgather: For an allgather.
            allreduce: For an allreduce.
            alltoall: For an alltoall.
            alltoallv: For an alltoallv.
            barrier: For a barrier.
            broadcast: For a broadcast.
            gather: For a gather.
            reduce: For a reduction to one rank.
            reduce_scatter: For a reduce-scatter.
            scatter: For a scatter.

        """
        super().__init__(
            source=source,
            allgather=allgather,
            allreduce=allreduce,
            alltoall=alltoall,
            alltoallv=alltoallv,
            barrier=barrier,
            broadcast=broadcast,
            gather=gather,
            reduce=reduce,
            reduce_scatter=reduce_scatter,
            scatter=scatter,
        )


class SizePoint(Section):
    """A point of a distribution: this share of flows has at most this size. Sizes between two points are equally
    likely."""

    _keys: ClassVar[dict[str, Key]] = {
        "billionths": Key("billionths"),
        "bytes": Key("bytes"),
    }
    billionths: int
    bytes: int

    def __init__(self, *, billionths: int, bytes: int) -> None:
        """Takes the values of its keys.

        Args:
            billionths: In billionths of all flows.
            bytes: In bytes.

        """
        super().__init__(billionths=billionths, bytes=bytes)


class StateSpec(Section):
    """A state of the parser."""

    _keys: ClassVar[dict[str, Key]] = {
        "name": Key("name"),
        "header": Key("header"),
        "next": Key("next", "BranchSpec", True, True),
        "otherwise": Key("otherwise"),
        "select": Key("select"),
    }
    name: str
    header: HeaderKind
    next: list[BranchSpec]
    otherwise: str | None
    select: str | None

    def __init__(
        self,
        name: str,
        *,
        header: HeaderKind,
        next: Sequence[BranchSpec | Mapping[str, Any]] | None = None,
        otherwise: str | None = None,
        select: str | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            name: How other states name it.
            header: The header that it reads.
            next: What follows, by value.
            otherwise: What follows for all other values. Default: payload.
            select: The field of that header that selects the next header.

        """
        super().__init__(name=name, header=header, next=next, otherwise=otherwise, select=select)


class SystemTable(Section):
    """A whole system. `switch`, `nic` and `congestion` name parts that other crates know; this crate only
    carries them."""

    _keys: ClassVar[dict[str, Key]] = {
        "name": Key("name"),
        "assumed": Key("assumed", "Assumed", True, True),
        "congestion": Key("congestion"),
        "dragonfly": Key("dragonfly", "Dragonfly", False, True),
        "endpoints_per_switch": Key("endpoints_per_switch"),
        "ethernet": Key("ethernet", "EthernetEndpoints", True, True),
        "fat_tree": Key("fat_tree", "FatTree", False, True),
        "graph": Key("graph", "Graph", False, True),
        "hardware": Key("hardware"),
        "nic": Key("nic"),
        "path": Key("path"),
        "radix": Key("radix"),
        "sources": Key("sources"),
        "summary": Key("summary"),
        "switch": Key("switch"),
        "warnings": Key("warnings"),
    }
    name: str | None
    assumed: list[Assumed]
    congestion: str | None
    dragonfly: Dragonfly
    endpoints_per_switch: int | None
    ethernet: list[EthernetEndpoints]
    fat_tree: FatTree
    graph: Graph
    hardware: Mapping[str, Any] | None
    nic: str | None
    path: str | None
    radix: int | None
    sources: Sequence[str] | None
    summary: str | None
    switch: str | None
    warnings: Sequence[str] | None

    def __init__(
        self,
        name: str | None = None,
        *,
        assumed: Sequence[Assumed | Mapping[str, Any]] | None = None,
        congestion: str | None = None,
        dragonfly: Dragonfly | Mapping[str, Any] | None = None,
        endpoints_per_switch: int | None = None,
        ethernet: Sequence[EthernetEndpoints | Mapping[str, Any]] | None = None,
        fat_tree: FatTree | Mapping[str, Any] | None = None,
        graph: Graph | Mapping[str, Any] | None = None,
        hardware: Mapping[str, Any] | None = None,
        nic: str | None = None,
        path: str | None = None,
        radix: int | None = None,
        sources: Sequence[str] | None = None,
        summary: str | None = None,
        switch: str | None = None,
        warnings: Sequence[str] | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            name: Short name, as typed on a command line.
            assumed: Figures that no source gives.
            congestion: The congestion law: "slingshot", "aries", "none", ...
            dragonfly: The wiring, of a dragonfly.
            endpoints_per_switch: Next to `path`, for a graph without endpoints: endpoints on each switch.
            ethernet: Third-party Ethernet endpoints at the edge, in addition to the wiring's own or
                instead of them.
            fat_tree: The wiring, of a fat tree.
            graph: The wiring, of any graph.
            hardware: Hardware that differs from the presets: the tables of the scenario's `hardware`
                (switch, nic, ethernet, host, node, jitter, tcp) and `congestion`. A
                scenario's own keys win.
            nic: The NIC: "connectx-5", "cassini-1", "cassini-2", "aries", ...
            path: A file with the description (.toml, .json, .graphml, .gexf, .topo) or with a fabric
                (template, point-to-point cabling, netlist). The file has all other keys.
            radix: Ports of a switch, 1 to 256. No preset has more than 64: `hardware.switch` sets the
                figures of a larger switch.
            sources: Sources of the figures.
            summary: One sentence.
            switch: The switch: "rosetta", "rosetta-2", "aries", ...
            warnings: Contents of another tool's file that this description ignores, one sentence each; a
                run repeats them.

        """
        super().__init__(
            name=name,
            assumed=assumed,
            congestion=congestion,
            dragonfly=dragonfly,
            endpoints_per_switch=endpoints_per_switch,
            ethernet=ethernet,
            fat_tree=fat_tree,
            graph=graph,
            hardware=hardware,
            nic=nic,
            path=path,
            radix=radix,
            sources=sources,
            summary=summary,
            switch=switch,
            warnings=warnings,
        )


class TableEntry(Section):
    """An entry for a table that is there already."""

    _keys: ClassVar[dict[str, Key]] = {
        "table": Key("table"),
        "actions": Key("actions", "Action", True, True),
        "match": Key("match"),
        "priority": Key("priority"),
    }
    table: str
    actions: list[Action]
    match: Mapping[str, Any] | None
    priority: int | None

    def __init__(
        self,
        *,
        table: str,
        actions: Sequence[Action | Mapping[str, Any]] | None = None,
        match: Mapping[str, Any] | None = None,
        priority: int | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            table: The table.
            actions: The actions. Without `permit`, `deny` or `goto`, the next table follows.
            match: Matched values, by field: as in a table.
            priority: As in a table. Default 0.

        """
        super().__init__(table=table, actions=actions, match=match, priority=priority)


class TableSpec(Section):
    """A table."""

    _keys: ClassVar[dict[str, Key]] = {
        "name": Key("name"),
        "key": Key("key", "KeyPart", True, False),
        "size": Key("size"),
        "stage": Key("stage"),
        "before": Key("before"),
        "default": Key("default", "Action", True, True),
        "entries": Key("entries", "EntrySpec", True, True),
    }
    name: str
    key: list[KeyPart]
    size: int
    stage: Stage
    before: str | None
    default: list[Action]
    entries: list[EntrySpec]

    def __init__(
        self,
        name: str,
        *,
        key: Sequence[KeyPart | Mapping[str, Any]],
        size: int,
        stage: Stage,
        before: str | None = None,
        default: Sequence[Action | Mapping[str, Any]] | None = None,
        entries: Sequence[EntrySpec | Mapping[str, Any]] | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            name: How `goto`, entries and results name it.
            key: The fields that it compares.
            size: The most entries: 1 to 1048576.
            stage: Its stage: "ingress" or "egress".
            before: The table of the stage that it stands before. Default: behind all that were named
                before it.
            default: Actions for a packet that no entry matches. Default: none; the next table follows.
            entries: The entries.

        """
        super().__init__(name=name, key=key, size=size, stage=stage, before=before, default=default, entries=entries)


class Telemetry(Section):
    """In-band telemetry: sampled packets record times and queue lengths in each switch."""

    _keys: ClassVar[dict[str, Key]] = {
        "class_counters": Key("class_counters"),
        "packets_max": Key("packets_max"),
        "sample_every": Key("sample_every"),
    }
    class_counters: bool | None
    packets_max: int | None
    sample_every: int | None

    def __init__(
        self, *, class_counters: bool | None = None, packets_max: int | None = None, sample_every: int | None = None
    ) -> None:
        """Takes the values of its keys.

        Args:
            class_counters: Whether packets and bytes are counted by class at every port and NIC (table
                `counters`). Default false.
            packets_max: Largest number of packets kept as rows. Default 200,000.
            sample_every: Sampling interval in packets of a NIC: 10 samples its first packet and every
                tenth after it; 0 samples none. Default 0.

        """
        super().__init__(class_counters=class_counters, packets_max=packets_max, sample_every=sample_every)


class TimelineSection(Section):
    """A timeline in Chrome's JSON trace format, for ui.perfetto.dev."""

    _keys: ClassVar[dict[str, Key]] = {
        "file": Key("file"),
        "events_max": Key("events_max"),
        "from_": Key("from"),
        "jobs": Key("jobs"),
        "links": Key("links"),
        "ports": Key("ports"),
        "ranks_max": Key("ranks_max"),
        "until": Key("until"),
    }
    file: str
    events_max: int | None
    from_: Span | None
    jobs: Sequence[str] | None
    links: int | None
    ports: Sequence[str] | None
    ranks_max: int | None
    until: Span | None

    def __init__(
        self,
        *,
        file: str,
        events_max: int | None = None,
        from_: Span | None = None,
        jobs: Sequence[str] | None = None,
        links: int | None = None,
        ports: Sequence[str] | None = None,
        ranks_max: int | None = None,
        until: Span | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            file: The file to write, relative to the working folder; compressed if its name ends in .gz.
                An existing one is replaced.
            events_max: Largest number of events written; the file and the command say how many were left
                out. Default 1,000,000.
            from_: Events that end before this time are left out. Default 0.
            jobs: Jobs to show. Default: all whose messages are kept as rows (`measure.messages`).
            links: Number of links to show, the busiest of the run. Default 16. Needs
                `measure.sample_interval`.
            ports: Output ports whose links are also shown: "switch:S/port:P".
            ranks_max: Number of ranks to show of each job, from rank 0. Default 64.
            until: Events that begin at this time or later are left out. Default: the end of the run.

        """
        super().__init__(
            file=file,
            events_max=events_max,
            from_=from_,
            jobs=jobs,
            links=links,
            ports=ports,
            ranks_max=ranks_max,
            until=until,
        )


class TrafficClass(Section):
    """How a traffic class is treated. Shares are per cent of each link."""

    _keys: ClassVar[dict[str, Key]] = {
        "assured_percent": Key("assured_percent"),
        "buffer_reserve_bytes": Key("buffer_reserve_bytes"),
        "ceiling_percent": Key("ceiling_percent"),
        "collectives": Key("collectives"),
        "dscp": Key("dscp"),
        "host_assured_percent": Key("host_assured_percent"),
        "lossy": Key("lossy"),
        "name": Key("name"),
        "nonminimal_bias_percent": Key("nonminimal_bias_percent"),
        "ordered": Key("ordered"),
        "paths": Key("paths"),
        "priority": Key("priority"),
        "queue_max_bytes": Key("queue_max_bytes"),
        "reserved_percent": Key("reserved_percent"),
        "responses": Key("responses"),
        "trimming": Key("trimming"),
    }
    assured_percent: int | None
    buffer_reserve_bytes: int | None
    ceiling_percent: int | None
    collectives: Sequence[str] | None
    dscp: Sequence[int] | None
    host_assured_percent: int | None
    lossy: bool | None
    name: str | None
    nonminimal_bias_percent: int | None
    ordered: bool | None
    paths: EntropyRouting | None
    priority: int | None
    queue_max_bytes: int | None
    reserved_percent: int | None
    responses: str | None
    trimming: bool | None

    def __init__(
        self,
        *,
        assured_percent: int | None = None,
        buffer_reserve_bytes: int | None = None,
        ceiling_percent: int | None = None,
        collectives: Sequence[str] | None = None,
        dscp: Sequence[int] | None = None,
        host_assured_percent: int | None = None,
        lossy: bool | None = None,
        name: str | None = None,
        nonminimal_bias_percent: int | None = None,
        ordered: bool | None = None,
        paths: EntropyRouting | None = None,
        priority: int | None = None,
        queue_max_bytes: int | None = None,
        reserved_percent: int | None = None,
        responses: str | None = None,
        trimming: bool | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            assured_percent: Least bandwidth while it has traffic; other classes use the rest. The sum
                over all classes is at most 100. Default 0.
            buffer_reserve_bytes: Bytes of an input buffer kept for each of its channels. Default:
                `hardware.switch.buffer_reserve_bytes`.
            ceiling_percent: Most bandwidth, even while others are idle. Default 100.
            collectives: Kinds of workload ("allreduce", "barrier", ...) that use it where their job names
                no class.
            dscp: DSCP values of its packets: 0 to 63. The model's packets carry their class itself;
                frames, in captures and for the packet engine, carry the first of them.
            host_assured_percent: Its assured share at a NIC's output, where that differs from the
                fabric's.
            lossy: Whether its packets are discarded instead of waiting long: at an output whose queue of
                this class is full, and at an edge port whose part of the buffer is full. NICs
                retransmit lost packets. Default: packets wait.
            name: How jobs and results name it.
            nonminimal_bias_percent: Extra cost of nonminimal paths for this class, in per cent. Default:
                that of [routing].
            ordered: Whether its packets stay in order, per flow. Default: as the NIC's traffic does.
            paths: Switches choose the paths of its packets by their entropy, and not as [routing] says:
                "ecmp" or "ecmp-nonminimal" (see `routing.mode`). Only for jobs whose NICs
                have Ultra Ethernet's transport. Default: as [routing].
            priority: Among classes that are below their assured share, the highest goes first: 0 to 7.
                Default 0.
            queue_max_bytes: Queue of a lossy class at an output, in bytes, beyond which its packets are
                discarded. Default 65,536. Source: none. Status: assumed (16 KiB to the whole
                buffer; affects the losses of a lossy class).
            reserved_percent: Part of the assured bandwidth that no other class uses, even while this one
                is idle. Default 0.
            responses: Class that carries the responses to its requests (data that was read). Default:
                itself.
            trimming: Whether a packet that finds its queue full is cut down to its header instead of
                being discarded, and goes on in the class of `responses`, which is another
                one. Its receiver then asks for it again. Needs `lossy`, and NICs with Ultra
                Ethernet's transport: the law "nscc" or "rccc", or third-party endpoints that
                speak it.

        """
        super().__init__(
            assured_percent=assured_percent,
            buffer_reserve_bytes=buffer_reserve_bytes,
            ceiling_percent=ceiling_percent,
            collectives=collectives,
            dscp=dscp,
            host_assured_percent=host_assured_percent,
            lossy=lossy,
            name=name,
            nonminimal_bias_percent=nonminimal_bias_percent,
            ordered=ordered,
            paths=paths,
            priority=priority,
            queue_max_bytes=queue_max_bytes,
            reserved_percent=reserved_percent,
            responses=responses,
            trimming=trimming,
        )


class VlanPort(Section):
    """The VLANs of an edge port: an access port has one, whose tag the endpoint does not see; a trunk port
    carries several, tagged."""

    _keys: ClassVar[dict[str, Key]] = {
        "port": Key("port"),
        "access": Key("access"),
        "switch": Key("switch"),
        "trunk": Key("trunk"),
    }
    port: int
    access: int | None
    switch: int | None
    trunk: Sequence[int] | None

    def __init__(
        self, *, port: int, access: int | None = None, switch: int | None = None, trunk: Sequence[int] | None = None
    ) -> None:
        """Takes the values of its keys.

        Args:
            port: The port's number on its switch.
            access: Of an access port: its VLAN, 1 to 4094.
            switch: The switch. Default: every switch.
            trunk: Of a trunk port: the VLANs that it carries, 1 to 4094.

        """
        super().__init__(port=port, access=access, switch=switch, trunk=trunk)


class Workload(Section):
    """A workload with its parameters: `kind` names it, the other keys are its own."""

    _kinds: ClassVar[dict[str, str]] = {
        "ping-pong": "PingPong",
        "bandwidth": "Bandwidth",
        "permutation": "Permutation",
        "uniform-random": "UniformRandom",
        "shift": "Shift",
        "bisection": "Bisection",
        "incast": "Incast",
        "random-ring": "RandomRing",
        "congestors": "Congestors",
        "one-sided": "OneSided",
        "alltoall": "Alltoall",
        "alltoallv": "Alltoallv",
        "sendrecv-alltoall": "SendrecvAlltoall",
        "allreduce": "Allreduce",
        "reduce-scatter": "ReduceScatter",
        "allgather": "Allgather",
        "reduce": "Reduce",
        "gather": "Gather",
        "scatter": "Scatter",
        "barrier": "Barrier",
        "broadcast": "Broadcast",
        "sliced-collective": "SlicedCollective",
        "halo3d": "Halo3d",
        "sweep3d": "Sweep3d",
        "flow-sizes": "FlowSizes",
        "trace": "Trace",
        "series": "Series",
        "halo3d-26": "Halo3d26",
        "milc": "Milc",
        "lammps": "Lammps",
        "hpcg": "Hpcg",
        "fft": "Fft",
        "resnet-proxy": "ResnetProxy",
        "transformer": "Transformer",
        "dlrm": "Dlrm",
        "gups": "Gups",
        "iperf": "Iperf",
        "service": "Service",
        "program": "Program",
    }


class PingPong(Workload):
    """A message and its answer."""

    _keys: ClassVar[dict[str, Key]] = {
        "bytes": Key("bytes"),
        "compute": Key("compute"),
        "iterations": Key("iterations"),
        "pairs": Key("pairs"),
    }
    _kinds: ClassVar[dict[str, str]] = {}
    _tag = ("kind", "ping-pong")
    bytes: Size | None
    compute: Span | None
    iterations: int | None
    pairs: Pairing | None

    def __init__(
        self,
        *,
        bytes: Size | None = None,
        compute: Span | None = None,
        iterations: int | None = None,
        pairs: Pairing | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            bytes: Size of a message in each direction. Default 8 B. Source: De Sensi et al., SC'20,
                smallest size. Status: published.
            compute: Computation of the first of a pair before each round trip. Default 0.
            iterations: Endless when absent.
            pairs: The pairs of ranks. Default `first`.

        """
        super().__init__(bytes=bytes, compute=compute, iterations=iterations, pairs=pairs)


class Bandwidth(Workload):
    """Windows of messages from one to another."""

    _keys: ClassVar[dict[str, Key]] = {
        "bidirectional": Key("bidirectional"),
        "bytes": Key("bytes"),
        "iterations": Key("iterations"),
        "pairs": Key("pairs"),
        "window": Key("window"),
    }
    _kinds: ClassVar[dict[str, str]] = {}
    _tag = ("kind", "bandwidth")
    bidirectional: bool | None
    bytes: Size | None
    iterations: int | None
    pairs: Pairing | None
    window: int | None

    def __init__(
        self,
        *,
        bidirectional: bool | None = None,
        bytes: Size | None = None,
        iterations: int | None = None,
        pairs: Pairing | None = None,
        window: int | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            bidirectional: Whether the second of a pair also sends a window, at the same time. Default
                false.
            bytes: Per message. Default 1 MiB. Source: ours. Status: assumed; large enough for the full
                rate.
            iterations: Endless when absent.
            pairs: The pairs of ranks. Default `first`.
            window: Messages per window. Default 64. Source: osu_bw. Status: published.

        """
        super().__init__(bidirectional=bidirectional, bytes=bytes, iterations=iterations, pairs=pairs, window=window)


class Permutation(Workload):
    """Every rank to one random other rank."""

    _keys: ClassVar[dict[str, Key]] = {
        "bytes": Key("bytes"),
        "iterations": Key("iterations"),
        "offered": Key("offered", "Offered", False, True),
        "operation": Key("operation"),
        "window": Key("window"),
    }
    _kinds: ClassVar[dict[str, str]] = {}
    _tag = ("kind", "permutation")
    bytes: Size | None
    iterations: int | None
    offered: Offered
    operation: StreamOperation | None
    window: int | None

    def __init__(
        self,
        *,
        bytes: Size | None = None,
        iterations: int | None = None,
        offered: Offered | Mapping[str, Any] | None = None,
        operation: StreamOperation | None = None,
        window: int | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            bytes: Per message. Default 128 KiB. Source: De Sensi et al., SC'20, aggressors. Status:
                published.
            iterations: Messages of each rank; endless when absent.
            offered: Start messages at a given rate instead of keeping the window full.
            operation: Default `put`.
            window: Messages of each rank in flight. Default 16. Source: ours. Status: assumed; enough to
                fill a link with messages of 128 KiB or more.

        """
        super().__init__(bytes=bytes, iterations=iterations, offered=offered, operation=operation, window=window)


class UniformRandom(Workload):
    """Every message to a random rank."""

    _keys: ClassVar[dict[str, Key]] = {
        "bytes": Key("bytes"),
        "iterations": Key("iterations"),
        "offered": Key("offered", "Offered", False, True),
        "window": Key("window"),
    }
    _kinds: ClassVar[dict[str, str]] = {}
    _tag = ("kind", "uniform-random")
    bytes: Size | None
    iterations: int | None
    offered: Offered
    window: int | None

    def __init__(
        self,
        *,
        bytes: Size | None = None,
        iterations: int | None = None,
        offered: Offered | Mapping[str, Any] | None = None,
        window: int | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            bytes: Per message. Default 128 KiB. Source: De Sensi et al., SC'20, aggressors. Status:
                published.
            iterations: Messages of each rank; endless when absent.
            offered: Start messages at a given rate instead of keeping the window full.
            window: Messages of each rank in flight. Default 16. Source: ours. Status: assumed; enough to
                fill a link with messages of 128 KiB or more.

        """
        super().__init__(bytes=bytes, iterations=iterations, offered=offered, window=window)


class Shift(Workload):
    """Every rank to the rank a fixed distance above."""

    _keys: ClassVar[dict[str, Key]] = {
        "by": Key("by"),
        "bytes": Key("bytes"),
        "iterations": Key("iterations"),
        "offered": Key("offered", "Offered", False, True),
        "operation": Key("operation"),
        "stride": Key("stride"),
        "window": Key("window"),
    }
    _kinds: ClassVar[dict[str, str]] = {}
    _tag = ("kind", "shift")
    by: int | None
    bytes: Size | None
    iterations: int | None
    offered: Offered
    operation: StreamOperation | None
    stride: int | None
    window: int | None

    def __init__(
        self,
        *,
        by: int | None = None,
        bytes: Size | None = None,
        iterations: int | None = None,
        offered: Offered | Mapping[str, Any] | None = None,
        operation: StreamOperation | None = None,
        stride: int | None = None,
        window: int | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            by: Number of strides. Default 1.
            bytes: Per message. Default 128 KiB. Source: De Sensi et al., SC'20, aggressors. Status:
                published.
            iterations: Messages of each rank; endless when absent.
            offered: Start messages at a given rate instead of keeping the window full.
            operation: Default `put`.
            stride: Ranks in a stride. Default 1.
            window: Messages of each rank in flight. Default 16. Source: ours. Status: assumed; enough to
                fill a link with messages of 128 KiB or more.

        """
        super().__init__(
            by=by,
            bytes=bytes,
            iterations=iterations,
            offered=offered,
            operation=operation,
            stride=stride,
            window=window,
        )


class Bisection(Workload):
    """Each rank of one half with its partner in the other."""

    _keys: ClassVar[dict[str, Key]] = {
        "bytes": Key("bytes"),
        "iterations": Key("iterations"),
        "offered": Key("offered", "Offered", False, True),
        "operation": Key("operation"),
        "window": Key("window"),
    }
    _kinds: ClassVar[dict[str, str]] = {}
    _tag = ("kind", "bisection")
    bytes: Size | None
    iterations: int | None
    offered: Offered
    operation: StreamOperation | None
    window: int | None

    def __init__(
        self,
        *,
        bytes: Size | None = None,
        iterations: int | None = None,
        offered: Offered | Mapping[str, Any] | None = None,
        operation: StreamOperation | None = None,
        window: int | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            bytes: Per message. Default 128 KiB. Source: De Sensi et al., SC'20, aggressors. Status:
                published.
            iterations: Messages of each rank; endless when absent.
            offered: Start messages at a given rate instead of keeping the window full.
            operation: Default `put`.
            window: Messages of each rank in flight. Default 16. Source: ours. Status: assumed; enough to
                fill a link with messages of 128 KiB or more.

        """
        super().__init__(bytes=bytes, iterations=iterations, offered=offered, operation=operation, window=window)


class Incast(Workload):
    """All ranks to one."""

    _keys: ClassVar[dict[str, Key]] = {
        "barrier": Key("barrier"),
        "bytes": Key("bytes"),
        "gap": Key("gap"),
        "iterations": Key("iterations"),
        "messages": Key("messages"),
        "operation": Key("operation"),
        "targets": Key("targets"),
        "to": Key("to"),
        "window": Key("window"),
    }
    _kinds: ClassVar[dict[str, str]] = {}
    _tag = ("kind", "incast")
    barrier: bool | None
    bytes: Size | None
    gap: Span | None
    iterations: int | None
    messages: int | None
    operation: IncastOperation | None
    targets: int | None
    to: IncastTarget | None
    window: int | None

    def __init__(
        self,
        *,
        barrier: bool | None = None,
        bytes: Size | None = None,
        gap: Span | None = None,
        iterations: int | None = None,
        messages: int | None = None,
        operation: IncastOperation | None = None,
        targets: int | None = None,
        to: IncastTarget | None = None,
        window: int | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            barrier: Whether all ranks meet in a barrier before each burst. Default false.
            bytes: Per message. Default 128 KiB. Source: De Sensi et al., SC'20, aggressors. Status:
                published.
            gap: Pause of each origin after its burst. Default 0.
            iterations: Endless when absent.
            messages: Messages per burst. Default 1.
            operation: Default `put`. Source: GPCNeT v1.3, Put Incast. Status: published.
            targets: Number of targets. Default 1.
            to: Default `first`.
            window: Messages of one origin in flight. Default 1. Source: GPCNeT v1.3, a flush after each.
                Status: published.

        """
        super().__init__(
            barrier=barrier,
            bytes=bytes,
            gap=gap,
            iterations=iterations,
            messages=messages,
            operation=operation,
            targets=targets,
            to=to,
            window=window,
        )


class RandomRing(Workload):
    """Every rank with both neighbours of a ring in random order."""

    _keys: ClassVar[dict[str, Key]] = {
        "barrier": Key("barrier"),
        "bytes": Key("bytes"),
        "iterations": Key("iterations"),
        "natural": Key("natural"),
        "operation": Key("operation"),
        "per_ring": Key("per_ring"),
        "slices": Key("slices"),
        "window": Key("window"),
    }
    _kinds: ClassVar[dict[str, str]] = {}
    _tag = ("kind", "random-ring")
    barrier: bool | None
    bytes: Size | None
    iterations: int | None
    natural: bool | None
    operation: IncastOperation | None
    per_ring: int | None
    slices: int | None
    window: int | None

    def __init__(
        self,
        *,
        barrier: bool | None = None,
        bytes: Size | None = None,
        iterations: int | None = None,
        natural: bool | None = None,
        operation: IncastOperation | None = None,
        per_ring: int | None = None,
        slices: int | None = None,
        window: int | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            barrier: Whether the ranks of a slice meet in a barrier at the end of each iteration (GPCNeT's
                "BW+Sync"). Default false.
            bytes: Per message. Default 8 B.
            iterations: Endless when absent.
            natural: Whether ranks keep their natural order. Default false.
            operation: Default `send`. With `put` and `get` the neighbours do nothing.
            per_ring: Iterations with one order. Default 200.
            slices: Number of rings. Must divide the number of ranks. Default 1.
            window: Messages in flight to each neighbour. Default 1; GPCNeT's bandwidth tests 8.

        """
        super().__init__(
            barrier=barrier,
            bytes=bytes,
            iterations=iterations,
            natural=natural,
            operation=operation,
            per_ring=per_ring,
            slices=slices,
            window=window,
        )


class Congestors(Workload):
    """GPCNeT's four congestors together."""

    _keys: ClassVar[dict[str, Key]] = {
        "bytes": Key("bytes"),
        "iterations": Key("iterations"),
        "slices": Key("slices"),
    }
    _kinds: ClassVar[dict[str, str]] = {}
    _tag = ("kind", "congestors")
    bytes: Size | None
    iterations: int | None
    slices: int | None

    def __init__(self, *, bytes: Size | None = None, iterations: int | None = None, slices: int | None = None) -> None:
        """Takes the values of its keys.

        Args:
            bytes: Per message. Default 4 KiB.
            iterations: Endless when absent.
            slices: Number of sets of four groups. Must divide the number of ranks. Default 1.

        """
        super().__init__(bytes=bytes, iterations=iterations, slices=slices)


class OneSided(Workload):
    """Windows of one-sided operations."""

    _keys: ClassVar[dict[str, Key]] = {
        "bytes": Key("bytes"),
        "iterations": Key("iterations"),
        "ones": Key("ones"),
        "operation": Key("operation"),
        "pattern": Key("pattern"),
        "window": Key("window"),
    }
    _kinds: ClassVar[dict[str, str]] = {}
    _tag = ("kind", "one-sided")
    bytes: Size | None
    iterations: int | None
    ones: int | None
    operation: OneSidedOperation | None
    pattern: OneSidedPattern | None
    window: int | None

    def __init__(
        self,
        *,
        bytes: Size | None = None,
        iterations: int | None = None,
        ones: int | None = None,
        operation: OneSidedOperation | None = None,
        pattern: OneSidedPattern | None = None,
        window: int | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            bytes: Per operation. Default 8 B. Source: the 64-bit words of SHMEM. Status: assumed.
            iterations: Endless when absent.
            ones: Ranks on the one side of `one-to-many` and `many-to-one`: those of the first node.
                Default 1.
            operation: Default `put`.
            pattern: Default `symmetric`.
            window: Operations between two waits. Default 64. Source: ours. Status: assumed; enough to
                make the wait a small part.

        """
        super().__init__(
            bytes=bytes, iterations=iterations, ones=ones, operation=operation, pattern=pattern, window=window
        )


class Alltoall(Workload):
    """All ranks to all ranks."""

    _keys: ClassVar[dict[str, Key]] = {
        "algorithm": Key("algorithm"),
        "bytes": Key("bytes"),
        "compute": Key("compute"),
        "every": Key("every"),
        "in_place": Key("in_place"),
        "iterations": Key("iterations"),
        "selection": Key("selection", "SelectionTable", False, True),
    }
    _kinds: ClassVar[dict[str, str]] = {}
    _tag = ("kind", "alltoall")
    algorithm: AlltoallAlgorithm | None
    bytes: Size | None
    compute: Span | None
    every: int | None
    in_place: bool | None
    iterations: int | None
    selection: SelectionTable

    def __init__(
        self,
        *,
        algorithm: AlltoallAlgorithm | None = None,
        bytes: Size | None = None,
        compute: Span | None = None,
        every: int | None = None,
        in_place: bool | None = None,
        iterations: int | None = None,
        selection: SelectionTable | Mapping[str, Any] | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            algorithm: Default `auto`.
            bytes: Per destination. Default 128 KiB. Source: De Sensi et al., SC'20, aggressors. Status:
                published.
            compute: Computation before each. Default 0.
            every: Sampling: 8 runs only every eighth step of the algorithm, spread evenly over the
                partners, for the bandwidth of an alltoall that is too long to run in full.
                Default 1: the whole alltoall.
            in_place: Whether received data replaces sent data (MPI_IN_PLACE): pairs exchange with
                `sendrecv-replace`. Default false.
            iterations: Endless when absent.
            selection: Rules for `auto`; MPICH's when absent.

        """
        super().__init__(
            algorithm=algorithm,
            bytes=bytes,
            compute=compute,
            every=every,
            in_place=in_place,
            iterations=iterations,
            selection=selection,
        )


class Alltoallv(Workload):
    """All ranks to all ranks, with blocks of any sizes."""

    _keys: ClassVar[dict[str, Key]] = {
        "algorithm": Key("algorithm"),
        "bytes": Key("bytes"),
        "compute": Key("compute"),
        "in_place": Key("in_place"),
        "iterations": Key("iterations"),
        "selection": Key("selection", "SelectionTable", False, True),
        "sizes": Key("sizes"),
    }
    _kinds: ClassVar[dict[str, str]] = {}
    _tag = ("kind", "alltoallv")
    algorithm: AlltoallvAlgorithm | None
    bytes: Size | None
    compute: Span | None
    in_place: bool | None
    iterations: int | None
    selection: SelectionTable
    sizes: PairSizes | None

    def __init__(
        self,
        *,
        algorithm: AlltoallvAlgorithm | None = None,
        bytes: Size | None = None,
        compute: Span | None = None,
        in_place: bool | None = None,
        iterations: int | None = None,
        selection: SelectionTable | Mapping[str, Any] | None = None,
        sizes: PairSizes | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            algorithm: Default `auto`.
            bytes: Per destination, or the mean, if `sizes` draws. Default 128 KiB, as of `alltoall`.
            compute: Computation before each. Default 0.
            in_place: Whether received data replaces sent data (MPI_IN_PLACE): pairs exchange with
                `sendrecv-replace`, and both directions of a pair have the same size: drawn
                sizes are those from the higher rank to the lower. Default false.
            iterations: Endless when absent.
            selection: Rules for `auto`; MPICH's when absent.
            sizes: Sizes by sender and receiver; all equal when absent.

        """
        super().__init__(
            algorithm=algorithm,
            bytes=bytes,
            compute=compute,
            in_place=in_place,
            iterations=iterations,
            selection=selection,
            sizes=sizes,
        )


class SendrecvAlltoall(Workload):
    """All ranks to all ranks, one partner at a time."""

    _keys: ClassVar[dict[str, Key]] = {
        "bytes": Key("bytes"),
        "compute": Key("compute"),
        "iterations": Key("iterations"),
    }
    _kinds: ClassVar[dict[str, str]] = {}
    _tag = ("kind", "sendrecv-alltoall")
    bytes: Size | None
    compute: Span | None
    iterations: int | None

    def __init__(
        self, *, bytes: Size | None = None, compute: Span | None = None, iterations: int | None = None
    ) -> None:
        """Takes the values of its keys.

        Args:
            bytes: Per destination. Default 128 KiB. Source: De Sensi et al., SC'20 (GPCNeT itself: 4
                KiB). Status: published.
            compute: Computation before each. Default 0.
            iterations: Endless when absent.

        """
        super().__init__(bytes=bytes, compute=compute, iterations=iterations)


class Allreduce(Workload):
    """A sum that all ranks get."""

    _keys: ClassVar[dict[str, Key]] = {
        "algorithm": Key("algorithm"),
        "bytes": Key("bytes"),
        "compute": Key("compute"),
        "element": Key("element"),
        "iterations": Key("iterations"),
        "selection": Key("selection", "SelectionTable", False, True),
    }
    _kinds: ClassVar[dict[str, str]] = {}
    _tag = ("kind", "allreduce")
    algorithm: AllreduceAlgorithm | None
    bytes: Size | None
    compute: Span | None
    element: Size | None
    iterations: int | None
    selection: SelectionTable

    def __init__(
        self,
        *,
        algorithm: AllreduceAlgorithm | None = None,
        bytes: Size | None = None,
        compute: Span | None = None,
        element: Size | None = None,
        iterations: int | None = None,
        selection: SelectionTable | Mapping[str, Any] | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            algorithm: Default `auto`.
            bytes: The vector. Default 8 B. Source: De Sensi et al., SC'20, traffic classes; GPCNeT.
                Status: published.
            compute: Computation before each. Default 0.
            element: One element, which is never cut. Default 8 B, a double. Must divide `bytes`.
            iterations: Endless when absent.
            selection: Rules for `auto`; MPICH's when absent.

        """
        super().__init__(
            algorithm=algorithm,
            bytes=bytes,
            compute=compute,
            element=element,
            iterations=iterations,
            selection=selection,
        )


class ReduceScatter(Workload):
    """A sum of which each rank gets a block."""

    _keys: ClassVar[dict[str, Key]] = {
        "algorithm": Key("algorithm"),
        "bytes": Key("bytes"),
        "compute": Key("compute"),
        "element": Key("element"),
        "iterations": Key("iterations"),
        "selection": Key("selection", "SelectionTable", False, True),
        "sizes": Key("sizes"),
    }
    _kinds: ClassVar[dict[str, str]] = {}
    _tag = ("kind", "reduce-scatter")
    algorithm: ReduceScatterAlgorithm | None
    bytes: Size | None
    compute: Span | None
    element: Size | None
    iterations: int | None
    selection: SelectionTable
    sizes: Sizes | None

    def __init__(
        self,
        *,
        algorithm: ReduceScatterAlgorithm | None = None,
        bytes: Size | None = None,
        compute: Span | None = None,
        element: Size | None = None,
        iterations: int | None = None,
        selection: SelectionTable | Mapping[str, Any] | None = None,
        sizes: Sizes | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            algorithm: Default `auto`.
            bytes: The block of one rank, or the mean, if `sizes` draws. Default 8 B. Source: ours.
                Status: assumed, any size is sensible.
            compute: Computation before each. Default 0.
            element: One element, which is never cut. Default 8 B, a double. Must divide all blocks.
            iterations: Endless when absent.
            selection: Rules for `auto`; MPICH's when absent.
            sizes: Sizes by rank; all equal when absent.

        """
        super().__init__(
            algorithm=algorithm,
            bytes=bytes,
            compute=compute,
            element=element,
            iterations=iterations,
            selection=selection,
            sizes=sizes,
        )


class Allgather(Workload):
    """Every rank's block to all ranks."""

    _keys: ClassVar[dict[str, Key]] = {
        "algorithm": Key("algorithm"),
        "bytes": Key("bytes"),
        "compute": Key("compute"),
        "iterations": Key("iterations"),
        "selection": Key("selection", "SelectionTable", False, True),
        "sizes": Key("sizes"),
    }
    _kinds: ClassVar[dict[str, str]] = {}
    _tag = ("kind", "allgather")
    algorithm: AllgatherAlgorithm | None
    bytes: Size | None
    compute: Span | None
    iterations: int | None
    selection: SelectionTable
    sizes: Sizes | None

    def __init__(
        self,
        *,
        algorithm: AllgatherAlgorithm | None = None,
        bytes: Size | None = None,
        compute: Span | None = None,
        iterations: int | None = None,
        selection: SelectionTable | Mapping[str, Any] | None = None,
        sizes: Sizes | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            algorithm: Default `auto`.
            bytes: The block of one rank, or the mean, if `sizes` draws. Default 8 B. Source: ours.
                Status: assumed, any size is sensible.
            compute: Computation before each. Default 0.
            iterations: Endless when absent.
            selection: Rules for `auto`; MPICH's when absent.
            sizes: Sizes by rank; all equal when absent.

        """
        super().__init__(
            algorithm=algorithm, bytes=bytes, compute=compute, iterations=iterations, selection=selection, sizes=sizes
        )


class Reduce(Workload):
    """A sum that one rank gets."""

    _keys: ClassVar[dict[str, Key]] = {
        "algorithm": Key("algorithm"),
        "bytes": Key("bytes"),
        "compute": Key("compute"),
        "element": Key("element"),
        "iterations": Key("iterations"),
        "root": Key("root"),
        "selection": Key("selection", "SelectionTable", False, True),
    }
    _kinds: ClassVar[dict[str, str]] = {}
    _tag = ("kind", "reduce")
    algorithm: ReduceAlgorithm | None
    bytes: Size | None
    compute: Span | None
    element: Size | None
    iterations: int | None
    root: int | None
    selection: SelectionTable

    def __init__(
        self,
        *,
        algorithm: ReduceAlgorithm | None = None,
        bytes: Size | None = None,
        compute: Span | None = None,
        element: Size | None = None,
        iterations: int | None = None,
        root: int | None = None,
        selection: SelectionTable | Mapping[str, Any] | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            algorithm: Default `auto`.
            bytes: The vector. Default 8 B. Source: ours. Status: assumed, any size is sensible.
            compute: Computation before each. Default 0.
            element: One element, which is never cut. Default 8 B, a double. Must divide `bytes`.
            iterations: Endless when absent.
            root: The rank that gets the sum. Default 0.
            selection: Rules for `auto`; MPICH's when absent.

        """
        super().__init__(
            algorithm=algorithm,
            bytes=bytes,
            compute=compute,
            element=element,
            iterations=iterations,
            root=root,
            selection=selection,
        )


class Gather(Workload):
    """Every rank's block to one rank."""

    _keys: ClassVar[dict[str, Key]] = {
        "algorithm": Key("algorithm"),
        "bytes": Key("bytes"),
        "compute": Key("compute"),
        "iterations": Key("iterations"),
        "root": Key("root"),
        "selection": Key("selection", "SelectionTable", False, True),
        "sizes": Key("sizes"),
    }
    _kinds: ClassVar[dict[str, str]] = {}
    _tag = ("kind", "gather")
    algorithm: GatherAlgorithm | None
    bytes: Size | None
    compute: Span | None
    iterations: int | None
    root: int | None
    selection: SelectionTable
    sizes: Sizes | None

    def __init__(
        self,
        *,
        algorithm: GatherAlgorithm | None = None,
        bytes: Size | None = None,
        compute: Span | None = None,
        iterations: int | None = None,
        root: int | None = None,
        selection: SelectionTable | Mapping[str, Any] | None = None,
        sizes: Sizes | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            algorithm: Default `auto`.
            bytes: The block of one rank, or the mean, if `sizes` draws. Default 8 B. Source: ours.
                Status: assumed, any size is sensible.
            compute: Computation before each. Default 0.
            iterations: Endless when absent.
            root: The rank that gets the blocks. Default 0.
            selection: Rules for `auto`; MPICH's when absent.
            sizes: Sizes by rank; all equal when absent.

        """
        super().__init__(
            algorithm=algorithm,
            bytes=bytes,
            compute=compute,
            iterations=iterations,
            root=root,
            selection=selection,
            sizes=sizes,
        )


class Scatter(Workload):
    """One rank's blocks, each to its rank."""

    _keys: ClassVar[dict[str, Key]] = {
        "algorithm": Key("algorithm"),
        "bytes": Key("bytes"),
        "compute": Key("compute"),
        "iterations": Key("iterations"),
        "root": Key("root"),
        "selection": Key("selection", "SelectionTable", False, True),
        "sizes": Key("sizes"),
    }
    _kinds: ClassVar[dict[str, str]] = {}
    _tag = ("kind", "scatter")
    algorithm: GatherAlgorithm | None
    bytes: Size | None
    compute: Span | None
    iterations: int | None
    root: int | None
    selection: SelectionTable
    sizes: Sizes | None

    def __init__(
        self,
        *,
        algorithm: GatherAlgorithm | None = None,
        bytes: Size | None = None,
        compute: Span | None = None,
        iterations: int | None = None,
        root: int | None = None,
        selection: SelectionTable | Mapping[str, Any] | None = None,
        sizes: Sizes | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            algorithm: Default `auto`.
            bytes: The block of one rank, or the mean, if `sizes` draws. Default 8 B. Source: ours.
                Status: assumed, any size is sensible.
            compute: Computation before each. Default 0.
            iterations: Endless when absent.
            root: The rank that has the blocks. Default 0.
            selection: Rules for `auto`; MPICH's when absent.
            sizes: Sizes by rank; all equal when absent.

        """
        super().__init__(
            algorithm=algorithm,
            bytes=bytes,
            compute=compute,
            iterations=iterations,
            root=root,
            selection=selection,
            sizes=sizes,
        )


class Barrier(Workload):
    """All ranks wait for all ranks."""

    _keys: ClassVar[dict[str, Key]] = {
        "algorithm": Key("algorithm"),
        "compute": Key("compute"),
        "iterations": Key("iterations"),
        "selection": Key("selection", "SelectionTable", False, True),
    }
    _kinds: ClassVar[dict[str, str]] = {}
    _tag = ("kind", "barrier")
    algorithm: BarrierAlgorithm | None
    compute: Span | None
    iterations: int | None
    selection: SelectionTable

    def __init__(
        self,
        *,
        algorithm: BarrierAlgorithm | None = None,
        compute: Span | None = None,
        iterations: int | None = None,
        selection: SelectionTable | Mapping[str, Any] | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            algorithm: Default `auto`.
            compute: Computation before each. Default 0.
            iterations: Endless when absent.
            selection: Rules for `auto`; MPICH's when absent.

        """
        super().__init__(algorithm=algorithm, compute=compute, iterations=iterations, selection=selection)


class Broadcast(Workload):
    """One rank to all ranks."""

    _keys: ClassVar[dict[str, Key]] = {
        "algorithm": Key("algorithm"),
        "bytes": Key("bytes"),
        "compute": Key("compute"),
        "iterations": Key("iterations"),
        "root": Key("root"),
        "selection": Key("selection", "SelectionTable", False, True),
    }
    _kinds: ClassVar[dict[str, str]] = {}
    _tag = ("kind", "broadcast")
    algorithm: BroadcastAlgorithm | None
    bytes: Size | None
    compute: Span | None
    iterations: int | None
    root: int | None
    selection: SelectionTable

    def __init__(
        self,
        *,
        algorithm: BroadcastAlgorithm | None = None,
        bytes: Size | None = None,
        compute: Span | None = None,
        iterations: int | None = None,
        root: int | None = None,
        selection: SelectionTable | Mapping[str, Any] | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            algorithm: Default `auto`.
            bytes: The message. Default 8 B. Source: ours. Status: assumed, any size is sensible.
            compute: Computation before each. Default 0.
            iterations: Endless when absent.
            root: The root: the rank that has the message. Default 0.
            selection: Rules for `auto`; MPICH's when absent.

        """
        super().__init__(
            algorithm=algorithm, bytes=bytes, compute=compute, iterations=iterations, root=root, selection=selection
        )


class SlicedCollective(Workload):
    """The same collective in several communicators."""

    _keys: ClassVar[dict[str, Key]] = {
        "barriers": Key("barriers"),
        "bytes": Key("bytes"),
        "element": Key("element"),
        "iterations": Key("iterations"),
        "operation": Key("operation"),
        "slices": Key("slices"),
    }
    _kinds: ClassVar[dict[str, str]] = {}
    _tag = ("kind", "sliced-collective")
    barriers: bool | None
    bytes: Size | None
    element: Size | None
    iterations: int | None
    operation: SlicedOperation | None
    slices: int | None

    def __init__(
        self,
        *,
        barriers: bool | None = None,
        bytes: Size | None = None,
        element: Size | None = None,
        iterations: int | None = None,
        operation: SlicedOperation | None = None,
        slices: int | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            barriers: Whether every second iteration is a barrier. Default false.
            bytes: Size, as defined by the operation. Default 8 B. Source: GPCNeT v1.3, Multiple
                Allreduce. Status: published.
            element: One element of a vector, which is never cut. Default 8 B, a double. Must divide
                `bytes` of `allreduce` and `reduce`.
            iterations: Endless when absent.
            operation: Default `allreduce`.
            slices: Number of slices. Must divide the number of ranks. Default 1.

        """
        super().__init__(
            barriers=barriers, bytes=bytes, element=element, iterations=iterations, operation=operation, slices=slices
        )


class Halo3d(Workload):
    """Faces of a three-dimensional grid."""

    _keys: ClassVar[dict[str, Key]] = {
        "cells": Key("cells"),
        "compute": Key("compute"),
        "diagonals": Key("diagonals"),
        "grid": Key("grid"),
        "iterations": Key("iterations"),
        "vars": Key("vars"),
    }
    _kinds: ClassVar[dict[str, str]] = {}
    _tag = ("kind", "halo3d")
    cells: Sequence[int] | None
    compute: Span | None
    diagonals: bool | None
    grid: Sequence[int] | None
    iterations: int | None
    vars: int | None

    def __init__(
        self,
        *,
        cells: Sequence[int] | None = None,
        compute: Span | None = None,
        diagonals: bool | None = None,
        grid: Sequence[int] | None = None,
        iterations: int | None = None,
        vars: int | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            cells: Cells of one rank in x, y, z. Default 10 each. Source: Ember. Status: published.
            compute: Computation before each exchange. Default 1 us. Source: Ember. Status: published.
            diagonals: Whether edges and corners are also exchanged, and all at the same time (halo3d-26).
                Default false.
            grid: Ranks in x, y, z; their product must be the job's ranks. Default: balanced.
            iterations: Endless when absent. Ember: 100.
            vars: Numbers of 8 bytes per cell. Default 1. Source: Ember. Status: published.

        """
        super().__init__(cells=cells, compute=compute, diagonals=diagonals, grid=grid, iterations=iterations, vars=vars)


class Sweep3d(Workload):
    """Wavefronts across a two-dimensional grid."""

    _keys: ClassVar[dict[str, Key]] = {
        "cells": Key("cells"),
        "compute": Key("compute"),
        "grid": Key("grid"),
        "iterations": Key("iterations"),
        "kba": Key("kba"),
        "vars": Key("vars"),
    }
    _kinds: ClassVar[dict[str, str]] = {}
    _tag = ("kind", "sweep3d")
    cells: Sequence[int] | None
    compute: Span | None
    grid: Sequence[int] | None
    iterations: int | None
    kba: int | None
    vars: int | None

    def __init__(
        self,
        *,
        cells: Sequence[int] | None = None,
        compute: Span | None = None,
        grid: Sequence[int] | None = None,
        iterations: int | None = None,
        kba: int | None = None,
        vars: int | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            cells: Cells of one rank in x, y, z. Default 50, 50, 100. Source: Ember. Status: published.
            compute: Computation for each block. Default 1 us. Source: Ember. Status: published.
            grid: Ranks in x and y; their product must be the job's ranks. Default: balanced.
            iterations: Endless when absent.
            kba: Layers in z per block; must divide the cells in z. Default 10. Source: Ember. Status:
                published.
            vars: Numbers of 8 bytes per cell. Default 1. Source: Ember. Status: published.

        """
        super().__init__(cells=cells, compute=compute, grid=grid, iterations=iterations, kba=kba, vars=vars)


class FlowSizes(Workload):
    """Flows of random sizes to random ranks."""

    _keys: ClassVar[dict[str, Key]] = {
        "load": Key("load"),
        "rate_gbps": Key("rate_gbps"),
        "distribution": Key("distribution"),
        "file": Key("file"),
        "iterations": Key("iterations"),
        "outstanding_max": Key("outstanding_max"),
        "points": Key("points", "SizePoint", True, True),
    }
    _kinds: ClassVar[dict[str, str]] = {}
    _tag = ("kind", "flow-sizes")
    load: Share
    rate_gbps: RateGbps
    distribution: SizeDistribution | None
    file: str | None
    iterations: int | None
    outstanding_max: int | None
    points: list[SizePoint]

    def __init__(
        self,
        *,
        load: Share,
        rate_gbps: RateGbps,
        distribution: SizeDistribution | None = None,
        file: str | None = None,
        iterations: int | None = None,
        outstanding_max: int | None = None,
        points: Sequence[SizePoint | Mapping[str, Any]] | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            load: Share of `rate_gbps` that each rank offers, in (0, 1].
            rate_gbps: Rate of the injection link, in Gb/s. With several ranks on a link, give each its
                share of the load.
            distribution: A published distribution of sizes. Give one of `distribution`, `file` and
                `points`.
            file: A file with a distribution, from the scenario's folder: lines of bytes and the per cent
                of flows of at most this size.
            iterations: Flows of each rank; endless when absent.
            outstanding_max: Largest number of outstanding flows of one rank; further ones wait. Default
                1,024. Source: ours. Status: assumed; matters only beyond saturation, where it
                bounds memory.
            points: The points themselves, from 0 to 1,000,000,000.

        """
        super().__init__(
            load=load,
            rate_gbps=rate_gbps,
            distribution=distribution,
            file=file,
            iterations=iterations,
            outstanding_max=outstanding_max,
            points=points,
        )


class Trace(Workload):
    """The operations of a trace file."""

    _keys: ClassVar[dict[str, Key]] = {
        "file": Key("file"),
        "crc32": Key("crc32"),
        "flops_per_second": Key("flops_per_second"),
        "format": Key("format"),
        "memory_bytes_per_second": Key("memory_bytes_per_second"),
        "trigger_bytes": Key("trigger_bytes"),
    }
    _kinds: ClassVar[dict[str, str]] = {}
    _tag = ("kind", "trace")
    file: str
    crc32: int | None
    flops_per_second: PerSecond | None
    format: str | None
    memory_bytes_per_second: PerSecond | None
    trigger_bytes: Size | None

    def __init__(
        self,
        *,
        file: str,
        crc32: int | None = None,
        flops_per_second: PerSecond | None = None,
        format: str | None = None,
        memory_bytes_per_second: PerSecond | None = None,
        trigger_bytes: Size | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            file: The file, from the scenario's folder. For formats with a file for each rank, the name
                with `{rank}` in it.
            crc32: CRC-32 of the files' bytes, one after the other; a resolved scenario has it, and a run
                refuses changed files.
            flops_per_second: Operations per second of a core, for traces that count operations instead of
                time (smpi, chakra). Without it a trace that needs it is refused.
            format: "goal", "goal-binary", "htsim", "smpi", "chakra" or "simai"; "auto" (the default)
                decides by name and content.
            memory_bytes_per_second: Bytes per second of memory, for loads and stores without a time
                (chakra). Without it they take no time, with a warning.
            trigger_bytes: Size of the message with which a trigger reaches another rank (htsim, where it
                takes no time). Default 8 B. Source: ours. Status: assumed; the smallest
                message that a program would send.

        """
        super().__init__(
            file=file,
            crc32=crc32,
            flops_per_second=flops_per_second,
            format=format,
            memory_bytes_per_second=memory_bytes_per_second,
            trigger_bytes=trigger_bytes,
        )


class Series(Workload):
    """Workloads one after the other."""

    _keys: ClassVar[dict[str, Key]] = {
        "parts": Key("parts", "Workload", True, False),
    }
    _kinds: ClassVar[dict[str, str]] = {}
    _tag = ("kind", "series")
    parts: list[Workload]

    def __init__(self, *, parts: Sequence[Workload | Mapping[str, Any]]) -> None:
        """Takes the values of its keys.

        Args:
            parts: The workloads, at least one. All but the last have to end: they have `iterations`. None
                is a trace.

        """
        super().__init__(parts=parts)


class Halo3d26(Workload):
    """Faces, edges and corners of a three-dimensional grid."""

    _keys: ClassVar[dict[str, Key]] = {
        "cells": Key("cells"),
        "compute": Key("compute"),
        "grid": Key("grid"),
        "iterations": Key("iterations"),
        "vars": Key("vars"),
    }
    _kinds: ClassVar[dict[str, str]] = {}
    _tag = ("kind", "halo3d-26")
    cells: Sequence[int] | None
    compute: Span | None
    grid: Sequence[int] | None
    iterations: int | None
    vars: int | None

    def __init__(
        self,
        *,
        cells: Sequence[int] | None = None,
        compute: Span | None = None,
        grid: Sequence[int] | None = None,
        iterations: int | None = None,
        vars: int | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            cells: Cells of one rank in x, y, z. Default 10 each. Source: Ember. Status: published.
            compute: Computation before each exchange. Default 1 us. Source: Ember. Status: published.
            grid: Ranks in x, y, z; their product must be the job's ranks. Default: balanced.
            iterations: Endless when absent. Ember: 100.
            vars: Numbers of 8 bytes per cell. Default 1. Source: Ember. Status: published.

        """
        super().__init__(cells=cells, compute=compute, grid=grid, iterations=iterations, vars=vars)


class Milc(Workload):
    """Conjugate gradient on a four-dimensional lattice."""

    _keys: ClassVar[dict[str, Key]] = {
        "allreduce": Key("allreduce"),
        "gflops": Key("gflops"),
        "grid": Key("grid"),
        "iterations": Key("iterations"),
        "naik_layers": Key("naik_layers"),
        "periodic": Key("periodic"),
        "sites": Key("sites"),
    }
    _kinds: ClassVar[dict[str, str]] = {}
    _tag = ("kind", "milc")
    allreduce: AllreduceAlgorithm | None
    gflops: int | None
    grid: Sequence[int] | None
    iterations: int | None
    naik_layers: int | None
    periodic: bool | None
    sites: Sequence[int] | None

    def __init__(
        self,
        *,
        allreduce: AllreduceAlgorithm | None = None,
        gflops: int | None = None,
        grid: Sequence[int] | None = None,
        iterations: int | None = None,
        naik_layers: int | None = None,
        periodic: bool | None = None,
        sites: Sequence[int] | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            allreduce: Algorithm of the sums. Default `auto`.
            gflops: Speed of one rank in Gflop/s. Default 20. Source: Ember. Status: assumed there.
            grid: Ranks in x, y, z, t; their product must be the job's ranks. Default: balanced.
            iterations: Steps; endless when absent. Ember: 100.
            naik_layers: Layers of the Naik term, in addition to the first. Default 2: the second and
                third. 0 for plain staggered quarks. Source: Ember. Status: published.
            periodic: Whether the lattice is periodic. Default true. Source: MILC's physics; Ember's grid
                has ends. Status: published.
            sites: Lattice sites of one rank in x, y, z, t. Default 8 each. Source: Ember. Status:
                published. MILC runs have 16 or more.

        """
        super().__init__(
            allreduce=allreduce,
            gflops=gflops,
            grid=grid,
            iterations=iterations,
            naik_layers=naik_layers,
            periodic=periodic,
            sites=sites,
        )


class Lammps(Workload):
    """Molecular dynamics with short-range forces."""

    _keys: ClassVar[dict[str, Key]] = {
        "allreduce": Key("allreduce"),
        "atoms": Key("atoms"),
        "compute": Key("compute"),
        "cutoff": Key("cutoff"),
        "density": Key("density"),
        "grid": Key("grid"),
        "iterations": Key("iterations"),
        "migrating": Key("migrating"),
        "rebuild_every": Key("rebuild_every"),
        "skin": Key("skin"),
        "thermo_every": Key("thermo_every"),
    }
    _kinds: ClassVar[dict[str, str]] = {}
    _tag = ("kind", "lammps")
    allreduce: AllreduceAlgorithm | None
    atoms: int | None
    compute: Span | None
    cutoff: Decimal | None
    density: Decimal | None
    grid: Sequence[int] | None
    iterations: int | None
    migrating: Share | None
    rebuild_every: int | None
    skin: Decimal | None
    thermo_every: int | None

    def __init__(
        self,
        *,
        allreduce: AllreduceAlgorithm | None = None,
        atoms: int | None = None,
        compute: Span | None = None,
        cutoff: Decimal | None = None,
        density: Decimal | None = None,
        grid: Sequence[int] | None = None,
        iterations: int | None = None,
        migrating: Share | None = None,
        rebuild_every: int | None = None,
        skin: Decimal | None = None,
        thermo_every: int | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            allreduce: Algorithm of the sums. Default `auto`.
            atoms: Atoms of one rank. Default 32,000. Source: the benchmark, whose size is for one rank.
                Status: published.
            compute: Forces of one step. Default 10 ms. Source: ours, about 0.3 us for an atom. Status:
                assumed; a core's time.
            cutoff: Range of the force in sigma. Default 2.5. Source: bench/in.lj. Status: published.
            density: Atoms in a cube of side sigma, the length of the potential. Default 0.8442. Source:
                bench/in.lj. Status: published.
            grid: Ranks in x, y, z; their product must be the job's ranks. Default: balanced.
            iterations: Time steps; endless when absent.
            migrating: Share of a rank's atoms that leave through one face between rebuilds. Default
                0.001. Source: derived, half the mean speed sqrt(2 T / pi) at T = 0.7 for 20
                steps of 0.005 is 0.033 sigma of a box of 33.6. Status: derived.
            rebuild_every: Steps from one rebuild to the next. Default 20. Source: bench/in.lj,
                neigh_modify. Status: published.
            skin: Extra range of neighbour lists, in sigma. Default 0.3. Source: bench/in.lj. Status:
                published.
            thermo_every: Steps from one sum to the next. Default 100. Source: bench/in.lj sums at the
                ends of 100 steps. Status: published.

        """
        super().__init__(
            allreduce=allreduce,
            atoms=atoms,
            compute=compute,
            cutoff=cutoff,
            density=density,
            grid=grid,
            iterations=iterations,
            migrating=migrating,
            rebuild_every=rebuild_every,
            skin=skin,
            thermo_every=thermo_every,
        )


class Hpcg(Workload):
    """Conjugate gradient with a multigrid cycle."""

    _keys: ClassVar[dict[str, Key]] = {
        "allreduce": Key("allreduce"),
        "cells": Key("cells"),
        "gflops": Key("gflops"),
        "grid": Key("grid"),
        "iterations": Key("iterations"),
        "levels": Key("levels"),
    }
    _kinds: ClassVar[dict[str, str]] = {}
    _tag = ("kind", "hpcg")
    allreduce: AllreduceAlgorithm | None
    cells: Sequence[int] | None
    gflops: int | None
    grid: Sequence[int] | None
    iterations: int | None
    levels: int | None

    def __init__(
        self,
        *,
        allreduce: AllreduceAlgorithm | None = None,
        cells: Sequence[int] | None = None,
        gflops: int | None = None,
        grid: Sequence[int] | None = None,
        iterations: int | None = None,
        levels: int | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            allreduce: Algorithm of the sums. Default `auto`.
            cells: Cells of one rank in x, y, z. Default 104 each. Source: HPCG. Status: published.
            gflops: Speed of one rank in Gflop/s. Default 2. Source: ours. Status: assumed; a core's share
                of memory bandwidth limits it.
            grid: Ranks in x, y, z; their product must be the job's ranks. Default: balanced.
            iterations: Steps; endless when absent. HPCG: 50 in a set.
            levels: Levels of the multigrid, each with half the cells of the one above in each dimension.
                Default 4. Source: HPCG. Status: published.

        """
        super().__init__(
            allreduce=allreduce, cells=cells, gflops=gflops, grid=grid, iterations=iterations, levels=levels
        )


class Fft(Workload):
    """Three-dimensional Fourier transform."""

    _keys: ClassVar[dict[str, Key]] = {
        "algorithm": Key("algorithm"),
        "decomposition": Key("decomposition"),
        "gflops": Key("gflops"),
        "grid": Key("grid"),
        "iterations": Key("iterations"),
        "size": Key("size"),
        "transposes": Key("transposes"),
    }
    _kinds: ClassVar[dict[str, str]] = {}
    _tag = ("kind", "fft")
    algorithm: AlltoallAlgorithm | None
    decomposition: Decomposition | None
    gflops: int | None
    grid: Sequence[int] | None
    iterations: int | None
    size: int | None
    transposes: int | None

    def __init__(
        self,
        *,
        algorithm: AlltoallAlgorithm | None = None,
        decomposition: Decomposition | None = None,
        gflops: int | None = None,
        grid: Sequence[int] | None = None,
        iterations: int | None = None,
        size: int | None = None,
        transposes: int | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            algorithm: Default `auto`.
            decomposition: Default `slab`. Source: FFTW. Status: published.
            gflops: Speed of one rank in Gflop/s. Default 10. Source: ours. Status: assumed; a core's,
                limited by memory.
            grid: Ranks in a row and in a column of pencils; their product must be the job's ranks.
                Default: balanced.
            iterations: Transforms; endless when absent.
            size: Points in each dimension. Default 1,024. Source: ours. Status: assumed, any size is
                sensible.
            transposes: 1 leaves the result transposed (FFTW_MPI_TRANSPOSED_OUT), 2 puts it back. Default
                2. Source: FFTW without the flag. Status: published.

        """
        super().__init__(
            algorithm=algorithm,
            decomposition=decomposition,
            gflops=gflops,
            grid=grid,
            iterations=iterations,
            size=size,
            transposes=transposes,
        )


class ResnetProxy(Workload):
    """Data-parallel training of a residual network."""

    _keys: ClassVar[dict[str, Key]] = {
        "algorithm": Key("algorithm"),
        "backward": Key("backward"),
        "compute_on": Key("compute_on"),
        "element": Key("element"),
        "forward": Key("forward"),
        "iterations": Key("iterations"),
        "model": Key("model"),
        "scale": Key("scale"),
    }
    _kinds: ClassVar[dict[str, str]] = {}
    _tag = ("kind", "resnet-proxy")
    algorithm: AllreduceAlgorithm | None
    backward: Span | None
    compute_on: ComputeOn | None
    element: Size | None
    forward: Span | None
    iterations: int | None
    model: ResnetModel | None
    scale: int | None

    def __init__(
        self,
        *,
        algorithm: AllreduceAlgorithm | None = None,
        backward: Span | None = None,
        compute_on: ComputeOn | None = None,
        element: Size | None = None,
        forward: Span | None = None,
        iterations: int | None = None,
        model: ResnetModel | None = None,
        scale: int | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            algorithm: Algorithm of the sums. Default `auto`.
            backward: Backward pass of each bucket. Default 23.8 ms for ResNet-152, 0 for ResNet-50.
                Source: the same. Status: published.
            compute_on: The computing device. Default `accelerator`. Source: ours, the proxies sleep.
                Status: assumed.
            element: A gradient. Default 4 B. Source: the proxies. Status: published.
            forward: Forward pass of the whole network. Default 119 ms for ResNet-152 (batches of 128 on
                an A100), 0 for ResNet-50. Source: the proxies, whose ResNet-50 only
                communicates. Status: published.
            iterations: Steps; endless when absent.
            model: Default `resnet-152`. Source: De Sensi et al., SC'20, name a Resnet proxy, but not
                which. Status: assumed.
            scale: Makes a step smaller: gradients of each bucket (rounded up) and times, including those
                given, are divided by it. Default 1. The number of messages stays the same, so
                their latency weighs more.

        """
        super().__init__(
            algorithm=algorithm,
            backward=backward,
            compute_on=compute_on,
            element=element,
            forward=forward,
            iterations=iterations,
            model=model,
            scale=scale,
        )


class Transformer(Workload):
    """Training of a transformer, parallel in up to four ways."""

    _keys: ClassVar[dict[str, Key]] = {
        "algorithm": Key("algorithm"),
        "backward": Key("backward"),
        "bucket": Key("bucket"),
        "compute_on": Key("compute_on"),
        "element": Key("element"),
        "expert": Key("expert"),
        "experts_per_token": Key("experts_per_token"),
        "forward": Key("forward"),
        "hidden": Key("hidden"),
        "iterations": Key("iterations"),
        "layers": Key("layers"),
        "micro_batch": Key("micro_batch"),
        "micro_batches": Key("micro_batches"),
        "overlap": Key("overlap"),
        "pipeline": Key("pipeline"),
        "schedule": Key("schedule"),
        "sequence": Key("sequence"),
        "tensor": Key("tensor"),
        "tensor_collective": Key("tensor_collective"),
    }
    _kinds: ClassVar[dict[str, str]] = {}
    _tag = ("kind", "transformer")
    algorithm: AllreduceAlgorithm | None
    backward: Span | None
    bucket: Size | None
    compute_on: ComputeOn | None
    element: Size | None
    expert: int | None
    experts_per_token: int | None
    forward: Span | None
    hidden: int | None
    iterations: int | None
    layers: int | None
    micro_batch: int | None
    micro_batches: int | None
    overlap: bool | None
    pipeline: int | None
    schedule: PipelineSchedule | None
    sequence: int | None
    tensor: int | None
    tensor_collective: TensorCollective | None

    def __init__(
        self,
        *,
        algorithm: AllreduceAlgorithm | None = None,
        backward: Span | None = None,
        bucket: Size | None = None,
        compute_on: ComputeOn | None = None,
        element: Size | None = None,
        expert: int | None = None,
        experts_per_token: int | None = None,
        forward: Span | None = None,
        hidden: int | None = None,
        iterations: int | None = None,
        layers: int | None = None,
        micro_batch: int | None = None,
        micro_batches: int | None = None,
        overlap: bool | None = None,
        pipeline: int | None = None,
        schedule: PipelineSchedule | None = None,
        sequence: int | None = None,
        tensor: int | None = None,
        tensor_collective: TensorCollective | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            algorithm: Algorithm of all sums. Default `ring`. Source: NCCL's for large sizes. Status:
                assumed.
            backward: Backward pass of the same. Default 31,830 us. Source: the proxy. Status: published.
            bucket: Largest bucket of gradients. Default 25 MiB. Source: PyTorch's distributed data
                parallel module. Status: published.
            compute_on: The computing device. Default `accelerator`. Source: ours, the proxies sleep.
                Status: assumed.
            element: An activation or a gradient. Default 4 B. Source: the proxy, floats. Status:
                published.
            expert: Ranks of an expert group; 1 for a model without experts. Default 1. Source: the proxy.
                Status: published. With experts: 16.
            experts_per_token: Experts that see each token. Default 1. Source: the proxy's alltoalls carry
                each token once. Status: published.
            forward: Forward pass of one micro-batch through one rank's shard of a layer. Default 15,915
                us. Source: the proxy. Status: published.
            hidden: Width of the model. Default 12,288. Source: GPT-3, the proxy. Status: published.
            iterations: Steps; endless when absent.
            layers: Layers of the model; a multiple of `pipeline`. Default 96. Source: GPT-3, the proxy.
                Status: published.
            micro_batch: Sequences of a micro-batch. Default 1. Source: the proxy. Status: published.
            micro_batches: Micro-batches of a step, for each of the `data` x `expert` replicas. Default
                96. Source: the proxy. Status: published.
            overlap: Whether buckets are summed as soon as the last backward pass has computed them, or at
                the end. Default true. Source: PyTorch; the proxy sums at the end. Status:
                published.
            pipeline: Stages. Default 96. Source: the proxy. Status: published.
            schedule: Order of the micro-batches. Default `1f1b`. Source: Narayanan et al., SC'21. Status:
                published.
            sequence: Tokens of a sequence. Default 2,048. Source: GPT-3, the proxy. Status: published.
            tensor: Ranks of a tensor group. Default 4. Source: the proxy. Status: published.
            tensor_collective: Default `allreduce`. Source: the proxy. Status: published.

        """
        super().__init__(
            algorithm=algorithm,
            backward=backward,
            bucket=bucket,
            compute_on=compute_on,
            element=element,
            expert=expert,
            experts_per_token=experts_per_token,
            forward=forward,
            hidden=hidden,
            iterations=iterations,
            layers=layers,
            micro_batch=micro_batch,
            micro_batches=micro_batches,
            overlap=overlap,
            pipeline=pipeline,
            schedule=schedule,
            sequence=sequence,
            tensor=tensor,
            tensor_collective=tensor_collective,
        )


class Dlrm(Workload):
    """Training of a recommendation model."""

    _keys: ClassVar[dict[str, Key]] = {
        "algorithm": Key("algorithm"),
        "alltoall": Key("alltoall"),
        "bottom": Key("bottom"),
        "bottom_time": Key("bottom_time"),
        "compute_on": Key("compute_on"),
        "embedding_time": Key("embedding_time"),
        "embeddings": Key("embeddings"),
        "interaction_time": Key("interaction_time"),
        "iterations": Key("iterations"),
        "top": Key("top"),
        "top_time": Key("top_time"),
    }
    _kinds: ClassVar[dict[str, str]] = {}
    _tag = ("kind", "dlrm")
    algorithm: AllreduceAlgorithm | None
    alltoall: AlltoallAlgorithm | None
    bottom: Size | None
    bottom_time: Span | None
    compute_on: ComputeOn | None
    embedding_time: Span | None
    embeddings: Size | None
    interaction_time: Span | None
    iterations: int | None
    top: Size | None
    top_time: Span | None

    def __init__(
        self,
        *,
        algorithm: AllreduceAlgorithm | None = None,
        alltoall: AlltoallAlgorithm | None = None,
        bottom: Size | None = None,
        bottom_time: Span | None = None,
        compute_on: ComputeOn | None = None,
        embedding_time: Span | None = None,
        embeddings: Size | None = None,
        interaction_time: Span | None = None,
        iterations: int | None = None,
        top: Size | None = None,
        top_time: Span | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            algorithm: Algorithm of the sums. Default `auto`.
            alltoall: Algorithm of the alltoalls. Default `auto`.
            bottom: Gradients of the bottom perceptron, in bytes; a multiple of 4. Default 49,536 floats.
                Source: the proxy. Status: published.
            bottom_time: Bottom perceptron. Default 341 us. Source: the proxy. Status: published.
            compute_on: The computing device. Default `accelerator`. Source: ours, the proxies sleep.
                Status: assumed.
            embedding_time: Look-up of embeddings. Default 95 us. Source: the proxy. Status: published.
            embeddings: Bytes of embeddings of one rank, distributed evenly to all, rounded down. Default
                1 MiB: 2,048 samples of 128 floats. Source: the proxy. Status: published.
            interaction_time: Interaction. Default 209 us. Source: the proxy. Status: published.
            iterations: Steps; endless when absent.
            top: Gradients of the top perceptron, in bytes; a multiple of 4. Default 728,065 floats.
                Source: the proxy. Status: published.
            top_time: Top perceptron. Default 455 us. Source: the proxy. Status: published.

        """
        super().__init__(
            algorithm=algorithm,
            alltoall=alltoall,
            bottom=bottom,
            bottom_time=bottom_time,
            compute_on=compute_on,
            embedding_time=embedding_time,
            embeddings=embeddings,
            interaction_time=interaction_time,
            iterations=iterations,
            top=top,
            top_time=top_time,
        )


class Gups(Workload):
    """Random updates."""

    _keys: ClassVar[dict[str, Key]] = {
        "bytes": Key("bytes"),
        "iterations": Key("iterations"),
        "operation": Key("operation"),
        "window": Key("window"),
    }
    _kinds: ClassVar[dict[str, str]] = {}
    _tag = ("kind", "gups")
    bytes: Size | None
    iterations: int | None
    operation: OneSidedOperation | None
    window: int | None

    def __init__(
        self,
        *,
        bytes: Size | None = None,
        iterations: int | None = None,
        operation: OneSidedOperation | None = None,
        window: int | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            bytes: A word. Default 8 B. Source: Ember. Status: published.
            iterations: Windows; endless when absent.
            operation: Default `fetching-amo`. Source: Ember. Status: published.
            window: Updates between two waits. Default 1,024. Source: HPCC RandomAccess, the largest
                lookahead that it allows. Status: published. Ember waits for each: 1.

        """
        super().__init__(bytes=bytes, iterations=iterations, operation=operation, window=window)


class Iperf(Workload):
    """TCP streams of one thread each."""

    _keys: ClassVar[dict[str, Key]] = {
        "bytes": Key("bytes"),
        "iterations": Key("iterations"),
        "rate_gbps": Key("rate_gbps"),
        "window": Key("window"),
        "writes": Key("writes"),
    }
    _kinds: ClassVar[dict[str, str]] = {}
    _tag = ("kind", "iperf")
    bytes: Size | None
    iterations: int | None
    rate_gbps: RateGbps | None
    window: int | None
    writes: int | None

    def __init__(
        self,
        *,
        bytes: Size | None = None,
        iterations: int | None = None,
        rate_gbps: RateGbps | None = None,
        window: int | None = None,
        writes: int | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            bytes: One write. Default 128 KiB. Source: iperf3's default for TCP. Status: published.
            iterations: Reports; endless when absent.
            rate_gbps: Pace of each stream (iperf3's `-b`); as fast as possible when absent.
            window: Writes that a socket accepts before it blocks. Default 64, 8 MiB. Source: ours.
                Status: assumed; more than a bandwidth-delay product.
            writes: Writes of one report. Default 64. Source: ours. Status: assumed, any number is
                sensible.

        """
        super().__init__(bytes=bytes, iterations=iterations, rate_gbps=rate_gbps, window=window, writes=writes)


class Service(Workload):
    """Clients with a fixed rate of requests, and their servers."""

    _keys: ClassVar[dict[str, Key]] = {
        "application": Key("application"),
        "iterations": Key("iterations"),
        "rate": Key("rate"),
        "request": Key("request"),
        "response": Key("response"),
        "servers": Key("servers"),
        "service_time": Key("service_time"),
        "warm_up": Key("warm_up"),
        "workers": Key("workers"),
    }
    _kinds: ClassVar[dict[str, str]] = {}
    _tag = ("kind", "service")
    application: ServiceApplication | None
    iterations: int | None
    rate: Decimal | None
    request: Size | None
    response: Size | None
    servers: int | None
    service_time: ServiceTime | None
    warm_up: int | None
    workers: int | None

    def __init__(
        self,
        *,
        application: ServiceApplication | None = None,
        iterations: int | None = None,
        rate: Decimal | None = None,
        request: Size | None = None,
        response: Size | None = None,
        servers: int | None = None,
        service_time: ServiceTime | None = None,
        warm_up: int | None = None,
        workers: int | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            application: The application whose numbers are the defaults of the other keys. Default `silo`.
            iterations: Requests of each client; endless when absent. Tailbench: 50,000 (silo), 5,000,
                12,500, 25.
            rate: Requests per second of each client. Default: silo 1,000, xapian 50, img-dnn 500, sphinx
                1. Source: Tailbench's run scripts. Status: published.
            request: Size of a request. Default: a header of 24 B and 4 B, 128 B, 6,272 B or 100,000 B.
                Source: Tailbench's harness and applications. Status: published; xapian's and
                sphinx's are upper bound and order of magnitude.
            response: Size of an answer. Default: a header of 32 B and 1 B, 4 KiB, 16 B or 100 B. Source:
                the same. Status: published for silo; assumed for the others, whose sizes are
                known as some KiB, a small structure, and text.
            servers: Servers. Default 1. Client i (counted among the clients) uses server i mod `servers`.
            service_time: Time that a worker takes for a request. Default: lognormal with mean 40 us and
                99th percentile 100 us (silo), 1 ms and 4 ms (xapian), 2 s and 5 s (sphinx); 1
                ms always (img-dnn). Source: recollection. Status: assumed; calibrate before
                use.
            warm_up: Warm-up requests of each client, which are not counted. Default 0. Tailbench: 20,000
                (silo), 2,500, 5,000, 10, which warm caches.
            workers: Requests that a server processes at the same time. Default 1. Source: Tailbench's
                default. Status: assumed.

        """
        super().__init__(
            application=application,
            iterations=iterations,
            rate=rate,
            request=request,
            response=response,
            servers=servers,
            service_time=service_time,
            warm_up=warm_up,
            workers=workers,
        )


class Program(Workload):
    """A real program, whose processes are the ranks."""

    _keys: ClassVar[dict[str, Key]] = {
        "clock": Key("clock"),
        "command": Key("command"),
        "computation": Key("computation"),
        "poll": Key("poll"),
        "processor_percent": Key("processor_percent"),
        "time_per_call": Key("time_per_call"),
    }
    _kinds: ClassVar[dict[str, str]] = {}
    _tag = ("kind", "program")
    clock: Span | None
    command: str | None
    computation: Computation | None
    poll: Span | None
    processor_percent: int | None
    time_per_call: Span | None

    def __init__(
        self,
        *,
        clock: Span | None = None,
        command: str | None = None,
        computation: Computation | None = None,
        poll: Span | None = None,
        processor_percent: int | None = None,
        time_per_call: Span | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            clock: What reading a clock takes. Default 20 ns. Source: clock_gettime through the vDSO.
                Status: assumed.
            command: The program, for people: the command line says what runs.
            computation: Computation between calls. Default none.
            poll: What a poll that finds nothing takes. Default 20 ns. Source: ours, fi_cq_read of
                Philae's provider. Status: assumed.
            processor_percent: Percent of the processor time of this machine if that counts. Default 100.
                Source: ours. Status: assumed.
            time_per_call: Computation before each call if it is fixed. Default 0.

        """
        super().__init__(
            clock=clock,
            command=command,
            computation=computation,
            poll=poll,
            processor_percent=processor_percent,
            time_per_call=time_per_call,
        )


class Collectives(Section):
    """Collectives that switches do: limits, times and sizes."""

    _keys: ClassVar[dict[str, Key]] = {
        "engine_latency_ns": Key("engine_latency_ns"),
        "engines_per_port": Key("engines_per_port"),
        "header_bytes": Key("header_bytes"),
        "preset": Key("preset"),
        "reductions_per_tree": Key("reductions_per_tree"),
        "retries_max": Key("retries_max"),
        "retry_us": Key("retry_us"),
        "timeout_us": Key("timeout_us"),
    }
    engine_latency_ns: int | None
    engines_per_port: int | None
    header_bytes: int | None
    preset: Literal["slingshot"] | None
    reductions_per_tree: int | None
    retries_max: int | None
    retry_us: int | None
    timeout_us: int | None

    def __init__(
        self,
        *,
        engine_latency_ns: int | None = None,
        engines_per_port: int | None = None,
        header_bytes: int | None = None,
        preset: Literal["slingshot"] | None = None,
        reductions_per_tree: int | None = None,
        retries_max: int | None = None,
        retry_us: int | None = None,
        timeout_us: int | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            engine_latency_ns: Time from a contribution's last bit to a result at the engine's output, in
                nanoseconds.
            engines_per_port: Reduction engines of each port towards a root.
            header_bytes: Bytes of a collective packet in addition to the operands: ids, sequence, cookie,
                count.
            preset: Source of the values that are not given.
            reductions_per_tree: Operations of one tree that may be in progress at the same time; each
                takes an engine at every switch of the tree.
            retries_max: Times that the root begins an operation again before it gives its tree up. Counts
                only where links may err or fail.
            retry_us: Time after its own contribution at which the root begins an operation again, in
                microseconds.
            timeout_us: Time after its first contribution at which an engine sends up its partial result,
                in microseconds.

        """
        super().__init__(
            engine_latency_ns=engine_latency_ns,
            engines_per_port=engines_per_port,
            header_bytes=header_bytes,
            preset=preset,
            reductions_per_tree=reductions_per_tree,
            retries_max=retries_max,
            retry_us=retry_us,
            timeout_us=timeout_us,
        )


class Congestion(Section):
    """Slingshot's flow control."""

    _keys: ClassVar[dict[str, Key]] = {
        "additive_increase_mbps": Key("additive_increase_mbps"),
        "additive_increase_permille": Key("additive_increase_permille"),
        "adjust_packets": Key("adjust_packets"),
        "channel_buffer_bytes": Key("channel_buffer_bytes"),
        "credit_packets": Key("credit_packets"),
        "decrease_max_permille": Key("decrease_max_permille"),
        "decrease_permille": Key("decrease_permille"),
        "delay_gain_permyriad": Key("delay_gain_permyriad"),
        "early_notice": Key("early_notice"),
        "endpoint_share_bytes": Key("endpoint_share_bytes"),
        "endpoint_threshold_bytes": Key("endpoint_threshold_bytes"),
        "estimate_period_ns": Key("estimate_period_ns"),
        "fair_increase_permille": Key("fair_increase_permille"),
        "fast_below_ns": Key("fast_below_ns"),
        "fast_increase_permille": Key("fast_increase_permille"),
        "fast_recovery_periods": Key("fast_recovery_periods"),
        "flow_share_bytes": Key("flow_share_bytes"),
        "flows_per_port": Key("flows_per_port"),
        "gain_shift": Key("gain_shift"),
        "held_window_bytes": Key("held_window_bytes"),
        "hyper_increase_mbps": Key("hyper_increase_mbps"),
        "increase_bytes": Key("increase_bytes"),
        "increase_period_ns": Key("increase_period_ns"),
        "injection_limit_ns": Key("injection_limit_ns"),
        "injection_scope": Key("injection_scope"),
        "law": Key("law"),
        "mark_max_bytes": Key("mark_max_bytes"),
        "mark_max_percent": Key("mark_max_percent"),
        "mark_max_permille": Key("mark_max_permille"),
        "mark_min_bytes": Key("mark_min_bytes"),
        "mark_min_percent": Key("mark_min_percent"),
        "mode": Key("mode"),
        "notification_gap_ns": Key("notification_gap_ns"),
        "pause_off_bytes": Key("pause_off_bytes"),
        "pause_on_bytes": Key("pause_on_bytes"),
        "proportional_permille": Key("proportional_permille"),
        "quick_adaptation": Key("quick_adaptation"),
        "quick_adaptation_shift": Key("quick_adaptation_shift"),
        "rate_min_mbps": Key("rate_min_mbps"),
        "reroute_stay_ns": Key("reroute_stay_ns"),
        "reroute_threshold_bytes": Key("reroute_threshold_bytes"),
        "stiffness": Key("stiffness"),
        "target_delay_ns": Key("target_delay_ns"),
        "window_max_permille": Key("window_max_permille"),
    }
    additive_increase_mbps: int | None
    additive_increase_permille: int | None
    adjust_packets: int | None
    channel_buffer_bytes: int | None
    credit_packets: int | None
    decrease_max_permille: int | None
    decrease_permille: int | None
    delay_gain_permyriad: int | None
    early_notice: bool | None
    endpoint_share_bytes: int | None
    endpoint_threshold_bytes: int | None
    estimate_period_ns: int | None
    fair_increase_permille: int | None
    fast_below_ns: int | None
    fast_increase_permille: int | None
    fast_recovery_periods: int | None
    flow_share_bytes: int | None
    flows_per_port: int | None
    gain_shift: int | None
    held_window_bytes: int | None
    hyper_increase_mbps: int | None
    increase_bytes: int | None
    increase_period_ns: int | None
    injection_limit_ns: int | None
    injection_scope: InjectionScope | None
    law: Literal["slingshot", "none", "aries", "ecn", "pfc", "nscc", "rccc"] | None
    mark_max_bytes: int | None
    mark_max_percent: int | None
    mark_max_permille: int | None
    mark_min_bytes: int | None
    mark_min_percent: int | None
    mode: AriesMode | None
    notification_gap_ns: int | None
    pause_off_bytes: int | None
    pause_on_bytes: int | None
    proportional_permille: int | None
    quick_adaptation: bool | None
    quick_adaptation_shift: int | None
    rate_min_mbps: int | None
    reroute_stay_ns: int | None
    reroute_threshold_bytes: int | None
    stiffness: int | None
    target_delay_ns: int | None
    window_max_permille: int | None

    def __init__(
        self,
        *,
        additive_increase_mbps: int | None = None,
        additive_increase_permille: int | None = None,
        adjust_packets: int | None = None,
        channel_buffer_bytes: int | None = None,
        credit_packets: int | None = None,
        decrease_max_permille: int | None = None,
        decrease_permille: int | None = None,
        delay_gain_permyriad: int | None = None,
        early_notice: bool | None = None,
        endpoint_share_bytes: int | None = None,
        endpoint_threshold_bytes: int | None = None,
        estimate_period_ns: int | None = None,
        fair_increase_permille: int | None = None,
        fast_below_ns: int | None = None,
        fast_increase_permille: int | None = None,
        fast_recovery_periods: int | None = None,
        flow_share_bytes: int | None = None,
        flows_per_port: int | None = None,
        gain_shift: int | None = None,
        held_window_bytes: int | None = None,
        hyper_increase_mbps: int | None = None,
        increase_bytes: int | None = None,
        increase_period_ns: int | None = None,
        injection_limit_ns: int | None = None,
        injection_scope: InjectionScope | None = None,
        law: Literal["slingshot", "none", "aries", "ecn", "pfc", "nscc", "rccc"] | None = None,
        mark_max_bytes: int | None = None,
        mark_max_percent: int | None = None,
        mark_max_permille: int | None = None,
        mark_min_bytes: int | None = None,
        mark_min_percent: int | None = None,
        mode: AriesMode | None = None,
        notification_gap_ns: int | None = None,
        pause_off_bytes: int | None = None,
        pause_on_bytes: int | None = None,
        proportional_permille: int | None = None,
        quick_adaptation: bool | None = None,
        quick_adaptation_shift: int | None = None,
        rate_min_mbps: int | None = None,
        reroute_stay_ns: int | None = None,
        reroute_threshold_bytes: int | None = None,
        stiffness: int | None = None,
        target_delay_ns: int | None = None,
        window_max_permille: int | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            additive_increase_mbps: Additive increase, in Mb/s.
            additive_increase_permille: Additive increase in each round trip, in thousandths of a packet.
            adjust_packets: Packets after which increases are applied.
            channel_buffer_bytes: Buffer of each virtual channel of a link between routers, in bytes;
                nothing is shared.
            credit_packets: Packets of credit that a receiver gives at a time (RCCC): a packet goes if
                window and credit allow it. 0: receivers give no credit; "rccc" needs at least
                1. More than a first window counts as a first window.
            decrease_max_permille: Most that it loses at a time, in thousandths.
            decrease_permille: How much of the excess of delay the window loses, in thousandths.
            delay_gain_permyriad: Gain of the mean delay, in ten-thousandths.
            early_notice: Whether the egress notifies the ingress when a packet of a free flow arrives at
                a congested queue (otherwise the ingress learns only from the packet's
                acknowledgement).
            endpoint_share_bytes: Bytes that one endpoint's packets may have queued for, and in the buffer
                beyond, a link between switches; further ones wait in flow queues, where
                packets for other endpoints pass them.
            endpoint_threshold_bytes: Depth of an edge output's request queue beyond which its flows count
                as congesting, in bytes.
            estimate_period_ns: Period of the estimate's decay, in nanoseconds.
            fair_increase_permille: Fair increase: packets for each window of bytes that arrive late and
                unmarked, in thousandths.
            fast_below_ns: Delay below which there is no queue, in nanoseconds: after a window of such
                bytes the increase is fast.
            fast_increase_permille: Fast increase: share of the bytes that arrive, in thousandths.
            fast_recovery_periods: Periods of fast recovery before additive increase.
            flow_share_bytes: Shares for flows, which replace those for endpoints: bytes that one flow's
                packets may have queued for, and in the buffer beyond, a link between
                switches. 0: endpoints have shares, and flows have none.
            flows_per_port: Flows that one ingress port can track.
            gain_shift: Gain of the congestion estimate, as a power of two (8 is 1/256).
            held_window_bytes: Bytes that a congesting flow may have in the fabric (one packet always
                goes).
            hyper_increase_mbps: Hyper increase, in Mb/s.
            increase_bytes: Bytes sent that count as one increase period.
            increase_period_ns: Period of rate increases, in nanoseconds.
            injection_limit_ns: Span that the injection limit covers, in nanoseconds: `injection_scope`
                may have `edge rate x span` in the fabric.
            injection_scope: What the injection limit bounds: the bytes that each flow has in the fabric,
                or also those of all flows of an ingress port together.
            law: Source of the values that are not given.
            mark_max_bytes: Queue depth from which every packet is marked, in bytes.
            mark_max_percent: Queue from which every packet is marked, in percent of the same.
            mark_max_permille: Marking probability at `mark_max_bytes`, in thousandths.
            mark_min_bytes: Queue depth at which marking begins, in bytes.
            mark_min_percent: Queue at which marking begins, in percent of the bytes of the network's
                longest round trip.
            mode: Adaptive mode.
            notification_gap_ns: Shortest time between two notifications of one flow, in nanoseconds; the
                model applies it at the sender of the flow, with the same effect as at the
                receiver.
            pause_off_bytes: Bytes at which it may go on.
            pause_on_bytes: Bytes of one channel in an input buffer at which the port upstream is paused
                (PFC).
            proportional_permille: Proportional increase: packets for each window of bytes at no delay,
                for 12 us of target, in thousandths.
            quick_adaptation: Whether losses and very long delays set the window to what has got through
                in a round trip.
            quick_adaptation_shift: They do so if that is below the largest window, divided by two to this
                power.
            rate_min_mbps: Lowest rate, in Mb/s.
            reroute_stay_ns: Least time that an ordered flow keeps a path before a mark moves it, in
                nanoseconds. Each flow stays up to as long again, so that flows that meet do
                not all move at once. Each move in a row doubles both, up to 64 times.
            reroute_threshold_bytes: Depth of an output's request queue between switches beyond which
                packets are marked, in bytes. Their ordered flows choose another path once
                they have nothing in the fabric. 0: ordered flows keep their path while they
                are busy.
            stiffness: How long a congesting flow waits per byte of excess queue, in multiples of the time
                the egress needs for it.
            target_delay_ns: Delay of queues that it aims at, in nanoseconds. 0: the network's longest
                round trip, or three quarters of it where switches trim packets.
            window_max_permille: Largest window, in thousandths of the bytes of a round trip.

        """
        super().__init__(
            additive_increase_mbps=additive_increase_mbps,
            additive_increase_permille=additive_increase_permille,
            adjust_packets=adjust_packets,
            channel_buffer_bytes=channel_buffer_bytes,
            credit_packets=credit_packets,
            decrease_max_permille=decrease_max_permille,
            decrease_permille=decrease_permille,
            delay_gain_permyriad=delay_gain_permyriad,
            early_notice=early_notice,
            endpoint_share_bytes=endpoint_share_bytes,
            endpoint_threshold_bytes=endpoint_threshold_bytes,
            estimate_period_ns=estimate_period_ns,
            fair_increase_permille=fair_increase_permille,
            fast_below_ns=fast_below_ns,
            fast_increase_permille=fast_increase_permille,
            fast_recovery_periods=fast_recovery_periods,
            flow_share_bytes=flow_share_bytes,
            flows_per_port=flows_per_port,
            gain_shift=gain_shift,
            held_window_bytes=held_window_bytes,
            hyper_increase_mbps=hyper_increase_mbps,
            increase_bytes=increase_bytes,
            increase_period_ns=increase_period_ns,
            injection_limit_ns=injection_limit_ns,
            injection_scope=injection_scope,
            law=law,
            mark_max_bytes=mark_max_bytes,
            mark_max_percent=mark_max_percent,
            mark_max_permille=mark_max_permille,
            mark_min_bytes=mark_min_bytes,
            mark_min_percent=mark_min_percent,
            mode=mode,
            notification_gap_ns=notification_gap_ns,
            pause_off_bytes=pause_off_bytes,
            pause_on_bytes=pause_on_bytes,
            proportional_permille=proportional_permille,
            quick_adaptation=quick_adaptation,
            quick_adaptation_shift=quick_adaptation_shift,
            rate_min_mbps=rate_min_mbps,
            reroute_stay_ns=reroute_stay_ns,
            reroute_threshold_bytes=reroute_threshold_bytes,
            stiffness=stiffness,
            target_delay_ns=target_delay_ns,
            window_max_permille=window_max_permille,
        )


class Ethernet(Section):
    """A third-party endpoint as a timing model."""

    _keys: ClassVar[dict[str, Key]] = {
        "checksum_offload": Key("checksum_offload"),
        "checksum_ps_per_byte": Key("checksum_ps_per_byte"),
        "command_ns": Key("command_ns"),
        "credits": Key("credits"),
        "dma_read_ns": Key("dma_read_ns"),
        "eager_max_bytes": Key("eager_max_bytes"),
        "inline_max_bytes": Key("inline_max_bytes"),
        "link_retry": Key("link_retry"),
        "mtu_bytes": Key("mtu_bytes"),
        "no_gap": Key("no_gap"),
        "packet_gap_ps": Key("packet_gap_ps"),
        "pause": Key("pause"),
        "preset": Key("preset"),
        "receive_ns": Key("receive_ns"),
        "receive_packet_ns": Key("receive_packet_ns"),
        "receive_queues": Key("receive_queues"),
        "short_frames": Key("short_frames"),
        "transmit_ns": Key("transmit_ns"),
        "transport": Key("transport"),
    }
    checksum_offload: bool | None
    checksum_ps_per_byte: int | None
    command_ns: int | None
    credits: bool | None
    dma_read_ns: int | None
    eager_max_bytes: int | None
    inline_max_bytes: int | None
    link_retry: bool | None
    mtu_bytes: int | None
    no_gap: bool | None
    packet_gap_ps: int | None
    pause: bool | None
    preset: Literal["ethernet"] | None
    receive_ns: int | None
    receive_packet_ns: int | None
    receive_queues: int | None
    short_frames: bool | None
    transmit_ns: int | None
    transport: Transport | None

    def __init__(
        self,
        *,
        checksum_offload: bool | None = None,
        checksum_ps_per_byte: int | None = None,
        command_ns: int | None = None,
        credits: bool | None = None,
        dma_read_ns: int | None = None,
        eager_max_bytes: int | None = None,
        inline_max_bytes: int | None = None,
        link_retry: bool | None = None,
        mtu_bytes: int | None = None,
        no_gap: bool | None = None,
        packet_gap_ps: int | None = None,
        pause: bool | None = None,
        preset: Literal["ethernet"] | None = None,
        receive_ns: int | None = None,
        receive_packet_ns: int | None = None,
        receive_queues: int | None = None,
        short_frames: bool | None = None,
        transmit_ns: int | None = None,
        transport: Transport | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            checksum_offload: Whether the NIC checks TCP's and UDP's checksums.
            checksum_ps_per_byte: Core time per byte of payload to check it in software, in picoseconds;
                without the offload only.
            command_ns: From the core's store to the NIC acting on the command, in nanoseconds.
            credits: Whether its port can be held by credits (agreed on with link retry only).
            dma_read_ns: PCIe read round trip to fetch payload, in nanoseconds.
            eager_max_bytes: Largest message sent eagerly over RoCEv2 and Ultra Ethernet, in bytes; TCP
                and UDP send all messages eagerly.
            inline_max_bytes: Largest payload that a command carries inline, in bytes.
            link_retry: Whether its port can retry on the link.
            mtu_bytes: Largest IP packet, in bytes: 1500 or 9000.
            no_gap: Whether its port can do without the gap between frames (agreed on with link retry
                only).
            packet_gap_ps: Least time between packets that the NIC puts on the wire, in picoseconds.
            pause: Whether it obeys priority flow control; without this and without credits, an edge
                buffer discards packets when it is full.
            preset: Source of the values that are not given.
            receive_ns: From the last bit to data in memory and an event visible to the host, in
                nanoseconds.
            receive_packet_ns: Core time per packet received, in nanoseconds. TCP and UDP only.
            receive_queues: Receive queues, each served by one core: 1 to 128. TCP and UDP only.
            short_frames: Whether its port can take frames of 32 bytes.
            transmit_ns: From the command (and payload) to the first bit on the wire, in nanoseconds.
            transport: What carries messages.

        """
        super().__init__(
            checksum_offload=checksum_offload,
            checksum_ps_per_byte=checksum_ps_per_byte,
            command_ns=command_ns,
            credits=credits,
            dma_read_ns=dma_read_ns,
            eager_max_bytes=eager_max_bytes,
            inline_max_bytes=inline_max_bytes,
            link_retry=link_retry,
            mtu_bytes=mtu_bytes,
            no_gap=no_gap,
            packet_gap_ps=packet_gap_ps,
            pause=pause,
            preset=preset,
            receive_ns=receive_ns,
            receive_packet_ns=receive_packet_ns,
            receive_queues=receive_queues,
            short_frames=short_frames,
            transmit_ns=transmit_ns,
            transport=transport,
        )


class Host(Section):
    """What software on the host costs."""

    _keys: ClassVar[dict[str, Key]] = {
        "bundle_max": Key("bundle_max"),
        "copy_rate_mbytes": Key("copy_rate_mbytes"),
        "doorbell_ns": Key("doorbell_ns"),
        "local_latency_ns": Key("local_latency_ns"),
        "path": Key("path"),
        "preset": Key("preset"),
        "receive_overhead_ns": Key("receive_overhead_ns"),
        "segment_bytes": Key("segment_bytes"),
        "segment_ns": Key("segment_ns"),
        "send_overhead_ns": Key("send_overhead_ns"),
    }
    bundle_max: int | None
    copy_rate_mbytes: int | None
    doorbell_ns: int | None
    local_latency_ns: int | None
    path: HostPath | None
    preset: (
        Literal[
            "connectx-5-mpi",
            "connectx-5-verbs",
            "connectx-5-libfabric",
            "connectx-5-udp",
            "connectx-5-tcp",
            "cassini-1-mpi",
            "cassini-1-verbs",
            "cassini-1-libfabric",
            "cassini-1-udp",
            "cassini-1-tcp",
            "cassini-1-shmem",
            "cassini-1-commands",
            "cassini-2-mpi",
            "cassini-2-verbs",
            "cassini-2-libfabric",
            "cassini-2-udp",
            "cassini-2-tcp",
            "cassini-2-shmem",
            "aries-mpi",
            "connectx-7-mpi",
        ]
        | None
    )
    receive_overhead_ns: int | None
    segment_bytes: int | None
    segment_ns: int | None
    send_overhead_ns: int | None

    def __init__(
        self,
        *,
        bundle_max: int | None = None,
        copy_rate_mbytes: int | None = None,
        doorbell_ns: int | None = None,
        local_latency_ns: int | None = None,
        path: HostPath | None = None,
        preset: Literal[
            "connectx-5-mpi",
            "connectx-5-verbs",
            "connectx-5-libfabric",
            "connectx-5-udp",
            "connectx-5-tcp",
            "cassini-1-mpi",
            "cassini-1-verbs",
            "cassini-1-libfabric",
            "cassini-1-udp",
            "cassini-1-tcp",
            "cassini-1-shmem",
            "cassini-1-commands",
            "cassini-2-mpi",
            "cassini-2-verbs",
            "cassini-2-libfabric",
            "cassini-2-udp",
            "cassini-2-tcp",
            "cassini-2-shmem",
            "aries-mpi",
            "connectx-7-mpi",
        ]
        | None = None,
        receive_overhead_ns: int | None = None,
        segment_bytes: int | None = None,
        segment_ns: int | None = None,
        send_overhead_ns: int | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            bundle_max: One-sided operations that a core hands to the NIC together, at most (libfabric's
                FI_MORE); 1: each by itself.
            copy_rate_mbytes: Rate at which one core copies, in megabytes per second: messages between
                ranks of one node, eager data in and out of the buffers of a NIC that does not
                match, and data in and out of the kernel.
            doorbell_ns: Core time to notify the NIC of commands, in nanoseconds, in addition to the
                above: the store and its fence.
            local_latency_ns: Latency between two ranks of one node, in nanoseconds.
            path: The path of two-sided data.
            preset: Source of the values that are not given.
            receive_overhead_ns: Core time per message received or data fetched (matching), in
                nanoseconds; on the kernel's path, of the interrupt, the wake-up and the
                system call. Completions of sends and puts cost nothing.
            segment_bytes: Bytes that the kernel handles in one step; 0 on other paths.
            segment_ns: Core time per segment in the kernel, at each end, in nanoseconds; 0 on other
                paths.
            send_overhead_ns: Core time per operation issued, in nanoseconds; on the kernel's path, of the
                system call.

        """
        super().__init__(
            bundle_max=bundle_max,
            copy_rate_mbytes=copy_rate_mbytes,
            doorbell_ns=doorbell_ns,
            local_latency_ns=local_latency_ns,
            path=path,
            preset=preset,
            receive_overhead_ns=receive_overhead_ns,
            segment_bytes=segment_bytes,
            segment_ns=segment_ns,
            send_overhead_ns=send_overhead_ns,
        )


class Jitter(Section):
    """How cores are late, by a law. A step of a core is an operation begun, a message taken or a computation."""

    _keys: ClassVar[dict[str, Key]] = {
        "law": Key("law"),
        "mean_ns": Key("mean_ns"),
        "pause_ns": Key("pause_ns"),
        "period_us": Key("period_us"),
    }
    law: Literal["exponential", "periodic"] | None
    mean_ns: int | None
    pause_ns: int | None
    period_us: int | None

    def __init__(
        self,
        *,
        law: Literal["exponential", "periodic"] | None = None,
        mean_ns: int | None = None,
        pause_ns: int | None = None,
        period_us: int | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            law: Source of the values that are not given.
            mean_ns: Mean of the time by which each step of a core is longer, in nanoseconds. Law
                `exponential`.
            pause_ns: How long a pause is, in nanoseconds. Law `periodic`.
            period_us: From one pause of a core to the next, in microseconds. Law `periodic`.

        """
        super().__init__(law=law, mean_ns=mean_ns, pause_ns=pause_ns, period_us=period_us)


class Nic(Section):
    """A NIC as a timing model."""

    _keys: ClassVar[dict[str, Key]] = {
        "accept_ns": Key("accept_ns"),
        "command_ns": Key("command_ns"),
        "connection_bytes": Key("connection_bytes"),
        "connections_max": Key("connections_max"),
        "dma_read_ns": Key("dma_read_ns"),
        "eager_max_bytes": Key("eager_max_bytes"),
        "edge_gap_bytes": Key("edge_gap_bytes"),
        "edge_pause": Key("edge_pause"),
        "frame_min_bytes": Key("frame_min_bytes"),
        "header_first_bytes": Key("header_first_bytes"),
        "header_next_bytes": Key("header_next_bytes"),
        "inline_max_bytes": Key("inline_max_bytes"),
        "list_entries": Key("list_entries"),
        "match_entry_ns": Key("match_entry_ns"),
        "match_mode": Key("match_mode"),
        "match_offload": Key("match_offload"),
        "operation_gap_ps": Key("operation_gap_ps"),
        "ordered": Key("ordered"),
        "packet_gap_ps": Key("packet_gap_ps"),
        "payload_max_bytes": Key("payload_max_bytes"),
        "preset": Key("preset"),
        "receive_ns": Key("receive_ns"),
        "refused_retry_us": Key("refused_retry_us"),
        "responses": Key("responses"),
        "transmit_ns": Key("transmit_ns"),
        "unit_header_bytes": Key("unit_header_bytes"),
        "unit_payload_bytes": Key("unit_payload_bytes"),
        "write_gap_ps": Key("write_gap_ps"),
    }
    accept_ns: int | None
    command_ns: int | None
    connection_bytes: int | None
    connections_max: int | None
    dma_read_ns: int | None
    eager_max_bytes: int | None
    edge_gap_bytes: int | None
    edge_pause: bool | None
    frame_min_bytes: int | None
    header_first_bytes: int | None
    header_next_bytes: int | None
    inline_max_bytes: int | None
    list_entries: int | None
    match_entry_ns: int | None
    match_mode: MatchMode | None
    match_offload: bool | None
    operation_gap_ps: int | None
    ordered: bool | None
    packet_gap_ps: int | None
    payload_max_bytes: int | None
    preset: Literal["connectx-5", "cassini-1", "cassini-2", "aries", "connectx-7"] | None
    receive_ns: int | None
    refused_retry_us: int | None
    responses: ResponseScope | None
    transmit_ns: int | None
    unit_header_bytes: int | None
    unit_payload_bytes: int | None
    write_gap_ps: int | None

    def __init__(
        self,
        *,
        accept_ns: int | None = None,
        command_ns: int | None = None,
        connection_bytes: int | None = None,
        connections_max: int | None = None,
        dma_read_ns: int | None = None,
        eager_max_bytes: int | None = None,
        edge_gap_bytes: int | None = None,
        edge_pause: bool | None = None,
        frame_min_bytes: int | None = None,
        header_first_bytes: int | None = None,
        header_next_bytes: int | None = None,
        inline_max_bytes: int | None = None,
        list_entries: int | None = None,
        match_entry_ns: int | None = None,
        match_mode: MatchMode | None = None,
        match_offload: bool | None = None,
        operation_gap_ps: int | None = None,
        ordered: bool | None = None,
        packet_gap_ps: int | None = None,
        payload_max_bytes: int | None = None,
        preset: Literal["connectx-5", "cassini-1", "cassini-2", "aries", "connectx-7"] | None = None,
        receive_ns: int | None = None,
        refused_retry_us: int | None = None,
        responses: ResponseScope | None = None,
        transmit_ns: int | None = None,
        unit_header_bytes: int | None = None,
        unit_payload_bytes: int | None = None,
        write_gap_ps: int | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            accept_ns: The part of `receive_ns` until the NIC has accepted a packet, in nanoseconds. Then
                it reads the memory that a request asks for, or answers; it does not wait
                until data are in memory.
            command_ns: From the core's store to the NIC acting on the command, in nanoseconds.
            connection_bytes: State of a connection, in bytes.
            connections_max: Connections whose state the NIC has room for. For a message on another one it
                reads the state from the host's memory. 0: no limit, or no connections.
            dma_read_ns: PCIe read round trip to fetch a command or payload, in nanoseconds.
            eager_max_bytes: Largest message sent eagerly, in bytes.
            edge_gap_bytes: Gap between frames on the edge link, in bytes.
            edge_pause: Whether the edge link is paused (PFC) rather than held by credits.
            frame_min_bytes: Least size of a frame, preamble included, in bytes.
            header_first_bytes: Headers and trailers of the first packet of a message, in bytes.
            header_next_bytes: Headers and trailers of the following packets, in bytes.
            inline_max_bytes: Largest payload that the core writes into the NIC with its command, in
                bytes; for more, the NIC reads the host's memory once, be it the command or
                the payload.
            list_entries: List entries of the NIC for each process: one for a posted receive, one for a
                message that waits for its receive. 0: as many as are needed.
            match_entry_ns: Core time for each entry that software examines or takes over when it matches,
                in nanoseconds; the first one is part of `host.receive_overhead_ns`.
            match_mode: Who matches messages behind a NIC that can; used if `match_offload` is true and
                data is sent as messages.
            match_offload: Whether the NIC matches messages and fetches rendezvous data by itself
                (otherwise the host does).
            operation_gap_ps: Least time between messages that the NIC begins, in picoseconds: commands
                that it takes and requests that it answers, for each of which it reads the
                host's memory. 0: no limit.
            ordered: Whether packets of a flow must stay in order (one path per flow while it has packets
                in the fabric).
            packet_gap_ps: Least time between packets that the NIC puts on the wire, in picoseconds (its
                message rate).
            payload_max_bytes: Largest payload of a packet, in bytes.
            preset: Source of the values that are not given.
            receive_ns: From the last bit to data in memory and an event visible to the host, in
                nanoseconds.
            refused_retry_us: Time after which a message that its receiver's NIC had no entry for is sent
                again, in microseconds.
            responses: How it learns that its packets have arrived: `switch`, `message` or `packet`. Data
                that answers a request is the response to it. Where packets may be lost,
                `message` answers each packet.
            transmit_ns: From the command (and payload) to the first bit on the wire, in nanoseconds.
            unit_header_bytes: Overhead per unit, in bytes.
            unit_payload_bytes: Payload bytes per unit of further overhead (0: none).
            write_gap_ps: Time of the host for each packet with data that the NIC writes to its memory, in
                picoseconds; the NIC holds its switch port back when more than a full packet's
                time is waiting. Packets that take longer on the link do not add up. 0: no
                limit.

        """
        super().__init__(
            accept_ns=accept_ns,
            command_ns=command_ns,
            connection_bytes=connection_bytes,
            connections_max=connections_max,
            dma_read_ns=dma_read_ns,
            eager_max_bytes=eager_max_bytes,
            edge_gap_bytes=edge_gap_bytes,
            edge_pause=edge_pause,
            frame_min_bytes=frame_min_bytes,
            header_first_bytes=header_first_bytes,
            header_next_bytes=header_next_bytes,
            inline_max_bytes=inline_max_bytes,
            list_entries=list_entries,
            match_entry_ns=match_entry_ns,
            match_mode=match_mode,
            match_offload=match_offload,
            operation_gap_ps=operation_gap_ps,
            ordered=ordered,
            packet_gap_ps=packet_gap_ps,
            payload_max_bytes=payload_max_bytes,
            preset=preset,
            receive_ns=receive_ns,
            refused_retry_us=refused_retry_us,
            responses=responses,
            transmit_ns=transmit_ns,
            unit_header_bytes=unit_header_bytes,
            unit_payload_bytes=unit_payload_bytes,
            write_gap_ps=write_gap_ps,
        )


class Node(Section):
    """What a NIC finds in its node. Both directions of the bus carry transactions, each with a header."""

    _keys: ClassVar[dict[str, Key]] = {
        "buffer_bytes": Key("buffer_bytes"),
        "buffer_pause_off_bytes": Key("buffer_pause_off_bytes"),
        "buffer_pause_on_bytes": Key("buffer_pause_on_bytes"),
        "command_bytes": Key("command_bytes"),
        "completion_ns": Key("completion_ns"),
        "event_bytes": Key("event_bytes"),
        "memory_copies_percent": Key("memory_copies_percent"),
        "memory_mbytes": Key("memory_mbytes"),
        "memory_reserved_mbytes": Key("memory_reserved_mbytes"),
        "pcie_answer_header_bytes": Key("pcie_answer_header_bytes"),
        "pcie_header_bytes": Key("pcie_header_bytes"),
        "pcie_payload_max_bytes": Key("pcie_payload_max_bytes"),
        "pcie_posted_bytes": Key("pcie_posted_bytes"),
        "pcie_posted_ns": Key("pcie_posted_ns"),
        "pcie_read_mbytes": Key("pcie_read_mbytes"),
        "pcie_request_max_bytes": Key("pcie_request_max_bytes"),
        "pcie_tags": Key("pcie_tags"),
        "pcie_write_mbytes": Key("pcie_write_mbytes"),
        "preset": Key("preset"),
    }
    buffer_bytes: int | None
    buffer_pause_off_bytes: int | None
    buffer_pause_on_bytes: int | None
    command_bytes: int | None
    completion_ns: int | None
    event_bytes: int | None
    memory_copies_percent: int | None
    memory_mbytes: int | None
    memory_reserved_mbytes: int | None
    pcie_answer_header_bytes: int | None
    pcie_header_bytes: int | None
    pcie_payload_max_bytes: int | None
    pcie_posted_bytes: int | None
    pcie_posted_ns: int | None
    pcie_read_mbytes: int | None
    pcie_request_max_bytes: int | None
    pcie_tags: int | None
    pcie_write_mbytes: int | None
    preset: (
        Literal[
            "connectx-5",
            "cassini-1",
            "cassini-2",
            "connectx-7",
            "alps",
            "aurora",
            "frontier",
            "lumi-c",
            "lumi-g",
            "malbec",
            "olivia",
            "shandy",
            "none",
        ]
        | None
    )

    def __init__(
        self,
        *,
        buffer_bytes: int | None = None,
        buffer_pause_off_bytes: int | None = None,
        buffer_pause_on_bytes: int | None = None,
        command_bytes: int | None = None,
        completion_ns: int | None = None,
        event_bytes: int | None = None,
        memory_copies_percent: int | None = None,
        memory_mbytes: int | None = None,
        memory_reserved_mbytes: int | None = None,
        pcie_answer_header_bytes: int | None = None,
        pcie_header_bytes: int | None = None,
        pcie_payload_max_bytes: int | None = None,
        pcie_posted_bytes: int | None = None,
        pcie_posted_ns: int | None = None,
        pcie_read_mbytes: int | None = None,
        pcie_request_max_bytes: int | None = None,
        pcie_tags: int | None = None,
        pcie_write_mbytes: int | None = None,
        preset: Literal[
            "connectx-5",
            "cassini-1",
            "cassini-2",
            "connectx-7",
            "alps",
            "aurora",
            "frontier",
            "lumi-c",
            "lumi-g",
            "malbec",
            "olivia",
            "shandy",
            "none",
        ]
        | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            buffer_bytes: The NIC's buffer for payloads that wait to be written to memory, in bytes. 0: no
                limit.
            buffer_pause_off_bytes: Bytes in the buffer at which the switch port may continue.
            buffer_pause_on_bytes: Bytes in the buffer at which the NIC pauses its switch port.
            command_bytes: Bytes of a command, a payload within it included. A core writes a single one
                into the NIC; the NIC reads several that share a doorbell. 0: none count.
            completion_ns: Core time for each two-sided message sent to another node that no latency
                shows: taking the event of the send, posting a receive. In nanoseconds.
            event_bytes: Bytes of the event that tells the host of a message that has arrived or been
                sent. 0: none count.
            memory_copies_percent: Part of the rest that copies by cores take while they last, in percent.
            memory_mbytes: Bandwidth of the memory of a node, in megabytes per second: what its NICs read
                and write, and twice what its cores copy. 0: no limit.
            memory_reserved_mbytes: What programs on the cores take of it all the time, at most half, in
                megabytes per second.
            pcie_answer_header_bytes: The same for the answer to a read.
            pcie_header_bytes: Bytes of a transaction besides its data: framing, header, check. For
                requests and writes.
            pcie_payload_max_bytes: Most data of one transaction (MPS), in bytes.
            pcie_posted_bytes: Data of writes that the host accepts before it returns credits for them, in
                bytes. 0: no limit.
            pcie_posted_ns: From a write until its credits are back at the NIC, in nanoseconds.
            pcie_read_mbytes: Rate of the bus from memory to the NIC that is left for transactions, in
                megabytes per second: what the NIC reads of payloads and commands, and what
                cores write to it. 0: no limit.
            pcie_request_max_bytes: Most data that one read asks for (MRRS), in bytes.
            pcie_tags: Reads that a NIC may have open. Each lasts `nic.dma_read_ns`. 0: no limit.
            pcie_write_mbytes: Rate of the bus from the NIC to memory that is left for transactions, in
                megabytes per second: data that arrive, events, and the requests of the NIC's
                reads. 0: no limit.
            preset: Source of the values that are not given.

        """
        super().__init__(
            buffer_bytes=buffer_bytes,
            buffer_pause_off_bytes=buffer_pause_off_bytes,
            buffer_pause_on_bytes=buffer_pause_on_bytes,
            command_bytes=command_bytes,
            completion_ns=completion_ns,
            event_bytes=event_bytes,
            memory_copies_percent=memory_copies_percent,
            memory_mbytes=memory_mbytes,
            memory_reserved_mbytes=memory_reserved_mbytes,
            pcie_answer_header_bytes=pcie_answer_header_bytes,
            pcie_header_bytes=pcie_header_bytes,
            pcie_payload_max_bytes=pcie_payload_max_bytes,
            pcie_posted_bytes=pcie_posted_bytes,
            pcie_posted_ns=pcie_posted_ns,
            pcie_read_mbytes=pcie_read_mbytes,
            pcie_request_max_bytes=pcie_request_max_bytes,
            pcie_tags=pcie_tags,
            pcie_write_mbytes=pcie_write_mbytes,
            preset=preset,
        )


class Switch(Section):
    """A switch at `port` fidelity."""

    _keys: ClassVar[dict[str, Key]] = {
        "ack_latency_ns": Key("ack_latency_ns"),
        "ack_overhead_bytes": Key("ack_overhead_bytes"),
        "buffer_reserve_bytes": Key("buffer_reserve_bytes"),
        "buffer_shared_bytes": Key("buffer_shared_bytes"),
        "class_window_ns": Key("class_window_ns"),
        "classes_max": Key("classes_max"),
        "credit_latency_ns": Key("credit_latency_ns"),
        "fairness": Key("fairness"),
        "fec_ns": Key("fec_ns"),
        "flow_queues": Key("flow_queues"),
        "latency_ns": Key("latency_ns"),
        "latency_spread_ns": Key("latency_spread_ns"),
        "load_age_ns": Key("load_age_ns"),
        "optical_cable_ns": Key("optical_cable_ns"),
        "outlier_max_ns": Key("outlier_max_ns"),
        "outliers_per_million": Key("outliers_per_million"),
        "pause_off_bytes": Key("pause_off_bytes"),
        "pause_on_bytes": Key("pause_on_bytes"),
        "preset": Key("preset"),
    }
    ack_latency_ns: int | None
    ack_overhead_bytes: int | None
    buffer_reserve_bytes: int | None
    buffer_shared_bytes: int | None
    class_window_ns: int | None
    classes_max: int | None
    credit_latency_ns: int | None
    fairness: Fairness | None
    fec_ns: int | None
    flow_queues: int | None
    latency_ns: int | None
    latency_spread_ns: int | None
    load_age_ns: int | None
    optical_cable_ns: int | None
    outlier_max_ns: int | None
    outliers_per_million: int | None
    pause_off_bytes: int | None
    pause_on_bytes: int | None
    preset: Literal["rosetta", "rosetta-2", "aries", "quantum-2"] | None

    def __init__(
        self,
        *,
        ack_latency_ns: int | None = None,
        ack_overhead_bytes: int | None = None,
        buffer_reserve_bytes: int | None = None,
        buffer_shared_bytes: int | None = None,
        class_window_ns: int | None = None,
        classes_max: int | None = None,
        credit_latency_ns: int | None = None,
        fairness: Fairness | None = None,
        fec_ns: int | None = None,
        flow_queues: int | None = None,
        latency_ns: int | None = None,
        latency_spread_ns: int | None = None,
        load_age_ns: int | None = None,
        optical_cable_ns: int | None = None,
        outlier_max_ns: int | None = None,
        outliers_per_million: int | None = None,
        pause_off_bytes: int | None = None,
        pause_on_bytes: int | None = None,
        preset: Literal["rosetta", "rosetta-2", "aries", "quantum-2"] | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            ack_latency_ns: Time an end-to-end acknowledgement spends in each switch, in nanoseconds.
            ack_overhead_bytes: Bytes that acknowledgements add in the reverse direction per packet
                forwarded.
            buffer_reserve_bytes: Bytes of an input buffer kept for each channel (traffic class and leg).
            buffer_shared_bytes: Bytes of an input buffer that all channels share.
            class_window_ns: Time over which a traffic class may catch up on a share of a link that it did
                not use, in nanoseconds.
            classes_max: Traffic classes that it distinguishes.
            credit_latency_ns: Time a credit or a pause frame spends in the logic of both ends, in
                nanoseconds.
            fairness: To what its outputs are fair: `input` or `flow`.
            fec_ns: Time that forward error correction adds to each link, in nanoseconds.
            flow_queues: Flow queues of each channel of an output, if outputs are fair to flows: 1 to
                65535. Packets of further flows wait in order of arrival until a queue is
                free.
            latency_ns: Time from a header's arrival at an input to its departure at an idle output,
                median, in nanoseconds.
            latency_spread_ns: Full width of the uniform spread around the median (arbitration phase, tile
                distance), in nanoseconds.
            load_age_ns: Age of a switch's load values of its neighbours' ports, in nanoseconds.
            optical_cable_ns: Time that the retiming at both ends of an optical cable adds to it, in
                nanoseconds.
            outlier_max_ns: The most by which an outlier exceeds the median, in nanoseconds; even from
                half of the spread up to this.
            outliers_per_million: Crossings of a million that take longer than the spread says: outliers.
                0: none.
            pause_off_bytes: Occupancy at which it may continue, in bytes.
            pause_on_bytes: Occupancy of an edge input buffer at which the NIC is paused, in bytes; each
                class has an equal part of it.
            preset: Source of the values that are not given.

        """
        super().__init__(
            ack_latency_ns=ack_latency_ns,
            ack_overhead_bytes=ack_overhead_bytes,
            buffer_reserve_bytes=buffer_reserve_bytes,
            buffer_shared_bytes=buffer_shared_bytes,
            class_window_ns=class_window_ns,
            classes_max=classes_max,
            credit_latency_ns=credit_latency_ns,
            fairness=fairness,
            fec_ns=fec_ns,
            flow_queues=flow_queues,
            latency_ns=latency_ns,
            latency_spread_ns=latency_spread_ns,
            load_age_ns=load_age_ns,
            optical_cable_ns=optical_cable_ns,
            outlier_max_ns=outlier_max_ns,
            outliers_per_million=outliers_per_million,
            pause_off_bytes=pause_off_bytes,
            pause_on_bytes=pause_on_bytes,
            preset=preset,
        )


class Tcp(Section):
    """Windows and acknowledgements of TCP connections."""

    _keys: ClassVar[dict[str, Key]] = {
        "ack_delay_us": Key("ack_delay_us"),
        "ack_ns": Key("ack_ns"),
        "ack_segments": Key("ack_segments"),
        "congestion_control": Key("congestion_control"),
        "initial_window_segments": Key("initial_window_segments"),
        "preset": Key("preset"),
        "receive_buffer_bytes": Key("receive_buffer_bytes"),
    }
    ack_delay_us: int | None
    ack_ns: int | None
    ack_segments: int | None
    congestion_control: CongestionControl | None
    initial_window_segments: int | None
    preset: Literal["linux"] | None
    receive_buffer_bytes: int | None

    def __init__(
        self,
        *,
        ack_delay_us: int | None = None,
        ack_ns: int | None = None,
        ack_segments: int | None = None,
        congestion_control: CongestionControl | None = None,
        initial_window_segments: int | None = None,
        preset: Literal["linux"] | None = None,
        receive_buffer_bytes: int | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            ack_delay_us: The longest that an acknowledgement waits for another segment, or for data to go
                with, in microseconds.
            ack_ns: Core time to make an acknowledgement, and to take one, in nanoseconds, in addition to
                the host's `segment_ns`.
            ack_segments: Segments that one acknowledgement answers.
            congestion_control: How the sender finds what the network takes: "reno", or "none" for the
                receiver's window alone.
            initial_window_segments: Congestion window of a new connection, in full segments.
            preset: Source of the values that are not given.
            receive_buffer_bytes: Receive buffer of a connection, in bytes: what has arrived and the
                receiving core has not copied. All that is free of it is advertised.

        """
        super().__init__(
            ack_delay_us=ack_delay_us,
            ack_ns=ack_ns,
            ack_segments=ack_segments,
            congestion_control=congestion_control,
            initial_window_segments=initial_window_segments,
            preset=preset,
            receive_buffer_bytes=receive_buffer_bytes,
        )


class Uet(Section):
    """The transport's parameters."""

    _keys: ClassVar[dict[str, Key]] = {
        "ack_bytes": Key("ack_bytes"),
        "destination_flow_control": Key("destination_flow_control"),
        "encapsulation": Key("encapsulation"),
        "entropy_values": Key("entropy_values"),
        "frame_gap_bytes": Key("frame_gap_bytes"),
        "ip": Key("ip"),
        "long_send": Key("long_send"),
        "preset": Key("preset"),
        "retries_max": Key("retries_max"),
        "retry_timeout_ns": Key("retry_timeout_ns"),
        "spray": Key("spray"),
        "trimmed_bytes": Key("trimmed_bytes"),
    }
    ack_bytes: int | None
    destination_flow_control: bool | None
    encapsulation: UetEncapsulation | None
    entropy_values: int | None
    frame_gap_bytes: int | None
    ip: int | None
    long_send: UetLongSend | None
    preset: Literal["uec"] | None
    retries_max: int | None
    retry_timeout_ns: int | None
    spray: EntropySpray | None
    trimmed_bytes: int | None

    def __init__(
        self,
        *,
        ack_bytes: int | None = None,
        destination_flow_control: bool | None = None,
        encapsulation: UetEncapsulation | None = None,
        entropy_values: int | None = None,
        frame_gap_bytes: int | None = None,
        ip: int | None = None,
        long_send: UetLongSend | None = None,
        preset: Literal["uec"] | None = None,
        retries_max: int | None = None,
        retry_timeout_ns: int | None = None,
        spray: EntropySpray | None = None,
        trimmed_bytes: int | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            ack_bytes: A receiver acknowledges once this many bytes have arrived, at the end of a message,
                and at a mark.
            destination_flow_control: Whether a target whose host takes data slowly slows its senders: by
                the window's penalty in acknowledgements (NSCC), by fewer credits (RCCC).
                Otherwise its NIC pauses its port.
            encapsulation: What is around the transport's headers: "udp" (IP and UDP), "ip" (IP and an
                entropy header), or "nic": packets have the sizes of `hardware.nic`, as other
                simulators count.
            entropy_values: Values of the entropy.
            frame_gap_bytes: Preamble and gap of each Ethernet frame, in bytes, on every link.
            ip: Version of IP: 4 or 6.
            long_send: How a message goes that is longer than `hardware.nic.eager_max_bytes`: "rendezvous"
                or "deferrable" (sent at once; a target without a receive for it defers it).
            preset: Source of the values that are not given.
            retries_max: Times that a packet is sent again before its message fails. One that switches
                have trimmed counts as sent again once, however often.
            retry_timeout_ns: Time after which a packet without an acknowledgement is lost, in
                nanoseconds. 0: 15 us and six times what a link needs for the longest queue of
                a class that may lose packets, and 10 ms for other classes.
            spray: How the entropy of packets is chosen: "flow", "oblivious", "recycled" or "path-aware".
            trimmed_bytes: What is left of a packet that a switch trims, in bytes on the wire. 0: the
                least that the formats allow.

        """
        super().__init__(
            ack_bytes=ack_bytes,
            destination_flow_control=destination_flow_control,
            encapsulation=encapsulation,
            entropy_values=entropy_values,
            frame_gap_bytes=frame_gap_bytes,
            ip=ip,
            long_send=long_send,
            preset=preset,
            retries_max=retries_max,
            retry_timeout_ns=retry_timeout_ns,
            spray=spray,
            trimmed_bytes=trimmed_bytes,
        )


class UetLaw(Section):
    """The law of third-party endpoints that speak Ultra Ethernet, beside NICs under another law."""

    _keys: ClassVar[dict[str, Key]] = {
        "additive_increase_permille": Key("additive_increase_permille"),
        "adjust_packets": Key("adjust_packets"),
        "credit_packets": Key("credit_packets"),
        "decrease_max_permille": Key("decrease_max_permille"),
        "decrease_permille": Key("decrease_permille"),
        "delay_gain_permyriad": Key("delay_gain_permyriad"),
        "fair_increase_permille": Key("fair_increase_permille"),
        "fast_below_ns": Key("fast_below_ns"),
        "fast_increase_permille": Key("fast_increase_permille"),
        "law": Key("law"),
        "mark_max_percent": Key("mark_max_percent"),
        "mark_min_percent": Key("mark_min_percent"),
        "proportional_permille": Key("proportional_permille"),
        "quick_adaptation": Key("quick_adaptation"),
        "quick_adaptation_shift": Key("quick_adaptation_shift"),
        "target_delay_ns": Key("target_delay_ns"),
        "window_max_permille": Key("window_max_permille"),
    }
    additive_increase_permille: int | None
    adjust_packets: int | None
    credit_packets: int | None
    decrease_max_permille: int | None
    decrease_permille: int | None
    delay_gain_permyriad: int | None
    fair_increase_permille: int | None
    fast_below_ns: int | None
    fast_increase_permille: int | None
    law: Literal["nscc", "rccc"] | None
    mark_max_percent: int | None
    mark_min_percent: int | None
    proportional_permille: int | None
    quick_adaptation: bool | None
    quick_adaptation_shift: int | None
    target_delay_ns: int | None
    window_max_permille: int | None

    def __init__(
        self,
        *,
        additive_increase_permille: int | None = None,
        adjust_packets: int | None = None,
        credit_packets: int | None = None,
        decrease_max_permille: int | None = None,
        decrease_permille: int | None = None,
        delay_gain_permyriad: int | None = None,
        fair_increase_permille: int | None = None,
        fast_below_ns: int | None = None,
        fast_increase_permille: int | None = None,
        law: Literal["nscc", "rccc"] | None = None,
        mark_max_percent: int | None = None,
        mark_min_percent: int | None = None,
        proportional_permille: int | None = None,
        quick_adaptation: bool | None = None,
        quick_adaptation_shift: int | None = None,
        target_delay_ns: int | None = None,
        window_max_permille: int | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            additive_increase_permille: Additive increase in each round trip, in thousandths of a packet.
            adjust_packets: Packets after which increases are applied.
            credit_packets: Packets of credit that a receiver gives at a time (RCCC): a packet goes if
                window and credit allow it. 0: receivers give no credit; "rccc" needs at least
                1. More than a first window counts as a first window.
            decrease_max_permille: Most that it loses at a time, in thousandths.
            decrease_permille: How much of the excess of delay the window loses, in thousandths.
            delay_gain_permyriad: Gain of the mean delay, in ten-thousandths.
            fair_increase_permille: Fair increase: packets for each window of bytes that arrive late and
                unmarked, in thousandths.
            fast_below_ns: Delay below which there is no queue, in nanoseconds: after a window of such
                bytes the increase is fast.
            fast_increase_permille: Fast increase: share of the bytes that arrive, in thousandths.
            law: Source of the values that are not given.
            mark_max_percent: Queue from which every packet is marked, in percent of the same.
            mark_min_percent: Queue at which marking begins, in percent of the bytes of the network's
                longest round trip.
            proportional_permille: Proportional increase: packets for each window of bytes at no delay,
                for 12 us of target, in thousandths.
            quick_adaptation: Whether losses and very long delays set the window to what has got through
                in a round trip.
            quick_adaptation_shift: They do so if that is below the largest window, divided by two to this
                power.
            target_delay_ns: Delay of queues that it aims at, in nanoseconds. 0: the network's longest
                round trip, or three quarters of it where switches trim packets.
            window_max_permille: Largest window, in thousandths of the bytes of a round trip.

        """
        super().__init__(
            additive_increase_permille=additive_increase_permille,
            adjust_packets=adjust_packets,
            credit_packets=credit_packets,
            decrease_max_permille=decrease_max_permille,
            decrease_permille=decrease_permille,
            delay_gain_permyriad=delay_gain_permyriad,
            fair_increase_permille=fair_increase_permille,
            fast_below_ns=fast_below_ns,
            fast_increase_permille=fast_increase_permille,
            law=law,
            mark_max_percent=mark_max_percent,
            mark_min_percent=mark_min_percent,
            proportional_permille=proportional_permille,
            quick_adaptation=quick_adaptation,
            quick_adaptation_shift=quick_adaptation_shift,
            target_delay_ns=target_delay_ns,
            window_max_permille=window_max_permille,
        )


class Link(Section):
    """A link between two ports."""

    _keys: ClassVar[dict[str, Key]] = {
        "bit_errors": Key("bit_errors"),
        "bit_errors_per_10_to": Key("bit_errors_per_10_to"),
        "burst_bits": Key("burst_bits"),
        "fec": Key("fec"),
        "flap_gap_ms": Key("flap_gap_ms"),
        "flap_lanes": Key("flap_lanes"),
        "flap_length_us": Key("flap_length_us"),
        "lanes": Key("lanes"),
        "link_down_timer_ns": Key("link_down_timer_ns"),
        "preset": Key("preset"),
        "replay_count_max": Key("replay_count_max"),
        "replay_entries": Key("replay_entries"),
        "replay_timer_ns": Key("replay_timer_ns"),
        "retry_threshold": Key("retry_threshold"),
    }
    bit_errors: int | None
    bit_errors_per_10_to: int | None
    burst_bits: int | None
    fec: FecKind | None
    flap_gap_ms: int | None
    flap_lanes: int | None
    flap_length_us: int | None
    lanes: int | None
    link_down_timer_ns: int | None
    preset: Literal["slingshot"] | None
    replay_count_max: int | None
    replay_entries: int | None
    replay_timer_ns: int | None
    retry_threshold: int | None

    def __init__(
        self,
        *,
        bit_errors: int | None = None,
        bit_errors_per_10_to: int | None = None,
        burst_bits: int | None = None,
        fec: FecKind | None = None,
        flap_gap_ms: int | None = None,
        flap_lanes: int | None = None,
        flap_length_us: int | None = None,
        lanes: int | None = None,
        link_down_timer_ns: int | None = None,
        preset: Literal["slingshot"] | None = None,
        replay_count_max: int | None = None,
        replay_entries: int | None = None,
        replay_timer_ns: int | None = None,
        retry_threshold: int | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            bit_errors: Wrong bits before correction, per `10 ^ bit_errors_per_10_to` bits of the line. 0
                is a line without noise.
            bit_errors_per_10_to: The exponent of `bit_errors`: 1 to 18.
            burst_bits: Bits in a row that one disturbance makes wrong: 1 (independent errors) to 65,536.
                The error rate stays the same.
            fec: Forward error correction.
            flap_gap_ms: Mean time between flaps of this link, in milliseconds; 0 is never.
            flap_lanes: Lanes that a flap takes.
            flap_length_us: Mean length of a flap, in microseconds.
            lanes: Lanes, 1 to 8.
            link_down_timer_ns: Time for which a link without lanes keeps its frames and hopes, in
                nanoseconds.
            preset: Source of the values that are not given.
            replay_count_max: Replays in a row without progress beyond which the link is given up; 255 is
                never.
            replay_entries: Frames that the replay buffer holds, sent and not acknowledged: 1 to 2,048.
            replay_timer_ns: Time without progress after which everything unacknowledged is sent again, in
                nanoseconds.
            retry_threshold: Replays in a row without progress beyond which each one counts as a sign of a
                failing link.

        """
        super().__init__(
            bit_errors=bit_errors,
            bit_errors_per_10_to=bit_errors_per_10_to,
            burst_bits=burst_bits,
            fec=fec,
            flap_gap_ms=flap_gap_ms,
            flap_lanes=flap_lanes,
            flap_length_us=flap_length_us,
            lanes=lanes,
            link_down_timer_ns=link_down_timer_ns,
            preset=preset,
            replay_count_max=replay_count_max,
            replay_entries=replay_entries,
            replay_timer_ns=replay_timer_ns,
            retry_threshold=retry_threshold,
        )


class Retry(Section):
    """Retransmission of packets that the other NIC does not acknowledge."""

    _keys: ClassVar[dict[str, Key]] = {
        "packet_timeout_ns": Key("packet_timeout_ns"),
        "preset": Key("preset"),
        "retries_max": Key("retries_max"),
        "retry_step_ms": Key("retry_step_ms"),
        "unordered_delay_ms": Key("unordered_delay_ms"),
    }
    packet_timeout_ns: int | None
    preset: Literal["cassini"] | None
    retries_max: int | None
    retry_step_ms: int | None
    unordered_delay_ms: int | None

    def __init__(
        self,
        *,
        packet_timeout_ns: int | None = None,
        preset: Literal["cassini"] | None = None,
        retries_max: int | None = None,
        retry_step_ms: int | None = None,
        unordered_delay_ms: int | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            packet_timeout_ns: Time after which a packet without an acknowledgement counts as lost, in
                nanoseconds.
            preset: Source of the values that are not given.
            retries_max: Times that a packet is sent again before its message fails.
            retry_step_ms: Wait before the second retry, in milliseconds; each further one waits longer by
                the same, the first not at all.
            unordered_delay_ms: Least wait before a packet that may arrive in any order is sent again, in
                milliseconds.

        """
        super().__init__(
            packet_timeout_ns=packet_timeout_ns,
            preset=preset,
            retries_max=retries_max,
            retry_step_ms=retry_step_ms,
            unordered_delay_ms=unordered_delay_ms,
        )


class Routing(Section):
    """Parameters of adaptive routing."""

    _keys: ClassVar[dict[str, Key]] = {
        "idle_load_bytes": Key("idle_load_bytes"),
        "minimal_candidates": Key("minimal_candidates"),
        "mode": Key("mode"),
        "nonminimal_bias_percent": Key("nonminimal_bias_percent"),
        "nonminimal_candidates": Key("nonminimal_candidates"),
        "preset": Key("preset"),
        "remote_load": Key("remote_load"),
    }
    idle_load_bytes: int | None
    minimal_candidates: int | None
    mode: RoutingMode | None
    nonminimal_bias_percent: int | None
    nonminimal_candidates: int | None
    preset: Literal["slingshot", "aries"] | None
    remote_load: bool | None

    def __init__(
        self,
        *,
        idle_load_bytes: int | None = None,
        minimal_candidates: int | None = None,
        mode: RoutingMode | None = None,
        nonminimal_bias_percent: int | None = None,
        nonminimal_candidates: int | None = None,
        preset: Literal["slingshot", "aries"] | None = None,
        remote_load: bool | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            idle_load_bytes: Load of an idle path, in bytes: the cost of a further hop when nothing is
                queued.
            minimal_candidates: Minimal paths scored per decision (1 to 4). With "ecmp-nonminimal": of as
                many values of the entropy as both keys say together, these are for shortest
                paths.
            mode: How paths are chosen.
            nonminimal_bias_percent: How much more a nonminimal path counts, in percent.
            nonminimal_candidates: Nonminimal paths scored per decision (0 to 3). With "ecmp-nonminimal":
                the other values.
            preset: Source of the values that are not given.
            remote_load: Whether the load of a neighbour's global port counts, not only the own port
                towards it.

        """
        super().__init__(
            idle_load_bytes=idle_load_bytes,
            minimal_candidates=minimal_candidates,
            mode=mode,
            nonminimal_bias_percent=nonminimal_bias_percent,
            nonminimal_candidates=nonminimal_candidates,
            preset=preset,
            remote_load=remote_load,
        )


class ScenarioTable(Section):
    """A run of one or more jobs on one system."""

    _keys: ClassVar[dict[str, Key]] = {
        "system": Key("system", "System", False, False),
        "allocation": Key("allocation"),
        "captures": Key("capture", "Capture", True, True),
        "classes": Key("class", "TrafficClass", True, True),
        "class_profile": Key("class_profile"),
        "collectives": Key("collectives", "Collectives", False, True),
        "congestion": Key("congestion", "Congestion", False, True),
        "explain": Key("explain", "ExplainSection", False, True),
        "fault_list": Key("fault", "Fault", True, True),
        "fault_laws": Key("fault_law", "FaultLaw", True, True),
        "faults": Key("faults", "Faults", False, True),
        "hardware": Key("hardware", "Hardware", False, True),
        "jobs": Key("job", "Job", True, True),
        "link": Key("link", "Link", False, True),
        "measure": Key("measure", "Measure", False, True),
        "name": Key("name"),
        "packet_engine": Key("packet_engine", "PacketEngine", False, True),
        "retry": Key("retry", "Retry", False, True),
        "routes": Key("routes", "Routes", False, True),
        "routing": Key("routing", "Routing", False, True),
        "run": Key("run", "Run", False, True),
        "seed": Key("seed"),
        "telemetry": Key("telemetry", "Telemetry", False, True),
        "timeline": Key("timeline", "TimelineSection", False, True),
    }
    system: System
    allocation: Allocation | None
    captures: list[Capture]
    classes: list[TrafficClass]
    class_profile: str | None
    collectives: Collectives
    congestion: Congestion
    explain: ExplainSection
    fault_list: list[Fault]
    fault_laws: list[FaultLaw]
    faults: Faults
    hardware: Hardware
    jobs: list[Job]
    link: Link
    measure: Measure
    name: str | None
    packet_engine: PacketEngine
    retry: Retry
    routes: Routes
    routing: Routing
    run: Run
    seed: int | None
    telemetry: Telemetry
    timeline: TimelineSection

    def __init__(
        self,
        *,
        system: System | str | Mapping[str, Any],
        allocation: Allocation | None = None,
        captures: Sequence[Capture | Mapping[str, Any]] | None = None,
        classes: Sequence[TrafficClass | Mapping[str, Any]] | None = None,
        class_profile: str | None = None,
        collectives: Collectives | Mapping[str, Any] | None = None,
        congestion: Congestion | Mapping[str, Any] | None = None,
        explain: ExplainSection | Mapping[str, Any] | None = None,
        fault_list: Sequence[Fault | Mapping[str, Any]] | None = None,
        fault_laws: Sequence[FaultLaw | Mapping[str, Any]] | None = None,
        faults: Faults | Mapping[str, Any] | None = None,
        hardware: Hardware | Mapping[str, Any] | None = None,
        jobs: Sequence[Job | Mapping[str, Any]] | None = None,
        link: Link | Mapping[str, Any] | None = None,
        measure: Measure | Mapping[str, Any] | None = None,
        name: str | None = None,
        packet_engine: PacketEngine | Mapping[str, Any] | None = None,
        retry: Retry | Mapping[str, Any] | None = None,
        routes: Routes | Mapping[str, Any] | None = None,
        routing: Routing | Mapping[str, Any] | None = None,
        run: Run | Mapping[str, Any] | None = None,
        seed: int | None = None,
        telemetry: Telemetry | Mapping[str, Any] | None = None,
        timeline: TimelineSection | Mapping[str, Any] | None = None,
    ) -> None:
        """Takes the values of its keys.

        Args:
            system: The system: a built-in name, a path, or a description.
            allocation: How nodes are allocated to jobs that do not list theirs. Default "linear".
            captures: Captures of the packets of ports. Default: none.
            classes: Traffic classes. Default: one, "best-effort".
            class_profile: Traffic classes of a built-in profile, instead of a list: "HPC", "LL_BE_BD_ET"
                or "LL_BE_BD_ET1_ET2".
            collectives: Collective operations that jobs leave to the switches (`algorithm = "switch-
                offloaded"`).
            congestion: The congestion law. Default: the one that the system's description names.
            explain: Messages whose time is explained. Default: none.
            fault_list: The faults, with their times.
            fault_laws: Random faults.
            faults: Reactions of switches to faults.
            hardware: Switch, NIC and host. Default: those that the system's description names.
            jobs: The jobs; at least one.
            link: Links with bit errors, retry and lanes. Default: links without errors, which cost
                nothing to model.
            measure: What is recorded.
            name: Name of the run in results. Default: the system and its jobs.
            packet_engine: The packet engine of every switch: access control, VLANs, VXLAN, isolation of
                virtual networks. Default: none; every packet passes.
            retry: End-to-end retries between NICs, in runs whose links may have errors or fail.
            routes: Forwarding tables of the switches. Default: the topology's own paths.
            routing: The routing algorithm. Default: that of the switch's generation.
            run: Time limit, warm-up, partitions and threads of the run.
            seed: Seed of all random numbers, 0 to 2^63 - 1. Default 1.
            telemetry: In-band telemetry and counters by class. Default: off.
            timeline: The run as a timeline for a viewer. Default: none.

        """
        super().__init__(
            system=system,
            allocation=allocation,
            captures=captures,
            classes=classes,
            class_profile=class_profile,
            collectives=collectives,
            congestion=congestion,
            explain=explain,
            fault_list=fault_list,
            fault_laws=fault_laws,
            faults=faults,
            hardware=hardware,
            jobs=jobs,
            link=link,
            measure=measure,
            name=name,
            packet_engine=packet_engine,
            retry=retry,
            routes=routes,
            routing=routing,
            run=run,
            seed=seed,
            telemetry=telemetry,
            timeline=timeline,
        )
