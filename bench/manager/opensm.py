#!/usr/bin/env python3
"""OpenSM over ibsim and Philae's manager on the same fabrics: cold routes, a lost link, a lost switch, memory.

    apt-get install opensm ibsim-utils
    python3 bench/manager/opensm.py [SYSTEM ...] [--engines minhop,dfsssp] [--philae build/bin/philae]

Each engine of OpenSM runs on the fabric's netlist (`philae manager export --format ibsim`) in ibsim, with its periodic
sweep off: events come by traps. Times are OpenSM's own, from its log; processor time is of its process. Philae's are what
`philae manager measure` says: manager and simulated switches in one process. Ratios say more than seconds: both are
control planes on simulated switches, but ibsim's messages cross process borders and Philae's do not.
"""

import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

UP = "SUBNET UP"


def cpu_seconds(pid: int) -> float:
    """Processor time of a process."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def peak_bytes(pid: int) -> int:
    """The most memory that a process ever had."""
    match = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    return int(match.group(1)) * 1024 if match else 0


def library() -> str:
    """The library that puts a program onto ibsim."""
    for folder in ("/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib"):
        path = Path(folder) / "umad2sim" / "libumad2sim.so"
        if path.exists():
            return str(path)
    sys.exit("libumad2sim.so was not found: apt-get install ibsim-utils")


class OpenSm:
    """One OpenSM over one ibsim, in a folder of its own."""

    def __init__(self, netlist: Path, engine: str, limit: float) -> None:
        """Start both, and wait until the fabric is up."""
        self.folder = Path(tempfile.mkdtemp(prefix="opensm-"))
        self.limit = limit
        self.log = self.folder / "osm.log"
        fifo = self.folder / "commands"
        os.mkfifo(fifo)
        # The socket's name goes into an address of 108 bytes that all users of the machine share.
        sim = f"philae{os.getpid()}{engine}"
        self.environment = {
            **os.environ,
            "IBSIM_SOCKNAME": sim,
            "IBSIM_SERVER_PORT": str(7000 + os.getpid() % 1000),
            "OSM_TMP_DIR": f"{self.folder}/",
            "OSM_CACHE_DIR": f"{self.folder}/",
        }
        ends = os.open(fifo, os.O_RDWR)
        self.commands = os.fdopen(ends, "w")
        self.ibsim = subprocess.Popen(
            ["ibsim", "-s", "-N", "45000", "-S", "3000", "-P", "400000", "-L", "49152", "-M", "1024", str(netlist)],
            stdin=ends,
            stdout=(self.folder / "ibsim.out").open("w"),
            stderr=subprocess.STDOUT,
            env=self.environment,
            cwd=self.folder,
        )
        time.sleep(1.0)
        started = time.monotonic()
        self.opensm = subprocess.Popen(
            [
                "opensm",
                "-d2",
                "-e",
                "-f",
                str(self.log),
                "-R",
                f"{engine},no_fallback",
                "-s",
                "0",
                "-t",
                "5000",
                "-n",
                "128",
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**self.environment, "LD_PRELOAD": library()},
            cwd=self.folder,
        )
        self.cold = self.wait(0, started)

    def count(self) -> int:
        """How often the fabric was up."""
        return self.log.read_text(errors="replace").count(UP) if self.log.exists() else 0

    def refused(self) -> str | None:
        """The first error in the log."""
        text = self.log.read_text(errors="replace") if self.log.exists() else ""
        match = re.search(r"(ERR [0-9A-F]{4}): (.*)", text)
        return match.group(0)[:110] if match else None

    def wait(self, before: int, started: float) -> dict[str, float] | str:
        """Wait until the fabric is up once more; why not, where it does not come up."""
        cpu = cpu_seconds(self.opensm.pid) if before else 0.0
        while time.monotonic() - started < self.limit:
            if self.count() > before:
                return {"wall": time.monotonic() - started, "cpu": cpu_seconds(self.opensm.pid) - cpu}
            if self.opensm.poll() is not None:
                return f"ended with {self.opensm.returncode}"
            time.sleep(0.01)
        return f"not up within {self.limit:.0f} s; {self.refused() or 'no error in its log'}"

    def event(self, command: str) -> dict[str, float] | str:
        """Change the fabric, and wait until it is up again."""
        before = self.count()
        started = time.monotonic()
        self.commands.write(command + "\n")
        self.commands.flush()
        return self.wait(before, started)

    def close(self) -> int:
        """End both; the most memory that OpenSM had."""
        peak = peak_bytes(self.opensm.pid) if self.opensm.poll() is None else 0
        for process in (self.opensm, self.ibsim):
            process.send_signal(signal.SIGKILL)
            process.wait()
        self.commands.close()
        shutil.rmtree(self.folder)
        return peak


def shown(found: dict[str, float] | str) -> str:
    """Show a time, or why there is none."""
    return found if isinstance(found, str) else f"{found['wall']:.2f} s ({found['cpu']:.2f} s CPU)"


def first_link(netlist: Path) -> tuple[str, str, str]:
    """A switch of the netlist, one of its ports that leads to another switch, and another switch."""
    switch = None
    for line in netlist.read_text().splitlines():
        head = re.match(r'Switch\s+\d+\s+"([^"]+)"', line)
        if head:
            switch = head.group(1)
            names = re.findall(r'^Switch\s+\d+\s+"([^"]+)"', netlist.read_text(), re.MULTILINE)
        port = re.match(r'\[(\d+)\]\s+"([^"]+)"', line)
        if switch and port and port.group(2) in names:
            return switch, port.group(1), names[-1]
    sys.exit(f"{netlist} has no link between switches")


def main() -> None:
    """Compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("systems", nargs="*", default=["slingshot400-fat-tree", "shandy"])
    parser.add_argument("--engines", default="minhop,ftree,updn,dfsssp")
    parser.add_argument("--philae", default="build/bin/philae")
    parser.add_argument("--limit", type=float, default=120.0, help="seconds to wait for OpenSM at most")
    arguments = parser.parse_args()
    for program in ("opensm", "ibsim"):
        if not shutil.which(program):
            sys.exit(f"{program} was not found: apt-get install opensm ibsim-utils")
    for system in arguments.systems:
        with tempfile.TemporaryDirectory() as folder:
            netlist = Path(folder) / "fabric.net"
            philae = [arguments.philae, "manager"]
            subprocess.run([*philae, "export", "--system", system, "--format", "ibsim", "-o", netlist], check=True)
            answer = subprocess.run(
                [*philae, "measure", "--system", system, "--idle", "0", "--losses", "200", "--json"],
                check=True,
                capture_output=True,
                text=True,
            )
            ours = json.loads(answer.stdout)
            print(f"\n## {system}: {ours['switches']} switches\n")
            print("| manager | cold | link lost | switch lost | switch back | memory |")
            print("|---|---|---|---|---|---|")
            up, change = ours["bringUp"], ours["reroute"]
            each = change["cpuSeconds"] / max(change["events"], 1)
            lost = change["eventToLastAnswerMs"]["p50"]
            print(
                f"| Philae | {up['wallSeconds']:.3f} s ({up['cpuSeconds']:.2f} s CPU) "
                f"| {lost:.2f} ms ({each * 1e3:.2f} ms CPU) "
                f"| {ours['switchLostMs']:.2f} ms | {ours['switchBackMs']:.2f} ms | {up['peakBytes'] / 1e6:.0f} MB |",
                flush=True,
            )
            switch, port, other = first_link(netlist)
            for engine in arguments.engines.split(","):
                opensm = OpenSm(netlist, engine, arguments.limit)
                cells = [shown(opensm.cold)]
                if not isinstance(opensm.cold, str):
                    for command in (f'Unlink "{switch}"[{port}]', f'Unlink "{other}"', f'Relink "{other}"'):
                        cells.append(shown(opensm.event(command)))
                cells += [""] * (4 - len(cells))
                print(f"| OpenSM {engine} | {' | '.join(cells)} | {opensm.close() / 1e6:.0f} MB |", flush=True)


if __name__ == "__main__":
    main()
