# Croupier. `make help` lists the targets. The first one that needs it builds .venv from the hashed lock.

PYTHON ?= python3
BIN := .venv/bin
# A moved or copied tree, or another PYTHON, gets its own environment: an editable install knows its folder.
READY := .venv/ready-$(shell printf %s '$(CURDIR) $(PYTHON)' | cksum | cut -d' ' -f1)
LOCKS := requirements/bootstrap.txt requirements/lock.txt

# uv brings its own certificates; a machine that has a store of its own means it to be used.
export UV_SYSTEM_CERTS ?= $(if $(wildcard /etc/ssl/certs/ca-certificates.crt),true,false)
# Nothing is written outside this folder: HOME may be read-only.
export UV_CACHE_DIR ?= $(CURDIR)/.venv/cache/uv
export PIP_CACHE_DIR ?= $(CURDIR)/.venv/cache/pip
export NUMBA_CACHE_DIR ?= $(CURDIR)/.venv/cache/numba
export PIP_DISABLE_PIP_VERSION_CHECK = 1
export PIP_ROOT_USER_ACTION = ignore
# Compiled files may be kept: hundreds of short processes are started by the tests.
unexport PYTHONPATH PYTHONHOME VIRTUAL_ENV PYTHONDONTWRITEBYTECODE

# A step of the set-up: its line before it begins, its seconds when it is done. If it fails, everything the command
# printed and then, last, what to do.
step = printf 'croupier: %s ... ' "$(1)" >&2; began=$$(date +%s); \
	{ $(2); } >.venv/setup.log 2>&1 </dev/null || { printf 'FAILED\n' >&2; cat .venv/setup.log >&2; echo >&2; \
		echo "croupier: set-up failed. What the step printed stands above, and in .venv/setup.log." >&2; \
		echo "croupier: $(3), then run the same command again." >&2; exit 1; }; \
	echo "$$(( $$(date +%s) - began )) s" >&2
free = $$(df -Pk . | awk 'NR == 2 { printf "%.1f GB", $$4 / 1048576 }') of the disk are free, and set-up needs $(NEEDS)
index = Packages come from pip's index: behind a mirror or a proxy set PIP_INDEX_URL, PIP_CERT or HTTPS_PROXY.
# uv does not read pip's settings: hand it the index that pip would use.
uv = index="$${PIP_INDEX_URL:-$$($(BIN)/pip config get global.index-url 2>/dev/null)}"; \
	UV_DEFAULT_INDEX="$${UV_DEFAULT_INDEX:-$$index}" $(BIN)/uv
compile = $(uv) pip compile --universal --python-version 3.11 --fork-strategy fewest --generate-hashes --no-header --quiet

NEEDS := 2 GB

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
PAGES := $(BIN)/python web/build.py
TOGETHER := $(MAKE) --no-print-directory --jobs --output-sync
.PHONY: fuzz-transcripts help setup pages check-python check-pages browser screenshots run test check bench million simulate simulate-long faults shortened evenings soak hostile \
	lab-proof docs golden \
	planted mutation mutate-law fmt lock clean
# Live tests wait for half of their time: with three of them under way two cores have work.
WORKERS ?= $(shell echo $$(( ($$(nproc) * 3 + 1) / 2 )))
SEED ?= 1
COMMANDS ?= 200000

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-14s %s\n", $$1, $$2 }' Makefile

setup: $(READY) ## build .venv from the lock (every target below does so when needed)
	@:

pages: $(READY) ## build the pages of the screens, if they changed
	@$(PAGES)

run: pages ## a floor to look at: five tables, robot Players, links for every role; Ctrl-C ends it
	@echo "croupier: opening a demonstration; its addresses follow in some seconds" >&2
	@exec $(BIN)/croupier serve --demo

test: ## check, then every test and doctest, the trace of every clause, and some planted bugs
	@echo "croupier: 1 of 4: lint, types, directions of imports, the pages (a minute or two)" >&2
	@$(TOGETHER) check-python check-pages browser
	@echo "croupier: 2 of 4: every test and doctest on $(WORKERS) processes (ten to twenty minutes on two cores)" >&2
	@$(BIN)/python -m pytest -q -n $(WORKERS) --dist worksteal
	@echo "croupier: 3 of 4: each clause has its evidence" >&2
	@$(BIN)/croupier trace --strict >build/trace.txt || { cat build/trace.txt; exit 1; }
	@echo "croupier: 4 of 4: planted bugs, each of which a test must find (some minutes)" >&2
	@$(BIN)/python -m tests.planted --sample

