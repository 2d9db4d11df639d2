#!/usr/bin/env bash
# Reading a nanosecond capture with scapy and writing it again gives packets the same time
#
# Everybody expects: wrpcap(file, rdpcap(other)) keeps the times of the packets. scapy reads them
#   exactly, as decimal numbers.
# What happens: both wrpcap and wrpcapng write microseconds unless told otherwise, and cut the rest
#   off. wrpcap has nano=True; wrpcapng has no such option. Four packets that left 100 ns apart all
#   have the same time in the copy. Nothing is said.
# Whom it bites: who filters or edits captures of fast links and measures gaps afterwards. At 200
#   Gbit/s, 25 full frames of 1,000 bytes fit into a microsecond.
# Versions: scapy 2.8.0
# Output seen:
#   read: 0 100 200 300 ns
#   wrpcap: 0 0 0 0 ns
#   wrpcapng: 0 0 0 0 ns
#   wrpcap with nano=True: 0 100 200 300 ns
#   scapy-nanoseconds: as described (scapy 2.8.0)
# shellcheck source=findings/common.bash
. "$(dirname "${BASH_SOURCE[0]}")/common.bash"
begin scapy-nanoseconds

python_in python scapy==2.8.0
cat > rewrite.py <<'PY'
import struct

from scapy.utils import rdpcap, wrpcap, wrpcapng

second = 1_700_000_000
frame = bytes.fromhex("ffffffffffff020000000001" "88b5") + bytes(46)
with open("capture.pcap", "wb") as file:
    file.write(struct.pack("<IHHiIII", 0xA1B23C4D, 2, 4, 0, 0, 65535, 1))
    for nanosecond in (0, 100, 200, 300):
        file.write(struct.pack("<IIII", second, nanosecond, len(frame), len(frame)) + frame)


def show(times):
    print(*(round((time - second) * 10**9) for time in times), "ns")


packets = rdpcap("capture.pcap")
show(packet.time for packet in packets)
wrpcap("copy.pcap", packets)
wrpcapng("copy.pcapng", packets)
wrpcap("nano.pcap", packets, nano=True)
for copy in ("copy.pcap", "copy.pcapng", "nano.pcap"):
    show(packet.time for packet in rdpcap(copy))
PY
python/bin/python rewrite.py > said 2> log || cat log >&2
expect read "0 100 200 300 ns" "$(sed -n 1p said)"
expect wrpcap "0 0 0 0 ns" "$(sed -n 2p said)"
expect wrpcapng "0 0 0 0 ns" "$(sed -n 3p said)"
expect "wrpcap with nano=True" "0 100 200 300 ns" "$(sed -n 4p said)"
finish "scapy 2.8.0"
