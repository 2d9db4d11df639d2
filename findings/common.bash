# shellcheck shell=bash
# What the scripts of this folder share: a temporary folder, pinned packages in it, a comparison,
# an ending.
# A script sources this file, calls `begin`, installs, runs, calls `expect` for each fact and ends
# with `finish`.
set -euo pipefail

started=()
changed=0

# begin NAME: a temporary folder that goes at the end, and fifteen minutes at most for the script.
begin() {
    if [ "${FINDING_LIMITED:-}" != "$1" ]; then
        FINDING_LIMITED=$1 exec timeout --kill-after=10 900 bash "$0"
    fi
    name=$1
    work=$(mktemp -d)
    root=$work/root
    trap clean EXIT
    trap 'exit 1' INT TERM
    cd "$work"
}

clean() {
    local pid
    for pid in "${started[@]}"; do kill "$pid" 2>/dev/null || true; done
    for pid in "${started[@]}"; do wait "$pid" 2>/dev/null || true; done
    cd /
    rm -rf "$work"
}

# python_in FOLDER PACKAGE==VERSION...: a virtual environment of that name in the temporary folder.
python_in() {
    local folder=$work/$1
    shift
    python3 -m venv "$folder"
    "$folder/bin/pip" install --quiet --disable-pip-version-check --prefer-binary "$@" >&2
}

# debian PACKAGE=VERSION...: unpacks them, and what they need and this machine lacks, into $root.
# Nothing is installed.
debian() {
    mkdir -p "$work/debian/partial" "$root"
    apt-get --quiet=2 --yes --reinstall --download-only --no-install-recommends -o Debug::NoLocking=1 \
        -o APT::Sandbox::User=root -o Dir::Cache::archives="$work/debian" install "$@" >&2
    local package
    for package in "$work"/debian/*.deb; do dpkg-deb --extract "$package" "$root"; done
}

# unpacked COMMAND...: runs it with the libraries that `debian` unpacked.
unpacked() { LD_LIBRARY_PATH=$root/usr/lib/x86_64-linux-gnu "$@"; }

# count_sent: writes sent.h. A program that begins with it, and is linked with -rdynamic, counts in
# `sent` the bytes that its libraries send through sockets.
count_sent() {
    cat > sent.h <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/socket.h>

static double sent;

/* The program's own sendmsg comes before libc's: it counts what the tcp provider sends. */
ssize_t sendmsg(int socket, const struct msghdr *message, int flags)
{
	ssize_t (*next)(int, const struct msghdr *, int) = dlsym(RTLD_NEXT, "sendmsg");
	ssize_t bytes = next(socket, message, flags);

	sent += bytes > 0 ? bytes : 0;
	return bytes;
}

ssize_t send(int socket, const void *from, size_t length, int flags)
{
	ssize_t (*next)(int, const void *, size_t, int) = dlsym(RTLD_NEXT, "send");
	ssize_t bytes = next(socket, from, length, flags);

	sent += bytes > 0 ? bytes : 0;
	return bytes;
}
C
}

# expect WHAT WANTED GOT: one fact of the finding.
expect() {
    if [ "$2" = "$3" ]; then
        printf '%s: %s\n' "$1" "$3"
    else
        printf '%s: CHANGED\n  as described: %s\n  now:          %s\n' "$1" "$2" "$3"
        changed=1
    fi
}

# finish VERSIONS: the last line, and the exit status.
finish() {
    if [ "$changed" = 0 ]; then
        echo "$name: as described ($1)"
    else
        echo "$name: the behaviour has changed ($1)"
        exit 1
    fi
}
