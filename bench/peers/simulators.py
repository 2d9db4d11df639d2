"""Each simulator: how it is found, built and run, and what its output says."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tempfile
import time
from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path

from cases import (
    BUFFER_PHITS,
    CABLE_M,
    CYCLE_NS,
    LINK_NS,
    MESSAGE_BYTES,
    MESSAGE_PACKETS,
    PACKET_BYTES,
    PACKET_PHITS,
    PHIT_BYTES,
    RATE_GBPS,
    Case,
    Network,
)

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "bench" / "peers"
BUILT = ROOT / "build" / "peers"
CAMINOS_VERSION = "0.6.3"
COMPILE = ["g++", "-O2", "-DNDEBUG", "-std=c++17"]
SETUP = "scripts/setup --peers"
# A run that takes longer has hung: the longest takes half a minute.
TIMEOUT_S = 600


class RunError(Exception):
    """A simulator did not do what was asked."""


@dataclass(frozen=True)
class Process:
    """What a run of a program took."""

    command: list[str]
    output: str
    wall_s: float
    cpu_s: float
    peak_mib: float


@dataclass(frozen=True)
class Alone:
    """One message, alone in the network."""

    latency_ns: float
    # Switches that its packets crossed; a flow crosses none.
    switches: float | None
    # How far off it may be, as a share, where a simulator's own steps are that coarse.
    grain: float = 0.0


@dataclass(frozen=True)
class Loaded:
    """A run under load."""

    process: Process
    delivered_packets: float
    # Shares of the rate: what was given to the network over the run, what came out of it after the
    # warm-up.
    sent: float
    accepted: float
    mean_latency_us: float


def execute(command: list[str], folder: Path) -> Process:
    """Runs a program to its end, and measures it."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        began = time.perf_counter()
        child = subprocess.Popen(command, cwd=folder, stdout=out, stderr=err, stdin=subprocess.DEVNULL)
        while True:
            pid, status, usage = os.wait4(child.pid, os.WNOHANG)
            wall = time.perf_counter() - began
            if pid:
                break
            if wall > TIMEOUT_S:
                child.kill()
                os.wait4(child.pid, 0)
                child.returncode = -9
                raise RunError(f"{' '.join(command)}: did not end within {TIMEOUT_S} s")
            time.sleep(0.002)
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        text = out.read().decode(errors="replace")
        if child.returncode:
            said = (err.read().decode(errors="replace") or text).strip()[-2000:]
            raise RunError(f"{' '.join(command)}: exit status {child.returncode}\n{said}")
        return Process(command, text, wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def first_line(command: list[str]) -> str:
    """The first line that a program says of its version."""
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    return (said.stdout or said.stderr).strip().split("\n")[0]


def debian_version(package: str) -> str | None:
    """Version of an installed Debian package."""
    if not shutil.which("dpkg-query"):
        return None
    said = subprocess.run(
        ["dpkg-query", "-W", "-f", "${Version} ${db:Status-Status}", package],
        capture_output=True,
        text=True,
        check=False,
    )
    version, _, status = said.stdout.partition(" ")
    return version if status == "installed" else None


def share(packets: float, network: Network, span_us: float) -> float:
    """Packets of all endpoints as a share of their rate."""
    return packets * PACKET_BYTES * 8 / (network.endpoints * RATE_GBPS * 1e3 * span_us)


class Simulator(ABC):
    """One of the programs that are compared."""

    name = ""
    level = ""
    # What it takes to have it.
    install = ""

    @abstractmethod
    def missing(self) -> str | None:
        """Why it cannot run here, or nothing."""

    def build(self) -> None:  # noqa: B027 - some have nothing of ours
        """Compiles what is ours of it."""

    @abstractmethod
    def version(self) -> str:
        """Its version and how it was built."""

    def runs(self, network: Network) -> bool:
        """Whether it has such a network."""
        return True

    @abstractmethod
    def alone(self, network: Network, to: int, folder: Path) -> Alone:
        """One message from endpoint 0."""

    @abstractmethod
    def loaded(self, case: Case, folder: Path) -> Loaded:
        """A case."""


class Philae(Simulator):
    """Ours."""

    name = "Philae"
    level = "packets, cut-through, credits"
    install = "make build"

    def __init__(self, command: Path | None) -> None:
        """Takes the command that is given, or the one that was built last."""
        target = Path(os.environ.get("CARGO_TARGET_DIR", "target"))
        places = [ROOT / "build/bin/philae", ROOT / target / "release/philae"]
        found = [place for place in places if place.exists()]
        self.command = command or (max(found, key=lambda place: place.stat().st_mtime) if found else None)

    def missing(self) -> str | None:
        """Whether it was built."""
        return None if self.command and self.command.exists() else "is not built"

    def version(self) -> str:
        """As it says."""
        return f"{first_line([str(self.command), '--version'])}, cargo build --release"

    def scenario(self, network: Network, workload: str, rest: str) -> str:
        """A scenario whose switches, NICs and hosts take no time beyond that of the case."""
        if network.is_tree:
            wiring = (
                f"[system.fat_tree]\nleaves = {network.groups}\nspines = {network.switches}\n"
                f"endpoints_per_leaf = {network.endpoints_per_switch}\nedge = CABLE\nuplink = CABLE\n"
            )
        else:
            wiring = (
                "[system.dragonfly]\nlinks_per_pair = 1\nedge = CABLE\nlocal = CABLE\nglobal = CABLE\n"
                f'[[system.dragonfly.groups]]\nname = "group"\ncount = {network.groups}\nswitches = {network.switches}\n'
                f"endpoints_per_switch = {network.endpoints_per_switch}\n"
            )
        cable = f'{{ medium = "copper", length_m = {CABLE_M}, rate_gbps = {RATE_GBPS} }}'
        buffer = BUFFER_PHITS * PHIT_BYTES
        return f"""name = "peers"
[system]
name = "peers"
congestion = "none"
{wiring.replace("CABLE", cable)}
[hardware.switch]
latency_ns = {network.switch_ns}
latency_spread_ns = 0
fec_ns = 0
credit_latency_ns = 0
ack_latency_ns = 1
ack_overhead_bytes = 0
buffer_reserve_bytes = {buffer}
buffer_shared_bytes = 0
[hardware.nic]
payload_max_bytes = {PACKET_BYTES}
header_first_bytes = 0
header_next_bytes = 0
frame_min_bytes = 0
edge_pause = false
command_ns = 0
dma_read_ns = 0
transmit_ns = 0
receive_ns = 0
accept_ns = 0
responses = "switch"
packet_gap_ps = 0
[hardware.node]
preset = "none"
[hardware.host]
send_overhead_ns = 0
receive_overhead_ns = 0
[routing]
mode = "minimal"
minimal_candidates = 1
[[job]]
name = "all"
workload = {{ bytes = {MESSAGE_BYTES}, {workload} }}
{rest}"""

    def summary(self, text: str, folder: Path) -> tuple[Process, dict[str, object]]:
        """Runs a scenario."""
        (folder / "peers.toml").write_text(text)
        command = [str(self.command), "simulate", "peers.toml", "--json", "--quiet", "--output", "philae"]
        process = execute(command, folder)
        return process, json.loads(process.output)["summary"]

    def alone(self, network: Network, to: int, folder: Path) -> Alone:
        """An incast of one."""
        text = self.scenario(
            network,
            'kind = "incast", to = "last", messages = 1, iterations = 1',
            f'nodes = [0, {to}]\n[run]\ntime_limit = "1ms"\n[measure]\nmessages = ["all"]\n',
        )
        summary: dict[str, object] = self.summary(text, folder)[1]
        latency = summary["jobs"][0]["message_latency"]["mean_ps"] / 1e3  # type: ignore[index]
        return Alone(latency, float(str(summary["packet_hops"])) / MESSAGE_PACKETS)

    def loaded(self, case: Case, folder: Path) -> Loaded:
        """An open loop."""
        kind = {"uniform": "uniform-random", "permutation": "permutation"}[case.pattern]
        offered = f'{{ load = {case.load}, rate_gbps = {RATE_GBPS}, gaps = "exponential", outstanding_max = 1024 }}'
        text = self.scenario(
            case.network,
            f'kind = "{kind}", offered = {offered}',
            f'[run]\ntime_limit = "{case.until_us}us"\nwarm_up = "{case.warm_up_us}us"\n'
            f'[measure]\nsample_interval = "{case.until_us - case.warm_up_us}us"\nflows = false\nmessages = []\n',
        )
        process, summary = self.summary(f"seed = {case.seed}\n{text}", folder)
        delivered_gbps = float(str(summary["delivered_gbps"]))
        latency = summary["jobs"][0]["message_latency"]["mean_ps"] / 1e6  # type: ignore[index]
        return Loaded(
            process,
            float(str(summary["packets_delivered"])),
            share(float(str(summary["packets_injected"])), case.network, case.until_us),
            delivered_gbps / case.network.endpoints / RATE_GBPS,
            latency,
        )


class Caminos(Simulator):
    """CAMINOS, from crates.io."""

    install = f"cargo install caminos --version {CAMINOS_VERSION} --locked --root build/peers"
    command = BUILT / "bin" / "caminos"

    def __init__(self, phits: int = PACKET_PHITS) -> None:
        """Takes the phits of a packet: as many as in its own examples, or fewer, which are less work."""
        self.phits = phits
        self.cycle_ns = CYCLE_NS * PACKET_PHITS // phits
        self.name = "CAMINOS" if phits == PACKET_PHITS else f"CAMINOS, {phits} phits"
        self.level = f"phits ({phits} of a packet), cut-through, credits"

    def missing(self) -> str | None:
        """Whether cargo installed it at the pinned version."""
        listed = BUILT / ".crates.toml"
        right = self.command.exists() and listed.exists() and f'"caminos {CAMINOS_VERSION} ' in listed.read_text()
        return None if right else f"{CAMINOS_VERSION} is not installed in build/peers"

    def version(self) -> str:
        """The pinned one."""
        return f"{CAMINOS_VERSION}, cargo install --locked (release), {first_line(['rustc', '--version'])}"

    def runs(self, network: Network) -> bool:
        """Its dragonfly."""
        return not network.is_tree

    def result(
        self, network: Network, traffic: str, cycles: int, step: int, seed: int, folder: Path
    ) -> tuple[Process, str]:
        """Runs a configuration."""
        # A link's delay holds the time in the switch behind it; half of the first and last switch's
        # is on edge links. CAMINOS counts to the arrival of a message's last phit, the others to
        # its end: one cycle more, half on each.
        fabric = round((LINK_NS + network.switch_ns) / self.cycle_ns)
        edge = round((LINK_NS + network.switch_ns / 2) / self.cycle_ns + 0.5)
        (folder / "peers.cfg").write_text(f"""Configuration {{
    random_seed: {seed}, warmup: 0, measured: {cycles}, statistics_temporal_step: {step}, server_queue_size: 1024,
    topology: Dragonfly {{
        global_ports_per_router: {network.global_per_switch}, servers_per_router: {network.endpoints_per_switch},
        group_size: {network.switches}, number_of_groups: {network.groups},
    }},
    traffic: {traffic},
    maximum_packet_size: {self.phits},
    router: Basic {{
        virtual_channels: 4, virtual_channel_policies: [ Hops, EnforceFlowControl, Random ], delay: 0,
        buffer_size: {BUFFER_PHITS * self.phits // PACKET_PHITS}, bubble: false,
        flit_size: {self.phits}, intransit_priority: false,
        allow_request_busy_port: true, output_prioritize_lowest_label: false, output_buffer_size: {2 * self.phits},
    }},
    routing: Shortest,
    link_classes: [ LinkClass {{ delay: {fabric} }}, LinkClass {{ delay: {fabric} }}, LinkClass {{ delay: {edge} }} ],
    launch_configurations: [],
}}
""")
        process = execute([str(self.command), "peers.cfg", "--results", "peers.result"], folder)
        written = folder / "peers.result"
        if not written.exists():
            raise RunError(f"{self.command} wrote no result:\n{process.output[-2000:]}")
        return process, re.sub(r"\s+", "", written.read_text())

    @staticmethod
    def number(result: str, key: str) -> float:
        """The first number of this name."""
        found = re.search(rf"\b{key}:(-?[0-9.e+-]+)", result)
        if not found:
            raise RunError(f"CAMINOS's result has no {key}:\n{result[:2000]}")
        return float(found.group(1))

    def alone(self, network: Network, to: int, folder: Path) -> Alone:
        """A burst of one task."""
        burst = (
            f"Burst {{ pattern: Hotspots {{ destinations: [{to}] }}, tasks: {network.endpoints}, "
            f"messages_per_task: 1, message_size: {MESSAGE_PACKETS * self.phits} }}"
        )
        traffic = f"SubRangeTraffic {{ start: 0, end: 1, traffic: {burst} }}"
        result = self.result(network, traffic, 1000, 0, 1, folder)[1]
        cycles = self.number(result, "average_message_delay")
        coarse = 0.0 if self.cycle_ns == CYCLE_NS else self.cycle_ns / network.alone_ns(1)
        return Alone(cycles * self.cycle_ns, 1 + self.number(result, "average_packet_hops"), coarse)

    def loaded(self, case: Case, folder: Path) -> Loaded:
        """Messages by chance, cycle by cycle."""
        pattern = {"uniform": "Uniform", "permutation": "RandomPermutation"}[case.pattern]
        traffic = (
            f"HomogeneousTraffic {{ pattern: {pattern}, tasks: {case.network.endpoints}, load: {case.load}, "
            f"message_size: {MESSAGE_PACKETS * self.phits} }}"
        )
        cycles, warm_up = case.until_us * 1000 // self.cycle_ns, case.warm_up_us * 1000 // self.cycle_ns
        # Steps as long as the warm-up would have to divide the run; the largest such step that
        # divides both.
        step = warm_up
        while cycles % step or warm_up % step:
            step -= 1
        process, result = self.result(case.network, traffic, cycles, step, case.seed, folder)
        # The steps' own list is the one with a bracket.
        steps = re.search(r"accepted_load:\[([^\]]*)\]", result)
        if not steps:
            raise RunError("CAMINOS's result has no steps")
        values = [float(value) for value in steps.group(1).split(",") if value]
        late = values[warm_up // step :]
        return Loaded(
            process,
            self.number(result, "accepted_load") * cycles * case.network.endpoints / self.phits,
            self.number(result, "injected_load"),
            sum(late) / len(late),
            self.number(result, "average_message_delay") * self.cycle_ns / 1e3,
        )


class Compiled(Simulator):
    """A library of Debian's and a program of ours."""

    source = ""
    package = ""
    header = ""
    libraries: tuple[str, ...] = ()
    install = SETUP

    @property
    def command(self) -> Path:
        """The program."""
        return BUILT / Path(self.source).stem

    def missing(self) -> str | None:
        """Whether the compiler finds the library's header."""
        if not shutil.which("g++"):
            return "needs g++"
        asked = subprocess.run(
            ["g++", "-std=c++17", "-E", "-x", "c++", "-", "-o", os.devnull],
            input=f"#include <{self.header}>",
            capture_output=True,
            text=True,
            check=False,
        )
        return None if asked.returncode == 0 else f"is not installed (package {self.package})"

    def build(self) -> None:
        """Compiles what is older than its source."""
        source = SOURCES / self.source
        if self.command.exists() and self.command.stat().st_mtime >= source.stat().st_mtime:
            return
        BUILT.mkdir(parents=True, exist_ok=True)
        links = [f"-l{library}" for library in self.libraries]
        execute([*COMPILE, str(source), "-o", str(self.command), *links], ROOT)

    def version(self) -> str:
        """Debian's version of it, and our flags."""
        version = debian_version(self.package) or "not from a Debian package"
        flags = f"{' '.join(COMPILE)}, {first_line(['g++', '--version'])}"
        return f"{self.package} {version} (Debian's own build), our program: {flags}"


class Ns3(Compiled):
    """ns-3: point-to-point devices, and switches of ours without IP."""

    name = "ns-3"
    level = "packets, store and forward, queues without limit"
    source = "ns3.cpp"
    package = "libns3-dev"
    header = "ns3/point-to-point-module.h"
    libraries = ("ns3-point-to-point", "ns3-network", "ns3-core", "ns3-stats")

    def arguments(self, network: Network) -> list[str]:
        """Options of every run. A hop stores a packet first, so links take that much less."""
        packet_ns = PACKET_PHITS * CYCLE_NS
        return [
            str(self.command),
            f"--network={network.kind}",
            f"--groups={network.groups}",
            f"--switches={network.switches}",
            f"--spines={network.switches}",
            f"--endpoints={network.endpoints_per_switch}",
            f"--edge={LINK_NS + network.switch_ns / 2 - packet_ns / 2}",
            f"--fabric={LINK_NS + network.switch_ns - packet_ns}",
            f"--rate={RATE_GBPS}",
            f"--packet={PACKET_BYTES}",
            f"--packets={MESSAGE_PACKETS}",
        ]

    def alone(self, network: Network, to: int, folder: Path) -> Alone:
        """One message."""
        said = json.loads(execute([*self.arguments(network), "--pattern=one", f"--to={to}"], folder).output)
        return Alone(said["latency_ns"], said["hops"] / MESSAGE_PACKETS)

    def loaded(self, case: Case, folder: Path) -> Loaded:
        """An open loop."""
        own = [f"--pattern={case.pattern}", f"--load={case.load}", f"--seed={case.seed}"]
        own += [f"--until={case.until_us}", f"--warm-up={case.warm_up_us}"]
        process = execute([*self.arguments(case.network), *own], folder)
        said = json.loads(process.output)
        return Loaded(
            process,
            said["delivered"],
            share(said["injected"], case.network, case.until_us),
            share(said["delivered_late"], case.network, case.until_us - case.warm_up_us),
            said["latency_ns"] / 1e3,
        )


class SimGrid(Compiled):
    """SimGrid: flows on its fat tree."""

    name = "SimGrid"
    level = "flows, max-min fair"
    source = "simgrid.cpp"
    package = "libsimgrid-dev"
    header = "simgrid/s4u.hpp"
    libraries = ("simgrid",)
    # Flows have the bandwidth of their links and nothing of TCP; times as exact as those of the
    # others.
    settings = (
        "--cfg=network/model:CM02",
        "--cfg=network/latency-factor:1",
        "--cfg=network/bandwidth-factor:1",
        "--cfg=network/weight-S:0",
        "--cfg=network/TCP-gamma:0",
        "--cfg=network/crosstraffic:no",
        "--cfg=surf/precision:1e-12",
        "--log=root.thresh:warning",
    )

    def runs(self, network: Network) -> bool:
        """Its fat tree. Its dragonfly has at most as many groups as a group has switches."""
        return network.is_tree

    def arguments(self, network: Network) -> list[str]:
        """Options of every run."""
        return [
            str(self.command),
            *self.settings,
            f"--leaves={network.groups}",
            f"--spines={network.switches}",
            f"--endpoints={network.endpoints_per_switch}",
            f"--latency={LINK_NS + network.switch_ns / 2}",
            f"--rate={RATE_GBPS}",
            f"--message={MESSAGE_BYTES}",
        ]

    def alone(self, network: Network, to: int, folder: Path) -> Alone:
        """One flow."""
        said = json.loads(execute([*self.arguments(network), "--pattern=one", f"--to={to}"], folder).output)
        return Alone(said["latency_ns"], None)

    def loaded(self, case: Case, folder: Path) -> Loaded:
        """An open loop."""
        own = [f"--pattern={case.pattern}", f"--load={case.load}", f"--seed={case.seed}"]
        own += [f"--until={case.until_us}", f"--warm-up={case.warm_up_us}"]
        process = execute([*self.arguments(case.network), *own], folder)
        said = json.loads(process.output)
        span = case.until_us - case.warm_up_us
        return Loaded(
            process,
            said["delivered"] / PACKET_BYTES,
            share(said["injected"] / PACKET_BYTES, case.network, case.until_us),
            share(said["delivered_late"] / PACKET_BYTES, case.network, span),
            said["latency_ns"] / 1e3,
        )
