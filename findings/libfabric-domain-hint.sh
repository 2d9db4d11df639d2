#!/usr/bin/env bash
# libfabric's tcp, udp, sockets and shm providers ignore the domain that they are asked for
#
# Everybody expects: fi_getinfo with hints->domain_attr->name, fi_info -d NAME, answer with that
#   domain or with -FI_ENODATA. For these providers the domain is the network interface.
# What happens: fi_info -d lo lists the other interfaces beside lo, and fi_info -d no-such-interface
#   succeeds with exactly the list that is given without -d. The same with -f for the name of the
#   fabric. A program that takes the first answer, as most do, gets the interface that comes first.
# Whom it bites: who restricts a job or a benchmark to an interface (-d eth1) and believes the
#   figures. For tcp the environment variable FI_TCP_IFACE works.
# Versions: libfabric-bin 1.17.0 (Debian 12)
# Output seen:
#   tcp, udp, sockets, shm, answers for no-such-interface and without a name: the same, not empty
#   the same for the fabric no-such-fabric: the same, not empty
#   tcp with FI_TCP_IFACE=lo, domains: lo
#   libfabric-domain-hint: as described (libfabric-bin 1.17.0-3)
# shellcheck source=findings/common.bash
. "$(dirname "${BASH_SOURCE[0]}")/common.bash"
begin libfabric-domain-hint

debian libfabric-bin=1.17.0-3 libfabric1=1.17.0-3
info() { unpacked timeout 60 "$root/usr/bin/fi_info" "$@" 2> log || true; }
compared() { # option, name
    local provider said="the same, not empty"
    for provider in tcp udp sockets shm; do
        info -p "$provider" > without
        info -p "$provider" "$1" "$2" > with
        if ! grep -q provider without || ! cmp -s without with; then said="$provider differs"; fi
    done
    echo "$said"
}
expect "tcp, udp, sockets, shm, answers for no-such-interface and without a name" "the same, not empty" \
    "$(compared -d no-such-interface)"
expect "the same for the fabric no-such-fabric" "the same, not empty" "$(compared -f no-such-fabric)"
expect "tcp with FI_TCP_IFACE=lo, domains" lo "$(FI_TCP_IFACE=lo info -p tcp | sed -n 's/^ *domain: //p' | sort -u | tr '\n' ' ' | sed 's/ $//')"
finish "libfabric-bin 1.17.0-3"
