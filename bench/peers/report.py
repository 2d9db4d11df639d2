"""Whether the simulators agree, and the tables of what they took."""

from __future__ import annotations

import math
import os
import shlex
import statistics
from dataclasses import dataclass, field
from pathlib import Path

from cases import (
    BUFFER_PHITS,
    CYCLE_NS,
    MESSAGE_PACKETS,
    PACKET_BYTES,
    PACKET_PHITS,
    PHIT_BYTES,
    RATE_GBPS,
    Case,
    Network,
)
from simulators import ROOT, Alone, Loaded, Simulator

# Largest difference of sent and accepted load, or as far as three standard deviations of the number
# of messages drawn.
AGREE = 0.05
DEVIATIONS = 3
# Largest difference of a message alone: SimGrid has one latency for all links of its tree, half a
# nanosecond off for each.
AGREE_ALONE = 0.001


@dataclass
class Probe:
    """One message alone, in each simulator."""

    network: Network
    to: int
    switches: int
    found: dict[str, Alone]


@dataclass
class Measured:
    """The runs of a case by simulator, a run for each round."""

    case: Case
    runs: dict[str, list[Loaded]] = field(default_factory=dict)

    def add(self, name: str, run: Loaded) -> None:
        """A round's run."""
        self.runs.setdefault(name, []).append(run)

    def hops_per_second(self, name: str) -> list[float]:
        """Packets delivered times switches on a mean path, per second of the process, by round."""
        mean = self.case.network.mean_switches
        return [run.delivered_packets * mean / run.process.wall_s for run in self.runs[name]]

    def ratios(self, name: str) -> list[float]:
        """Philae's packet-hops per second over those of another, by round."""
        return [ours / theirs for ours, theirs in zip(self.hops_per_second("Philae"), self.hops_per_second(name))]

    def cpu_ratios(self, name: str) -> list[float]:
        """The same by time of the processor, which leaves out what other programs took."""
        pairs = zip(self.runs["Philae"], self.runs[name])
        return [
            (ours.delivered_packets / ours.process.cpu_s) / (theirs.delivered_packets / theirs.process.cpu_s)
            for ours, theirs in pairs
        ]


def off(value: float, wanted: float) -> float:
    """How far off, as a share."""
    return abs(value / wanted - 1)


def tolerance(case: Case, rounds: int) -> float:
    """How far off a load may be; a small network sends few messages in a run."""
    measured_ns = (case.until_us - case.warm_up_us) * 1e3
    per_endpoint = case.load * RATE_GBPS * measured_ns / (8 * PACKET_BYTES * MESSAGE_PACKETS)
    return max(AGREE, DEVIATIONS / math.sqrt(rounds * per_endpoint * case.network.endpoints))


def disagreements(probes: list[Probe], measured: list[Measured]) -> list[str]:
    """Where the physics are not the same."""
    wrong = []
    for probe in probes:
        wanted = probe.network.alone_ns(probe.switches)
        place = f"{probe.network.kind}, a message alone over {probe.switches} switches"
        for name, alone in probe.found.items():
            if off(alone.latency_ns, wanted) > max(AGREE_ALONE, alone.grain):
                wrong.append(f"{place}: {name} takes {alone.latency_ns:,.0f} ns, not {wanted:,} ns")
            if alone.switches is not None and alone.switches != probe.switches:
                wrong.append(f"{place}: its packets cross {alone.switches} in {name}")
    for results in measured:
        for name, runs in results.runs.items():
            for what, values in (("sent", [run.sent for run in runs]), ("accepted", [run.accepted for run in runs])):
                middle = statistics.median(values)
                if off(middle, results.case.load) > tolerance(results.case, len(runs)):
                    wrong.append(f"{results.case.name}: {name} {what} {middle:.3f} of {results.case.load:.2f}")
    return wrong


def spread(values: list[float], form: str) -> str:
    """Median, least and most."""
    middle = format(statistics.median(values), form)
    return middle if len(values) == 1 else f"{middle} ({format(min(values), form)} to {format(max(values), form)})"


