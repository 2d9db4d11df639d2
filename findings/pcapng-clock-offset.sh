#!/usr/bin/env bash
# Half of the pcapng readers ignore the offset of the clock
#
# Everybody expects: a pcapng file means one time for each packet. An interface may say if_tsoffset,
#   seconds to be added to all its time stamps, so that they can be small numbers with a fine unit.
# What happens: tshark and dpkt add it. scapy and python-pcapng do not, and do not say so: the same
#   packet is seen in 2023 and one microsecond after 1970. Two interfaces of one file with different
#   offsets come out in another order.
# Whom it bites: captures of cards and simulators that count picoseconds or nanoseconds from the
#   start of the capture.
# Versions: scapy 2.8.0, dpkt 1.9.8, python-pcapng 2.1.1, tshark 4.0.17
# Output seen:
#   tshark: 1700000000.000001
#   dpkt: 1700000000.000001
#   scapy: 0.000001
#   python-pcapng: 0.000001
#   pcapng-clock-offset: as described (scapy 2.8.0, dpkt 1.9.8, python-pcapng 2.1.1, tshark 4.0.17)
# shellcheck source=findings/common.bash
. "$(dirname "${BASH_SOURCE[0]}")/common.bash"
begin pcapng-clock-offset

python_in python scapy==2.8.0 dpkt==1.9.8 python-pcapng==2.1.1
debian tshark=4.0.17-0+deb12u3
cat > write.py <<'PY'
import struct


def block(kind, body):
    body += b"\0" * (-len(body) % 4)
    size = struct.pack("<I", len(body) + 12)
    return struct.pack("<I", kind) + size + body + size


def option(code, value):
    return struct.pack("<HH", code, len(value)) + value + b"\0" * (-len(value) % 4)


frame = bytes.fromhex("ffffffffffff020000000001" "88b5") + bytes(46)
interface = struct.pack("<HHI", 1, 0, 0) + option(9, b"\6") + option(14, struct.pack("<q", 1_700_000_000)) + option(0, b"")
with open("capture.pcapng", "wb") as file:
    file.write(block(0x0A0D0D0A, struct.pack("<IHHq", 0x1A2B3C4D, 1, 0, -1)))
    file.write(block(1, interface))
    file.write(block(6, struct.pack("<IIIII", 0, 0, 1, len(frame), len(frame)) + frame))
PY
python/bin/python write.py
cat > read.py <<'PY'
import sys

import dpkt
import pcapng
from scapy.utils import rdpcap

times = {
    "dpkt": lambda file: next(iter(dpkt.pcapng.Reader(file)))[0],
    "scapy": lambda file: rdpcap(file)[0].time,
    "python-pcapng": lambda file: [b.timestamp for b in pcapng.FileScanner(file) if hasattr(b, "timestamp")][0],
}
with open("capture.pcapng", "rb") as file:
    print(f"{times[sys.argv[1]](file):.6f}")
PY
expect tshark 1700000000.000001 "$(unpacked "$root/usr/bin/tshark" -r capture.pcapng -T fields -e frame.time_epoch 2> log | sed 's/000$//')"
expect dpkt 1700000000.000001 "$(python/bin/python read.py dpkt)"
expect scapy 0.000001 "$(python/bin/python read.py scapy 2> log)"
expect python-pcapng 0.000001 "$(python/bin/python read.py python-pcapng)"
finish "scapy 2.8.0, dpkt 1.9.8, python-pcapng 2.1.1, tshark 4.0.17"
