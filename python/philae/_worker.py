"""A process of a sweep: reads tasks as JSON lines, runs them, answers with JSON lines, ends when there are no more."""

from __future__ import annotations

import json
import signal
import sys

from philae._cell import run_cell


def main() -> None:
    """Serves until standard input ends."""
    # Ctrl-C goes to the whole group of processes: the sweep's own process decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for line in sys.stdin:
        try:
            answer = {"ok": run_cell(json.loads(line))}
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"}  # type: ignore[dict-item]
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
