"""Traces of other tools as files that `philae` reads.

`from_otf2` turns an OTF2 archive (Score-P, Vampir, TAU) into a time-independent trace of SimGrid's form, which a job of a
scenario runs: `workload = {kind = "trace", file = ..., flops_per_second = 1000000000}`. Computation is the time between MPI
calls, in nanoseconds, so that a core does 10^9 "operations" in a second.

    $ python -m philae.traces traces.otf2 app.trace
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, Union

from philae._extra import extra

#: What a scenario says of the traces that are written here: computation is in nanoseconds.
FLOPS_PER_SECOND = 1_000_000_000

_Path = Union[str, "os.PathLike[str]"]


class TraceError(ValueError):
    """A trace that cannot be converted: what was found, and what would work."""


@dataclass(frozen=True)
class Conversion:
    """What was written."""

    path: Path
    ranks: int
    #: Actions, computation among them.
    actions: int
    #: Parts of the archive that the trace does not have.
    warnings: list[str] = field(default_factory=list)

    def workload(self) -> dict[str, object]:
        """The workload of a job that runs it."""
        return {"kind": "trace", "file": str(self.path), "format": "smpi", "flops_per_second": FLOPS_PER_SECOND}


class _Message(NamedTuple):
    """A send or receive; `peer` is a rank of the world, `channel` a communicator and a tag."""

    action: str
    peer: int
    channel: tuple[int, int]
    size: int


class _Wait(NamedTuple):
    message: _Message


class _Compute(NamedTuple):
    nanoseconds: int


class _Collective(NamedTuple):
    name: str
    root: int
    sent: int
    received: int


class _Posted:
    """A receive that was posted, whose sender is known once it is complete."""

    def __init__(self) -> None:
        self.message: _Message | None = None


_Action = Union[_Message, _Wait, _Compute, _Collective, _Posted]

#: OTF2's collective operations, by the names of its enumeration, and what they are here.
_COLLECTIVES = {
    "BARRIER": "barrier",
    "BCAST": "bcast",
    "GATHER": "gather",
    "GATHERV": "gatherv",
    "SCATTER": "scatter",
    "SCATTERV": "scatterv",
    "ALLGATHER": "allgather",
    "ALLGATHERV": "allgatherv",
    "ALLTOALL": "alltoall",
    "ALLTOALLV": "alltoallv",
    "ALLTOALLW": "alltoallv",
    "ALLREDUCE": "allreduce",
    "REDUCE": "reduce",
    "REDUCE_SCATTER": "reducescatter",
    "REDUCE_SCATTER_BLOCK": "reducescatter",
}
#: What MPI calls that say nothing but that everybody takes part are: they make communicators and windows.
_SYNCHRONISING = ("CREATE_HANDLE", "DESTROY_HANDLE", "ALLOCATE", "DEALLOCATE")


class _Rank:
    """What one rank does, as its events are read."""

    def __init__(self) -> None:
        self.actions: list[_Action] = []
        #: MPI calls that are open.
        self.depth = 0
        #: Since when it computes; None before its first event.
        self.since: int | None = None
        self.end = 0
        #: Where the open MPI call begins among the actions.
        self.call = 0
        self.requests: dict[int, _Message | _Posted] = {}

    def compute_until(self, time: int, resolution: int) -> None:
        if self.since is not None and time > self.since:
            self.actions.append(_Compute(round((time - self.since) * 1_000_000_000 / resolution)))

    def leave_call(self) -> None:
        """A call that sends and receives does so at once: its send does not wait for its receive."""
        added = self.actions[self.call :]
        kinds = {action.action for action in added if isinstance(action, _Message)}
        if not {"send", "recv"} <= kinds:
            return
        changed: list[_Action] = []
        sends: list[_Message] = []
        for action in added:
            if isinstance(action, _Message) and action.action == "send":
                action = action._replace(action="isend")
                sends.append(action)
            changed.append(action)
        # The receives may have been noted first, as they are known when the call ends.
        changed.sort(key=lambda action: not (isinstance(action, _Message) and action.action == "isend"))
        self.actions[self.call :] = [*changed, *map(_Wait, sends)]


class _Reader:
    def __init__(self, trace: Any, sub_communicators: str) -> None:
        self.trace = trace
        self.skip_others = sub_communicators == "skip"
        self.resolution = int(trace.timer_resolution)
        self.warnings: Counter[str] = Counter()
        self.rank_of = self._world()
        self.ranks = [_Rank() for _ in self.rank_of]

    def _world(self) -> dict[Any, int]:
        """Ranks of locations: those of the group of all MPI processes."""
        groups = [group for group in self.trace.definitions.groups if _name(group.paradigm) == "MPI"]
        of_all = [group for group in groups if _name(group.group_type) == "COMM_LOCATIONS"]
        if not of_all:
            raise TraceError(
                "the archive has no group of MPI locations, so no location has a rank; traces of MPI programs would work"
            )
        return {location: rank for rank, location in enumerate(of_all[0].members)}

    def world_rank(self, communicator: Any, rank: int) -> int:
        try:
            return self.rank_of[communicator.group.members[rank]]
        except (AttributeError, IndexError, KeyError, TypeError):
            name = getattr(communicator, "name", communicator)
            raise TraceError(
                f"rank {rank} of communicator '{name}' is no MPI process of the archive; "
                "communicators within one world work, inter-communicators do not"
            ) from None

    def read(self) -> None:
        for location, event in self.trace.events:
            number = self.rank_of.get(location)
            if number is None:
                continue
            rank = self.ranks[number]
            if rank.since is None:
                rank.since = event.time
            self.event(number, rank, event)
            # What follows the last event of a rank is unknown; computation before it counts.
            rank.end = event.time
        for rank in self.ranks:
            if rank.depth == 0:
                rank.compute_until(rank.end, self.resolution)

    def event(self, number: int, rank: _Rank, event: Any) -> None:
        kind = type(event).__name__
        if kind in ("Enter", "Leave"):
            if _is_mpi(event.region):
                self.region(rank, kind, event.time)
            return
        actions = list(self.actions(number, rank, kind, event))
        if not actions:
            return
        if rank.depth == 0:
            rank.compute_until(event.time, self.resolution)
            rank.since = event.time
        rank.actions.extend(actions)

    def region(self, rank: _Rank, kind: str, time: int) -> None:
        if kind == "Enter":
            if rank.depth == 0:
                rank.compute_until(time, self.resolution)
                rank.call = len(rank.actions)
            rank.depth += 1
        else:
            rank.depth = max(rank.depth - 1, 0)
            if rank.depth == 0:
                rank.leave_call()
                rank.since = time

    def actions(self, number: int, rank: _Rank, kind: str, event: Any) -> Iterator[_Action]:
        if kind in ("MpiSend", "MpiIsend"):
            peer = self.world_rank(event.communicator, event.receiver)
            channel = (event.communicator._ref, event.msg_tag)
            message = _Message("send" if kind == "MpiSend" else "isend", peer, channel, event.msg_length)
            if kind == "MpiIsend":
                rank.requests[event.request_id] = message
            yield message
        elif kind in ("MpiRecv", "MpiMrecv"):
            peer = self.world_rank(event.communicator, event.sender)
            yield _Message("recv", peer, (event.communicator._ref, event.msg_tag), event.msg_length)
        elif kind in ("MpiIrecvRequest", "MpiImrecvRequest"):
            posted = _Posted()
            rank.requests[event.request_id] = posted
            yield posted
        elif kind in ("MpiIrecv", "MpiImrecv"):
            peer = self.world_rank(event.communicator, event.sender)
            message = _Message("irecv", peer, (event.communicator._ref, event.msg_tag), event.msg_length)
            request = rank.requests.pop(event.request_id, None)
            if isinstance(request, _Posted):
                request.message = message
            else:
                self.warnings["receives without a request: posted where they ended"] += 1
                yield message
            yield _Wait(message)
        elif kind == "MpiIsendComplete":
            request = rank.requests.pop(event.request_id, None)
            if isinstance(request, _Message):
                yield _Wait(request)
        elif kind == "MpiRequestCancelled":
            if isinstance(rank.requests.pop(event.request_id, None), _Message):
                self.warnings["sends that were cancelled: sent all the same"] += 1
        elif kind in ("MpiCollectiveEnd", "NonBlockingCollectiveComplete"):
            if kind.startswith("Non"):
                self.warnings["nonblocking collectives: done where they are waited for"] += 1
            yield from self.collective(event)
        elif kind.startswith("Rma"):
            self.warnings["one-sided operations: left out"] += 1

    def collective(self, event: Any) -> Iterator[_Collective]:
        communicator, operation = event.communicator, _name(event.collective_op)
        members = getattr(getattr(communicator, "group", None), "members", None)
        if members is not None and len(members) == 1:
            return
        name = _COLLECTIVES.get(operation)
        if operation.startswith(_SYNCHRONISING):
            name = "barrier"
            self.warnings["calls that make or free communicators and windows: written as barriers"] += 1
        if name is None:
            self.warnings[f"{operation.lower()}: left out"] += 1
            return
        # Only those of everybody can be said in this form, in the order of the world.
        if members is None or [self.rank_of.get(member) for member in members] != list(range(len(self.ranks))):
            what = f"{operation.lower()} of communicator '{getattr(communicator, 'name', communicator)}'"
            if not self.skip_others:
                raise TraceError(
                    f"{what}: time-independent traces have collective operations of all ranks only; "
                    'sub_communicators="skip" leaves others out'
                )
            self.warnings["collective operations of some of the ranks: left out"] += 1
            return
        root = event.root if name in ("bcast", "gather", "gatherv", "scatter", "scatterv", "reduce") else 0
        yield _Collective(name, int(root), int(event.size_sent), int(event.size_received))

    def tags(self) -> dict[tuple[int, int], int]:
        """A tag for each communicator and tag: MPI's own where no two meet."""
        channels = sorted(
            {message.channel for rank in self.ranks for message in map(_message, rank.actions) if message is not None}
        )
        own = {tag for _, tag in channels}
        if len(own) == len(channels) and max(own, default=0) < 1 << 30:
            return {channel: channel[1] for channel in channels}
        return {channel: number for number, channel in enumerate(channels)}


