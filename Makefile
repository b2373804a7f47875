# Each target makes what it needs by itself. Override the interpreter with PYTHON=python3.12.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

# What pytest is given; make test PYTEST="tests/core -k redact"
PYTEST ?= tests
# How many tests run at once: a number, auto for one per core, or 0 for all in one process.
JOBS ?= auto
# Folders that do not decide yet whether the tree is green; empty this to run them too.
PYTEST_IGNORE ?= tests/bench
IGNORED := $(addprefix --ignore=,$(PYTEST_IGNORE))

.PHONY: help setup run test lint bench pictures lock clean

help: ## show this list
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 10

setup: $(STAMP) ## make .venv with the pinned packages, and the system libraries of Qt

# The checksum decides, not the clock: a checkout gives files any time it likes.
$(STAMP): FORCE
	@scripts/setup.sh $(VENV) $(STAMP)

.PHONY: FORCE
FORCE:

run: $(STAMP) ## open the window with the first example already run
	@scripts/first-run.sh $(BIN)

test: lint ## lint, types, import contracts and tests
	$(BIN)/python -m pytest -n $(JOBS) $(IGNORED) $(PYTEST)

lint: $(STAMP) ## ruff, mypy, import contracts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(STAMP) ## measure, print a table, write build/bench.json
	$(BIN)/python -m tests.bench

pictures: $(STAMP) ## take a picture of each pane and state of the window, into build/pictures
	$(BIN)/python -m tests.gui.look.tour build/pictures
	$(BIN)/python -m tests.gui.look.walk build/pictures/walk

lock: $(STAMP) ## pin the newest packages again into requirements.lock, for every platform
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile --upgrade --universal --python-version 3.11 --extra dev \
		--generate-hashes --no-emit-index-url --no-emit-find-links --quiet \
		--custom-compile-command 'make lock' --output-file requirements.lock pyproject.toml

clean: ## remove what was built, but not .venv
	rm -rf build dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
