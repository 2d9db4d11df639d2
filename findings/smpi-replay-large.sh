#!/usr/bin/env bash
# SimGrid replays a message of 3 GB in 650 years and one of 5 GB faster than one of 1 GB
#
# Everybody expects: a time-independent trace may name a message of any size, sizes are read as
#   floating point ("1e6"), and twice the bytes take twice the time; or an error says what is too
#   large.
# What happens: the number is kept in 32 bits on the way. With MPI_BYTE, 1e9 bytes over a link of 1
#   GB/s take 1.1 s, 3e9 bytes take 20 590 203 909 s, 5e9 bytes take 0.79 s. Nothing is said, and
#   the exit status is 0. The same 3.2 GB as 4e8 doubles take 3.6 s, which is right: the limit is
#   the number, not the size.
# Whom it bites: traces of large jobs, and traces that other tools convert: they count in bytes. A
#   run of many messages shows it only as a time that is somewhat too short.
# Versions: SimGrid 3.32 (Debian 12)
# Output seen:
#   1e9 bytes: 1.11621 seconds
#   3e9 bytes: 2.05902e+10 seconds
#   5e9 bytes: 0.786967 seconds
#   4e8 doubles: 3.57184 seconds
#   smpi-replay-large: as described (SimGrid 3.32-2+b2)
# shellcheck source=findings/common.bash
. "$(dirname "${BASH_SOURCE[0]}")/common.bash"
begin smpi-replay-large

debian libsimgrid-dev=3.32-2+b2 libsimgrid3.32=3.32-2+b2
cat > platform.xml <<'XML'
<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="zone" routing="Full">
    <host id="a" speed="1Gf"/>
    <host id="b" speed="1Gf"/>
    <link id="link" bandwidth="1GBps" latency="1us"/>
    <route src="a" dst="b"><link_ctn id="link"/></route>
  </zone>
</platform>
XML
printf 'a\nb\n' > hosts
echo trace > traces
sed "s#/usr/lib/#$root/usr/lib/#" "$root/usr/bin/smpirun" > smpirun # It names the folder where it is installed.
sends() { # count, datatype (0 is MPI_DOUBLE, 6 is MPI_BYTE)
    printf '0 init\n0 send 1 0 %s %s\n0 finalize\n1 init\n1 recv 0 0 %s %s\n1 finalize\n' "$1" "$2" "$1" "$2" > trace
    unpacked timeout 100 bash smpirun -np 2 -platform platform.xml -hostfile hosts --cfg=smpi/display-timing:yes \
        --cfg=smpi/host-speed:1Gf -replay traces > said 2>&1 || cat said >&2
    sed -n 's/.*Simulated time: \(.*seconds\).*/\1/p' said
}
expect "1e9 bytes" "1.11621 seconds" "$(sends 1e9 6)"
expect "3e9 bytes" "2.05902e+10 seconds" "$(sends 3e9 6)"
expect "5e9 bytes" "0.786967 seconds" "$(sends 5e9 6)"
expect "4e8 doubles" "3.57184 seconds" "$(sends 4e8 0)"
finish "SimGrid 3.32-2+b2"
