# Everything a fresh machine needs is done here: `make demo` and `make test` each make
# the virtual environment that they use. Only make and Python 3.11 or newer are assumed.
#
#   make demo        train the digits network with compiled gradients
#   make test        ruff, mypy and the tests
#   make test-full   the same with the long tests: numba matrix, long fuzz, other ADs
#   make bench       the benchmark table (exit 1 when a bound is missed)
#   make lint        ruff and mypy alone
#   make clean       remove the virtual environments and caches
#
# Choose the interpreter with PYTHON=..., arguments of pytest with PYTEST_ARGS=...

# A launcher on PATH may exist and still not run, so each candidate is executed.
PROBE := import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))
ifndef PYTHON
PYTHON := $(shell for candidate in python3.13 python3.12 python3.11 python3 python; do \
	if $$candidate --version >/dev/null 2>&1 && \
	   $$candidate -c '$(PROBE)' >/dev/null 2>&1; \
	then echo $$candidate; break; fi; done)
endif
ifeq ($(strip $(PYTHON)),)
$(error no Python 3.11 or newer (with venv and ensurepip) on PATH; \
	name one with make PYTHON=/path/to/python)
endif
VERSION := $(shell $(PYTHON) -c 'import sys; print("%d.%d.%d" % sys.version_info[:3])')

PIP_FLAGS := --quiet --disable-pip-version-check
DEMO := .venv-demo
TEST := .venv-test
BIN := $(TEST)/bin
PYTEST_ARGS ?=

.PHONY: demo test test-full bench lint clean

demo: $(DEMO)/ready-$(VERSION)
	$(DEMO)/bin/python examples/08_digits.py

test: lint
	$(BIN)/python -m pytest $(PYTEST_ARGS)

test-full: lint $(TEST)/oracles-$(VERSION)
	$(BIN)/python -m pytest -m '' $(PYTEST_ARGS)

lint: $(TEST)/ready-$(VERSION)
	$(BIN)/ruff check .
	$(BIN)/mypy

bench: $(TEST)/ready-$(VERSION)
	$(BIN)/python -m benchmarks

# The stamp carries the version: another PYTHON makes the environment anew.
$(DEMO)/ready-$(VERSION): pyproject.toml
	rm -rf $(DEMO)
	$(PYTHON) -m venv $(DEMO)
	$(DEMO)/bin/python -m pip install $(PIP_FLAGS) -e '.[examples]'
	touch $@

$(TEST)/ready-$(VERSION): pyproject.toml
	rm -rf $(TEST)
	$(PYTHON) -m venv $(TEST)
	$(BIN)/python -m pip install $(PIP_FLAGS) -e '.[test]'
	touch $@

$(TEST)/oracles-$(VERSION): $(TEST)/ready-$(VERSION)
	$(BIN)/python -m pip install $(PIP_FLAGS) -e '.[test,oracles]'
	touch $@

clean:
	rm -rf $(DEMO) $(TEST) build dist *.egg-info
	rm -rf .mypy_cache .pytest_cache .ruff_cache .hypothesis
