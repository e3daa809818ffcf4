PYTHON ?= python3
BIN := .venv/bin
# What `make run`, `make demo`, `make bench`, `make year`, `make torture`, `make torture-postgres`, `make fuzz`, `make mutate`, `make audit`,
# `make dist`, `make image` and `make lock` hand on.
ARGS ?=
# Of the rooms that pyproject.toml names for coverage at least FLOOR per cent must run.
FLOOR := 95
UV := uv==0.13.8
# The running bot needs the driver of PostgreSQL only if its settings name such a database. POSTGRES=yes asks for it.
POSTGRES ?= $(filter postgres%,$(GIPFBOT_DATABASE_URL))$(shell sed -n "s/^ *\(export *\)\{0,1\}GIPFBOT_DATABASE_URL *= *[\"']\{0,1\}\(postgres\).*/\2/p" .env /etc/gipfbot.env 2>/dev/null)
RUN_STAMP = $(if $(strip $(POSTGRES)),.postgres,.complete)

# A venv is emptied before it is filled. Behind a link that would be a folder of somebody else.
LINKS := $(shell find .venv .venv-run .venv-fuzz .venv-audit .venv-mutate -maxdepth 0 -type l 2>/dev/null)
$(if $(LINKS),$(error $(LINKS) is a symbolic link, and the folder behind it would be emptied: remove the link))

