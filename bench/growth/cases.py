"""Inputs by their size, and the command that reads each."""

import json
import os
import struct
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

RANKS = 4
# Switches of graphs, of 64 ports: their table of next hops is quadratic in them by design. 4000
# carry 120,000 links.
SWITCHES = int(os.environ.get("PHILAE_GROWTH_SWITCHES", "500"))


@dataclass(frozen=True)
class Case:
    """What it is, N, and what makes the input of a size and gives the command (or several, of which the last is counted)."""

    about: str
    size: int
    make: Callable[[Path, int], list]


CASES: dict[str, Case] = {}


def case(name: str, about: str, size: int):
    """Adds a case."""

    def add(make):
        CASES[name] = Case(about, size, make)
        return make

    return add


def write(folder: Path, name: str, lines) -> str:
    """Writes a file; its name."""
    (folder / name).write_text("\n".join(lines) + "\n")
    return name


# Schedules and traces: N records on four ranks, or N ranks.


def goal_messages(folder: Path, records: int) -> str:
    """Messages of which the receiver takes the last one first."""
    each = records // RANKS // 3
    lines = [f"num_ranks {RANKS}"]
    for rank in range(RANKS):
        lines.append(f"rank {rank} {{")
        for at in range(each):
            lines.append(f"s{at}: send 8b to {(rank + 1) % RANKS} tag {at}")
            # The receiver takes the last message first.
            lines.append(f"r{at}: recv 8b from {(rank - 1) % RANKS} tag {each - 1 - at}")
            if at:
                lines.append(f"s{at} requires s{at - 1}")
        lines.append("}")
    return write(folder, "a.goal", lines)


@case("goal-messages", "GOAL, messages: `trace info`", 5_000)
def _(folder, size):
    return ["trace", "info", goal_messages(folder, size)]


@case("goal-any", "GOAL, receives from any source in between: `trace info`", 3_000)
def _(folder, size):
    each = size // 4
    lines = ["num_ranks 3", "rank 0 {"]
    for at in range(each):
        source = 1 + at % 2
        lines.append(f"a{at}: recv 8b from {source} tag {each - at}")
        lines.append(f"b{at}: recv 8b from -1 tag {size + at}")
    lines.append("}")
    for rank in (1, 2):
        lines.append(f"rank {rank} {{")
        for at in range(each):
            if at % 2 == rank - 1:
                lines.append(f"a{at}: send 8b to 0 tag {each - at}")
                lines.append(f"b{at}: send 8b to 0 tag {size + at}")
        lines.append("}")
    return ["trace", "info", write(folder, "a.goal", lines)]


@case("goal-star", "GOAL, one operation that requires all others: `trace info`", 4_000)
def _(folder, size):
    lines = ["num_ranks 1", "rank 0 {", "z: calc 1"]
    lines += [f"c{at}: calc 1\nz requires c{at}" for at in range(size)]
    return ["trace", "info", write(folder, "a.goal", [*lines, "}"])]


@case("goal-ranks", "GOAL, ranks: `trace info`", 1_000)
def _(folder, size):
    lines = [f"num_ranks {size}"]
    for rank in range(size):
        to, source = (rank + 1) % size, (rank - 1) % size
        lines.append(f"rank {rank} {{\ns: send 8b to {to} tag 1\nr: recv 8b from {source} tag 1\nr requires s\n}}")
    return ["trace", "info", write(folder, "a.goal", lines)]


@case("goal-incast", "GOAL, ranks that all send to one: `trace info`", 1_000)
def _(folder, size):
    lines = [f"num_ranks {size}", "rank 0 {"]
    lines += [f"r{rank}: recv 8b from {size - rank} tag 1" for rank in range(1, size)]
    lines.append("}")
    lines += [f"rank {rank} {{\ns: send 8b to 0 tag 1\n}}" for rank in range(1, size)]
    return ["trace", "info", write(folder, "a.goal", lines)]


@case("goal-binary", "GOAL, binary: `trace info`", 8_000)
def _(folder, size):
    return [["trace", "convert", goal_messages(folder, size), "a.bin"], ["trace", "info", "a.bin"]]


@case("goal-convert", "GOAL: `trace convert` to text", 5_000)
def _(folder, size):
    return ["trace", "convert", goal_messages(folder, size), "b.goal"]


