"""OTF2 archives as traces: each test writes its own archive."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Callable

import philae
import pytest
from philae import traces

otf2: Any = pytest.importorskip("otf2")

#: Of the archives: ticks are 10 ns.
RESOLUTION = 100_000_000


class Archive:
    """An archive of an MPI program that is being written."""

    def __init__(self, folder: Path, ranks: int) -> None:
        self.trace = otf2.writer.Writer(str(folder), timer_resolution=RESOLUTION)
        definitions = self.trace.definitions
        node = definitions.system_tree_node("node")
        processes = [definitions.location_group(f"rank {rank}", system_tree_parent=node) for rank in range(ranks)]
        self.locations = [definitions.location("main", group=process) for process in processes]
        self.mpi = otf2.Paradigm.MPI
        definitions.group("world", otf2.GroupType.COMM_LOCATIONS, self.mpi, members=self.locations)
        self.world = self.communicator("MPI_COMM_WORLD", range(ranks))
        self.events = [self.trace.event_writer_from_location(location) for location in self.locations]

    def communicator(self, name: str, ranks: Any) -> Any:
        members = [self.locations[rank] for rank in ranks]
        group = self.trace.definitions.group(name, otf2.GroupType.COMM_GROUP, self.mpi, members=members)
        return self.trace.definitions.comm(name, group)

    def call(self, rank: int, name: str, begin: int, end: int, *events: Callable[[Any], None]) -> None:
        """An MPI call from `begin` to `end`, with what it notes between them."""
        region = self.trace.definitions.region(name, paradigm=self.mpi)
        self.events[rank].enter(begin, region)
        for event in events:
            event(self.events[rank])
        self.events[rank].leave(end, region)

    def collective(
        self, rank: int, name: str, begin: int, sent: int, received: int, *, on: Any = None, root: int = 0
    ) -> None:
        operation = getattr(otf2.CollectiveOp, name)
        communicator = on or self.world
        self.call(
            rank,
            f"MPI_{name.capitalize()}",
            begin,
            begin + 10,
            lambda events: events.mpi_collective_begin(begin + 1),
            lambda events: events.mpi_collective_end(begin + 9, operation, communicator, root, sent, received),
        )


def converted(archive: Archive, folder: Path, **options: Any) -> tuple[traces.Conversion, dict[int, list[str]]]:
    archive.trace.close()
    done = traces.from_otf2(folder / "traces.otf2", folder / "app.trace", **options)
    actions: dict[int, list[str]] = {}
    for line in (folder / "app.trace").read_text().splitlines():
        if not line.startswith("#"):
            rank, action = line.split(" ", 1)
            actions.setdefault(int(rank), []).append(action)
    return done, actions


def test_messages_requests_and_the_time_between_calls(tmp_path: Path) -> None:
    archive = Archive(tmp_path / "a", 2)
    world = archive.world
    user = archive.trace.definitions.region("solve")
    archive.events[0].enter(100, user)
    archive.call(0, "MPI_Send", 150, 160, lambda events: events.mpi_send(151, 1, world, 7, 4096))
    archive.call(0, "MPI_Irecv", 160, 165, lambda events: events.mpi_irecv_request(161, 1))
    archive.call(0, "MPI_Wait", 265, 300, lambda events: events.mpi_irecv(299, 1, world, 8, 64, 1))
    archive.events[0].leave(320, user)
    archive.call(1, "MPI_Recv", 100, 170, lambda events: events.mpi_recv(169, 0, world, 7, 4096))
    archive.call(1, "MPI_Isend", 180, 190, lambda events: events.mpi_isend(181, 0, world, 8, 64, 5))
    archive.call(1, "MPI_Waitall", 190, 200, lambda events: events.mpi_isend_complete(199, 5))
    done, actions = converted(archive, tmp_path / "a")
    assert actions[0] == [
        "init",
        "compute 500",
        "send 1 7 4096",
        "irecv 1 8 64",
        "compute 1000",
        "wait 1 0 8",
        "compute 200",
        "finalize",
    ]
    assert actions[1] == ["init", "recv 0 7 4096", "compute 100", "isend 0 8 64", "wait 1 0 8", "finalize"]
    assert (done.ranks, done.warnings) == (2, [])
    # The simulator runs it: 1.7 us of computation and two messages.
    scenario = philae.Scenario(system="malbec", jobs=[philae.Job("app", nodes=2, workload=done.workload())])
    result = philae.run(scenario)
    assert result.status == "completed"
    assert sorted(result["messages"]["bytes"].tolist()) == [64, 4096]


def test_a_call_that_sends_and_receives_does_both_at_once(tmp_path: Path) -> None:
    archive = Archive(tmp_path / "a", 2)
    for rank in (0, 1):
        archive.call(
            rank,
            "MPI_Sendrecv",
            10,
            20,
            lambda events, peer=1 - rank: events.mpi_send(11, peer, archive.world, 0, 1 << 20),  # type: ignore[misc]
            lambda events, peer=1 - rank: events.mpi_recv(19, peer, archive.world, 0, 1 << 20),  # type: ignore[misc]
        )
    done, actions = converted(archive, tmp_path / "a")
    assert actions[0] == ["init", "isend 1 0 1048576", "recv 1 0 1048576", "wait 0 1 0", "finalize"]
    scenario = philae.Scenario(system="malbec", jobs=[philae.Job("app", nodes=2, workload=done.workload())])
    assert philae.run(scenario).status == "completed", "though both wait for the other's receive"


def test_collectives_have_the_sizes_of_their_parts(tmp_path: Path) -> None:
    archive = Archive(tmp_path / "a", 4)
    for rank in range(4):
        is_root = rank == 2
        archive.collective(rank, "BARRIER", 100, 0, 0)
        # As Score-P counts: to all ranks, oneself included, and without oneself where it is in
        # place.
        archive.collective(rank, "ALLREDUCE", 200, 4 * 800, 4 * 800)
        archive.collective(rank, "ALLREDUCE", 300, 3 * 1001, 3 * 1001)
        archive.collective(rank, "ALLTOALL", 400, 4 * 64, 4 * 64)
        archive.collective(rank, "BCAST", 500, 4 * 96 if is_root else 0, 96, root=2)
        archive.collective(rank, "GATHERV", 600, 10 * (rank + 1), 100 if is_root else 0, root=2)
        archive.collective(rank, "REDUCE_SCATTER", 650, 80 + 160 + 240 + 320, 4 * 80 * (rank + 1))
        archive.collective(rank, "CREATE_HANDLE", 700, 0, 0)
    done, actions = converted(archive, tmp_path / "a")
    assert [action for action in actions[1] if not action.startswith("compute")] == [
        "init",
        "barrier",
        "allreduce 800 0",
        "allreduce 1001 0",
        "alltoall 64 64",
        "bcast 96 2",
        "gatherv 20 10 20 30 40 2",
        "reducescatter 80 160 240 320 0",
        "barrier",
        "finalize",
    ]
    assert done.warnings == ["4 calls that make or free communicators and windows: written as barriers"]
    scenario = philae.Scenario(system="malbec", jobs=[philae.Job("app", nodes=4, workload=done.workload())])
    assert philae.run(scenario).status == "completed"


def test_tags_of_two_communicators_do_not_meet(tmp_path: Path) -> None:
    archive = Archive(tmp_path / "a", 2)
    back = archive.communicator("backwards", [1, 0])
    archive.call(0, "MPI_Send", 10, 20, lambda events: events.mpi_send(11, 1, archive.world, 3, 8))
    archive.call(0, "MPI_Send", 20, 30, lambda events: events.mpi_send(21, 0, back, 3, 16))
    archive.call(1, "MPI_Recv", 10, 40, lambda events: events.mpi_recv(39, 1, back, 3, 16))
    archive.call(1, "MPI_Recv", 40, 50, lambda events: events.mpi_recv(49, 0, archive.world, 3, 8))
    _, actions = converted(archive, tmp_path / "a")
    first, second = (action.split() for action in actions[0][1:3])
    assert first[2] != second[2], "each has a tag of its own"
    assert actions[1][1] == f"recv 0 {second[2]} 16"


def test_what_the_form_cannot_say_is_an_error_or_a_warning(tmp_path: Path) -> None:
    def half(folder: Path) -> Archive:
        archive = Archive(folder, 4)
        pair = archive.communicator("pair", [0, 1])
        for rank in range(4):
            archive.collective(rank, "BARRIER", 100, 0, 0)
            archive.collective(rank, "SCAN", 200, 8, 8)
            if rank < 2:
                archive.collective(rank, "BARRIER", 300, 0, 0, on=pair)
        return archive

    with pytest.raises(traces.TraceError, match="communicator 'pair'"):
        converted(half(tmp_path / "a"), tmp_path / "a")
    done, _ = converted(half(tmp_path / "b"), tmp_path / "b", sub_communicators="skip")
    assert done.warnings == ["2 collective operations of some of the ranks: left out", "4 scan: left out"]
    with pytest.raises(traces.TraceError, match="is not a file"):
        traces.from_otf2(tmp_path / "nothing.otf2", tmp_path / "out")
    (tmp_path / "text.otf2").write_text("not an archive")
    with pytest.raises(traces.TraceError, match="cannot be read"):
        traces.from_otf2(tmp_path / "text.otf2", tmp_path / "out")
    with pytest.raises(traces.TraceError, match='"skip" would work'):
        traces.from_otf2(tmp_path / "text.otf2", tmp_path / "out", sub_communicators="perhaps")


def test_the_command_says_what_it_did(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    archive = Archive(tmp_path / "a", 2)
    archive.call(0, "MPI_Send", 10, 20, lambda events: events.mpi_send(11, 1, archive.world, 3, 8))
    archive.call(1, "MPI_Recv", 10, 20, lambda events: events.mpi_recv(19, 0, archive.world, 3, 8))
    archive.trace.close()
    out = tmp_path / "app.trace"
    assert traces.main([str(tmp_path / "a" / "traces.otf2"), str(out)]) == 0
    assert "2 ranks, 6 actions" in capsys.readouterr().out
    assert traces.main([str(tmp_path / "nowhere"), str(out)]) == 2
    assert "is not a file" in capsys.readouterr().err
