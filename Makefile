# make play   play at this terminal        make test   everything that must pass before work lands
# make serve  play in a browser
# All set up .venv first, where it is missing or its pins have changed.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready
# Where the environment has no pip of its own (a Python without ensurepip), the one outside works on it.
PIP = $$($(BIN)/python -m pip --version >/dev/null 2>&1 && echo $(BIN)/python -m pip || \
	echo $(PYTHON) -m pip --python $(BIN)/python) --quiet --disable-pip-version-check

.PHONY: setup play serve test machine lint bench reliability pins docs clean

setup: $(READY)

$(READY): requirements/test.txt pyproject.toml
	@command -v $(PYTHON) >/dev/null || { echo "There is no $(PYTHON) here; zerosum needs Python 3.11 or newer."; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "zerosum needs Python 3.11 or newer; this is $$($(PYTHON) --version). Try: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	@$(PYTHON) -c 'import venv' 2>/dev/null || \
		{ echo "This Python has no venv module. On Debian or Ubuntu: apt install python3-venv"; exit 1; }
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || $(PYTHON) -m pip --version >/dev/null 2>&1 || \
		{ echo "This Python has no pip. On Debian or Ubuntu: apt install python3-pip python3-venv"; exit 1; }
	@echo "Setting up $(VENV) (once)..."
	@if $(PYTHON) -c 'import ensurepip' 2>/dev/null; then $(PYTHON) -m venv $(VENV); else $(PYTHON) -m venv --without-pip $(VENV); fi
	@$(PIP) install --require-hashes -r requirements/test.txt
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@touch $(READY)

play: $(READY)
	@$(BIN)/zerosum

serve: $(READY)
	@$(BIN)/zerosum serve

test: $(READY) machine lint
	$(BIN)/python -m pytest -n auto

# A browser, a tracer and curl, which pip cannot install.
machine:
	@tools/machine.sh

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(READY)
	@$(BIN)/python -m benchmarks

reliability: $(READY) machine
	@$(BIN)/python -m tests.reliability

docs: $(READY)
	$(BIN)/python tools/make_docs.py

# uv is needed only here, by whoever changes the pins.
pins:
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
		requirements/test.in --output-file requirements/test.txt

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
