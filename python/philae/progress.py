"""Progress of a run or a sweep, as one line on standard error."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Any, TextIO

_UNITS = ((1e12, "s"), (1e9, "ms"), (1e6, "us"), (1e3, "ns"))


def time_text(picoseconds: float) -> str:
    """A time with the unit in which it reads best."""
    for factor, unit in _UNITS:
        if abs(picoseconds) >= factor:
            return f"{picoseconds / factor:.3g} {unit}"
    return f"{picoseconds:.0f} ps"


def count_text(value: float) -> str:
    """A count in thousands, millions or billions."""
    for factor, unit in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if value >= factor:
            return f"{value / factor:.3g}{unit}"
    return f"{value:.0f}"


class Line:
    """One line that is overwritten; nothing if standard error is not a terminal, unless requested."""

    def __init__(self, is_shown: bool | None, stream: TextIO | None = None) -> None:
        """`is_shown` None means: where people can see it."""
        self.stream = sys.stderr if stream is None else stream
        self.is_shown = self.stream.isatty() if is_shown is None else is_shown
        self.width = 0

    def write(self, text: str) -> None:
        """Overwrites the line."""
        if self.is_shown:
            self.stream.write("\r" + text.ljust(self.width))
            self.stream.flush()
            self.width = len(text)

    def clear(self) -> None:
        """Removes the line."""
        if self.is_shown and self.width:
            self.stream.write("\r" + " " * self.width + "\r")
            self.stream.flush()
            self.width = 0


def bar(share: float, steps: int = 16) -> str:
    """A bar of a share, 0 to 1, and its per cent."""
    done = round(min(max(share, 0.0), 1.0) * steps)
    return f"{'#' * done}{'.' * (steps - done)} {100 * share:3.0f} %"


class RunProgress:
    """The progress of one run, with tqdm if it is installed, otherwise as plain text."""

    def __init__(self, is_shown: bool | None) -> None:
        """`is_shown` None means: where people can see it."""
        self.line = Line(is_shown)
        self.began = time.monotonic()
        self.tqdm: Any = None
        if self.line.is_shown:
            try:
                from tqdm.auto import tqdm
            except ImportError:
                return
            self.tqdm = tqdm(total=1000, bar_format="{percentage:3.0f} % |{bar:16}| {desc}", leave=False)

    def __enter__(self) -> RunProgress:
        """Begins."""
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        """Clears the line."""
        self.line.clear()
        if self.tqdm is not None:
            self.tqdm.close()

    def __call__(self, now: int, events: int, packet_hops: int, unfinished: int, ranks: int, limit: int | None) -> None:
        """Records the progress of the run."""
        if not self.line.is_shown:
            return
        finished = 1 - unfinished / ranks if ranks else 0.0
        share = max(finished, now / limit if limit else 0.0)
        seconds = max(time.monotonic() - self.began, 1e-9)
        parts = [f"{time_text(now)} simulated"]
        if ranks:
            parts.append(f"{unfinished} of {ranks} ranks left")
        parts += [f"{count_text(events / seconds)} events/s", f"{count_text(packet_hops / seconds)} packet-hops/s"]
        text = ", ".join(parts)
        if self.tqdm is None:
            self.line.write(f"{bar(share)}  {text}")
        else:
            self.tqdm.n = round(share * 1000)
            self.tqdm.set_description_str(text)
