# Everything a newcomer or maintainer runs; `make help` lists it.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
PORT   ?= 8000
PIP    := $(BIN)/python -m pip --disable-pip-version-check --quiet

.PHONY: help up install compiled test check bench lock clean
.DEFAULT_GOAL := help

help: ## list these commands
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## (.*)/  make \1\t\2/' | expand -t 18

up: compiled ## install if needed and run everything on this machine: http://127.0.0.1:8000
	@exec $(BIN)/malice up --port $(PORT)

install: compiled ## install the product into .venv, its engine compiled where a C compiler is

test: $(VENV)/.test compiled ## run the test suite (SQLite and an embedded Valkey; nothing else needed)
	$(BIN)/python -m pytest -n 2 --dist loadfile
	@# What was just tested was the compiled engine, where there is one: its source must play the same games. Once is enough.
	@test -n "$$MALICE_TEST_DATABASE" || ! $(BIN)/python engine/loading.py >/dev/null || MALICE_ENGINE=source $(BIN)/python -m pytest -n 2 --dist loadfile tests/engine

check: $(VENV)/.test ## formatting, lint and types
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

bench: $(VENV)/.bench compiled ## measure speed and print the table (several minutes; wants a quiet machine)
	$(BIN)/python -m benchmarks

lock: $(VENV)/.run ## renew requirements/*.txt from pyproject.toml and requirements/*.in
	$(PIP) install --require-hashes -r requirements/lock.txt
	cd requirements && for set in run build test bench lock; do \
	  test $$set = run && project=../pyproject.toml || project=; \
	  ../$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header \
	    --no-emit-index-url --no-emit-find-links $$project $$set.in -o $$set.txt || exit 1; \
	done

clean: ## remove the virtual environment and caches (never ./var, where the results are)
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache
	! test -d engine || find engine '(' -name '*.so' -o -name 'compiled.*.sha256' ')' -delete

# Says in one line what is missing before pip or venv say it in fifty.
$(VENV)/.venv:
	@command -v $(PYTHON) >/dev/null || { echo "malice: no $(PYTHON) here; install Python 3.11 or newer, or name one: make PYTHON=/path/to/python3" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "malice: $(PYTHON) is $$($(PYTHON) -c 'import platform; print(platform.python_version())'), Malice needs 3.11 or newer; name one: make PYTHON=/path/to/python3.11" >&2; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { echo "malice: this Python has no venv module; on Debian or Ubuntu: apt-get install python3-venv" >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.run: $(VENV)/.venv requirements/run.txt requirements/build.txt pyproject.toml
	@echo "malice: installing into $(VENV) (about half a minute, once)"
	@$(PIP) install --use-pep517 --require-hashes -r requirements/run.txt -r requirements/build.txt
	@MALICE_ENGINE=source $(PIP) install --no-deps --no-build-isolation --editable .
	@touch $@

# Compiles the engine when its sources are not those it was compiled from; without a C compiler one line says so.
compiled: $(VENV)/.run
	@$(BIN)/python engine/loading.py >/dev/null || $(BIN)/python setup.py --quiet build_ext --inplace \
	  --build-temp $(VENV)/engine/temp --build-lib $(VENV)/engine/lib

$(VENV)/.test: $(VENV)/.run requirements/test.txt
	@$(PIP) install --require-hashes -r requirements/test.txt
	@touch $@

$(VENV)/.bench: $(VENV)/.test requirements/bench.txt
	@$(PIP) install --require-hashes -r requirements/bench.txt
	@touch $@
