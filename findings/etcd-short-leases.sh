#!/usr/bin/env bash
# A lease of one second lasts two in etcd, and eight if the election time-out is raised
#
# Everybody expects: a lease that is granted for one second ends one second after its owner died, so
#   that a standby takes over.
# What happens: etcd raises every lease to one and a half election time-outs, rounded up to seconds:
#   with the default of 1 s a lease of 1 s becomes 2 s; with --election-timeout 5000, for slow disks
#   or distant sites, leases of 1 s and of 4 s both become 8 s. It is no error; only the field TTL
#   of the answer tells, which few clients look at.
# Whom it bites: leader election and fail-over of managers, whose documented times come from the
#   client's setting.
# Versions: etcd-server 3.4.23 (Debian 12)
# Output seen:
#   default, asked for 1, 4, 10 s: 2s 4s 10s
#   election time-out of 5 s, asked for 1, 4, 10 s: 8s 8s 10s
#   etcd-short-leases: as described (etcd-server 3.4.23-4+b4)
# shellcheck source=findings/common.bash
. "$(dirname "${BASH_SOURCE[0]}")/common.bash"
begin etcd-short-leases

debian etcd-server=3.4.23-4+b4 etcd-client=3.4.23-4+b4
port=$((20000 + RANDOM % 20000))
client() { ETCDCTL_API=3 "$root/usr/bin/etcdctl" --endpoints "127.0.0.1:$port" "$@" 2> log; }
granted() { # options of the server
    local ttl said=()
    port=$((port + 2))
    "$root/usr/bin/etcd" --data-dir "$work/data-$port" --listen-client-urls "http://127.0.0.1:$port" \
        --advertise-client-urls "http://127.0.0.1:$port" --listen-peer-urls "http://127.0.0.1:$((port + 1))" \
        "$@" > server.log 2>&1 &
    started+=($!)
    for _ in $(seq 100); do
        if client endpoint health > /dev/null; then break; fi
        sleep 0.3
    done
    for ttl in 1 4 10; do said+=("$(client lease grant "$ttl" | sed 's/.*TTL(\(.*\))/\1/')"); done
    echo "${said[*]}" > answer
    kill "${started[-1]}"
}
granted
expect "default, asked for 1, 4, 10 s" "2s 4s 10s" "$(cat answer)"
granted --election-timeout 5000
expect "election time-out of 5 s, asked for 1, 4, 10 s" "8s 8s 10s" "$(cat answer)"
finish "etcd-server 3.4.23-4+b4"
