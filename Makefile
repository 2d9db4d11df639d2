# The two commands that a newcomer needs: `make demo` and `make test`. Both install what the machine
# lacks first.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

PREFIX ?= /usr/local
DESTDIR ?=
# What `make demo` shows, and where its result goes.
DEMO_OUTPUT ?= results/demo
DEMO ?= reproduce congestion --quick --output $(DEMO_OUTPUT)

# How long `make fuzz` runs each parser.
FUZZ_SECONDS ?= 600

# Sizes of the networks of `make bench`: 1024,8192,65536,279040 or all.
BENCH ?= 1024

# Arguments for `make largest`, such as --time-limit 5us.
LARGEST ?=

# Arguments for `make bench-peers`, such as --document docs/simulate/peers.md.
PEERS ?=

TARGET := $(or $(CARGO_TARGET_DIR),target)
STEP := scripts/step
INSTALLED := $(DESTDIR)$(PREFIX)

# Arguments for `make mpi`, such as --ranks 4.
MPI ?=

# Arguments for `make mpi-simulate`, such as --scenarios 4.
MPI_SIMULATE ?=

# Arguments for `make simulated-experiments`: scale, victims or smpi, and its options.
EXPERIMENTS ?= scale

# Arguments for `make simulated-programs`, such as --parts verify,compare.
SIMULATED ?=

# Arguments for `make shmem`, such as --rounds 2.
SHMEM ?=

# A folder with files of other tools, for `make conformance`.
DATA ?=

.PHONY: help setup build install demo test wheel guided package test-package lint format fuzz bench bench-peers largest conformance conformance-nic judge-nic sanitize-nic manager-schemathesis manager-kills shmem4py judge-shmem shmem-programs mpi mpi-simulate simulated-experiments simulated-programs shmem validate validate-full docs clean

help: ## List the targets
	@sed -n 's/^\([a-z0-9-]*\):[^#]*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 24

setup: ## Install what the machine lacks to build
	@scripts/setup

# Only the dependencies of the programs and of the two libraries: a newcomer should not wait for the
# tests' ones.
build: setup ## Build the release into build/
	@$(STEP) build cargo build --release --locked --package philae-cli --package philae-provider --package philae-clock \
	    --package philae-manager --package philae-shmem --package philae-shmem-codegen
	@$(STEP) lay-out scripts/lay-out $(TARGET)

# Not a prerequisite on build: `sudo make install` must not compile as root what the user has built
# already.
install: ## Copy build/ to PREFIX (default /usr/local), below DESTDIR
	@[ -x build/bin/philae ] && [ -f build/lib/libphilae-fi.so ] || $(MAKE) build
	@install -d "$(INSTALLED)"
	@cd build && for part in bin lib include share; do \
	    [ ! -d "$$part" ] || cp -R --no-dereference --preserve=mode,links "$$part" "$(INSTALLED)/"; \
	done
	@echo "installed below $(INSTALLED)"

# The command alone: it needs half of the dependencies that the manager and the libraries need, and
# a newcomer waits for them once.
demo: setup ## Build the command, run the quick congestion study and say where its report is
	@$(STEP) build cargo build --release --locked --package philae-cli
	@$(STEP) lay-out scripts/lay-out $(TARGET) command
	@$(STEP) demo build/bin/philae $(DEMO)
	@echo "The result is in $(DEMO_OUTPUT)"

test: ## Run formatting, lints and every test, of Rust and of Python
	@$(STEP) setup scripts/setup --test
	@$(STEP) lint scripts/lint
	@$(STEP) test scripts/test-programs
	@$(STEP) mpi-simulate scripts/mpi-simulate --if-possible --scenarios 4
	@$(STEP) python scripts/python test
	@$(STEP) peers python3 bench/peers/peers.py --check --philae $(TARGET)/release/philae

wheel: ## Build the Python package's wheel into dist/
	@scripts/setup --test
	@$(STEP) wheel scripts/python wheel

# It takes some minutes: the command is compiled twice more, and its benchmark runs in between.
guided: build ## Build philae again, guided by a profile of its benchmark: some percent faster
	@$(STEP) guided scripts/guided

# build/ and the wheel first. A try that compresses less: scripts/package --fast
package: build guided wheel ## Make the tarball, the Debian package and the wheel of a release in dist/
	@$(STEP) package scripts/package

# Needs root and mmdebstrap. It takes its Debian packages from where apt of this machine does.
test-package: ## Install each of these in a clean Debian 12 and use it
	@$(STEP) test-package scripts/package-test

lint: ## Run formatting and lints only
	@scripts/setup --test
	@$(STEP) lint scripts/lint

format: ## Format the Rust and Python sources in place
	@scripts/setup --test
	@$(STEP) format cargo fmt --all
	@if [ -x .venv/bin/ruff ]; then $(STEP) format-python .venv/bin/ruff format .; fi