define CHECK_PYTHON
	@command -v $(PYTHON) >/dev/null || { echo 'There is no $(PYTHON): install Python 3.11 or newer, or name yours: make PYTHON=python3.12 …' >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed; this is $$($(PYTHON) -V 2>&1). Name another: make PYTHON=python3.12 …" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { echo '$(PYTHON) lacks the module venv: install it (Debian and Ubuntu: the package python3-venv).' >&2; exit 1; }
endef

.DEFAULT_GOAL := help
# What `make check` runs: of each room what is quickly done.
FAST := tests/match tests/test_house.py tests/test_documents.py tests/test_shared.py tests/test_glossary.py tests/test_settings.py tests/store/test_queries.py

# What `make test` runs on PostgreSQL: of each room what its tables, transactions and races depend on.
FAST_POSTGRES := tests/store tests/service/test_races.py tests/service/competing/test_results.py tests/service/restoring tests/delivery/test_found.py tests/process/test_kill.py tests/process/test_start.py tests/process/test_update.py

# Does nothing if the compiled search and rules can be used already.
COMPILE_ROOMS = sh requirements/compile.sh .venv-run/bin/python

# Writes the byte code of all tests, so that it is not made once in each of three processes.
IMPORT_TESTS := $(BIN)/pytest --collect-only --only-import -qq >/dev/null
# Some machines ask for no byte code, which would let each process of the tests compile all that it imports.
check test test-postgres long: export PYTHONDONTWRITEBYTECODE =

.PHONY: help setup install service in-place run update check test test-postgres long compile clean-compiled demo bench year flood torture torture-postgres pictures fuzz mutate audit release dist image map lock

help: ## list these targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | expand -t 16

setup: .venv/.complete ## create .venv/ with everything; does nothing until a requirement file changes

install: .venv-run/$(RUN_STAMP) ## create .venv-run/ with the packages that the running bot needs, and compile the search and the rules if there is a compiler
	@$(COMPILE_ROOMS)
	@touch .venv-run/compiled.tried

# The service may not write here, so what it imports is compiled now.
service: in-place install ## make the bot in /opt/gipfbot a service of systemd, or bring that up to date; needs root, and starts nothing
	.venv-run/bin/python -c 'import gipfbot.app'
	id -u gipfbot >/dev/null 2>&1 || useradd --system --home-dir /var/lib/gipfbot --shell /usr/sbin/nologin gipfbot
	test -e /etc/gipfbot.env || install --mode=600 .env.example /etc/gipfbot.env
	cp docs/hosting/gipfbot.service docs/hosting/gipfbot@.service docs/hosting/gipfbot-backup.service docs/hosting/gipfbot-backup.timer /etc/systemd/system/
	install docs/hosting/gipfbot /usr/local/bin/
	systemctl daemon-reload

in-place:
	@test "$(CURDIR)" = /opt/gipfbot || { echo 'The units of systemd look for the bot in /opt/gipfbot: put the project there.' >&2; exit 1; }

run: .venv-run/compiled.tried ## start the bot, with the packages it needs and no others; ARGS=backup and so on for its tools
	exec .venv-run/bin/python bot.py $(ARGS)

update: ## bring this checkout and its service to the newest version, and back if the bot is not healthy then; TO=v0.2.0 for another version, LOSE_TURNS=yes to go back by restoring the backup
	$(CHECK_PYTHON)
	@exec $(PYTHON) -m gipfbot.update $(if $(TO),--to "$(TO)") $(if $(filter yes,$(LOSE_TURNS)),--lose-turns)

check: setup ## ruff, mypy and the fast tests: what to run after every step
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/pytest -q $(FAST)

test: setup ## everything a change must pass: ruff, mypy, and all tests but the slow ones
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(IMPORT_TESTS) & $(BIN)/mypy; found=$$?; wait; exit $$found
	$(BIN)/pytest -n 3 --dist loadgroup -m "not slow"
	$(BIN)/pytest -n 3 --dist loadgroup -m "not slow" --database postgres --ignore-glob "tests/store/test_postgres*.py" $(FAST_POSTGRES)

test-postgres: setup ## the tests of store, service, delivery and process on a PostgreSQL server that is started for them
	$(BIN)/pytest -n 2 --dist loadgroup -m "not slow" --database postgres tests/store tests/service tests/delivery tests/process

long: setup ## all tests in full length, the slow ones too, and the branch coverage of the pure rooms
	GIPF_FROM_SOURCE=yes LONG_TESTS=1 $(BIN)/pytest -n 2 --dist loadgroup tests/rules tests/notation tests/match --cov --cov-report=term --cov-report=json:coverage.json
	@$(BIN)/python -c 'import json; totals = json.load(open("coverage.json"))["totals"]; lines, branches = totals["percent_statements_covered"], totals["percent_branches_covered"]; print(f"Run in the pure rooms: {lines:.1f} % of the statements, {branches:.1f} % of the branches (at least $(FLOOR))"); raise SystemExit(min(lines, branches) < $(FLOOR))'
	LONG_TESTS=1 $(BIN)/pytest -n 2 --dist loadgroup --ignore tests/rules --ignore tests/notation --ignore tests/match

compile: setup clean-compiled ## compile the search, which makes it sixty times as fast, and the rules, more than twice as fast; needs a C compiler, and nothing depends on it
	$(BIN)/python -m gipfbot.compiled

clean-compiled: ## remove what `make compile` has made
	rm -f *__mypyc.*.so gipfbot/*/*.so gipfbot/*/compiled.sha256

# Who develops has everything; who only looks gets no more than the demo needs.
demo: $(if $(wildcard .venv/.complete),setup,.venv/.demo) ## open the bot in a browser, on a simulated Discord, without a token
	$(BIN)/python bot.py demo $(ARGS)

bench: setup ## measure the speed of what has a limit
	$(BIN)/python bot.py bench $(ARGS)

pictures: setup ## draw the golden pictures and the contact sheet anew, after a wanted change; then look at them
	$(BIN)/python -m tests.render.golden

year: setup ## live through a year of 200 players and 10,000 games, and check every message; ARGS=--games=1000 for less
	$(BIN)/python -m tests.year $(ARGS)

flood: setup ## let one person flood the real process, each kind of request alone and all at once, and see how long others wait; ARGS=--at-once for the second part
	$(BIN)/python -m tests.process.flood $(ARGS)

torture: setup ## kill the real process 500 times while people play, and miss nothing; ARGS="--seconds 3600" for at least an hour
	$(BIN)/python -m tests.process.torture $(ARGS)

torture-postgres: setup ## kill processes of three on one PostgreSQL 500 times, and miss neither a turn nor a deadline; ARGS="--processes 2 --kills 60 --each 60" for an hour with one each minute
	$(BIN)/python -m tests.process.fleet_torture $(ARGS)

fuzz: .venv-fuzz/.complete ## give the readers of the notation millions of odd texts, for 10 minutes; ARGS=-max_total_time=60 for one
	.venv-fuzz/bin/python -m tests.fuzz.notation $(ARGS)

audit: .venv-audit/.complete ## ask whether a pinned package has a known fault; ARGS="--vulnerability-service=osv" asks another service
	.venv-audit/bin/pip-audit --strict --progress-spinner off --disable-pip --require-hashes \
		--requirement requirements.txt --requirement requirements/dev.txt $(ARGS)
mutate: .venv-mutate/.complete ## change the rules and the match in a thousand places, and see if a test fails each time; ARGS="--only rules.rows" for a part
	GIPF_FROM_SOURCE=yes .venv-mutate/bin/python -m tests.mutate $(ARGS)

release: setup ## check that tests, changes, version and migrations agree; build the wheel and the source archive, and tag the commit
	@$(BIN)/python -m tests.release --check
	$(MAKE) test
	@$(BIN)/python -m tests.release

dist: setup ## build the wheel and the source archive into the folder dist, and try the wheel; ARGS=--tag=v0.2.0 if that is what was tagged
	@$(BIN)/python -m tests.release --build $(ARGS)

image: setup ## build the image with docker, and let two people play on it; ARGS="--postgres --tag NAME" for the other one, by another name
	$(BIN)/python -m tests.hosting.try_image $(ARGS)

map: setup ## print all modules of the program, each with what it is
	$(BIN)/python -m tests.support.module_map

# What pins a requirement file; what stands behind it says which of the lists in pyproject.toml.
PIN = "$$tools/bin/uv" pip compile --quiet --no-config --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	--no-annotate --no-strip-extras --custom-compile-command 'make lock' $(ARGS) pyproject.toml >/dev/null

lock: ## pin the requirement files; what is pinned stays, ARGS=--upgrade takes the newest
	$(CHECK_PYTHON)
	@set -e; tools=$$(mktemp -d); trap 'rm -rf "$$tools"' EXIT; \
	$(PYTHON) -m venv "$$tools"; "$$tools/bin/python" -m pip install --quiet --disable-pip-version-check $(UV); \
	$(PIN) --extra bot --extra tournaments --output-file requirements.txt; \
	$(PIN) --extra bot --extra tournaments --extra postgres --constraints requirements.txt --output-file requirements/postgres.txt; \
	$(PIN) --extra demo --constraints requirements.txt --output-file requirements/demo.txt; \
	$(PIN) --extra demo --extra postgres --group dev --constraints requirements/postgres.txt --constraints requirements/demo.txt \
		--output-file requirements/dev.txt; \
	$(PIN) --group compile --constraints requirements/dev.txt --output-file requirements/compile.txt; \
	$(PIN) --group fuzz --output-file requirements/fuzz.txt; \
	$(PIN) --extra bot --group mutate --constraints requirements/dev.txt --output-file requirements/mutate.txt; \
	$(PIN) --group audit --output-file requirements/audit.txt; \
	$(PIN) --group pip --output-file requirements/pip.txt

# --clear: what is no longer required must be missed here, not on a fresh machine.
# The pip that old Pythons bring needs twice as long for so many packages.
.venv/.complete: requirements/dev.txt requirements/pip.txt
	$(CHECK_PYTHON)
	$(PYTHON) -m venv --clear .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --require-hashes --requirement requirements/pip.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --require-hashes --requirement requirements/dev.txt
	@touch $@

# What pip says is turned into one line that counts.
.venv/.demo: requirements/demo.txt requirements/pip.txt
	$(CHECK_PYTHON)
	@echo 'Setting up the demo in .venv: about 150 MB, in less than a minute. Later starts need none of it.'
	@$(PYTHON) -m venv --clear .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --require-hashes --requirement requirements/pip.txt
	@{ $(BIN)/python -m pip install --disable-pip-version-check --no-compile --progress-bar off --require-hashes --requirement $< \
		|| echo FAILED; } | { number=0; all=$$(grep -c '==' $<); while read -r word name rest; do case $$word in \
		Collecting|Processing|Ignoring) number=$$((number + 1)); name=$${name##*/}; \
			printf '\r  %d of %d packages: %-30.30s' $$number $$all "$${name%%[=:]*}" ;; \
		Installing) printf '\n  unpacking them …\n' ;; \
		FAILED) exit 1 ;; esac; done; }
	@touch $@
	@echo 'Starting the demo …'