@case("goal-loggops", "GOAL: `trace loggops`", 2_000)
def _(folder, size):
    return ["trace", "loggops", goal_messages(folder, size), "--L", "2500", "--o", "1500"]


@case("htsim-flows", "htsim, flows one after the other by triggers: `trace info`", 2_000)
def _(folder, size):
    lines = ["Nodes 64", f"Connections {size}", f"Triggers {size - 1}"]
    for flow in range(size):
        begin = "start 0" if flow == 0 else f"trigger {flow}"
        end = f" recv_done_trigger {flow + 1}" if flow + 1 < size else ""
        lines.append(f"{flow % 64}->{(flow + 1) % 64} id {flow + 1} {begin} size 1000{end}")
    lines += [f"trigger id {trigger} oneshot" for trigger in range(1, size)]
    return ["trace", "info", write(folder, "a.cm", lines)]


@case("htsim-barrier", "htsim, flows that all start one barrier: `trace info`", 600)
def _(folder, size):
    lines = ["Nodes 64", f"Connections {2 * size}", "Triggers 1"]
    for flow in range(size):
        lines.append(f"{flow % 64}->{(flow + 1) % 64} id {flow + 1} start 0 size 1000 recv_done_trigger 1")
        lines.append(f"{flow % 64}->{(flow + 3) % 64} id {size + flow + 1} trigger 1 size 1000")
    return ["trace", "info", write(folder, "a.cm", [*lines, f"trigger id 1 barrier count {size}"])]


@case("htsim-nodes", "htsim, nodes: `trace info`", 3_000)
def _(folder, size):
    lines = [f"Nodes {size}", f"Connections {size}"]
    lines += [f"{node}->{(node + 1) % size} id {node + 1} start 0 size 1000" for node in range(size)]
    return ["trace", "info", write(folder, "a.cm", lines)]


def smpi_lines(records: int) -> list[str]:
    """Requests that stay open."""
    each = records // RANKS // 4
    lines = []
    for rank in range(RANKS):
        after, before = (rank + 1) % RANKS, (rank - 1) % RANKS
        for tag in range(each):
            lines.append(f"{rank} irecv {before} {tag} 8 6\n{rank} isend {after} {tag} 8 6")
        # Waited for in the other order than that in which they were made.
        for tag in reversed(range(each)):
            lines.append(f"{rank} wait {before} {rank} {tag}\n{rank} wait {rank} {after} {tag}")
        lines.append(f"{rank} allreduce 8 0")
    return lines


@case("smpi-requests", "SimGrid, requests that stay open: `trace info`", 4_000)
def _(folder, size):
    return ["trace", "info", write(folder, "a.txt", smpi_lines(size))]


