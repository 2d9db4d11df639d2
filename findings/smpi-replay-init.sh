#!/usr/bin/env bash
# A word after "init" makes all messages of a SimGrid trace eight times as large
#
# Everybody expects: "0 init" starts rank 0, and anything after it is at most a number that does not
#   matter; sizes without a datatype are bytes.
# What happens: the datatype of all sizes without one depends on whether a word follows init. "0
#   init" means bytes. "0 init 0", "0 init 1" or "0 init bytes" mean doubles, so that the same trace
#   moves eight times the data. SimGrid's own tracer writes "init"; the form with a word stands for
#   MPE's logs in its source.
# Whom it bites: comparisons of simulators on one trace, and everyone who generates traces with
#   numbers of their own.
# Versions: SimGrid 3.32 (Debian 12)
# Output seen:
#   0 init: 0.00112786 seconds
#   0 init 0: 0.00894124 seconds
#   0 init bytes: 0.00894124 seconds
#   8e6 bytes: 0.00894124 seconds
#   smpi-replay-init: as described (SimGrid 3.32-2+b2)
# shellcheck source=findings/common.bash
. "$(dirname "${BASH_SOURCE[0]}")/common.bash"
begin smpi-replay-init

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
seconds() { # words after init, size
    printf '0 init%s\n0 send 1 0 %s\n0 finalize\n1 init%s\n1 recv 0 0 %s\n1 finalize\n' "$1" "$2" "$1" "$2" > trace
    unpacked timeout 100 bash smpirun -np 2 -platform platform.xml -hostfile hosts --cfg=smpi/display-timing:yes \
        --cfg=smpi/host-speed:1Gf -replay traces > said 2>&1 || cat said >&2
    sed -n 's/.*Simulated time: \(.*seconds\).*/\1/p' said
}
expect "0 init" "0.00112786 seconds" "$(seconds "" 1e6)"
expect "0 init 0" "0.00894124 seconds" "$(seconds " 0" 1e6)"
expect "0 init bytes" "0.00894124 seconds" "$(seconds " bytes" 1e6)"
expect "8e6 bytes" "0.00894124 seconds" "$(seconds "" 8e6)"
finish "SimGrid 3.32-2+b2"
