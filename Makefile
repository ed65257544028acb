# Two commands matter: `make run` and `make test`. Both set up what they need.
export UV_COMPILE_BYTECODE := 1
export PYTHONDONTWRITEBYTECODE :=

READY := .venv/ready
BIN := .venv/bin/
UV = $$(command -v uv || echo python3 -m uv)
ROOT := $(shell [ "$$(id -u)" = 0 ] || echo sudo)
PAGE := src/aforesaid/ui/dist/index.html
CLIENT := clients/typescript/dist/index.js
PAGE_SOURCES := $(shell find web -name node_modules -prune -o -type f -print)
UNIT_CACHE := .pytest_cache/unit
# Tests write many small files. In memory, where there is room, they do not wait for the disk.
SCRATCH := $(shell [ "$$(df --output=avail /dev/shm 2>/dev/null | tail -n 1)" -gt 4000000 ] 2>/dev/null && [ -w /dev/shm ] \
  && echo /dev/shm || echo $${TMPDIR:-/tmp})
QUICK := tests/test_architecture.py $(addprefix tests/,text ingest recall context distill replies answering ledger) \
  $(patsubst %,tests/contract/test_%.py,messages recall context forget)
PIP := python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore

.DEFAULT_GOAL := help
.PHONY: help setup run demo test quick check unit encrypted page types client bench faults clients adapters judges screens container docs reference conformance wheel wheels release lock clean

help:  ## list the commands
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

setup: $(READY) $(PAGE) $(CLIENT) chromium compiler  ## everything that run and test need: the environment, the page, a browser

run: $(READY) $(PAGE)  ## the server and its page, on aforesaid.db in this folder, on loopback
	$(BIN)aforesaid serve

demo: $(READY)  ## a short tour on a store of its own
	$(BIN)aforesaid demo

test:  ## everything that must hold
	@$(MAKE) --no-print-directory --jobs=2 check unit encrypted

quick: $(READY)  ## lint, types and the tests that need neither a browser nor PostgreSQL: under a minute
	$(BIN)ruff check .
	$(BIN)ruff format --check .
	$(BIN)mypy
	$(BIN)pytest -q -n 2 --dist loadfile -m "not slow" -k "not postgres" $(QUICK)

check: $(READY) web/node_modules/ready $(CLIENT)  ## lint, types, architecture, docs
	$(BIN)ruff check .
	$(BIN)ruff format --check .
	$(BIN)mypy
	$(BIN)pytest -q -n 2 tests/test_architecture.py tests/test_docs.py
	cd web && npm run --silent lint && npm run --silent types && npm run --silent unit
	cd clients/typescript && ../../web/node_modules/.bin/biome check --error-on-warnings .

unit: export TMPDIR := $(SCRATCH)
unit: $(READY) $(PAGE) $(CLIENT) chromium compiler
	$(BIN)pytest -q -n 3 --dist loadfile --no-loadscope-reorder -o cache_dir=$(UNIT_CACHE) \
	  --ignore tests/test_architecture.py --ignore tests/test_docs.py \
	  || $(BIN)python tools/rerun_failed.py $(UNIT_CACHE)

# These tests need another build of SQLite. Without it, pytest finds none of them, and that is an error.
encrypted: export TMPDIR := $(SCRATCH)
encrypted: export PYTHONPATH := $(CURDIR)/.venv/encrypted
encrypted: $(READY)
	$(BIN)pytest -q -n 2 tests/encrypted

page: $(PAGE)  ## build the page into the package

client: $(CLIENT)  ## build the TypeScript client

types: $(READY)  ## the types of the page and of the TypeScript client, from the server's description
	$(BIN)python tools/page_types.py

bench: $(READY)  ## figures and pictures into bench-out/
	$(BIN)aforesaid bench latency --out bench-out

faults: $(READY) compiler  ## disk errors, power cuts, and SEEDS=1000 simulated crashes in full; SEED=17 replays one
	$(BIN)python -m tests.faults.run --steps $(or $(STEPS),60) $(if $(SEED),--seed $(SEED),--seeds $(or $(SEEDS),1000))

clients: $(READY)  ## real clients through the proxy and MCP, installed from the registries; ONLY=codex runs one
	$(BIN)python -m tests.clients.run $(addprefix --only ,$(ONLY)) $(CLIENTS_OPTIONS)