def machine() -> str:
    """Processor, cores, cache and memory, as Linux names them."""
    rows = (line.split(":", 1) for line in Path("/proc/cpuinfo").read_text().splitlines() if ":" in line)
    known = {name.strip(): value.strip() for name, value in reversed(list(rows))}
    words = [known.get("model name", "unknown processor")]
    words += [f"{word} {known[key]}" for word, key in (("family", "cpu family"), ("model", "model")) if key in known]
    words.append(f"{os.cpu_count()} cores")
    cache = Path("/sys/devices/system/cpu/cpu0/cache/index3/size")
    if cache.is_file():
        words.append(f"{int(cache.read_text().strip().removesuffix('K')) >> 10} MiB of last-level cache")
    words.append(f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') >> 30} GiB")
    return ", ".join(words)


def table(heads: list[str], rows: list[list[str]]) -> list[str]:
    """A table in Markdown."""
    lines = [heads, ["---"] * len(heads), *rows]
    return [f"| {' | '.join(line)} |" for line in lines]


def described(network: Network) -> str:
    """A network in words."""
    if network.is_tree:
        return (
            f"fat tree: {network.groups} leaves of {network.endpoints_per_switch} endpoints, {network.switches} spines, "
            f"{network.endpoints:,} endpoints"
        )
    return (
        f"dragonfly: {network.groups} groups of {network.switches} switches of {network.endpoints_per_switch} endpoints, "
        f"one link between each two groups, {network.endpoints:,} endpoints"
    )


def shown(program: str) -> str:
    """A program below the repository by its way from there, another by its name."""
    path = Path(program)
    return str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else path.name


INTRODUCTION = f"""Links of {RATE_GBPS:.0f} Gb/s, packets of {PACKET_BYTES:,} bytes with nothing around them,
messages of {MESSAGE_PACKETS} packets, which every endpoint sends at random times (exponential gaps; in CAMINOS a draw per
cycle), to a random other one (uniform) or always to the same (permutation). Routes are minimal; no congestion control;
switches, NICs and hosts take no time beyond what the table of a message alone shows. A cycle of CAMINOS is {CYCLE_NS} ns, in
which a link carries a phit of {PHIT_BYTES} bytes, {PACKET_PHITS} to a packet. Input buffers hold
{BUFFER_PHITS * PHIT_BYTES:,} bytes for each channel in Philae and CAMINOS.

Each figure is the median of the rounds, with the least and the most of them. In each round every simulator runs every
case, one after the other, in an order that turns round, with a seed of the round. Time is that of the whole process, from
its start to its end, with building the network and writing results. A packet-hop is a packet that leaves a switch: packets
delivered, times the switches of a mean minimal path (worked out from the network, the same for all). For SimGrid, which
has no packets, these are the packets that the bytes of its ended flows would be. Peak memory is that of the process.
Ratios are taken within a round; above 1 Philae is faster. All run on one thread."""

DIFFERENCES = """- **CAMINOS** moves phits, cycle by cycle: more work for each packet, and contention resolved more finely.
  Its channels go by the number of the hop (4), those of Philae by the leg (3); it has an output buffer of two packets
  besides. Its configuration is that of its own documentation's examples (Basic router, packets of 16 phits). With packets of
  4 phits there are a quarter as many, and cycles of 40 ns
  to which its delays are rounded: the times of a message alone say by how much.
- **ns-3** stores a packet before it forwards it. Its links are shorter by a packet's time, so that a message alone takes
  as long. Its queues have no limit and no credits, so nothing waits for a buffer. Our program has neither IP nor sockets,
  trace sources have no listeners, and a switch is a look-up and a send: less work than ns-3's usual stacks.
- **SimGrid** computes rates of flows and no packets; ratios with it compare two answers of different detail. Its fat tree
  has one latency for all links, so switches of the tree take 1 ns in Philae and ns-3 too.
- In the fat tree Philae chooses among spines for each packet; ns-3 and SimGrid have one spine for each destination.
- Permutations and random times are drawn by each tool itself: the same law, not the same draws."""


def document(
    simulators: list[Simulator],
    left_out: list[str],
    probes: list[Probe],
    measured: list[Measured],
    wrong: list[str],
    command: str,
    rounds: int,
) -> str:
    """Everything as Markdown."""
    names = [simulator.name for simulator in simulators]
    lines = [
        "# Philae beside other simulators",
        "",
        f"As this command wrote it, on {machine()}, in {rounds} rounds:",
        "",
    ]
    lines += ["```", command, "```", "", INTRODUCTION, ""]
    lines += table(
        ["simulator", "what it simulates", "version and build"],
        [[simulator.name, simulator.level, simulator.version()] for simulator in simulators],
    )
    lines += ["", *(f"- Left out: {line}" for line in left_out), *([""] if left_out else [])]
    networks = list(dict.fromkeys(results.case.network for results in measured))
    lines += ["Networks:", "", *(f"- {described(network)}" for network in networks), ""]

    lines += ["## Speed", ""]
    rows = []
    for results in measured:
        for name in results.runs:
            runs = results.runs[name]
            simulated = [results.case.until_us / run.process.wall_s for run in runs]
            rows.append(
                [
                    results.case.name,
                    name,
                    spread([value / 1e3 for value in results.hops_per_second(name)], ",.1f"),
                    spread(simulated, ",.2f"),
                    spread([run.process.wall_s for run in runs], ",.2f"),
                    spread([run.process.cpu_s for run in runs], ",.2f"),
                    spread([run.process.peak_mib for run in runs], ",.0f"),
                    "-" if name == "Philae" else spread(results.ratios(name), ",.1f"),
                    "-" if name == "Philae" else spread(results.cpu_ratios(name), ",.1f"),
                ]
            )
    heads = [
        "case",
        "simulator",
        "thousand packet-hops/s",
        "simulated us/s",
        "wall s",
        "CPU s",
        "peak MiB",
        "Philae is faster by",
        "in CPU time by",
    ]
    lines += [*table(heads, rows), ""]

    lines += ["## The physics agree", "", "A message alone, from its making to its last bit, in ns:", ""]
    rows = []
    for probe in probes:
        row = [
            f"{probe.network.kind}, {probe.switches} switch{'' if probe.switches == 1 else 'es'}",
            f"{probe.network.alone_ns(probe.switches):,}",
        ]
        rows.append(row + [f"{probe.found[name].latency_ns:,.0f}" if name in probe.found else "-" for name in names])
    lines += [*table(["way", "by construction", *names], rows), ""]
    lines += [
        "Under load, as shares of the rate: sent over the run (in Philae and CAMINOS what has left the sender, in the others "
        "what was made), accepted after the warm-up; and the mean latency of messages.",
        "",
    ]
    rows = []
    for results in measured:
        for name, runs in results.runs.items():
            rows.append(
                [
                    results.case.name,
                    name,
                    spread([run.sent for run in runs], ".3f"),
                    spread([run.accepted for run in runs], ".3f"),
                    spread([run.mean_latency_us for run in runs], ".2f"),
                ]
            )
    lines += [*table(["case", "simulator", "sent", "accepted", "mean latency, us"], rows), ""]
    if wrong:
        lines += ["Where they do not agree:", "", *(f"- {line}" for line in wrong), ""]
    else:
        lines += [f"Sent and accepted load are within {AGREE:.0%} of what was asked, in the median of the rounds.", ""]
    lines += [
        "Latency under load is not made equal: what waits where differs, as follows.",
        "",
        "## What differs",
        "",
        DIFFERENCES,
    ]
    lines += ["", "## Commands", ""]
    lines += ["Of the last case that each ran, in a folder with what `bench/peers/simulators.py` wrote there:", ""]
    last = {name: runs[-1].process.command for results in measured for name, runs in results.runs.items()}
    lines += ["```", *(shlex.join([shown(used[0]), *used[1:]]) for used in last.values()), "```"]
    return "\n".join(lines) + "\n"
