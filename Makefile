PYTHON ?= python3
BIN := .venv/bin
# What `make run`, `make demo`, `make bench`, `make year`, `make torture`, `make fuzz`, `make mutate`, `make audit` and
# `make lock` hand on.
ARGS ?=
# Of the rooms that pyproject.toml names for coverage at least FLOOR per cent must run.
FLOOR := 95
UV := uv==0.13.8

define CHECK_PYTHON
	@command -v $(PYTHON) >/dev/null || { echo 'There is no $(PYTHON): install Python 3.11 or newer, or name yours: make PYTHON=python3.12 …' >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed; this is $$($(PYTHON) -V 2>&1). Name another: make PYTHON=python3.12 …" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { echo '$(PYTHON) lacks the module venv: install it (Debian and Ubuntu: the package python3-venv).' >&2; exit 1; }
endef

.DEFAULT_GOAL := help
# What `make check` runs: of each room what is quickly done.
FAST := tests/match tests/test_house.py tests/test_documents.py tests/test_shared.py tests/test_glossary.py tests/test_settings.py tests/store/test_queries.py

.PHONY: help setup install run check test long demo bench year flood torture pictures fuzz mutate audit lock

help: ## list these targets
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' Makefile | expand -t 10

setup: .venv/.complete ## create .venv/ with everything; does nothing until a requirement file changes

install: .venv-run/.complete ## create .venv-run/ with the packages that the running bot needs

run: install ## start the bot, with the packages it needs and no others; ARGS=backup and so on for its tools
	exec .venv-run/bin/python bot.py $(ARGS)

check: setup ## ruff, mypy and the fast tests: what to run after every step
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/pytest -q $(FAST)

test: setup ## everything a change must pass: ruff, mypy, and all tests but the slow ones
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/pytest -n 2 --dist loadgroup -m "not slow"

long: setup ## all tests in full length, the slow ones too, and the branch coverage of the pure rooms
	LONG_TESTS=1 $(BIN)/pytest -n 2 --dist loadgroup tests/rules tests/notation tests/match --cov --cov-report=term --cov-report=json:coverage.json
	@$(BIN)/python -c 'import json; totals = json.load(open("coverage.json"))["totals"]; lines, branches = totals["percent_statements_covered"], totals["percent_branches_covered"]; print(f"Run in the pure rooms: {lines:.1f} % of the statements, {branches:.1f} % of the branches (at least $(FLOOR))"); raise SystemExit(min(lines, branches) < $(FLOOR))'
	LONG_TESTS=1 $(BIN)/pytest -n 2 --dist loadgroup --ignore tests/rules --ignore tests/notation --ignore tests/match

demo: setup ## open the bot in a browser, on a simulated Discord, without a token
	$(BIN)/python bot.py demo $(ARGS)

bench: setup ## measure the speed of what has a limit
	$(BIN)/python bot.py bench $(ARGS)

pictures: setup ## draw the golden pictures and the contact sheet anew, after a wanted change; then look at them
	$(BIN)/python -m tests.render.golden

year: setup ## live through a year of 200 players and 10,000 games, and check every message; ARGS=--games=1000 for less
	$(BIN)/python -m tests.year $(ARGS)

flood: setup ## let one person flood the real process, and compare how long others wait; ARGS=--games=1000 for more games
	$(BIN)/python -m tests.process.flood $(ARGS)

torture: setup ## kill the real process 500 times while people play, and miss nothing; ARGS="--seconds 3600" for at least an hour
	$(BIN)/python -m tests.process.torture $(ARGS)

fuzz: .venv-fuzz/.complete ## give the readers of the notation millions of odd texts, for 10 minutes; ARGS=-max_total_time=60 for one
	.venv-fuzz/bin/python -m tests.fuzz.notation $(ARGS)

audit: .venv-audit/.complete ## ask whether a pinned package has a known fault; ARGS="--vulnerability-service=osv" asks another service
	.venv-audit/bin/pip-audit --strict --progress-spinner off --disable-pip --require-hashes \
		--requirement requirements.txt --requirement requirements-dev.txt $(ARGS)
mutate: .venv-mutate/.complete ## change the rules and the match in a thousand places, and see if a test fails each time; ARGS="--only rules.rows" for a part
	.venv-mutate/bin/python -m tests.mutate $(ARGS)

lock: ## pin the requirement files; what is pinned stays, ARGS=--upgrade takes the newest
	$(CHECK_PYTHON)
	@set -e; tools=$$(mktemp -d); trap 'rm -rf "$$tools"' EXIT; \
	$(PYTHON) -m venv "$$tools"; "$$tools/bin/python" -m pip install --quiet --disable-pip-version-check $(UV); \
	for file in requirements requirements-dev requirements-fuzz requirements-mutate requirements-audit; do \
		"$$tools/bin/uv" pip compile --quiet --no-config --universal --python-version 3.11 --generate-hashes \
			--no-emit-index-url --no-annotate --custom-compile-command 'make lock' $(ARGS) $$file.in --output-file $$file.txt >/dev/null; \
	done

# --clear: what is no longer required must be missed here, not on a fresh machine.
.venv/.complete: requirements-dev.txt
	$(CHECK_PYTHON)
	$(PYTHON) -m venv --clear .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements-dev.txt
	@touch $@

.venv-fuzz/.complete: requirements-fuzz.txt
	$(CHECK_PYTHON)
	$(PYTHON) -m venv --clear .venv-fuzz
	.venv-fuzz/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements-fuzz.txt
	@touch $@

.venv-audit/.complete: requirements-audit.txt
	$(CHECK_PYTHON)
	$(PYTHON) -m venv --clear .venv-audit
	.venv-audit/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements-audit.txt
	@touch $@

# Without pip, which the running bot does not need: it would be a fifth of the packages.
.venv-run/.complete: requirements.txt
	$(CHECK_PYTHON)
	$(PYTHON) -m venv --clear --without-pip .venv-run
	@set -e; tools=$$(mktemp -d); trap 'rm -rf "$$tools"' EXIT; $(PYTHON) -m venv "$$tools"; \
	"$$tools/bin/python" -m pip --python .venv-run/bin/python install --quiet --disable-pip-version-check --no-compile \
		--require-hashes --requirement requirements.txt
	@touch $@

.venv-mutate/.complete: requirements-mutate.txt
	$(CHECK_PYTHON)
	$(PYTHON) -m venv --clear .venv-mutate
	.venv-mutate/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements-mutate.txt
	@touch $@
