#!/usr/bin/env bash
# A link of 400 Gbit/s in ns-3 carries 512 Gbit/s of 64-byte packets
#
# Everybody expects: a device with DataRate 400Gbps sends no more than 400 Gbit/s, whatever the
#   packets' size.
# What happens: time in ns-3 counts whole nanoseconds unless the program says otherwise before
#   anything else, and the time of a packet on the wire is rounded to that. 64 bytes at 400 Gbit/s
#   take 1.28 ns, so 1 ns: 28 % too fast. At 200 Gbit/s they take 2.56 ns, so 3 ns: 15 % too slow.
#   At 1.6 Tbit/s they take no time at all. Nothing is said. Time.SetResolution(Time.PS) as the
#   first call makes it right.
# Whom it bites: studies of short messages, of acknowledgements and of credits at today's rates, and
#   comparisons across rates: the doubled rate is three times as fast.
# Versions: ns3 3.44.post0 of PyPI (the C++ library, called from Python)
# Output seen:
#   200Gbps, 64 bytes: 3000 ps, 170.7 Gbit/s
#   400Gbps, 64 bytes: 1000 ps, 512.0 Gbit/s
#   1600Gbps, 64 bytes: 0 ps
#   400Gbps, 64 bytes, resolution of picoseconds: 1280 ps, 400.0 Gbit/s
#   ns3-short-packets: as described (ns3 3.44.post0)
# shellcheck source=findings/common.bash
. "$(dirname "${BASH_SOURCE[0]}")/common.bash"
begin ns3-short-packets

python_in python ns3==3.44.post0
cat > wire.py <<'PY'
import sys

from ns import ns

if len(sys.argv) > 2:
    ns.Time.SetResolution(ns.Time.PS)
time = ns.DataRate(sys.argv[1]).CalculateBytesTxTime(64).GetPicoSeconds()
print(f"{time} ps, {64 * 8000 / time:.1f} Gbit/s" if time else "0 ps")
PY
wire() { timeout 200 python/bin/python wire.py "$@" 2> log; }
expect "200Gbps, 64 bytes" "3000 ps, 170.7 Gbit/s" "$(wire 200Gbps)"
expect "400Gbps, 64 bytes" "1000 ps, 512.0 Gbit/s" "$(wire 400Gbps)"
expect "1600Gbps, 64 bytes" "0 ps" "$(wire 1600Gbps)"
expect "400Gbps, 64 bytes, resolution of picoseconds" "1280 ps, 400.0 Gbit/s" "$(wire 400Gbps fine)"
finish "ns3 3.44.post0"
