"""Suites of others, and those of the project, in simulated time. A failure counts if the same run in real time has none."""

from __future__ import annotations

import re
import shutil
import subprocess
import time
from pathlib import Path

from runs import ROOT, Tools, simulate, started

# The part of mpi4py's tests that communicates, file by file. Left out are files that start
# processes (the ranks of a simulated run are those that it began with), write files, or only ask
# the library.
TESTED = """
    cco_buf cco_buf_inter cco_nb_buf cco_ngh_buf cco_obj cco_pr_buf comm comm_topo grequest msgzero p2p_buf
    p2p_buf_matched p2p_buf_part p2p_obj p2p_obj_matched pack request rma rma_nb session threads ulfm util_pkl5
    util_pool util_sync win
""".split()
# They look for what comes in loops, and take minutes with more than two ranks.
OF_TWO = ["rma", "rma_nb"]
# How long a file's tests may take, in seconds; most need five, rma a minute on an idle machine.
FILE_LIMIT = 300.0
# What fails only in simulated time, and why (docs/nic/simulated.md).
EXPLAINED = {
    "test_apply_async (test_util_pool.TestThreadPool.test_apply_async)": "a thread without a part in it sleeps in real time",
}
RANKS = (2, 4)
HPCC = """\
HPLinpack benchmark input file
Innovative Computing Laboratory, University of Tennessee
HPL.out      output file name (if any)
8            device out (6=stdout,7=stderr,file)
1            # of problems sizes (N)
200          Ns
1            # of NBs
40           NBs
0            PMAP process mapping (0=Row-,1=Column-major)
1            # of process grids (P x Q)
2            Ps
2            Qs
16.0         threshold
1            # of panel fact
2            PFACTs (0=left, 1=Crout, 2=Right)
1            # of recursive stopping criterium
4            NBMINs (>= 1)
1            # of panels in recursion
2            NDIVs
1            # of recursive panel fact.
1            RFACTs (0=left, 1=Crout, 2=Right)
1            # of broadcast
1            BCASTs (0=1rg,1=1rM,2=2rg,3=2rM,4=Lng,5=LnM)
1            # of lookahead depth
1            DEPTHs (>=0)
2            SWAP (0=bin-exch,1=long,2=mix)
64           swapping threshold
0            L1 in (0=transposed,1=no-transposed) form
0            U  in (0=transposed,1=no-transposed) form
1            Equilibration (0=no,1=yes)
8            memory alignment in double (> 0)
##### This line (no. 32) is ignored (it serves as a separator). ######
0            Number of additional problem sizes for PTRANS
1200         values of N
0            number of additional blocking sizes for PTRANS
40           values of NB
"""


def failed_tests(said: str) -> set[str]:
    """The tests of Python's unittest that have failed on any rank."""
    return set(re.findall(r"^(?:FAIL|ERROR): (.*)$", said, re.MULTILINE))


def mpi4py_sources(tools: Tools) -> Path:
    """mpi4py's source distribution, which has its tests."""
    sources = tools.folder / "mpi4py"
    if not sources.exists():
        requirements = (ROOT / "bench" / "mpi" / "requirements.txt").read_text().splitlines()
        version = next(line for line in requirements if line.startswith("mpi4py"))
        pip = [str(tools.commands / "python"), "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:"]
        tools.command([*pip, "--dest", str(tools.folder), version])
        sources.mkdir()
        archive = next(tools.folder.glob("mpi4py-*.tar.gz"))
        tools.command(["tar", "-xzf", str(archive), "-C", str(sources), "--strip-components", "1"])
    return sources