.venv-fuzz/.complete: requirements/fuzz.txt
	$(CHECK_PYTHON)
	$(PYTHON) -m venv --clear .venv-fuzz
	.venv-fuzz/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements/fuzz.txt
	@touch $@

.venv-audit/.complete: requirements/audit.txt
	$(CHECK_PYTHON)
	$(PYTHON) -m venv --clear .venv-audit
	.venv-audit/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements/audit.txt
	@touch $@

# Without pip, which the running bot does not need: it would be a fifth of the packages.
define INSTALL_RUN
	$(CHECK_PYTHON)
	$(PYTHON) -m venv --clear --without-pip .venv-run
	@set -e; tools=$$(mktemp -d); trap 'rm -rf "$$tools"' EXIT; $(PYTHON) -m venv "$$tools"; \
	"$$tools/bin/python" -m pip --python .venv-run/bin/python install --quiet --disable-pip-version-check --no-compile \
		--require-hashes --requirement $<
	@touch $@
endef

.venv-run/.complete: requirements.txt
	$(INSTALL_RUN)

.venv-run/.postgres: requirements/postgres.txt
	$(INSTALL_RUN)

# A start of the bot tries this only once for the same source: it may fail each time.
.venv-run/compiled.tried: .venv-run/$(RUN_STAMP) $(wildcard gipfbot/rules/*.py gipfbot/search/*.py)
	@$(COMPILE_ROOMS)
	@touch $@

.venv-mutate/.complete: requirements/mutate.txt
	$(CHECK_PYTHON)
	$(PYTHON) -m venv --clear .venv-mutate
	.venv-mutate/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements/mutate.txt
	@touch $@
