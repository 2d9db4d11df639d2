#!/usr/bin/env bash
# A restart of etcd gives a dead owner's lease its whole time again
#
# Everybody expects: a lease of 20 seconds whose owner died is over 20 seconds later, whatever else
#   happens, or at once where etcd itself was away for longer than that.
# What happens: etcd writes down that a lease exists and how long it was granted for, not when it
#   ends. After a restart every lease begins again with its whole time. An etcd that is restarted
#   more often than the lease lasts keeps the key of a dead owner forever.
# Whom it bites: leader election and fail-over by a lease. Where leader and etcd go down together,
#   as after a loss of power or a rolling update, the standby waits a whole lease more than its
#   configuration says. The same lease holds that long if etcd was away for an hour.
# Versions: etcd-server 3.4.23 (Debian 12)
# Output seen:
#   12 s after a lease of 20 s was granted, 8 s or less are left: yes
#   after a restart, 12 s or more are left: yes
#   24 s after the lease was granted its key is there: yes
#   etcd-lease-restart: as described (etcd-server 3.4.23-4+b4)
# shellcheck source=findings/common.bash
. "$(dirname "${BASH_SOURCE[0]}")/common.bash"
begin etcd-lease-restart

debian etcd-server=3.4.23-4+b4 etcd-client=3.4.23-4+b4
port=$((20000 + RANDOM % 20000))
client() { ETCDCTL_API=3 "$root/usr/bin/etcdctl" --endpoints "127.0.0.1:$port" "$@" 2> log; }
up() {
    "$root/usr/bin/etcd" --data-dir "$work/data" --listen-client-urls "http://127.0.0.1:$port" \
        --advertise-client-urls "http://127.0.0.1:$port" --listen-peer-urls "http://127.0.0.1:$((port + 1))" \
        > server.log 2>&1 &
    started+=($!)
    for _ in $(seq 100); do
        if client endpoint health > /dev/null; then break; fi
        sleep 0.1
    done
}
down() {
    kill "${started[-1]}"
    wait "${started[-1]}" || true
}
left() { # least, most
    local seconds
    seconds=$(client lease timetolive "$lease" | sed -n 's/.*remaining(\([0-9]*\)s).*/\1/p')
    if [ -n "$seconds" ] && [ "$seconds" -ge "$1" ] && [ "$seconds" -le "$2" ]; then echo yes; else echo "$seconds"; fi
}
grant() {
    lease=$(client lease grant 20 | sed -n 's/^lease \([0-9a-f]*\) .*/\1/p')
    began=$SECONDS
    client put leader me --lease "$lease" > /dev/null
}
until_second() { sleep "$(($1 > SECONDS - began ? $1 - SECONDS + began : 0))"; }

up
grant
until_second 12
expect "12 s after a lease of 20 s was granted, 8 s or less are left" yes "$(left 1 8)"
down
up
expect "after a restart, 12 s or more are left" yes "$(left 12 20)"
until_second 24
expect "24 s after the lease was granted its key is there" yes \
    "$(if [ "$(client get leader --print-value-only)" = me ]; then echo yes; else echo no; fi)"
finish "etcd-server 3.4.23-4+b4"
