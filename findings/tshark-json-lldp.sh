#!/usr/bin/env bash
# The JSON of tshark loses all management addresses and VLANs of an LLDP frame but the last
#
# Everybody expects: tshark -T json is JSON of what tshark shows, and json.load, jq or JavaScript
#   read all of it.
# What happens: a TLV that comes twice is written as an object with the same key twice. That is
#   allowed in JSON text, and every common reader keeps the last one without a word. A frame with
#   two management addresses and two VLANs has one of each after json.load. The keys of the first
#   three TLVs contain the values ("Port Subtype = ..., Id: p1"), so that they differ from frame to
#   frame. With --no-duplicate-keys the repeated TLVs are a list; a TLV that comes once is an
#   object.
# Whom it bites: cabling checks that read the neighbours from captures: LLDP repeats TLVs by design.
#   The same holds for lists in other protocols.
# Versions: tshark 4.0.17 (Debian 12), Python 3.11
# Output seen:
#   tshark -T fields, addresses and VLANs: 10.0.0.1,10.0.0.2 10,20
#   "Management Address" in the text of -T json: 2
#   after json.load, addresses and VLANs: 10.0.0.2 20
#   with --no-duplicate-keys, addresses and VLANs: 10.0.0.1,10.0.0.2 10,20
#   the key of the port: Port Subtype = Locally assigned, Id: p1
#   tshark-json-lldp: as described (tshark 4.0.17-0+deb12u3)
# shellcheck source=findings/common.bash
. "$(dirname "${BASH_SOURCE[0]}")/common.bash"
begin tshark-json-lldp

debian tshark=4.0.17-0+deb12u3
shark() { unpacked "$root/usr/bin/tshark" -r frame.pcap "$@" 2> log; }
cat > frame.py <<'PY'
import struct


def tlv(kind, value):
    return struct.pack(">H", kind << 9 | len(value)) + value


frame = bytes.fromhex("0180c200000e 020000000001 88cc")
frame += tlv(1, b"\x07sw1") + tlv(2, b"\x07p1") + tlv(3, struct.pack(">H", 120))
for last in (1, 2):
    frame += tlv(8, bytes([5, 1, 10, 0, 0, last, 2, 0, 0, 0, 1, 0]))
for vlan, name in ((10, b"blue"), (20, b"red")):
    frame += tlv(127, b"\x00\x80\xc2\x03" + struct.pack(">HB", vlan, len(name)) + name)
frame += tlv(0, b"")
with open("frame.pcap", "wb") as file:
    file.write(struct.pack("<IHHIIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1))
    file.write(struct.pack("<IIII", 1, 0, len(frame), len(frame)) + frame)
PY
python3 frame.py
cat > read.py <<'PY'
import json
import sys


def found(value, name):
    """All values of a field, wherever they are."""
    if isinstance(value, list):
        return [one for each in value for one in found(each, name)]
    if isinstance(value, dict):
        own = [value[name]] if name in value else []
        return own + [one for each in value.values() for one in found(each, name)]
    return []


with open(sys.argv[1]) as file:
    lldp = json.load(file)[0]["_source"]["layers"]["lldp"]
print(",".join(found(lldp, "lldp.mgn.addr.ip4")), ",".join(found(lldp, "lldp.ieee.802_1.vlan.id")))
print(next(key for key in lldp if key.startswith("Port")))
PY
shark -T json > plain.json
shark -T json --no-duplicate-keys > lists.json
expect "tshark -T fields, addresses and VLANs" "10.0.0.1,10.0.0.2 10,20" \
    "$(shark -T fields -e lldp.mgn.addr.ip4 -e lldp.ieee.802_1.vlan.id -E separator=/s)"
expect '"Management Address" in the text of -T json' 2 "$(grep -c '"Management Address"' plain.json)"
expect "after json.load, addresses and VLANs" "10.0.0.2 20" "$(python3 read.py plain.json | sed -n 1p)"
expect "with --no-duplicate-keys, addresses and VLANs" "10.0.0.1,10.0.0.2 10,20" \
    "$(python3 read.py lists.json | sed -n 1p)"
expect "the key of the port" "Port Subtype = Locally assigned, Id: p1" "$(python3 read.py plain.json | sed -n 2p)"
finish "tshark 4.0.17-0+deb12u3"