adapters: $(READY)  ## the adapters with their frameworks, and the frameworks' own tests; ONLY=langgraph runs one
	$(BIN)python -m tests.adapters.run $(addprefix --only ,$(ONLY)) $(ADAPTERS_OPTIONS)

judges: $(READY) $(CLIENT) chromium  ## generators on the OpenAPI description, runtimes and the AI SDK on the TypeScript client
	$(BIN)python -m tests.clients.typescript

container: $(READY)  ## build the image and run it with podman, alone and with PostgreSQL, and judge the systemd unit
	@command -v podman >/dev/null && command -v debootstrap >/dev/null || { $(ROOT) apt-get update -qq && $(ROOT) apt-get install -y -qq \
	  --no-install-recommends podman buildah runc catatonit netavark aardvark-dns iptables debootstrap; }
	$(ROOT) $(BIN)python -m tests.container.run

docs: $(READY) chromium  ## the site of the documentation into docs-out/; it works from the folder, without a network
	$(BIN)python -m tools.docs.site

reference: $(READY)  ## the parts of docs/reference that come from the code
	$(BIN)python -m tools.docs.reference

screens: $(READY) $(PAGE) chromium  ## every view at two widths and two themes into page-out/, checked by axe; ONLY=chat, DOCS=1 renews docs/pictures
	$(BIN)python -m tests.page.tour $(addprefix --only ,$(ONLY)) $(if $(DOCS),--docs)

conformance: $(READY)  ## which test proves which promise
	$(BIN)python tools/conformance.py

wheel: $(READY) $(PAGE)  ## build the sdist, and the wheel from it, into dist/
	$(UV) build --quiet --out-dir dist

wheels: $(READY)  ## which platforms have binary wheels of every dependency
	$(BIN)python tools/check_wheels.py

release: $(READY)  ## build a release twice, check and sign it (KEY=~/.ssh/release); DRY=1 keeps nothing. It uploads nothing
	$(BIN)python tools/release.py $(if $(DRY),--dry-run) $(addprefix --key ,$(KEY))

lock: $(READY)  ## renew the pinned versions in requirements.txt
	$(UV) pip compile --quiet --upgrade --universal --python-version 3.11 --group dev --extra server --extra mcp --extra otel --extra postgres --extra fast --no-header --no-annotate \
	  pyproject.toml -o requirements.txt
	printf 'apsw-sqlite3mc\nsqlcipher3\n' | $(UV) pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes \
	  --no-header --no-annotate - -o requirements-encrypted.txt

clean:  ## remove what make has made
	rm -rf .venv dist bench-out docs-out page-out web/node_modules src/aforesaid/ui/dist clients/typescript/node_modules clients/typescript/dist

$(READY): pyproject.toml requirements.txt requirements-encrypted.txt
	@$(UV) --version >/dev/null 2>&1 || $(PIP) uv || $(PIP) --user --break-system-packages uv
	$(UV) venv --quiet --allow-existing .venv
	$(UV) pip sync --quiet requirements.txt
	$(UV) pip install --quiet --no-deps --editable .
	$(UV) pip install --quiet --no-deps --require-hashes --target .venv/encrypted -r requirements-encrypted.txt
	@touch $@

web/node_modules/ready: web/package.json web/package-lock.json
	@npm --version >/dev/null 2>&1 || { echo "the page is built with node (20.19 or newer) and npm; install them first"; exit 1; }
	cd web && npm ci --no-progress --loglevel=error
	@touch $@

clients/typescript/node_modules/ready: clients/typescript/package.json clients/typescript/package-lock.json
	cd clients/typescript && npm ci --no-progress --loglevel=error
	@touch $@

$(CLIENT): clients/typescript/node_modules/ready clients/typescript/tsconfig.json $(wildcard clients/typescript/src/*.ts)
	cd clients/typescript && npm run --silent build
	@touch $@

$(PAGE): web/node_modules/ready $(PAGE_SOURCES)
	cd web && npm run --silent build
	@touch $@

.PHONY: chromium
chromium:
	@command -v chromium-headless-shell >/dev/null || command -v chromium >/dev/null || \
	  { $(ROOT) apt-get update -qq && $(ROOT) apt-get install -y -qq chromium-headless-shell; }

.PHONY: compiler
compiler:  # of the library that makes a disk fail, for tests/faults
	@command -v cc >/dev/null || { $(ROOT) apt-get update -qq && $(ROOT) apt-get install -y -qq gcc libc6-dev; }
