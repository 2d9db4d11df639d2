#!/usr/bin/env bash
# A RoCEv2 or Ultra Ethernet packet whose entropy is a well-known port is shown as DNS or NTP
#
# Everybody expects: the destination port of UDP says what a packet is. The source port of RoCEv2
#   (to 4791) and of Ultra Ethernet (to 4793) is entropy for multipath, and any value will do.
# What happens: tshark asks for the lower of both ports first, whichever end it is at. With 53 or
#   123 as entropy a correct RoCEv2 packet is DNS or NTP, and "malformed". Ports that no dissector
#   has, also low ones, change nothing. A dissector set for port 4791 by -d does not help: the lower
#   port still goes first. Disabling the other protocol does.
# Whom it bites: everyone who sprays packets over a small range of entropies that begins at 0, as
#   simulators and first drivers do, and then counts packets by protocol or filters by "infiniband":
#   a few of a flow's packets are missing. Values from 49,152 on are safe.
# Versions: tshark 4.0.17 (Debian 12)
# Output seen:
#   RoCEv2 with entropy 49152: infiniband
#   RoCEv2 with entropy 53: dns
#   RoCEv2 with entropy 123: ntp
#   RoCEv2 with entropy 1000: infiniband
#   RoCEv2 with entropy 53, dissector of 4791 set: dns
#   RoCEv2 with entropy 53, without DNS: infiniband
#   to 4793 with entropy 49152: data
#   to 4793 with entropy 53: dns
#   tshark-entropy-port: as described (tshark 4.0.17-0+deb12u3)
# shellcheck source=findings/common.bash
. "$(dirname "${BASH_SOURCE[0]}")/common.bash"
begin tshark-entropy-port

debian tshark=4.0.17-0+deb12u3
cat > frame.py <<'PY'
import struct
import sys


def checksum(header):
    total = sum(struct.unpack(">10H", header))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return total ^ 0xFFFF


source, destination = int(sys.argv[1]), int(sys.argv[2])
# A send of RoCEv2: base transport header (RC send only, queue pair 18, number 7), data, CRC.
# Towards 4793 the same length of zeros: only the ports matter.
payload = bytes.fromhex("04 00 ffff 00 000012 00 000007") + bytes(16) + bytes(4)
if destination != 4791:
    payload = bytes(len(payload))
udp = struct.pack(">HHHH", source, destination, 8 + len(payload), 0) + payload
ip = struct.pack(">BBHHHBBH4B4B", 0x45, 0, 20 + len(udp), 0, 0x4000, 64, 17, 0, 10, 0, 0, 1, 10, 0, 0, 2)
ip = ip[:10] + struct.pack(">H", checksum(ip)) + ip[12:]
frame = bytes.fromhex("020000000002 020000000001 0800") + ip + udp
with open("frame.pcap", "wb") as file:
    file.write(struct.pack("<IHHIIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1))
    file.write(struct.pack("<IIII", 1, 0, len(frame), len(frame)) + frame)
PY
# shown SOURCE DESTINATION [OPTION...]: what tshark takes the payload of UDP for.
shown() {
    python3 frame.py "$1" "$2"
    unpacked "$root/usr/bin/tshark" -r frame.pcap "${@:3}" -T fields -e frame.protocols 2> log |
        sed 's/.*:udp:\([a-z]*\).*/\1/'
}
expect "RoCEv2 with entropy 49152" infiniband "$(shown 49152 4791)"
expect "RoCEv2 with entropy 53" dns "$(shown 53 4791)"
expect "RoCEv2 with entropy 123" ntp "$(shown 123 4791)"
expect "RoCEv2 with entropy 1000" infiniband "$(shown 1000 4791)"
expect "RoCEv2 with entropy 53, dissector of 4791 set" dns "$(shown 53 4791 -d udp.port==4791,infiniband)"
expect "RoCEv2 with entropy 53, without DNS" infiniband "$(shown 53 4791 --disable-protocol dns)"
expect "to 4793 with entropy 49152" data "$(shown 49152 4793)"
expect "to 4793 with entropy 53" dns "$(shown 53 4793)"
finish "tshark 4.0.17-0+deb12u3"
