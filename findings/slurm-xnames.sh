#!/usr/bin/env bash
# ClusterShell folds the node names of Cray systems into a form that Slurm refuses
#
# Everybody expects: the bracket notation of node names is one notation. What `nodeset -f` prints
#   goes into Slurm's -w, topology.conf and slurm.conf, and back.
# What happens: nodeset folds x1000c0s0b0n0 and x1000c0s1b0n0 to x1000c0s[0-1]b0n0. Slurm takes
#   brackets in the middle only if the name ends with a bracket too: "Invalid hostlist". Its own
#   scontrol folds nothing of these names. What it does take is x1000c0s[0-1]b0n[0], or brackets in
#   the last number only.
# Whom it bites: tools that write topology.conf or node lists for systems whose names end with a
#   number that does not vary: x-names of Cray EX, racks and blades (r1c[0-7]n0).
# Versions: clustershell 1.10.1, slurm-client 22.05.8 (Debian 12)
# Output seen:
#   nodeset: x1000c0s[0-1]b0n0
#   scontrol show hostnames of that: Invalid hostlist: x1000c0s[0-1]b0n0
#   scontrol show hostnames x1000c0s[0-1]b0n[0]: x1000c0s0b0n0 x1000c0s1b0n0
#   scontrol show hostlist: x1000c0s0b0n0,x1000c0s1b0n0
#   slurm-xnames: as described (clustershell 1.10.1, slurm-client 22.05.8-4+deb12u3)
# shellcheck source=findings/common.bash
. "$(dirname "${BASH_SOURCE[0]}")/common.bash"
begin slurm-xnames

python_in python clustershell==1.10.1
debian slurm-client=22.05.8-4+deb12u3 slurm-wlm-basic-plugins=22.05.8-4+deb12u3
printf 'ClusterName=findings\nSlurmctldHost=localhost\nPluginDir=%s\nNodeName=localhost CPUs=1\n' \
    "$root/usr/lib/x86_64-linux-gnu/slurm-wlm" > slurm.conf
scontrol() {
    SLURM_CONF=$work/slurm.conf LD_LIBRARY_PATH=$root/usr/lib/x86_64-linux-gnu:$root/usr/lib/x86_64-linux-gnu/slurm-wlm \
        "$root/usr/bin/scontrol" "$@" 2>&1 | tr '\n' ' ' | sed 's/ $//'
}
nodes=x1000c0s0b0n0,x1000c0s1b0n0
folded=$(python/bin/nodeset -f "$nodes")
expect nodeset 'x1000c0s[0-1]b0n0' "$folded"
expect "scontrol show hostnames of that" "Invalid hostlist: $folded" "$(scontrol show hostnames "$folded")"
expect 'scontrol show hostnames x1000c0s[0-1]b0n[0]' "${nodes/,/ }" "$(scontrol show hostnames 'x1000c0s[0-1]b0n[0]')"
expect "scontrol show hostlist" "$nodes" "$(scontrol show hostlist "$nodes")"
finish "clustershell 1.10.1, slurm-client 22.05.8-4+deb12u3"
