#!/usr/bin/env python3
"""Instructions of `philae` by the size of its input: no command may grow worse than N log N.

    bench/growth/growth.py target/release/philae [--case NAME] [--size N] [--seconds] [--write docs/develop/growth.md]

Each case makes an input of N, 2N, 4N and 8N parts and counts the instructions of the command under valgrind's cachegrind.
`step` is what 4N to 8N adds over what 2N to 4N adds: 2 is linear, 4 is quadratic. `flat`: eight times N needs less than
a tenth more. N log N is below 2.25 at these
sizes; more than 2.5 fails. `--seconds` takes the processor's time instead of instructions, for a quick look.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from cases import CASES

WORST = 2.5
# Below this from N to 8N, the input's size is not in the counts, and the step is only noise.
FLAT = 1.1


def check(done: subprocess.CompletedProcess) -> subprocess.CompletedProcess:
    """Ends the program where a command failed."""
    # 1: it ran and found something, such as a graph that a run would not take.
    if done.returncode not in (0, 1):
        sys.exit(f"{' '.join(done.args)}\n{done.stderr[-2000:]}{(done.stdout or '')[-2000:]}")
    return done


def seconds(command: list[str], folder: Path) -> float:
    """The processor's time of a command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    check(subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def instructions(command: list[str], folder: Path) -> float:
    """The instructions of a command."""
    valgrind = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]
    done = check(subprocess.run([*valgrind, *command], cwd=folder, capture_output=True, text=True))
    counted = next(line for line in done.stderr.splitlines() if "refs:" in line)
    return float(counted.split("refs:")[1].strip().replace(",", ""))


def measure(name: str, philae: str, size: int | None, count) -> tuple[int, list[float]]:
    """N of a case, and what is counted at N, 2N, 4N and 8N."""
    case = CASES[name]
    size = size or case.size
    counts = []
    for factor in (1, 2, 4, 8):
        with tempfile.TemporaryDirectory() as folder:
            command = case.make(Path(folder), size * factor)
            commands = command if isinstance(command[0], list) else [command]
            for before in commands[:-1]:
                check(subprocess.run([philae, *before], cwd=folder, capture_output=True, text=True))
            counts.append(count([philae, *commands[-1]], Path(folder)))
    return size, counts


def short(value: float) -> str:
    """A figure in four digits."""
    for unit, word in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if value >= unit:
            return f"{value / unit:.4g}{word}"
    return f"{value:.3g}"


def main() -> int:
    """Measures the cases that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("philae")
    parser.add_argument("--case", action="append", help="one of the cases, by the beginning of its name")
    parser.add_argument("--size", type=int, help="N, instead of each case's own")
    parser.add_argument("--seconds", action="store_true", help="processor time instead of instructions")
    parser.add_argument("--write", type=Path, help="the page whose table is to be written anew")
    arguments = parser.parse_args()
    philae = os.path.abspath(arguments.philae)
    count = seconds if arguments.seconds else instructions
    wanted = tuple(arguments.case or [""])
    lines = ["| case | N | N | 2N | 4N | 8N | step |", "|---|---|---|---|---|---|---|"]
    print("\n".join(lines), flush=True)
    failed = []
    for name in (name for beginning in wanted for name in CASES if name.startswith(beginning)):
        size, counts = measure(name, philae, arguments.size, count)
        step = (counts[3] - counts[2]) / max(counts[2] - counts[1], 1e-9)
        is_flat = counts[3] < FLAT * counts[0]
        cells = [CASES[name].about, f"{size:,}", *map(short, counts), "flat" if is_flat else f"{step:.2f}"]
        lines.append(f"| {' | '.join(cells)} |")
        print(lines[-1], flush=True)
        if step > WORST and not is_flat:
            failed.append(name)
    if arguments.write:
        page = arguments.write.read_text()
        head, rest = page.split("<!-- table -->\n", 1)
        arguments.write.write_text(
            head + "<!-- table -->\n" + "\n".join(lines) + "\n<!-- end -->" + rest.split("<!-- end -->", 1)[1]
        )
    if failed:
        print(f"worse than N log N: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