def _name(value: Any) -> str:
    """The name of a member of one of OTF2's enumerations."""
    return str(value).rsplit(".", 1)[-1]


def _is_mpi(region: Any) -> bool:
    return _name(region.paradigm) == "MPI" or str(region.name).upper().startswith("MPI_")


def _message(action: _Action) -> _Message | None:
    if isinstance(action, _Posted):
        return action.message
    return action if isinstance(action, _Message) else None


def _part(total: int, ranks: int) -> int:
    """One rank's part of a sum over all ranks, or, where the call was in place, over all others."""
    return total // ranks if total % ranks == 0 else total // (ranks - 1)


def _collective_line(calls: Sequence[_Collective], rank: int) -> str:
    """The action of `rank` in a collective operation, whose calls are those of all ranks."""
    call, ranks = calls[rank], len(calls)
    # A rank that is not the root, whose sizes are those of one part.
    other = calls[1 if call.root == 0 else 0]
    if call.name == "barrier":
        return "barrier"
    if call.name == "bcast":
        return f"bcast {other.received} {call.root}"
    if call.name == "reduce":
        return f"reduce {other.sent} 0 {call.root}"
    if call.name == "gather":
        return f"gather {other.sent} {other.sent} {call.root}"
    if call.name == "scatter":
        return f"scatter {other.received} {other.received} {call.root}"
    if call.name == "allreduce":
        return f"allreduce {_part(call.sent, ranks)} 0"
    if call.name in ("alltoall", "allgather"):
        part = _part(call.sent, ranks)
        return f"{call.name} {part} {part}"
    if call.name in ("gatherv", "scatterv"):
        own = [each.sent if call.name == "gatherv" else each.received for each in calls]
        at_root = calls[call.root]
        total = at_root.received if call.name == "gatherv" else at_root.sent
        rest = sum(own) - own[call.root]
        own[call.root] = max(total - rest, 0)
        sizes = " ".join(map(str, own))
        return (
            f"gatherv {own[rank]} {sizes} {call.root}"
            if call.name == "gatherv"
            else f"scatterv {sizes} {own[rank]} {call.root}"
        )
    parts = [_part(each.sent, ranks) for each in calls]
    if call.name == "allgatherv":
        return f"allgatherv {parts[rank]} {' '.join(map(str, parts))}"
    if call.name == "reducescatter":
        own = [_part(each.received, ranks) for each in calls]
        return f"reducescatter {' '.join(map(str, own))} 0"
    # What a rank sends in all is known, not to whom: the same to everybody.
    sent = " ".join([str(parts[rank])] * ranks)
    return f"alltoallv {parts[rank] * ranks} {sent} {sum(parts)} {' '.join(map(str, parts))}"


