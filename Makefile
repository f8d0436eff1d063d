# make play   play at this terminal        make check ROOM=lab  lint and the quick tests of one room, while you change it
# make serve  play in a browser            make check           lint and the quick tests of the core
#                                          make test            everything that must pass before work lands
# Each first sets up what it needs in .venv, if that is missing or its pins have changed.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Each file says that .venv has what the target of its name needs.
PLAY := $(VENV)/ready-play
CORE := $(VENV)/ready-core
SERVE := $(VENV)/ready-serve
TEST := $(VENV)/ready-test
# Inspect alone brings some 90 packages, so it has an environment of its own.
INSPECT := .venv-inspect/ready-inspect
# Torch is large, too.
LEARN := .venv-learn/ready-learn
# What checks the list of dependencies of a release is needed for nothing else.
RELEASE := .venv-release/ready-release
# Processes that run tests: two more than there are cores, since many tests wait for a browser, a terminal or a server.
JOBS ?= $(shell expr $$(getconf _NPROCESSORS_ONLN) + 2)
# What every room promises to the others: dialogues letter by letter, JSON and exit statuses, import rules.
PROMISES := tests/cli/test_golden.py tests/cli/test_truth.py tests/package/test_contracts.py tests/package/test_imports.py
# The rulebooks, clause by clause, belong to the rules.
ROOM_TESTS = $(wildcard tests/$(ROOM) $(if $(filter rules,$(ROOM)),tests/clauses) src/zerosum/$(ROOM))
CORE_ROOMS := base rules solver proof players match coach
QUICK := $(wildcard tests/clauses $(foreach room,$(CORE_ROOMS),tests/$(room) src/zerosum/$(room))) tests/cli/test_golden.py

# What of these needs the server, NumPy or OpenSpiel, and so is left to `make test`.
BEYOND := --ignore=src/zerosum/solver/by_masks.py --ignore=src/zerosum/solver/encoding.py --ignore=src/zerosum/solver/game_table.py \
	--ignore-glob='src/zerosum/solver/*_numpy.py' --ignore=tests/players/test_registry.py --ignore=tests/rules/test_reprs.py \
	--ignore=tests/solver/test_listed_positions.py \
	--ignore=tests/solver/fast --ignore=tests/solver/peers --deselect=tests/match/test_folders.py::TestTheCommands

# Processes that tests start find our own code compiled, whatever the caller's environment says.
unexport PYTHONDONTWRITEBYTECODE

.NOTPARALLEL:
.PHONY: setup inspect inspect-test learn learn-test play serve test full coverage check core machine lint bench reliability release pins docs shelf mechanisms site clean

setup: $(TEST)

inspect: $(INSPECT)

learn: $(LEARN)

play: $(PLAY)
	@$(BIN)/zerosum

serve: $(SERVE)
	@$(BIN)/zerosum serve

# Linters run beside the tests, since mypy keeps one core busy; what they say is printed last.
# A process that is done takes over tests of one that is not.
test: $(TEST) machine
	@mkdir -p build; $(MAKE) --no-print-directory lint >build/lint.txt 2>&1 & lint=$$!; \
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal; tests=$$?; \
	wait $$lint || { cat build/lint.txt; exit 1; }; tail -n 1 build/lint.txt; exit $$tests