# Chromium and a font with Chinese, for the tests in a browser: from the system, where it lets us.
browser:
	@mkdir -p build
	@command -v chromium >/dev/null && fc-list :lang=zh | grep -q . || { \
		{ test "$$(id -u)" = 0 && command -v apt-get && apt-get update && \
			DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends chromium fontconfig fonts-noto-cjk; \
		} >build/apt.log 2>&1 || command -v chromium >/dev/null || \
		echo "croupier: NO CHROMIUM: the tests in a browser will be skipped." \
			"On Debian, as root: apt-get install chromium fonts-noto-cjk" >&2; }

screenshots: pages browser ## pictures of every page in three sizes and two languages, into docs/screens
	@$(BIN)/python -m tests.browser.screenshots

check: ## lint, formatting, types, direction of imports; the same for the pages, and their unit tests
	@$(TOGETHER) check-python check-pages

check-python: pages
	@$(BIN)/ruff check --quiet --output-format concise
	@$(BIN)/ruff format --check --quiet || { echo "croupier: not formatted; run: make fmt" >&2; exit 1; }
	@$(BIN)/mypy --no-error-summary $(wildcard src tests bench web)
	@report=$$($(BIN)/lint-imports --no-cache 2>&1) || { echo "$$report" >&2; exit 1; }

check-pages: pages
	@$(PAGES) check
	@$(BIN)/python -m web.wire build/sheets
	@$(BIN)/python -m tests.words.examples build/words.json
	@$(PAGES) test

bench: $(READY) ## measure, side by side in one run: rules, tables, stores, live servers (some minutes)
	@$(BIN)/python bench/rules.py
	@$(BIN)/python bench/table.py
	@$(BIN)/python -m bench.lab
	@$(BIN)/python -m bench.store
	@$(BIN)/python -m bench.live
	@$(BIN)/python -m bench.nodes

million: $(READY) ## build a journal of a million rows, start again from it, verify it: some minutes
	@$(BIN)/python -m bench.million

lab-proof: $(READY) ## simulation against exact: a thousand million rounds of every layout, every box within 4 errors
	@$(BIN)/python -m tests.analysis.simulate.proof
	@CROUPIER_FAULTS=all $(BIN)/python -m pytest -q tests/analysis

simulate: $(READY) ## play a seeded crowd beside the oracle: SEED, COMMANDS
	@$(BIN)/python -m tests.simulation --seed $(SEED) --commands $(COMMANDS)

simulate-long: $(READY) ## ten million commands, everything must be met
	@$(BIN)/python -m tests.simulation --seed $(SEED) --commands 10000000 --processes 2 --require-coverage

faults: $(READY) ## kill tables, servers and disks at every point of every kind of command; 5,000 edits of a journal, 200 of an installation, all found
	@CROUPIER_FAULTS=all $(BIN)/python -m pytest -q tests/store/test_kill.py tests/store/test_power.py tests/store/test_disk.py \
		tests/store/test_freeze.py tests/store/test_postgres_faults.py tests/store/test_recorder.py tests/rules/test_reader.py \
		tests/floor/test_signing.py tests/store/test_heads.py tests/store/test_manifest.py

shortened: $(READY) ## a PostgreSQL set back, promoted late, or killed with lossy commits, at 100 moments each on 1 and 3 machines
	@CROUPIER_FAULTS=all $(BIN)/python -m pytest -q -s tests/nodes/test_shortened.py

evenings: $(READY) ## a live floor on both stores: 200 rounds a book with faults, every restart, kills, all worlds
	@CROUPIER_FAULTS=all $(BIN)/python -m pytest -q tests/live

soak: $(READY) ## three machines, one PostgreSQL, robots at every table, a fault every few seconds for ten minutes
	@$(BIN)/python -m tests.nodes.soak 600 $(SEED)

hostile: $(READY) ## guests without manners in their thousands: the long forms, then what they cost one who plays
	@CROUPIER_FAULTS=all $(BIN)/python -m pytest -q tests/server/player/test_hostile.py tests/server/player/test_terminals_close.py \
		tests/server/staff/test_hostile.py tests/server/staff/test_openapi.py
	@$(BIN)/python -m bench.hostile
	@$(BIN)/python -m bench.hostile --strangers

