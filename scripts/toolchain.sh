# Finds a Rust toolchain that is new enough. Sourced by the other scripts, from the root of the
# repository. It asks the tools that are there instead of keeping a record, so nothing goes stale
# when a toolchain changes.
# shellcheck shell=bash

# The oldest Rust that the workspace promises to build with.
rust_version_required() { sed -n 's/^rust-version = "\(.*\)"$/\1/p' Cargo.toml; }

# The Rust that formatting and lints are judged by. Only rustup reads rust-toolchain.toml by itself.
rust_version_pinned() { sed -n 's/^channel = "\(.*\)"$/\1/p' rust-toolchain.toml; }

# version_at_least HAVE WANT
version_at_least() { [ "$(printf '%s\n%s\n' "$1" "$2" | sort -V | tail -n 1)" = "$1" ]; }

# rust_version_in DIRECTORY: the version of DIRECTORY/rustc, or nothing where it does not run.
# A look must not download a toolchain, so rustup is told not to.
rust_version_in() {
    [ -x "$1/cargo" ] || return 0
    RUSTUP_AUTO_INSTALL=0 "$1/rustc" --version 2>/dev/null | cut -d ' ' -f 2 || true
}

# use_rust: puts the first usable cargo at the head of PATH and sets RUST_VERSION; fails where there
# is none.
use_rust() {
    local required directory directories version
    required=$(rust_version_required)
    IFS=: read -r -a directories <<<"$PATH:${CARGO_HOME:-$HOME/.cargo}/bin:/usr/bin"
    for directory in "${directories[@]}"; do
        version=$(rust_version_in "$directory")
        if [ -z "$version" ] && [ -x "$directory/rustup" ]; then
            # The pinned toolchain is not installed and cannot be fetched: any other that is new
            # enough builds too.
            version=$(RUSTUP_TOOLCHAIN=stable rust_version_in "$directory")
            [ -z "$version" ] || export RUSTUP_TOOLCHAIN=stable
        fi
        if [ -n "$version" ] && version_at_least "$version" "$required"; then
            [ "$(command -v cargo || true)" = "$directory/cargo" ] || export PATH="$directory:$PATH"
            export RUST_VERSION="$version"
            return 0
        fi
    done
    return 1
}

# rust_is_pinned: whether the toolchain that use_rust found is the pinned one.
rust_is_pinned() { [ "${RUST_VERSION:-}" = "$(rust_version_pinned)" ]; }

# The mdBook that builds the book of docs/, and mdbook_path: where it is; fails where it is not.
mdbook_version=0.5.4
mdbook_path() {
    local candidate
    for candidate in build/tools/bin/mdbook mdbook; do
        if [ "$("$candidate" --version 2>/dev/null)" = "mdbook v$mdbook_version" ]; then
            echo "$candidate"
            return 0
        fi
    done
    return 1
}

# python_files: the Python files of the project, one a line.
python_files() {
    git ls-files --cached --others --exclude-standard '*.py' 2>/dev/null || true
}

# mpi_missing: what a philae of several processes needs and is not here: a compiler and launcher of
# MPI, and libclang, by which its headers are read.
mpi_missing() {
    local missing=()
    command -v mpicc >/dev/null || missing+=(mpicc)
    command -v mpirun >/dev/null || missing+=(mpirun)
    compgen -G "${LIBCLANG_PATH:-/nowhere}/libclang*.so*" >/dev/null || compgen -G '/usr/lib/llvm-*/lib/libclang[.-]*so*' >/dev/null ||
        compgen -G '/usr/lib*/libclang[.-]*so*' >/dev/null || missing+=(libclang)
    echo "${missing[*]}"
}