def from_otf2(archive: _Path, out: _Path, *, sub_communicators: str = "error") -> Conversion:
    """Writes an OTF2 archive of an MPI program as a time-independent trace.

    Messages, requests and waits for them, collective operations of all ranks, and the time between MPI calls as computation.
    Sizes of collective operations are taken as Score-P counts them.

    Args:
        archive: The anchor file, `traces.otf2`.
        out: The trace to write; an existing one is replaced.
        sub_communicators: What to do with collective operations of some of the ranks, which the form cannot say:
            "error", or "skip" to leave them out and warn.

    Raises:
        TraceError: for what cannot be converted.
        ImportError: where the package `otf2` is missing (`pip install otf2`).
    """
    if sub_communicators not in ("error", "skip"):
        raise TraceError(f'sub_communicators is "{sub_communicators}"; "error" or "skip" would work')
    otf2 = extra("otf2")
    if not Path(archive).is_file():
        raise TraceError(f"'{archive}' is not a file; the anchor of an archive, such as traces.otf2, would work")
    unreadable = (otf2.error.Error, extra("_otf2.ErrorCodes").Error)
    try:
        trace = otf2.reader.Reader(os.fspath(archive))
        try:
            reader = _Reader(trace, sub_communicators)
            reader.read()
        finally:
            trace.close()
    except unreadable as error:
        raise TraceError(f"'{archive}' cannot be read as OTF2: {error}") from error
    lines = list(_lines(reader))
    Path(out).write_text(
        "# Time-independent trace, from OTF2; computation in ns (flops_per_second = 1000000000)\n" + "".join(lines),
        encoding="utf-8",
    )
    warnings = [f"{count} {what}" for what, count in sorted(reader.warnings.items())]
    return Conversion(Path(out), len(reader.ranks), len(lines), warnings)


