#!/usr/bin/env python3
"""Runs Philae and other simulators on the same workloads, in turns, and writes speed, memory and ratios.

First it checks that the physics agree: a message alone takes the same time in each, and under load each accepts the same.
"""

from __future__ import annotations

import argparse
import shlex
import sys
import tempfile
from pathlib import Path

from cases import Case, cases
from report import Measured, Probe, disagreements, document
from simulators import Caminos, Ns3, Philae, RunError, SimGrid, Simulator


def say(text: str) -> None:
    """Progress, on standard error."""
    print(text, file=sys.stderr, flush=True)


def usable(simulators: list[Simulator]) -> tuple[list[Simulator], list[str]]:
    """Those that can run here, and why the others cannot."""
    ready, left_out = [], []
    for simulator in simulators:
        why = simulator.missing()
        if why:
            left_out.append(f"{simulator.name.split(',')[0]} {why}; install it with: {simulator.install}")
            continue
        simulator.build()
        ready.append(simulator)
    return ready, list(dict.fromkeys(left_out))


def probe(simulators: list[Simulator], chosen: list[Case], folder: Path) -> list[Probe]:
    """One message alone, in every network and every simulator."""
    probes = []
    for network in dict.fromkeys(case.network for case in chosen):
        for to, switches in network.probes():
            found = {one.name: one.alone(network, to, folder) for one in simulators if one.runs(network)}
            probes.append(Probe(network, to, switches, found))
    return probes


def measure(simulators: list[Simulator], chosen: list[Case], rounds: int, folder: Path) -> list[Measured]:
    """Every case in every simulator, in turns; the order is turned round from round to round."""
    measured = [Measured(case) for case in chosen]
    for number in range(rounds):
        for case, results in zip(chosen, measured):
            able = [one for one in simulators if one.runs(case.network)]
            for simulator in able if number % 2 == 0 else able[::-1]:
                run = simulator.loaded(case.with_seed(number + 1), folder)
                results.add(simulator.name, run)
                took = f"{run.process.wall_s:.2f} s, accepted {run.accepted:.3f}"
                say(f"peers: round {number + 1}/{rounds}, {case.name}, {simulator.name}: {took}")
    return measured


def without_philae(words: list[str]) -> list[str]:
    """The arguments but for the command's place, which the Makefile gives."""
    kept: list[str] = []
    for before, word in zip(["", *words], words):
        if before != "--philae" and not word.startswith("--philae"):
            kept.append(word)
    return kept


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, help="rounds; default 5, with --check 1")
    parser.add_argument("--check", action="store_true", help="small networks, and only whether the physics agree")
    parser.add_argument("--document", type=Path, help="write the tables to this Markdown file too")
    parser.add_argument("--philae", type=Path, help="the command; default: the one that was built last")
    parser.add_argument("--only", action="append", metavar="NAME", help="only this peer; can be repeated")
    arguments = parser.parse_args()
    rounds = arguments.rounds if arguments.rounds is not None else (1 if arguments.check else 5)
    if rounds < 1:
        parser.error(f"--rounds {rounds}: at least 1")
    philae = Philae(arguments.philae.resolve() if arguments.philae else None)
    peers: list[Simulator] = [Caminos(), Caminos(phits=4), Ns3(), SimGrid()]
    if arguments.only:
        asked = [name.lower() for name in arguments.only]
        names = {peer.name.split(",")[0].lower() for peer in peers}
        unknown = [name for name in asked if name not in names]
        if unknown:
            parser.error(f"--only {unknown[0]}: the peers are {', '.join(sorted(names))}")
        peers = [peer for peer in peers if peer.name.split(",")[0].lower() in asked]
    if philae.missing():
        say(f"peers: Philae {philae.missing()}; build it with: {philae.install}")
        return 1

    ready, left_out = usable([philae, *peers])
    for line in left_out:
        say(f"peers: LEFT OUT {line}")
    if len(ready) == 1 and not arguments.check:
        say("peers: no peer is installed, so there is nothing to compare with")
        return 1
    # A check runs Philae alone where no peer is there: what a message alone takes is known.
    chosen = [
        case
        for case in cases(small=arguments.check)
        if arguments.check or any(one.runs(case.network) for one in ready[1:])
    ]
    with tempfile.TemporaryDirectory(prefix="philae-peers-") as name:
        folder = Path(name)
        probes = probe(ready, chosen, folder)
        measured = measure(ready, chosen, rounds, folder)
    wrong = disagreements(probes, measured)
    for line in wrong:
        say(f"peers: {line}")
    if arguments.check:
        compared = ", ".join(one.name for one in ready)
        if not wrong:
            verb = "agrees with what it should be" if len(ready) == 1 else "agree"
            say(f"peers: {compared} {verb}: a message alone, and the load that is sent and accepted")
        return 1 if wrong else 0
    typed = "make bench-peers PEERS=" + shlex.quote(shlex.join(without_philae(sys.argv[1:])))
    text = document(ready, left_out, probes, measured, wrong, typed, rounds)
    if arguments.document:
        arguments.document.write_text(text)
        say(f"peers: wrote {arguments.document}")
    print(text)
    return 1 if wrong else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except RunError as failure:
        say(f"peers: {failure}")
        sys.exit(1)
