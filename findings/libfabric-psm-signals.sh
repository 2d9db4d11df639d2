#!/usr/bin/env bash
# A program linked with Debian's libfabric cannot ignore SIGTERM while it exits, and Python's
# KeyboardInterrupt is gone
#
# Everybody expects: a communication library leaves the signals of a program alone, or at least
#   takes no signal that the program has given a disposition of its own. A SIGTERM that is ignored
#   stays ignored until the process has ended.
# What happens: Debian's libfabric is linked with libinfinipath, the library of an InfiniBand
#   adapter of the 2000s, whether or not such an adapter is there. Its constructor sets handlers for
#   SIGSEGV, SIGBUS, SIGILL, SIGABRT, SIGINT and SIGTERM, over a SIGTERM that the parent had set to
#   be ignored as well. For SIGINT and SIGTERM the handler ends the process with status 1 and says
#   nothing. Its destructor sets back what it found when it was loaded, over everything the program
#   has set since. Destructors run before the C library writes stdout, so a SIGTERM then ends a
#   program that ignores it, and its last output is lost.
# Whom it bites: launchers that end a job by SIGTERM and count on processes that finish their
#   output; processes started with signals ignored; Python programs that load libfabric, or an MPI
#   that does: Ctrl-C raises no KeyboardInterrupt and runs no "finally". IPATH_NO_BACKTRACE=1 in the
#   environment prevents all of it. It must be there before the library is loaded.
# Versions: libfabric1 1.17.0, libpsm-infinipath1 3.3+20.604758e7 (Debian 12)
# Output seen: SIGTERM while main runs: ignored SIGTERM while stdout is written at exit: not ignored
#   SIGTERM then: status 143, 65536 of 200000 bytes arrive the same with IPATH_NO_BACKTRACE=1:
#   ignored, status 0, 200000 of 200000 bytes arrive started with SIGTERM ignored, in main: not
#   ignored Python, SIGINT: status 1, nothing printed Python with IPATH_NO_BACKTRACE=1, SIGINT:
#   status 0, KeyboardInterrupt, finally libfabric-psm-signals: as described (libfabric1 1.17.0-3,
#   libpsm-infinipath1 3.3+20.604758e7-6.2)
# shellcheck source=findings/common.bash
. "$(dirname "${BASH_SOURCE[0]}")/common.bash"
begin libfabric-psm-signals

debian libfabric1=1.17.0-3 libpsm-infinipath1=3.3+20.604758e7-6.2 libpsm2-2=11.2.185-2
libraries=$root/usr/lib/x86_64-linux-gnu

# With "keep" it leaves SIGTERM as it finds it. 200,000 bytes wait in the buffer of stdout until
#   exit.
cat > writer.c <<'C'
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

uint32_t fi_version(void);

static char buffer[1 << 20];

int main(int count, char **words)
{
    struct sigaction now;
    int keep = count > 1 && strcmp(words[1], "keep") == 0;

    fi_version();
    if (!keep)
        signal(SIGTERM, SIG_IGN);
    sigaction(SIGTERM, NULL, &now);
    fputs(now.sa_handler == SIG_IGN ? "ignored" : "not ignored", stderr);
    if (keep)
        return 0;
    setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
    for (int i = 0; i < 200000; i++)
        putchar('x');
    return 0;
}
C
gcc -o writer writer.c -L"$libraries" -l:libfabric.so.1 -Wl,-rpath-link,"$libraries"

# Leaves the writer's pipe full until the writer waits in its last write; then sends SIGTERM and
#   reads.
cat > end.py <<'PY'
import array
import fcntl
import signal
import subprocess
import termios
import time

writer = subprocess.Popen(["./writer"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
waiting = array.array("i", [0])
for _ in range(300):
    fcntl.ioctl(writer.stdout, termios.FIONREAD, waiting)
    if waiting[0] == 65536:
        break
    time.sleep(0.1)
time.sleep(0.5)
with open(f"/proc/{writer.pid}/status") as file:
    [mask] = [int(line.split()[1], 16) for line in file if line.startswith("SigIgn")]
writer.send_signal(signal.SIGTERM)
time.sleep(0.5)
arrived, early = writer.communicate(timeout=60)
status = writer.returncode if writer.returncode >= 0 else 128 - writer.returncode
print(early.decode())
print("ignored" if mask >> (signal.SIGTERM - 1) & 1 else "not ignored")
print(f"status {status}, {len(arrived)} of 200000 bytes arrive")
PY
cat > interrupt.py <<'PY'
import ctypes
import os
import signal
import time

ctypes.CDLL("libfabric.so.1")
try:
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(5)
except KeyboardInterrupt:
    print("KeyboardInterrupt", end=", ", flush=True)
finally:
    print("finally", flush=True)
PY
interrupted() {
    local status=0
    unpacked env "$@" python3 interrupt.py > said 2>&1 || status=$?
    if ! [ -s said ]; then echo "nothing printed" > said; fi
    echo "status $status, $(cat said)"
}

unpacked env -u IPATH_NO_BACKTRACE python3 end.py > plain
expect "SIGTERM while main runs" ignored "$(sed -n 1p plain)"
expect "SIGTERM while stdout is written at exit" "not ignored" "$(sed -n 2p plain)"
expect "SIGTERM then" "status 143, 65536 of 200000 bytes arrive" "$(sed -n 3p plain)"
unpacked env IPATH_NO_BACKTRACE=1 python3 end.py > without
expect "the same with IPATH_NO_BACKTRACE=1" "ignored, status 0, 200000 of 200000 bytes arrive" \
    "$(sed -n 2p without), $(sed -n 3p without)"
expect "started with SIGTERM ignored, in main" "not ignored" \
    "$(trap '' TERM && unpacked env -u IPATH_NO_BACKTRACE ./writer keep 2>&1)"
expect "Python, SIGINT" "status 1, nothing printed" "$(interrupted -u IPATH_NO_BACKTRACE)"
expect "Python with IPATH_NO_BACKTRACE=1, SIGINT" "status 0, KeyboardInterrupt, finally" \
    "$(interrupted IPATH_NO_BACKTRACE=1)"
finish "libfabric1 1.17.0-3, libpsm-infinipath1 3.3+20.604758e7-6.2"