docs: pages ## write the generated pages anew
	@$(BIN)/python docs/generate.py
	@$(BIN)/python -m web.wire

golden: $(READY) ## write the golden pay tables anew
	@$(BIN)/python -m tests.floor.faults
	@$(BIN)/python -m tests.support.golden

fuzz-transcripts: $(READY) ## change every word of every transcript, one at a time; each must be refused or change the evening
	@$(BIN)/python -m tests.transcript.test_strictness

planted: $(READY) ## plant bugs; each must turn a test red
	@$(BIN)/python -m tests.planted

mutation: $(READY) ## make small mistakes by the hundred; fails if tests find fewer than before: MODULES, SAMPLE
	@$(BIN)/python -m tests.mutation $(MODULES) $(if $(SAMPLE),--sample $(SAMPLE))

mutate-law: $(READY) ## change the law in small ways, clause by clause; each must turn a transcript red (some minutes): BOOK, CLAUSE
	@$(BIN)/python -m tests.mutation.law $(BOOK) $(if $(CLAUSE),--clause '$(CLAUSE)')

fmt: $(READY) ## format, and mend what the linter can
	@$(BIN)/ruff check --quiet --fix --exit-zero
	@$(BIN)/ruff format --quiet
	@$(PAGES) fmt

lock: $(READY) ## resolve into requirements/ and web/package-lock.json, keeping the pins that fit; UPGRADE=1 takes the newest of everything
	@$(compile) $(if $(UPGRADE),--upgrade) pyproject.toml --all-extras --group dev --output-file requirements/lock.txt >/dev/null
	@echo uv | { $(compile) - --constraint requirements/lock.txt --no-annotate \
		--output-file requirements/bootstrap.txt >/dev/null; }
	@$(PAGES) lock

clean: ## remove .venv and everything built
	@rm -rf .venv build dist src/croupier/web web/node_modules bench/live/colyseus/node_modules .mypy_cache .ruff_cache .pytest_cache .hypothesis
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(READY): $(LOCKS) pyproject.toml
	@command -v '$(PYTHON)' >/dev/null || { echo "croupier: $(PYTHON) is missing. Croupier needs Python 3.11 or newer." \
		"On Debian, as root: apt-get install python3 python3-venv" >&2; exit 1; }
	@'$(PYTHON)' -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "croupier: $(PYTHON) is $$('$(PYTHON)' -V 2>&1). Croupier needs Python 3.11 or newer." \
		"On Debian 12 or newer, as root: apt-get install python3 python3-venv." \
		"Or name another for every make that follows: export PYTHON=python3.12" >&2; exit 1; }
	@'$(PYTHON)' -c 'import ensurepip, venv' 2>/dev/null || { \
		echo "croupier: $(PYTHON) cannot make virtual environments: its venv or ensurepip module is missing." \
		"On Debian, as root: apt-get install $$('$(PYTHON)' -c 'import sys; print("python3.%d-venv" % sys.version_info[1])')" \
		>&2; exit 1; }
	@mkdir -p .venv && test -w .venv || { echo "croupier: $(CURDIR)/.venv cannot be written: set up in a folder of yours." >&2; exit 1; }
	@# What was downloaded is kept: a set-up that failed half-way does not begin from nothing.
	@test -e $@ || find .venv -mindepth 1 -maxdepth 1 ! -name cache -exec rm -rf {} +
	@echo "croupier: setting up .venv, once: one to five minutes, most of them for downloads; $(NEEDS) of disk." >&2
	@test -e $@ || { $(call step,1 of 4: an environment of $$('$(PYTHON)' -V),'$(PYTHON)' -m venv .venv,$(free). Make room or mend the Python); }
	@$(call step,2 of 4: uv to install the rest,$(BIN)/pip install --require-hashes -r requirements/bootstrap.txt,$(index) $(free). Mend the connection or make room)
	@$(call step,3 of 4: $$(grep -c '^[a-z].*==' requirements/lock.txt) packages of requirements/lock.txt with their hashes,$(uv) pip sync --compile-bytecode --python $(BIN)/python --require-hashes requirements/lock.txt,$(index) $(free). Mend the connection or make room)
	@$(call step,4 of 4: Croupier in its place with its pages,$(uv) pip install --python $(BIN)/python --no-deps --no-build-isolation --editable .,Mend what it names)
	@echo "croupier: set up. Nothing of this is done again until the lock or pyproject.toml changes." >&2
	@touch $@
