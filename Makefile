# Everything runs in a virtual environment of its own; `make help` lists what there is to run.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
RUNS := $(VENV)/runs# what running needs is installed
READY := $(VENV)/ready# and what developing needs
COMPILED := $(VENV)/compiled# and the engines are compiled
PIP := "$(PYTHON)" -m pip --python $(BIN)/python --disable-pip-version-check

.DEFAULT_GOAL := help
.PHONY: help run test test-all in-browsers elsewhere check format bench golden perft api lock clean postgres chromium bubblewrap compilers

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

run: $(RUNS) $(COMPILED) ## all servers on this machine, until Ctrl-C
	@$(BIN)/spielwerk serve

test: check ## format, lint, types, imports, and all tests but the slow ones
	@$(MAKE) --no-print-directory -j2 --output-sync=target in-browsers elsewhere SOME="-m 'not slow'"

test-all: check ## the same with the slow tests, before a release
	@$(MAKE) --no-print-directory -j2 --output-sync=target in-browsers elsewhere

# Browsers are apart: a process that drives one has an event loop, and cannot run others' tests.
# Other tests wait for almost half of their time, so that both go on at once, and there are more of
# them than processors.
PROCESSORS := $(shell getconf _NPROCESSORS_ONLN)

in-browsers:
	$(BIN)/pytest $(SOME) -n $(PROCESSORS) --dist worksteal tests/browser

elsewhere:
	$(BIN)/pytest $(SOME) -n $(shell expr $(PROCESSORS) '*' 2) --dist worksteal --ignore tests/browser

check: $(READY) $(COMPILED) postgres chromium bubblewrap compilers
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

# What the tests need of the system is installed where that is allowed. The store is tested on a
# PostgreSQL of the tests' own, the pages in a real browser (its pictures go to artefacts/),
# programs of strangers in a sandbox, and the starters are built in their languages.
postgres:
	@command -v initdb >/dev/null || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 \
	  || $(call install,PostgreSQL,postgresql)

chromium:
	@command -v chromium >/dev/null \
	  || $(call install,Chromium,chromium fonts-noto-core fonts-urw-base35)

bubblewrap:
	@command -v bwrap >/dev/null || $(call install,bubblewrap,bubblewrap)

compilers:
	@{ command -v gcc && command -v javac && command -v valgrind; } >/dev/null \
	  || $(call install,gcc and a JDK,gcc valgrind default-jdk-headless)

install = { test "$$(id -u)" = 0 && command -v apt-get >/dev/null \
	       && echo "Installing $(1) for the tests ..." \
	       && { apt-get update -qq; DEBIAN_FRONTEND=noninteractive \
	            apt-get install -qq -y --no-install-recommends $(2) >/dev/null; }; } \
	  || echo "$(1) is not here and cannot be installed; its tests will say so."

format: $(READY) ## rewrite the sources in the house format
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(READY) ## measure the speed of the rules and the engines, a quarter of an hour
	$(BIN)/python -m benchmarks

golden: $(READY) ## write tests/golden anew; read the difference before committing it
	$(BIN)/python -m tests.golden

perft: $(READY) ## write tests/perft anew; read the difference before committing it
	$(BIN)/python -m tests.perft

api: $(READY) ## write docs/api.md anew from the docstrings; read the difference before committing it
	$(BIN)/python -m tests.api_page

# An environment knows the folder it was made in; a checkout that was moved or copied needs its own.
ifneq ($(shell cat $(RUNS) 2>/dev/null),$(CURDIR))
.PHONY: $(RUNS)
endif

# pip is the system's, told to install into the environment: Debian's python has venv but not always
# ensurepip. Nothing is built in isolation, so that the constraints hold for the build tools, too.
INSTALL := $(PIP) install --quiet --constraint constraints.txt

$(RUNS): pyproject.toml constraints.txt
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	  || { echo "spielwerk needs Python 3.11 or newer; name one with: make PYTHON=/path/to/python3" >&2; exit 2; }
	@echo "Setting up $(VENV) (once; a minute at most) ..."
	@"$(PYTHON)" -m venv --clear --without-pip $(VENV)
	@$(INSTALL) editables hatchling
	@$(INSTALL) --no-build-isolation --editable .
	@echo "$(CURDIR)" > $@

$(READY): $(RUNS)
	@echo "Adding what developing needs to $(VENV) (once; a minute at most) ..."
	@$(INSTALL) --no-build-isolation --editable '.[dev]'
	@$(INSTALL) --no-build-isolation --editable '.[bench]' \
	  || echo "Going on without the programs to compare with (the bench extra)."
	@touch $@

# Compiled anew when a kernel may have changed; what is compiled already is only looked at.
$(COMPILED): $(RUNS) $(wildcard src/spielwerk/engines/*.py src/spielwerk/games/*/rules.py \
             src/spielwerk/games/*/engine/*.py)
	@$(BIN)/spielwerk compile
	@touch $@

lock: $(READY) ## newest versions of everything installed, into constraints.txt
	@$(PIP) install --quiet --upgrade --upgrade-strategy eager '.[dev]'
	@$(PIP) freeze --exclude-editable --exclude spielwerk > constraints.txt
	@rm $(RUNS)

clean: ## remove the environment and all caches
	rm -rf $(VENV) artefacts/*.png .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