@case("smpi-one-tag", "SimGrid, messages of one tag: `trace info`", 3_000)
def _(folder, size):
    lines = [f"0 isend 1 7 {at} 6" for at in range(1, size // 2)] + [
        f"1 irecv 0 7 {at} 6" for at in range(1, size // 2)
    ]
    return ["trace", "info", write(folder, "a.txt", [*lines, "0 waitall 1", "1 waitall 1"])]


@case("smpi-collectives", "SimGrid, nonblocking collectives that stay open: `trace info`", 600)
def _(folder, size):
    lines = []
    for rank in range(RANKS):
        lines += [f"{rank} iallreduce 8 0 6" for _ in range(size // RANKS)]
        lines.append(f"{rank} waitall {size // RANKS}")
    return ["trace", "info", write(folder, "a.txt", lines)]


@case("smpi-unnamed", "SimGrid, receives of any source: `trace info`", 8_000)
def _(folder, size):
    lines = []
    for at in range(size // 3):
        lines.append(f"0 recv -333 -444 8 6\n{1 + at % 2} send 0 {at} 8 6")
    return ["trace", "info", write(folder, "a.txt", lines)]


@case("smpi-ranks", "SimGrid, a file for each rank: `trace info`", 250)
def _(folder, size):
    for rank in range(size):
        to, source = (rank + 1) % size, (rank - 1) % size
        write(folder, f"rank{rank}.txt", [f"{rank} init", f"{rank} isend {to} 0 8 6", f"{rank} recv {source} 0 8 6"])
    return ["trace", "info", "rank{rank}.txt"]


def varint(value: int) -> bytes:
    """A number of protobuf."""
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def number(field: int, value: int) -> bytes:
    """A field with a number."""
    return varint(field << 3) + varint(value)


def part(field: int, value: bytes) -> bytes:
    """A field with bytes."""
    return varint(field << 3 | 2) + varint(len(value)) + value


def attribute(name: str, value: int) -> bytes:
    """An attribute of a node."""
    return part(10, part(1, name.encode()) + number(9, value))


def chakra(folder: Path, ranks: int, each: int, after) -> str:
    """A file for each rank; `after` says which nodes a node waits for. Each receive has its send: whole rounds of three."""
    each -= each % 3
    framed = lambda message: varint(len(message)) + message  # noqa: E731
    for rank in range(ranks):
        file = [framed(part(1, b"0.0.4"))]
        peers = {5: ("comm_dst", (rank + 1) % ranks), 6: ("comm_src", (rank - 1) % ranks)}
        for at in range(1, each + 1):
            kind = (7, 5, 6)[at % 3]
            rest = attribute(*peers[kind]) if kind in peers else attribute("comm_type", 0)
            waits = b"".join(number(5, node) for node in after(at, each))
            file.append(framed(number(1, at) + number(3, kind) + waits + rest + attribute("comm_size", 64)))
        (folder / f"a.{rank}.et").write_bytes(b"".join(file))
    return "a.{rank}.et"


@case("chakra-chain", "Chakra, nodes one after the other: `trace info`", 4_000)
def _(folder, size):
    return ["trace", "info", chakra(folder, RANKS, size // RANKS, lambda at, each: [at - 1] if at > 1 else [])]


@case("chakra-loose", "Chakra, nodes that wait for none: `trace info`", 1_500)
def _(folder, size):
    return ["trace", "info", chakra(folder, RANKS, size // RANKS, lambda at, each: [])]


@case("chakra-ranks", "Chakra, a file for each rank: `trace info`", 100)
def _(folder, size):
    return ["trace", "info", chakra(folder, size, 6, lambda at, each: [at - 1] if at > 1 else [])]


@case("simai-layers", "SimAI and ASTRA-sim 1, layers: `trace info`", 500)
def _(folder, size):
    head = "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 2 ep: 1 pp: 1 vpp: 1 ga: 1 all_gpus: 4"
    lines = [head, str(size), *(f"l{at} -1 5 ALLREDUCE 64 5 NONE 0 5 ALLREDUCE 64 5" for at in range(size))]
    return ["trace", "info", write(folder, "a.txt", lines)]


@case("simai-ranks", "SimAI and ASTRA-sim 1, ranks: `trace info --check 0`", 2_000)
def _(folder, size):
    head = f"HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 2 ep: 1 pp: 1 vpp: 1 ga: 1 all_gpus: {size}"
    lines = [head, "2", *(f"l{at} -1 5 ALLREDUCE 64 5 NONE 0 5 ALLREDUCE 64 5" for at in range(2))]
    return ["trace", "info", write(folder, "a.txt", lines), "--check", "0"]


def provider(folder: Path, ranks: int, messages: int) -> str:
    """Traces as `philae run --trace` writes them (`crates/nic/provider/src/trace.rs`): each rank sends to the next one."""
    tagged, any_peer = 1 << 3, (1 << 64) - 1
    for rank in range(ranks):
        own, to, source = 100 + rank, (rank + 1) % ranks, (rank - 1) % ranks
        file = [b"PHTRACE\x01", struct.pack("<3Q", rank, 4_000 + rank, 77)]
        put = lambda kind, *rest: file.append(struct.pack("<9Q", kind, 0, *rest))  # noqa: E731, B023
        put(1, own, 0xA, 0xB, 0xC, 10, 0, 0)
        for peer in sorted({to, source}):
            put(2, 0xA, peer, 100 + peer, 0, 0, 0, 0)
        for at in range(messages):
            # Receives are posted in the other order than that in which messages come.
            put(4, own, source, messages - at, 4_096, 2 * at, tagged, 0)
        for at in range(messages):
            put(3, own, to, at + 1, 64, 2 * at + 1, 1 << 11 | tagged, 1)
            put(8, 0xB, any_peer, 0, 0, 2 * at + 1, 1 << 11 | tagged, 0)
        for at in range(messages):
            put(8, 0xC, source, messages - at, 64, 2 * at, 1 << 10 | tagged, 0)
        put(10, 0, 0, 0, 0, 0, 0, 0)
        (folder / f"{rank}.phtrace").write_bytes(b"".join(file))
    return "."


@case("provider-messages", "traces of `philae run --trace`, messages: `trace info`", 1_500)
def _(folder, size):
    return ["trace", "info", provider(folder, RANKS, size // RANKS)]


@case("provider-ranks", "traces of `philae run --trace`, ranks: `trace info`", 250)
def _(folder, size):
    return ["trace", "info", provider(folder, size, 2)]


# SST's load files: N jobs.


@case("sst-jobs", "SST, jobs: `trace scenario`", 200)
def _(folder, size):
    lines = []
    for job in range(size):
        lines += [
            f"[JOB_ID] {job}",
            f"[NID_LIST] {2 * job},{2 * job + 1}",
            "[MOTIF] Init",
            "[MOTIF] Allreduce iterations=1 count=1",
            "[MOTIF] Fini",
        ]
    return ["trace", "scenario", write(folder, "a.load", lines), "out.toml", "--system", "frontier"]


@case("sst-nodes", "SST, one node after the other in a list: `trace scenario`", 1_000)
def _(folder, size):
    nodes = ",".join(str(node) for node in range(size))
    lines = [
        "[JOB_ID] 0",
        f"[NID_LIST] {nodes}",
        "[MOTIF] Init",
        "[MOTIF] Allreduce iterations=1 count=1",
        "[MOTIF] Fini",
    ]
    return ["trace", "scenario", write(folder, "a.load", lines), "out.toml", "--system", "frontier"]


@case("sst-motifs", "SST, motifs one after the other: `trace scenario`", 400)
def _(folder, size):
    lines = [
        "[JOB_ID] 0",
        "[NID_LIST] 0-7",
        "[MOTIF] Init",
        *["[MOTIF] Allreduce iterations=1 count=1"] * size,
        "[MOTIF] Fini",
    ]
    return ["trace", "scenario", write(folder, "a.load", lines), "out.toml", "--system", "malbec"]


# Systems of other tools: N links between switches.


def ring(links: int) -> list[tuple[int, int]]:
    """A ring with longer and longer chords, of which several may join the same two switches."""
    strides = [1, 16, 256, *(3 + 17 * turn for turn in range(40))]
    return [(at % SWITCHES, (at % SWITCHES + strides[at // SWITCHES]) % SWITCHES) for at in range(links)]


def graphml(folder: Path, links: int, directed: bool) -> str:
    """A graph with two data an edge."""
    lines = [
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
        '<key id="g" for="edge" attr.name="global" attr.type="boolean"/>',
        '<key id="r" for="edge" attr.name="rate_gbps" attr.type="double"/>',
        f'<graph edgedefault="{"directed" if directed else "undirected"}">',
        *(f'<node id="n{node}"/>' for node in range(SWITCHES)),
    ]
    for at, (one, other) in enumerate(ring(links)):
        data = '<data key="g">False</data><data key="r">200</data></edge>'
        lines.append(f'<edge id="e{at}" source="n{one}" target="n{other}">{data}')
        if directed:
            lines.append(f'<edge id="b{at}" source="n{other}" target="n{one}">{data}')
    return write(folder, "a.graphml", [*lines, "</graph></graphml>"])


@case("graphml-links", "GraphML, links: `describe`", 1_500)
def _(folder, size):
    return ["describe", graphml(folder, size, False), "--endpoints-per-switch", "2"]


@case("graphml-directed", "GraphML, links as two directed edges: `describe`", 1_500)
def _(folder, size):
    return ["describe", graphml(folder, size, True), "--endpoints-per-switch", "2"]


@case("gexf-links", "GEXF, links: `describe`", 1_500)
def _(folder, size):
    lines = [
        '<gexf xmlns="http://gexf.net/1.2" version="1.2"><graph defaultedgetype="undirected">',
        '<attributes class="edge"><attribute id="0" title="rate_gbps" type="double"/></attributes><nodes>',
        *(f'<node id="n{node}" label="s{node}"/>' for node in range(SWITCHES)),
        "</nodes><edges>",
    ]
    for at, (one, other) in enumerate(ring(size)):
        value = '<attvalues><attvalue for="0" value="200"/></attvalues>'
        lines.append(f'<edge id="{at}" source="n{one}" target="n{other}">{value}</edge>')
    return ["describe", write(folder, "a.gexf", [*lines, "</edges></graph></gexf>"]), "--endpoints-per-switch", "2"]


@case("node-link-links", "node-link JSON of networkx, links: `describe`", 1_500)
def _(folder, size):
    edges = [
        {"source": one, "target": other, "rate_gbps": 200, "key": at} for at, (one, other) in enumerate(ring(size))
    ]
    graph = {
        "directed": False,
        "multigraph": True,
        "graph": {},
        "nodes": [{"id": node} for node in range(SWITCHES)],
        "edges": edges,
    }
    (folder / "a.json").write_text(json.dumps(graph))
    return ["describe", "a.json", "--endpoints-per-switch", "2"]


@case("toml-links", "our own TOML, links: `describe`", 1_500)
def _(folder, size):
    lines = [
        'name = "a"',
        'switch = "rosetta"',
        'nic = "cassini-1"',
        'congestion = "slingshot"',
        "[graph]",
        f"switches = {SWITCHES}",
    ]
    lines += ["endpoints_per_switch = 2", "links = ["]
    lines += [f"  {{ between = [{one}, {other}] }}," for one, other in ring(size)]
    return ["describe", write(folder, "a.toml", [*lines, "]"])]


@case("export-links", "links: `describe --graphml --networkx`", 1_500)
def _(folder, size):
    return [
        "describe",
        graphml(folder, size, False),
        "--endpoints-per-switch",
        "2",
        "--graphml",
        "b.graphml",
        "--networkx",
        "b.json",
    ]


# Fabrics: N hosts on switches of 32 of them, each switch joined to the first four.


def leaves(hosts: int) -> int:
    """Switches of 32 hosts."""
    return -(-hosts // 32)


@case("ibnetdiscover-hosts", "`ibnetdiscover`, hosts: `describe`", 1_000)
def _(folder, size):
    count = leaves(size)
    spines = 4
    lines = ["# Topology file: generated on Mon Jan  1 00:00:00 2024", ""]
    for leaf in range(count):
        lines.append(f'Switch\t40 "S-{leaf:016x}"\t\t# "MF0;leaf{leaf}:X/U1" enhanced port 0 lid {leaf + 1} lmc 0')
        for port, host in enumerate(range(leaf * 32, min(size, leaf * 32 + 32)), 1):
            lines.append(f'[{port}]\t"H-{host:016x}"[1]({host:x}) \t\t# "node{host} HCA-1" lid {host} 4xHDR')
        for spine in range(spines):
            lines.append(
                f'[{33 + spine}]\t"S-{0xF000 + spine:016x}"[{leaf + 1}]\t\t# "MF0;spine{spine}:X/U1" lid 9 4xHDR'
            )
        lines.append("")
    for spine in range(spines):
        lines.append(
            f'Switch\t{max(40, count)} "S-{0xF000 + spine:016x}"\t\t# "MF0;spine{spine}:X/U1" enhanced port 0 lid 9 lmc 0'
        )
        lines += [
            f'[{leaf + 1}]\t"S-{leaf:016x}"[{33 + spine}]\t\t# "MF0;leaf{leaf}:X/U1" lid 9 4xHDR'
            for leaf in range(count)
        ]
        lines.append("")
    for host in range(size):
        leaf, port = host // 32, host % 32 + 1
        lines.append(f'Ca\t1 "H-{host:016x}"\t\t# "node{host} HCA-1"')
        lines.append(
            f'[1]({host:x}) \t"S-{leaf:016x}"[{port}]\t\t# lid {host} lmc 0 "MF0;leaf{leaf}:X/U1" lid 9 4xHDR\n'
        )
    return ["describe", write(folder, "a.net", lines)]


HEADER = (
    "cable_id,src_conn_a,src_conn_b,dst_conn_a,dst_conn_b,stage,src_egress_a,src_egress_b,dst_egress_a,dst_egress_b,link_type,"
    "src_group,dst_group,part_number,part_length,calculated_distance,route"
)


@case("cabling-cables", "point-to-point cabling (CSV), cables: `describe`", 1_020)
def _(folder, size):
    # A switch in each slot of cabinets; sixteen cables of it lead to nodes, one to another switch,
    # as in a tree.
    lines = [HEADER]
    place = lambda number: (1000 + number // 64, number // 8 % 8, number % 8)  # noqa: E731
    for cable in range(size):
        switch, jack = divmod(cable, 17)
        cabinet, chassis, slot = place(switch)
        source = f"x{cabinet}c{chassis}r{slot}j{jack + 1}"
        rest = "1,none,none,none,none"
        if jack:
            node = f"x{cabinet}c{chassis}s{slot}b{(jack - 1) // 4}n{(jack - 1) % 4}"
            lines.append(f"c{cable},{source},none,{node}h0,{node}h1,{rest},edge,0,n/a,1,1,1,[]")
        elif switch:
            cabinet, chassis, slot = place((switch - 1) // 2)
            far = f"x{cabinet}c{chassis}r{slot}j{18 + switch % 2}"
            lines.append(f"c{cable},{source},none,{far},none,{rest},local,0,0,1,1,1,[]")
    return ["describe", write(folder, "a.csv", lines)]


# Runs and their results: N messages, N jobs, N links of a system.


def scenario(folder: Path, jobs: list[str], system: str = "malbec", extra: str = "") -> str:
    """A scenario of jobs."""
    return write(folder, "s.toml", ['name = "s"', f'system = "{system}"', extra, *jobs])


def job(name: str, nodes: str, iterations: int) -> str:
    """A job of small messages, to and fro."""
    work = f"{{ kind = 'ping-pong', bytes = '8B', iterations = {iterations} }}"
    return f'[[job]]\nname = "{name}"\nnodes = {nodes}\nworkload = {work}\n'


def messages(folder: Path, size: int) -> str:
    """A scenario of so many messages."""
    return scenario(folder, [job("a", "2", size // 2)])


def jobs(folder: Path, size: int, extra: str = "") -> str:
    """A scenario of so many jobs."""
    return scenario(folder, [job(f"j{at}", "2", 1) for at in range(size)], "frontier", extra)


def run(scenario: str, output: str, *more: str) -> list[str]:
    """A run that writes its result."""
    return ["simulate", scenario, "--quiet", "--threads", "1", "--output", output, *more]


@case("run-messages", "messages: `simulate`, with report and tables", 1_000)
def _(folder, size):
    return run(messages(folder, size), "a")


@case("run-jobs", "jobs: `simulate`, with report and tables", 64)
def _(folder, size):
    return run(jobs(folder, size), "a")


@case("run-jobs-interleaved", "jobs, placed `interleaved`: `simulate`", 64)
def _(folder, size):
    return run(jobs(folder, size, "allocation = 'interleaved'"), "a")


@case("run-ranks", "ranks of a job: `simulate`", 2_000)
def _(folder, size):
    work = "{ kind = 'permutation', bytes = '8B', iterations = 1 }"
    text = f'[[job]]\nname = "a"\nnodes = 100\nprocesses_per_node = {size // 100}\nworkload = {work}\n'
    return run(scenario(folder, [text]), "a")


@case("run-iterations", "samples over time: `simulate`", 40)
def _(folder, size):
    extra = f'[measure]\nsample_interval = "1us"\n[run]\ntime_limit = "{size}us"\n'
    work = "{ kind = 'permutation', bytes = '64KiB', window = 4 }"
    return run(scenario(folder, [f'[[job]]\nname = "a"\nnodes = 16\nworkload = {work}\n'], "malbec", extra), "a")


@case("compare-jobs", "jobs of both: `compare`", 64)
def _(folder, size):
    scene = jobs(folder, size)
    return [run(scene, "a"), run(scene, "b", "--seed", "2"), ["compare", "a", "b"]]


@case("compare-page", "jobs of both: `compare --html`", 64)
def _(folder, size):
    scene = jobs(folder, size)
    return [run(scene, "a"), run(scene, "b", "--seed", "2"), ["compare", "a", "b", "--html", "c.html"]]


@case("export-rows", "messages: `export messages --csv`", 4_000)
def _(folder, size):
    return [run(messages(folder, size), "a"), ["export", "a", "messages", "--csv"]]


@case("explain-messages", "messages: `explain`", 500)
def _(folder, size):
    return ["explain", messages(folder, size), "--job", "a"]


@case("timeline-messages", "messages: `simulate --timeline`", 500)
def _(folder, size):
    return run(messages(folder, size), "a", "--timeline", "t.json")


@case("sweep-runs", "runs that are there: `sweep`", 8)
def _(folder, size):
    sweep = ["sweep", messages(folder, 20), "--seeds", f"1-{size}", "--output", "w"]
    return [sweep, sweep]