def mpi4py(tools: Tools) -> int:
    """A part of mpi4py's own tests. What fails in simulated time runs in real time, too."""
    sources = mpi4py_sources(tools)
    words = [str(tools.commands / "python"), str(sources / "test" / "main.py"), "-q"]
    # With MPICH 5.0.2 one of two ranks counts a neighbour too many in this test, in real time as in
    # simulated time, and the other one then waits. Over tcp;ofi_rxm the test hangs, too.
    words += ["-x", "testDistgraphcomm"]
    print(f"\nmpi4py's tests of {', '.join(TESTED)}, without testDistgraphcomm, on `frontier`;")
    print(f"{' and '.join(OF_TWO)} with two ranks only.\n")
    print("| ranks | files | tests on each rank | failed | only in simulated time | not ended | wall time |")
    print("|---|---|---|---|---|---|---|")
    failures = 0
    for ranks in RANKS:
        began, tests, failed = time.monotonic(), 0, 0
        only: set[str] = set()
        not_ended = []
        files = [file for file in TESTED if ranks == 2 or file not in OF_TWO]
        for file in files:
            of_file = [*words, "-i", rf"test_{file}\.py$"]
            run = simulate(tools, "frontier", ranks, of_file, folder=tools.folder, limit=FILE_LIMIT)
            (tools.folder / f"mpi4py-{ranks}-{file}.log").write_text(run.said)
            found, counts = failed_tests(run.said), re.findall(r"^Ran (\d+) tests?", run.said, re.MULTILINE)
            if len(counts) != ranks or len(set(counts)) != 1:
                not_ended.append(f"{file}: {run.wrong}")
                continue
            tests, failed = tests + int(counts[0]), failed + len(found)
            if found:
                real = [str(tools.philae), "run", "-n", str(ranks), *of_file]
                only |= found - failed_tests("".join(started(real, FILE_LIMIT, tools.folder)[:2]))
        took = time.monotonic() - began
        row = [ranks, len(files), tests, failed, len(only), len(not_ended), f"{took:.0f} s"]
        print("| " + " | ".join(map(str, row)) + " |", flush=True)
        for name in sorted(only):
            print(f"\nonly in simulated time: {name}: {EXPLAINED.get(name, 'UNEXPLAINED')}")
        for name in not_ended:
            print(f"\nNOT ENDED: {name}")
        failures += len(only - EXPLAINED.keys()) + len(not_ended)
    return failures


def shmem(tools: Tools) -> int:
    """The project's own programs that call every function of OpenSHMEM and check it."""
    compiler = tools.philae.parent / "oshcc"
    if not compiler.exists():
        print(f"shmem: LEFT OUT: no oshcc beside {tools.philae}")
        return 0
    sources = sorted((ROOT / "crates" / "nic" / "shmem" / "tests" / "meaning").glob("*.c"))
    program = tools.folder / "meaning"
    tools.command([str(compiler), "-std=gnu99", "-O2", "-o", str(program), *map(str, sources)])
    failures = 0
    print("\n| PEs | PEs on a node | right | simulated | wall time |\n|---|---|---|---|---|")
    for ranks, per_node in [(2, 1), (3, 1), (4, 1), (4, 2), (8, 4)]:
        began = time.monotonic()
        run = simulate(tools, "malbec", ranks, [str(program)], ["--processes-per-node", str(per_node)])
        took = time.monotonic() - began
        right = "yes" if run.wrong is None else f"NO: {run.wrong}"
        print(f"| {ranks} | {per_node} | {right} | {run.simulated_us:,.0f} us | {took:.1f} s |", flush=True)
        failures += run.wrong is not None
    return failures


def shmem4py(tools: Tools) -> int:
    """shmem4py's suite, which its own script builds."""
    script = ROOT / "scripts" / "shmem4py"
    result = subprocess.run([script, "--simulate", "malbec", "2", "3", "4"], check=False)
    return int(result.returncode != 0)


def hpcc(tools: Tools) -> int:
    """Debian's HPCC, which is linked with Open MPI 4.1."""
    program = shutil.which("hpcc")
    if program is None:
        print("hpcc: LEFT OUT: not installed; apt-get install hpcc")
        return 0
    folder = tools.folder / "hpcc"
    folder.mkdir(exist_ok=True)
    (folder / "hpccinf.txt").write_text(HPCC)
    output = folder / "hpccoutf.txt"
    failures = 0
    print("\n| HPCC, 4 ranks | passed | failed | Success | wall time |\n|---|---|---|---|---|")
    for where in ("real time", "frontier", "shandy"):
        output.unlink(missing_ok=True)
        began = time.monotonic()
        if where == "real time":
            _, _, wrong = started([str(tools.philae), "run", "-n", "4", program], tools.limit, folder)
        else:
            wrong = simulate(tools, where, 4, [program], folder=folder).wrong
        took = time.monotonic() - began
        text = output.read_text() if output.exists() else ""
        passed, bad = len(re.findall(r"passed|PASSED", text)), len(re.findall(r"FAILED", text))
        success = "Success=1" in text
        print(f"| {where} | {passed} | {bad} | {'yes' if success else f'NO: {wrong}'} | {took:.0f} s |", flush=True)
        failures += where != "real time" and not (success and wrong is None)
    return failures