# What imports Inspect, with Inspect installed: a part of `make full`. Other extras are missing there, so some ignores are unused.
inspect-test: $(TEST) $(INSPECT)
	$(BIN)/mypy --no-warn-unused-ignores --python-executable .venv-inspect/bin/python --cache-dir .mypy_cache/inspect src/zerosum/exam/inspect_tasks.py tests/inspect/*.py
	.venv-inspect/bin/python -m pytest --confcutdir=tests/inspect tests/inspect

# What imports Stable-Baselines3, with it installed: a part of `make full`.
learn-test: $(LEARN)
	.venv-learn/bin/python -m pytest --confcutdir=tests/learn tests/learn

# All tests with their full figures and every planted fault: some hours.
full: $(TEST) machine lint inspect-test learn-test
	ZEROSUM_FULL=1 $(BIN)/python -m pytest -n $(JOBS)

# Which lines of the core the quick tests run.
coverage: $(TEST)
	$(BIN)/python -m pytest -p tools.measured -n $(JOBS) -m "not slow" $(QUICK)

ifdef ROOM
check: lint
	@test -n "$(ROOM_TESTS)" || { echo "There is no room $(ROOM); see ls src/zerosum." >&2; exit 1; }
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal -m "not slow" $(ROOM_TESTS) $(PROMISES)
else
check: lint core
endif

# The quick tests of the core need little, and so run on every Python: make PYTHON=python3.13 core
core: $(CORE)
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal -m "not slow" $(BEYOND) $(QUICK)

# A browser, a tracer, curl and bubblewrap, which pip cannot install.
machine:
	@tools/machine.sh

lint: $(TEST)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/hadolint Dockerfile

bench: $(TEST)
	@$(BIN)/python -m benchmarks

reliability: $(TEST) machine
	@$(BIN)/python -m tests.reliability

# Wheel, sdist and list of dependencies of the last commit, in dist; tried on every Python with every extra: half an hour.
# Less: make release TRY="--python 3.11 --extra server"
release: $(TEST) $(RELEASE)
	$(BIN)/python tools/release.py --validator .venv-release/bin/python $(TRY)

# The pictures and notebooks that are in git, drawn and run again. What else is made, `make site` makes.
DRAWN := notebooks make_screenshot make_review_picture make_table_picture make_terminal_pictures make_report_pictures
docs: $(TEST)
	@for name in $(DRAWN); do $(BIN)/python tools/$$name.py || exit 1; done

# The search that found the games of the lab, on a Dask cluster of this machine's cores: an hour.
shelf: $(TEST)
	$(BIN)/python tools/search_shelf.py

# The tables of docs/notes/mechanisms.md: some minutes.
mechanisms: $(TEST)
	$(BIN)/python tools/measure_mechanisms.py

# The documentation as a site, in build/site, with what programs print: a minute or two. (The variable silences the theme.)
site: $(TEST)
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet
	@echo "The site is in build/site: open build/site/index.html, or $(BIN)/python -m http.server -d build/site"

$(PLAY): requirements/play.txt pyproject.toml
	$(INSTALL)
	@touch $(PLAY)

$(CORE): requirements/core.txt pyproject.toml
	$(INSTALL)
	@touch $(PLAY) $(CORE)

$(SERVE): requirements/serve.txt pyproject.toml
	$(INSTALL)
	@touch $(PLAY) $(SERVE)

$(TEST): requirements/test.txt pyproject.toml
	$(INSTALL)
	@touch $(PLAY) $(CORE) $(SERVE) $(TEST)

$(INSPECT): requirements/inspect.txt pyproject.toml
	$(INSTALL)
	@touch $(INSPECT)

$(LEARN): requirements/learn.in pyproject.toml
	"$(PYTHON)" -m venv --clear .venv-learn
	.venv-learn/bin/pip install --quiet --disable-pip-version-check --requirement requirements/learn.in --editable .
	@touch $(LEARN)

$(RELEASE): requirements/release.txt
	"$(PYTHON)" -m venv --clear .venv-release
	.venv-release/bin/pip install --quiet --disable-pip-version-check --no-deps --require-hashes --requirement requirements/release.txt
	@touch $(RELEASE)

define INSTALL
@command -v "$(PYTHON)" >/dev/null || { echo "There is no $(PYTHON) here; zerosum needs Python 3.11 or newer." >&2; exit 1; }
@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	{ echo "zerosum needs Python 3.11 or newer; this is $$("$(PYTHON)" --version 2>&1). Try: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 1; }
@"$(PYTHON)" tools/install.py $(patsubst ready-%,%,$(@F))
endef

# uv is needed only here, by whoever changes the pins. The smaller sets follow the largest, and Inspect's, apart, the core's.
# Then every Python that we support is asked for: each pin must have a wheel there.
COMPILE := uv pip compile --quiet
PIN := $(COMPILE) --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header
pins:
	$(PIN) requirements/test.in --output-file requirements/test.txt
	for set in play core serve; do \
		$(PIN) requirements/$$set.in --constraint requirements/test.txt --output-file requirements/$$set.txt || exit 1; \
	done
	$(PIN) requirements/inspect.in --constraint requirements/core.txt --output-file requirements/inspect.txt
	$(PIN) requirements/release.in --output-file requirements/release.txt
	for version in 3.11 3.12 3.13 3.14; do for platform in x86_64-manylinux_2_28 aarch64-apple-darwin; do \
		for set in test inspect; do \
			$(COMPILE) --no-build --python-version $$version --python-platform $$platform requirements/$$set.txt >/dev/null || exit 1; \
		done; \
	done; done
	uv run --quiet --no-project --with pip --with packaging python tools/dependencies.py

clean:
	rm -rf $(VENV) .venv-inspect .venv-learn .venv-release build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .coverage*