def _lines(reader: _Reader) -> Iterator[str]:
    tags = reader.tags()
    collectives = [[action for action in rank.actions if isinstance(action, _Collective)] for rank in reader.ranks]
    counts = {len(calls) for calls in collectives}
    if len(counts) > 1:
        raise TraceError(
            f"ranks take part in {min(counts)} to {max(counts)} collective operations of all ranks; all in the same works"
        )
    operations = list(zip(*collectives))
    if any(len({call.name for call in calls}) > 1 for calls in operations):
        raise TraceError(
            "ranks take part in different collective operations at the same position; "
            "the same operation on all ranks would work"
        )
    for rank, of_rank in enumerate(reader.ranks):
        yield f"{rank} init\n"
        number = 0
        for action in of_rank.actions:
            if isinstance(action, _Compute):
                yield f"{rank} compute {action.nanoseconds}\n"
            elif isinstance(action, _Collective):
                line = _collective_line(operations[number], rank)
                number += 1
                if line.startswith("alltoallv"):
                    reader.warnings["parts in alltoallv: each rank's bytes in equal parts"] += 1
                yield f"{rank} {line}\n"
            elif isinstance(action, _Wait):
                message = action.message
                ends = (message.peer, rank) if message.action == "irecv" else (rank, message.peer)
                yield f"{rank} wait {ends[0]} {ends[1]} {tags[message.channel]}\n"
            else:
                posted = _message(action)
                if posted is None:
                    reader.warnings["receives that never ended: left out"] += 1
                else:
                    yield f"{rank} {posted.action} {posted.peer} {tags[posted.channel]} {posted.size}\n"
        yield f"{rank} finalize\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Converts an archive, as a command."""
    parser = argparse.ArgumentParser(
        prog="philae-otf2", description="Write an OTF2 archive as a trace that philae reads."
    )
    parser.add_argument("archive", help="the anchor file, traces.otf2")
    parser.add_argument("out", help="the time-independent trace to write")
    parser.add_argument(
        "--sub-communicators",
        choices=["error", "skip"],
        default="error",
        help="collective operations of some of the ranks: refuse the archive, or leave them out",
    )
    asked = parser.parse_args(arguments)
    try:
        done = from_otf2(asked.archive, asked.out, sub_communicators=asked.sub_communicators)
    except (TraceError, ImportError, OSError) as error:
        print(f"philae-otf2: {error}", file=sys.stderr)
        return 2
    for warning in done.warnings:
        print(f"warning: {warning}", file=sys.stderr)
    print(f"{done.path}: {done.ranks} ranks, {done.actions} actions; run it with flops_per_second = {FLOPS_PER_SECOND}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
