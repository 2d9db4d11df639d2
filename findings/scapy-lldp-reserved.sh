#!/usr/bin/env bash
# One reserved TLV hides the rest of an LLDP frame from scapy
#
# Everybody expects: LLDP's type and length let a reader step over what it does not know; the
#   standard tells receivers to do so.
# What happens: scapy skips unknown TLVs of organisations (type 127), but a type that the standard
#   reserves (9 to 126) ends the dissection: this TLV and all after it become one block of raw
#   bytes. The frame has no system name, no capabilities and no management address then. Nothing is
#   said. tshark steps over the TLV and shows the name.
# Whom it bites: cable checks and topology discovery by scapy, as soon as one switch in the rack
#   speaks a newer standard.
# Versions: scapy 2.8.0, tshark 4.0.17 (Debian 12)
# Output seen:
#   scapy, without the reserved TLV: system name leaf-1
#   scapy, with it: no system name, 53 bytes raw
#   tshark, with it: leaf-1
#   scapy-lldp-reserved: as described (scapy 2.8.0, tshark 4.0.17)
# shellcheck source=findings/common.bash
. "$(dirname "${BASH_SOURCE[0]}")/common.bash"
begin scapy-lldp-reserved

python_in python scapy==2.8.0
debian tshark=4.0.17-0+deb12u3
cat > frame.py <<'PY'
import struct
import sys

from scapy.contrib.lldp import LLDPDUSystemName
from scapy.layers.l2 import Ether
from scapy.packet import Raw
from scapy.utils import wrpcap


def tlv(kind, value):
    return struct.pack(">H", kind << 9 | len(value)) + value


head = bytes.fromhex("0180c200000e" "020000000001" "88cc")
always = tlv(1, b"\4" + bytes.fromhex("020000000001")) + tlv(2, b"\5swp3") + tlv(3, struct.pack(">H", 120))
reserved = tlv(10, b"new") if sys.argv[1] == "with" else b""
# No padding: the frame is longer than 60 bytes.
last = tlv(5, b"leaf-1") + tlv(4, b"uplink to spine-1 of the first plane") + tlv(0, b"")
frame = Ether(head + always + reserved + last)
wrpcap("frame.pcap", frame)
name = frame.getlayer(LLDPDUSystemName)
if name:
    print("system name", name.system_name.decode())
else:
    print(f"no system name, {len(frame[Raw].load)} bytes raw")
PY
expect "scapy, without the reserved TLV" "system name leaf-1" "$(python/bin/python frame.py without 2> log)"
expect "scapy, with it" "no system name, 53 bytes raw" "$(python/bin/python frame.py with 2> log)"
expect "tshark, with it" leaf-1 "$(unpacked "$root/usr/bin/tshark" -r frame.pcap -T fields -e lldp.tlv.system.name 2> log)"
finish "scapy 2.8.0, tshark 4.0.17"
