#!/usr/bin/env bash
# ibsim's w=4 makes a link of eight lanes, and the width of its own description cannot be written
#
# Everybody expects: w=4 behind a link of an ibsim net is a link of four lanes, as the example that
#   is shipped with it says: "link width can be supplied by adding 'w=(1|4|12)'".
# What happens: the number goes into the bit mask of enabled widths, where 1 is 1x, 2 is 4x, 4 is 8x
#   and 8 is 12x. So w=4 is 8x and w=2 is 4x; no warning. w=1 and w=12 come out as expected, the
#   second because it sets the bits of 8x and 12x, and the wider one wins. Without w a link is 4x.
# Whom it bites: who tests subnet managers, routing or monitoring of widths on simulated fabrics,
#   and who writes or reads ibsim nets: 4x links written with w=4 report twice their rate.
# Versions: ibsim 0.10, infiniband-diags 44.0 (Debian 12)
# Output seen:
#   without w: 4xSDR
#   w=1: 1xSDR
#   w=2: 4xSDR
#   w=4: 8xSDR
#   w=8: 12xSDR
#   w=12: 12xSDR
#   ibsim-widths: as described (ibsim 0.10-2, infiniband-diags 44.0-2)
# shellcheck source=findings/common.bash
. "$(dirname "${BASH_SOURCE[0]}")/common.bash"
begin ibsim-widths

debian ibsim-utils=0.10-2 libumad2sim0=0.10-2 infiniband-diags=44.0-2

# One switch, a host on each port, each link with another width.
{
    printf 'Switch 8 "S"\n[1] "none"[1]\n'
    port=1
    for width in 1 2 4 8 12; do
        port=$((port + 1))
        printf '[%s] "w=%s"[1] w=%s\n' "$port" "$width" "$width"
    done
    printf '\nHca 1 "none"\n[1] "S"[1]\n'
    port=1
    for width in 1 2 4 8 12; do
        port=$((port + 1))
        printf '\nHca 1 "w=%s"\n[1] "S"[%s] w=%s\n' "$width" "$port" "$width"
    done
} > widths.net

export IBSIM_SOCKNAME=findings-$$
mkfifo commands
LD_LIBRARY_PATH=$root/usr/lib/x86_64-linux-gnu "$root/usr/bin/ibsim" -s widths.net < commands > simulator.log 2>&1 &
started+=($!)
exec 9> commands
for _ in $(seq 50); do
    if grep -q MaxMcastCap simulator.log; then break; fi
    sleep 0.2
done

SIM_HOST=none LD_PRELOAD=$root/usr/lib/x86_64-linux-gnu/umad2sim/libumad2sim.so \
    unpacked "$root/usr/sbin/ibnetdiscover" > seen.net
width() { sed -n "s/^\[.*# \"$1\" lid [0-9]* //p" seen.net; }
expect "without w" 4xSDR "$(width none)"
expect "w=1" 1xSDR "$(width w=1)"
expect "w=2" 4xSDR "$(width w=2)"
expect "w=4" 8xSDR "$(width w=4)"
expect "w=8" 12xSDR "$(width w=8)"
expect "w=12" 12xSDR "$(width w=12)"
finish "ibsim 0.10-2, infiniband-diags 44.0-2"