# As many parsers at a time as there are cores: the 18 of them take an hour and a half on two cores
# by default.
fuzz: setup ## Damage frames for FUZZ_SECONDS (600) per parser
	@PHILAE_FUZZ_SECONDS=$(FUZZ_SECONDS) $(STEP) fuzz cargo test --release --locked --package philae-wire --test all fuzz:: -- --nocapture
	@PHILAE_FUZZ_SECONDS=$(FUZZ_SECONDS) $(STEP) fuzz-nic cargo test --release --locked --package philae-nic-core --test all fuzz:: -- --nocapture
	@PHILAE_FUZZ_SECONDS=$(FUZZ_SECONDS) $(STEP) fuzz-commands cargo test --release --locked --package philae-provider --lib any_bytes -- --nocapture

bench: build ## Measure the speed of the simulator, on BENCH=1024 endpoints (or 8192, ..., all)
	@$(STEP) bench build/bin/philae bench --endpoints $(BENCH)

# From three quarters of an hour to an hour and a half on two cores, and 15 GB.
largest: build ## Run the scenarios of 279,040 endpoints, with LARGEST="--time-limit 5us" for instance
	@for case in uniform permutation all-to-all; do \
	    $(STEP) "largest-$$case" build/bin/philae simulate scenarios/largest/$$case.toml --output results/largest-$$case $(LARGEST); \
	done

# Installs the peers first, where it can; one that is not there is named and left out.
bench-peers: build ## Measure the simulator beside CAMINOS, ns-3 and SimGrid, in turns, on PEERS="--rounds 2"
	@scripts/setup --peers
	@$(STEP) bench-peers python3 bench/peers/peers.py --philae build/bin/philae $(PEERS)

conformance: build ## Read every file of other tools below DATA=folder
	@[ -n "$(DATA)" ] || { echo "say which folder: make conformance DATA=traces" >&2; exit 2; }
	@$(STEP) conformance build/bin/philae trace check $(DATA)

conformance-nic: ## Run the whole conformance suite on the NIC's provider, killed ranks included
	@scripts/setup --test
	@PHILAE_CONFORMANCE_ONLY='*' $(STEP) conformance-nic cargo test --release --locked --package philae-provider --test conformance -- --test-threads 1

judge-nic: ## Run public suites that are built in SUITES=folder over the NIC's provider and over others, and count (docs/nic/judges.md)
	@[ -n "$(SUITES)" ] || { echo "say which folder: make judge-nic SUITES=../suites; scripts/judge-nic --help says what is in it" >&2; exit 2; }
	@$(STEP) judge-nic scripts/judge-nic $(SUITES) $(JUDGE)

sanitize-nic: ## Run that suite under the address and undefined-behaviour sanitizers
	@scripts/setup --test
	@$(STEP) sanitize-nic scripts/sanitize-nic

shmem-programs: ## Check 10,000 random OpenSHMEM programs against a model of the memory
	@scripts/setup --test
	@PHILAE_SHMEM_PROGRAMS=10000 $(STEP) shmem-programs cargo test --release --locked --package philae-shmem --test random -- --nocapture

manager-kills: ## Kill the manager 200 times under load, and look for what it acknowledged
	@PHILAE_MANAGER_KILLS=200 $(STEP) manager-kills cargo test --release --locked --package philae-manager --test all kills:: -- --nocapture

manager-schemathesis: build ## Let schemathesis look for faults of the manager's API
	@$(STEP) manager-schemathesis bench/manager/schemathesis

shmem4py: build ## Run shmem4py's test suite on this OpenSHMEM, by memory and through the NIC, and beside mpi4py
	@$(STEP) shmem4py scripts/shmem4py

judge-shmem: build ## Run OpenSHMEM programs that others wrote, in the folder SUITES, and count (docs/shmem/judges.md)
	@$(STEP) judge-shmem scripts/judge-shmem $(SUITES)

mpi: build ## Compare libfabric's providers under MPICH: latency, bandwidth and rate, in turns
	@$(STEP) mpi python3 bench/mpi/compare.py $(MPI)

simulated-experiments: build ## Measure programs in simulated time: EXPERIMENTS=scale, victims or smpi; after `make mpi`
	@$(STEP) simulated-experiments python3 bench/simulated/experiments.py $(EXPERIMENTS)

mpi-simulate: ## Build philae for runs that processes of MPI share, and show that theirs, and those of threads, end as those of one
	@scripts/setup --mpi
	@$(STEP) mpi-simulate scripts/mpi-simulate $(MPI_SIMULATE)

simulated-programs: build ## Run real programs in simulated time: results, repetition, the times of patterns, suites
	@$(STEP) simulated-programs python3 bench/simulated/programs.py $(SIMULATED)

shmem: build ## Compare OpenSHMEM on one host with the machine and with Open MPI, in turns
	@$(STEP) shmem python3 bench/shmem/compare.py $(SHMEM)

validate: build ## Compare with the published numbers, in minutes
	@$(STEP) validate build/bin/philae validate --quick

validate-full: build ## Compare with the published numbers, in hours, and write docs/simulate/validation.md
	@$(STEP) validate-full build/bin/philae validate --full --causes --resume results/validation --document docs/simulate/validation.md

docs: ## Build the documentation as a book into build/docs, and check its links
	@scripts/setup --docs
	@$(STEP) docs scripts/docs

clean: ## Remove what was built; results/ is yours and stays
	@rm -rf build dist "$(TARGET)" .venv
