"""Plots of a result with matplotlib: each is one call and returns the axes, with labels and units."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from philae._extra import extra
from philae._native import ResultError
from philae.table import Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from philae.result import Result

#: Colours that people with a colour vision deficiency tell apart (Okabe and Ito), and that print well.
COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"]
#: Kinds of links in the order in which they are drawn.
ROLES = ("edge", "local", "global")
#: Switches that are drawn one by one at most; larger systems are drawn group by group.
SWITCHES_MAX = 600


class Plots:
    """Plots of one result.

    Every plot takes `ax`, the axes to draw on (default: new ones), and returns the axes; `.figure` saves the picture.
    """

    def __init__(self, result: Result) -> None:
        """Takes the result."""
        self._result = result
        self._wiring: Table | None = None

    def wiring(self) -> Table:
        """The wiring of the result's system, as `System.wiring` gives it."""
        if self._wiring is None:
            system = self._result.scenario.system
            self._wiring = system.wiring()
        return self._wiring

    def latency_cdf(self, job: str | None = None, *, ax: Axes | None = None) -> Axes:
        """Share of messages that took at most a time, from issue to delivery: one line for each job, or of `job`.

        Raises:
            ResultError: the result has no rows of messages of this job.
        """
        np, axes = extra("numpy"), _axes(ax, (6.4, 4.0))
        table = self._result["messages"]
        jobs, latency = table["job"], table["latency_ps"]
        names = self._jobs(job, jobs, "messages")
        factor, unit = _scale(float(np.median(latency[np.isin(jobs, names)])))
        for index, name in enumerate(names):
            values = np.sort(latency[jobs == name]) / factor
            share = np.arange(1, len(values) + 1) / len(values)
            axes.step(values, share, where="post", color=_colour(index), label=f"{name} ({len(values):,} messages)")
            for percent, style in ((50, ":"), (99, "--")):
                at = float(np.percentile(values, percent))
                axes.axvline(
                    at, color=_colour(index), linestyle=style, linewidth=0.9, label=f"p{percent}: {at:.3g} {unit}"
                )
        values = latency[np.isin(jobs, names)]
        if values.max() > 20 * max(values.min(), 1):
            axes.set_xscale("log")
            # Times as they are read: 2, 5, 10, 20, ...
            ticker = extra("matplotlib.ticker")
            axes.xaxis.set_major_locator(ticker.LogLocator(subs=(1.0, 2.0, 5.0)))
            axes.xaxis.set_major_formatter(ticker.FormatStrFormatter("%g"))
            axes.xaxis.set_minor_formatter(ticker.NullFormatter())
        axes.set(xlabel=f"message latency, issue to delivery ({unit})", ylabel="share of messages", ylim=(0, 1.02))
        return _finish(axes, self._title("message latency"), legend="lower right")

    def utilisation(self, *, ax: Axes | None = None) -> Axes:
        """Mean utilisation of the links over time, one line for each kind, idle links included; the busiest one dashed.

        Raises:
            ResultError: the result has no time series (`measure.sample_interval` is 0).
        """
        np, axes = extra("numpy"), _axes(ax, (6.4, 4.0))
        ports = self._ports()
        times = np.unique(ports["time_ps"])
        factor, unit = _scale(float(times[-1] + ports["interval_ps"].max()))
        wiring, roles, found = self.wiring(), ports["role"], ports["time_ps"]
        lengths = np.zeros(len(times))
        np.maximum.at(lengths, np.searchsorted(times, found), ports["interval_ps"])
        for index, role in enumerate(role for role in ROLES if (wiring["role"] == role).any()):
            rate = float(wiring["rate_mbps"][wiring["role"] == role].sum())  # bytes in a ps: Mb/s / 8e6
            of_role = roles == role
            at = np.searchsorted(times, found[of_role])
            sent = np.bincount(at, ports["bytes"][of_role], len(times))
            busiest = np.zeros(len(times))
            np.maximum.at(busiest, at, ports["utilisation"][of_role])
            edges = np.append(times, times[-1] + lengths[-1]) / factor
            mean = sent / np.maximum(rate / 8e6 * lengths, 1e-12)
            for values, style, label in ((mean, "-", f"{role} links, mean"), (busiest, "--", f"{role} links, busiest")):
                axes.stairs(100 * values, edges, baseline=None, color=_colour(index), linestyle=style, label=label)
        axes.set(xlabel=f"simulated time ({unit})", ylabel="utilisation of one direction (%)")
        axes.set_ylim(bottom=0)
        return _finish(axes, self._title("links over time"), legend="best")

    def heatmap(
        self, value: str = "utilisation", *, role: str | None = None, most: int = 40, ax: Axes | None = None
    ) -> Axes:
        """Ports over time, the busiest `most` of them, coloured by a column of the table `ports`.

        Args:
            value: `utilisation`, `queued_bytes_max` or `stalled_ps`.
            role: ports of one kind: `edge`, `local` or `global`; default: all.
            most: ports at most.
            ax: the axes.

        Raises:
            ResultError: the result has no rows of such ports.
        """
        np = extra("numpy")
        labels = {
            "utilisation": ("utilisation of one direction (%)", 100.0),
            "queued_bytes_max": ("largest request queue (KiB)", 1 / 1024),
            "stalled_ps": ("time without credits (us)", 1e-6),
        }
        if value not in labels:
            raise ValueError(f"value is {value!r}; one of {', '.join(labels)} would work")
        ports = self._ports()
        chosen = np.ones(len(ports), bool) if role is None else ports["role"] == role
        if not chosen.any():
            raise ResultError(f"no packet left a port of role {role!r}; one of {', '.join(ROLES)} would work")
        label, factor = labels[value]
        index, time = ports["port_index"][chosen], ports["time_ps"][chosen]
        found = ports[value][chosen] * factor
        names, at = np.unique(index, return_inverse=True)
        order = np.argsort(-np.bincount(at, found))[:most]
        step = int(ports["interval_ps"].max())
        columns = ((time - time.min()) // step).astype(int)
        grid = np.zeros((len(names), int(columns.max()) + 1))
        grid[at, columns] = found
        unit_factor, unit = _scale(float(time.max() + step))
        axes = _axes(ax, (7.2, 1.4 + 0.16 * max(len(order), 8)))
        extent = (time.min() / unit_factor, (time.min() + step * grid.shape[1]) / unit_factor, len(order) - 0.5, -0.5)
        image = axes.imshow(
            grid[order], aspect="auto", interpolation="nearest", cmap="magma_r", extent=extent, vmin=0,
            vmax=100 if value == "utilisation" else None,
        )  # fmt: skip
        axes.figure.colorbar(image, ax=axes, label=label)
        first = {int(port): row for row, port in reversed(list(enumerate(ports["port_index"])))}
        switch, port, role_of = ports["switch"], ports["port"], ports["role"]
        rows = [first[int(names[entry])] for entry in order]
        axes.set_yticks(
            range(len(order)),
            [f"switch {switch[row]} port {port[row]} ({role_of[row]})" for row in rows],
            fontsize=7,
        )
        axes.set(xlabel=f"simulated time ({unit})")
        kind = f"{role} ports" if role else "ports"
        title = f"the {len(order)} busiest of {len(names)} {kind} in use"
        return _finish(axes, self._title(title), grid=False)

    def topology(self, *, ax: Axes | None = None) -> Axes:
        """The system with the load of its links: groups on a circle, each with its switches; a line per pair of switches,
        coloured by the mean utilisation of its busier direction over the run.

        Systems of more than 600 switches are drawn group by group.

        Raises:
            ResultError: the result has no time series (`measure.sample_interval` is 0).
        """
        np, axes = extra("numpy"), _axes(ax, (7.6, 6.6))
        collections = extra("matplotlib.pyplot").matplotlib.collections
        wiring, ports = self.wiring(), self._ports()
        between = wiring["role"] != "edge"
        group_of = np.zeros(int(wiring["switch"].max()) + 1, int)
        group_of[wiring["switch"]] = wiring["group"]
        by_group = len(group_of) > SWITCHES_MAX
        place = _places(np, group_of, by_group)
        span = float(self._result.simulated_ps)
        sent = np.bincount(ports["port_index"], ports["bytes"], int(wiring["port_index"].max()) + 1)
        index = wiring["port_index"][between]
        ends = [wiring["switch"][between], wiring["peer_switch"][between].astype(int)]
        if by_group:
            ends = [group_of[end] for end in ends]
        pair = ends[0].astype(np.int64) * len(place) + ends[1]
        directions, at = np.unique(pair, return_inverse=True)
        load = np.bincount(at, sent[index]) / (np.bincount(at, wiring["rate_mbps"][between]) / 8e6 * span)
        busier: dict[tuple[int, int], float] = {}
        for direction, share in zip(directions, load):
            one, other = int(direction) // len(place), int(direction) % len(place)
            if one != other:
                key = (min(one, other), max(one, other))
                busier[key] = max(busier.get(key, 0.0), float(share))
        lines = sorted(busier, key=lambda key: busier[key])
        shares = np.array([100 * busier[key] for key in lines])
        top = max(float(shares.max(initial=0)), 1e-9)
        drawn = collections.LineCollection(
            [(place[one], place[other]) for one, other in lines],
            cmap="magma_r",
            linewidths=0.5 + 2.5 * shares / top,
            zorder=1,
        )
        drawn.set_array(shares)
        drawn.set_clim(0, top)
        axes.add_collection(drawn)
        axes.figure.colorbar(drawn, ax=axes, label="mean utilisation, busier direction (%)", shrink=0.8)
        names = range(len(place)) if by_group else group_of
        size = 40 if len(place) <= 64 else 12
        axes.scatter(place[:, 0], place[:, 1], s=size, c="#333333", zorder=2)
        groups = int(group_of.max()) + 1
        if groups <= 64:
            for group in range(groups):
                middle = place[[name == group for name in names]].mean(axis=0)
                distance = max(float(np.hypot(*middle)), 1e-9)
                radius = float(np.hypot(*(place[[name == group for name in names]] - middle).T).max())
                at = middle * (1 + (radius + 0.08) / distance) if groups > 1 else middle
                side = "center" if abs(at[0]) < 0.3 else ("left" if at[0] > 0 else "right")
                axes.annotate(f"group {group}", at, ha=side, va="center", fontsize=8)
        axes.set_aspect("equal")
        axes.margins(0.12)
        axes.set_axis_off()
        what = f"{groups} groups of {len(group_of)} switches" if by_group else f"{len(group_of)} switches"
        return _finish(axes, self._title(f"{what}, load of the links between them"), grid=False)

    def timeline(
        self, job: str | None = None, *, what: str = "iterations", most: int = 48, ax: Axes | None = None
    ) -> Axes:
        """What each rank did when: one bar for each iteration (or message that it issued), the first `most` ranks.

        Args:
            job: the job; default: all that have rows.
            what: `iterations` or `messages`.
            most: ranks at most.
            ax: the axes.

        Raises:
            ResultError: the result has no such rows of this job.
        """
        columns = {
            "iterations": ("rank", "start_ps", "end_ps"),
            "messages": ("source_rank", "issued_ps", "delivered_ps"),
        }
        if what not in columns:
            raise ValueError(f"`what` is {what!r}; one of {', '.join(columns)} would work")
        np = extra("numpy")
        collections = extra("matplotlib.pyplot").matplotlib.collections
        table = self._result.table(what)  # type: ignore[arg-type]
        jobs = table["job"]
        names = self._jobs(job, jobs, what)
        rank, start, end = (table[column] for column in columns[what])
        factor, unit = _scale(float(end.max()))
        labels: list[str] = []
        bars: list[Any] = []
        colours: list[Any] = []
        shown = max(most // len(names), 1)
        for index, name in enumerate(names):
            of_job = jobs == name
            for number in np.unique(rank[of_job])[:shown]:
                chosen = np.flatnonzero(of_job & (rank == number))
                chosen = chosen[np.argsort(start[chosen])]
                top = len(labels) - 0.42
                lanes = 1 if what == "iterations" else 4
                for entry, row in enumerate(chosen):
                    # Messages overlap: they share the rank's row in lanes.
                    low = top + 0.84 * (entry % lanes) / lanes
                    high = low + 0.84 / lanes
                    left, right = start[row] / factor, end[row] / factor
                    bars.append([(left, low), (right, low), (right, high), (left, high)])
                    colours.append((_colour(index), 1.0 if entry % 2 else 0.6))
                labels.append(f"{name} {number}" if len(names) > 1 else f"rank {number}")
        axes = _axes(ax, (7.2, 1.2 + 0.16 * max(len(labels), 8)))
        axes.add_collection(collections.PolyCollection(bars, facecolors=colours, edgecolors="white", linewidths=0.3))
        axes.set_xlim(float(start.min()) / factor, float(end.max()) / factor)
        axes.set_ylim(len(labels) - 0.4, -0.6)
        axes.set_yticks(range(len(labels)), labels, fontsize=7)
        axes.set(xlabel=f"simulated time ({unit})")
        return _finish(axes, self._title(f"{what} of {len(labels)} ranks"))

    def _ports(self) -> Table:
        table = self._result["ports"]
        if not len(table):
            raise ResultError(
                "the result has no time series of ports: nothing left a port, or `measure.sample_interval` is 0; "
                'a scenario with `measure.sample_interval = "10us"` would have one'
            )
        return table

    def _jobs(self, job: str | None, found: Any, what: str) -> list[str]:
        """The jobs to draw, all of which have rows."""
        known = list(dict.fromkeys(found))
        if job is not None and job not in known:
            there = f"jobs that have some: {', '.join(known)}" if known else "no job has any"
            raise ResultError(
                f"the result has no {what} of job '{job}'; {there}. Jobs that do not end keep none unless "
                "`measure.messages` names them"
            )
        if not known:
            works = 'workloads that count none have messages: `timeline(what="messages")` would work'
            if what == "messages":
                works = "a job that ends, or one that `measure.messages` names, would have some"
            raise ResultError(f"the result has no {what}; {works}")
        return known if job is None else [job]

    def _title(self, text: str) -> str:
        return f"{self._result.manifest['title']}: {text}"


def _axes(ax: Axes | None, size: tuple[float, float]) -> Axes:
    plt = extra("matplotlib.pyplot")
    if ax is not None:
        return ax
    figure = plt.figure(figsize=size, layout="constrained")
    return figure.add_subplot()  # type: ignore[no-any-return]


def _finish(axes: Axes, title: str, *, legend: str | None = None, grid: bool = True) -> Axes:
    axes.set_title(title, fontsize=10, loc="left")
    if grid:
        axes.grid(True, color="#dddddd", linewidth=0.6)
        axes.set_axisbelow(True)
        for side in ("top", "right"):
            axes.spines[side].set_visible(False)
    if legend is not None:
        axes.legend(loc=legend, fontsize=8, frameon=False)
    return axes


def _colour(index: int) -> str:
    return COLOURS[index % len(COLOURS)]


def _scale(picoseconds: float) -> tuple[float, str]:
    """The unit in which a time reads best, and its picoseconds."""
    for factor, unit in ((1e12, "s"), (1e9, "ms"), (1e6, "us"), (1e3, "ns")):
        if picoseconds >= factor:
            return factor, unit
    return 1.0, "ps"


def _places(np: Any, group_of: Any, by_group: bool) -> Any:
    """Where each switch (or group) is drawn: groups on a circle, the switches of a group on a small one."""
    groups = int(group_of.max()) + 1
    angle = 2 * math.pi * np.arange(groups) / groups + math.pi / 2
    circle = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    if by_group:
        return circle
    if groups == 1:
        circle = np.zeros((1, 2))
    radius = 0.55 * math.sin(math.pi / groups) if groups > 1 else 1.0
    place = np.zeros((len(group_of), 2))
    for group in range(groups):
        members = np.flatnonzero(group_of == group)
        around = 2 * math.pi * np.arange(len(members)) / len(members) + math.pi / 2
        small = radius if len(members) > 1 else 0.0
        place[members] = circle[group] + small * np.stack([np.cos(around), np.sin(around)], axis=1)
    return place
