#!/usr/bin/env bash
# OpenSM takes a misspelt routing engine, routes by minhop and ends with 0
#
# Everybody expects: opensm -R dfsspp (for dfsssp) is refused like any unknown option value, or at
#   least fails.
# What happens: one line in the log says that the engine cannot be found. The console says "Activate
#   'dfsspp' routing engine(s)", the subnet comes up by minhop, and opensm -o ends with 0. The same
#   happens where a right engine cannot route the fabric, such as ftree on a ring. On a ring
#   minhop's routes wait for each other in a circle, so a fabric that was asked to be free of
#   deadlock is not.
# Whom it bites: who automates opensm, and who moves a configuration to a version built without an
#   engine. Only no_fallback in the list of engines keeps minhop away.
# Versions: opensm 3.3.23, ibsim 0.10 (Debian 12)
# Output seen:
#   minhop: ends with 0, minhop tables configured on all switches
#   dfsssp: ends with 0, dfsssp tables configured on all switches
#   dfsspp: ends with 0, minhop tables configured on all switches
#   ftree on a ring: ends with 0, minhop tables configured on all switches
#   console for dfsspp: Activate 'dfsspp' routing engine(s)
#   opensm-misspelt-routing: as described (opensm 3.3.23-2+b1, ibsim 0.10-2)
# shellcheck source=findings/common.bash
. "$(dirname "${BASH_SOURCE[0]}")/common.bash"
begin opensm-misspelt-routing

debian opensm=3.3.23-2+b1 ibsim-utils=0.10-2 libumad2sim0=0.10-2

# A ring of six switches with a host each.
for here in 1 2 3 4 5 6; do
    printf 'Switch 8 "S%s"\n[1] "S%s"[2]\n[2] "S%s"[1]\n[3] "H%s"[1]\n\n' \
        "$here" "$((here % 6 + 1))" "$(((here + 4) % 6 + 1))" "$here"
done > ring.net
for here in 1 2 3 4 5 6; do printf 'Hca 1 "H%s"\n[1] "S%s"[3]\n\n' "$here" "$here"; done >> ring.net

export IBSIM_SOCKNAME=findings-$$
mkfifo commands
LD_LIBRARY_PATH=$root/usr/lib/x86_64-linux-gnu "$root/usr/bin/ibsim" -s ring.net < commands > simulator.log 2>&1 &
started+=($!)
exec 9> commands
for _ in $(seq 50); do
    if grep -q MaxMcastCap simulator.log; then break; fi
    sleep 0.2
done

routes() { # engine
    local status=0
    rm -f subnet.log
    SIM_HOST=H1 OSM_CACHE_DIR=$work OSM_TMP_DIR=$work LD_LIBRARY_PATH=$root/usr/lib/x86_64-linux-gnu \
        LD_PRELOAD=$root/usr/lib/x86_64-linux-gnu/umad2sim/libumad2sim.so \
        timeout 60 "$root/usr/sbin/opensm" -R "$1" -o -f subnet.log --console off > console.log 2>&1 || status=$?
    echo "ends with $status, $(grep -o '[^ ]* tables configured on all switches' subnet.log)"
}
expect minhop "ends with 0, minhop tables configured on all switches" "$(routes minhop)"
expect dfsssp "ends with 0, dfsssp tables configured on all switches" "$(routes dfsssp)"
expect dfsspp "ends with 0, minhop tables configured on all switches" "$(routes dfsspp)"
expect "ftree on a ring" "ends with 0, minhop tables configured on all switches" "$(routes ftree)"
routes dfsspp > /dev/null
expect "console for dfsspp" "Activate 'dfsspp' routing engine(s)" "$(grep -o 'Activate.*' console.log)"
finish "opensm 3.3.23-2+b1, ibsim 0.10-2"
