#!/usr/bin/env bash
# 100 Gbit/s are 107 Gbit/s in UCX, and its benchmark's MB/s are another unit than libfabric's
#
# Everybody expects: network rates are decimal. 100Gbps in a setting is 100 * 10^9 bit/s, and MB/s
#   in the tables of two network benchmarks is one unit.
# What happens: UCX reads K, M, G and T of bandwidths as powers of 1024, for bits as for bytes.
#   UCX_POSIX_BW=100Gbps is shown as 12800.00MBps, also binary: 13.4 * 10^9 byte/s, so 107.4 Gbit/s.
#   ucx_perftest divides by 2^20 for its MB/s: rate of messages times size is 4.9 % more than its
#   own "bandwidth (MB/s)". fi_pingpong of libfabric divides by 10^6.
# Whom it bites: tables that put UCX beside libfabric, MPI benchmarks or a link's rate, and settings
#   of a link's bandwidth from which UCX chooses protocols.
# Versions: ucx-utils 1.13.1, libfabric-bin 1.17.0 (Debian 12)
# Output seen:
#   UCX_POSIX_BW=100Gbps: 12800.00MBps
#   UCX_POSIX_BW=800Mbps: 100.00MBps
#   ucx_perftest, messages per second times bytes over MB/s: 2^20
#   fi_pingpong, bytes per second over MB/sec: 10^6
#   ucx-binary-rates: as described (ucx-utils 1.13.1-1, libfabric-bin 1.17.0-3)
# shellcheck source=findings/common.bash
. "$(dirname "${BASH_SOURCE[0]}")/common.bash"
begin ucx-binary-rates

debian ucx-utils=1.13.1-1 libucx0=1.13.1-1 libfabric-bin=1.17.0-3 libfabric1=1.17.0-3
ucx() { UCX_MODULE_DIR=$root/usr/lib/x86_64-linux-gnu/ucx unpacked timeout 100 "$root/usr/bin/$1" "${@:2}"; }

setting() { UCX_POSIX_BW=$1 ucx ucx_info -c 2> log | sed -n 's/^UCX_POSIX_BW=//p'; }
expect UCX_POSIX_BW=100Gbps 12800.00MBps "$(setting 100Gbps)"
expect UCX_POSIX_BW=800Mbps 100.00MBps "$(setting 800Mbps)"

port=$((20000 + RANDOM % 20000))
# The nearer of the two units; both tables round to three digits or more, the units are 4.9 % apart.
unit() { awk -v ratio="$1" 'BEGIN { print (ratio > 1024000 ? "2^20" : "10^6") }'; }

UCX_TLS=tcp ucx ucx_perftest -p "$port" > server.log 2>&1 &
started+=($!)
sleep 1
UCX_TLS=tcp ucx ucx_perftest 127.0.0.1 -p "$port" -t tag_bw -s 1000000 -n 1000 -w 10 -f > table 2>&1
# The columns from the end: messages per second overall and on average, MB/s overall and on average.
ratio=$(awk '/^ *1000 / { printf "%d", $NF * 1000000 / $(NF - 2) }' table)
expect "ucx_perftest, messages per second times bytes over MB/s" "2^20" "$(unit "$ratio")"

unpacked timeout 100 "$root/usr/bin/fi_pingpong" -p tcp -e rdm -I 300 -S 1000000 -B "$((port + 1))" > server.log 2>&1 &
started+=($!)
sleep 1
unpacked timeout 100 "$root/usr/bin/fi_pingpong" -p tcp -e rdm -I 300 -S 1000000 -P "$((port + 1))" 127.0.0.1 > table 2>&1
# "usec/xfer" is the time of a transfer of a million bytes; a million bytes per microsecond are
# 10^12 bytes/s.
ratio=$(awk '/300/ { printf "%d", 1e12 / $(NF - 1) / $(NF - 2) }' table)
expect "fi_pingpong, bytes per second over MB/sec" "10^6" "$(unit "$ratio")"
finish "ucx-utils 1.13.1-1, libfabric-bin 1.17.0-3"
