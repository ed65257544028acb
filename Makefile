# Two commands matter: `make run` and `make test`. Both set up what they need.
export UV_COMPILE_BYTECODE := 1
export PYTHONDONTWRITEBYTECODE :=

READY := .venv/ready
BIN := .venv/bin/
UV = $$(command -v uv || echo python3 -m uv)
ROOT := $(shell [ "$$(id -u)" = 0 ] || echo sudo)
PAGE := src/recollect/ui/dist/index.html
PAGE_SOURCES := $(shell find web -name node_modules -prune -o -type f -print)
PIP := python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore

.DEFAULT_GOAL := help
.PHONY: help run demo test check unit page types bench conformance lock clean

help:  ## list the commands
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

run: $(READY) $(PAGE)  ## the server and its page, on recollect.db in this folder and on this machine only
	$(BIN)recollect serve

demo: $(READY)  ## a short tour on a store of its own
	$(BIN)recollect demo

test:  ## everything that must hold
	@$(MAKE) --no-print-directory --jobs=2 check unit

check: $(READY) web/node_modules/ready  ## lint, types, architecture, docs
	$(BIN)ruff check .
	$(BIN)ruff format --check .
	$(BIN)mypy
	$(BIN)pytest -q -n 2 tests/test_architecture.py tests/test_docs.py
	cd web && npm run --silent lint && npm run --silent types && npm run --silent unit

unit: $(READY) $(PAGE) chromium
	$(BIN)pytest -q -n 3 --dist loadfile --no-loadscope-reorder --ignore tests/test_architecture.py --ignore tests/test_docs.py \
	  || $(BIN)pytest -q --last-failed --last-failed-no-failures none  # what failed beside others, once more by itself

page: $(PAGE)  ## build the page into the package

types: $(READY)  ## the page's types, from the server's description
	$(BIN)python tools/page_types.py

bench: $(READY)  ## figures and pictures into bench-out/
	$(BIN)recollect bench latency --out bench-out

conformance: $(READY)  ## which test proves which promise
	$(BIN)python tools/conformance.py

lock: $(READY)  ## renew the pinned versions in requirements.txt
	$(UV) pip compile --quiet --upgrade --universal --python-version 3.11 --group dev --extra server --extra mcp --extra otel --extra postgres --no-header --no-annotate \
	  pyproject.toml -o requirements.txt

clean:  ## remove what make has made
	rm -rf .venv bench-out page-out web/node_modules src/recollect/ui/dist

$(READY): pyproject.toml requirements.txt
	@$(UV) --version >/dev/null 2>&1 || $(PIP) uv || $(PIP) --user --break-system-packages uv
	$(UV) venv --quiet --allow-existing .venv
	$(UV) pip sync --quiet requirements.txt
	$(UV) pip install --quiet --no-deps --editable .
	@touch $@

web/node_modules/ready: web/package.json web/package-lock.json
	@npm --version >/dev/null 2>&1 || { echo "the page is built with node (20.19 or newer) and npm; install them first"; exit 1; }
	cd web && npm ci --no-progress --loglevel=error
	@touch $@

$(PAGE): web/node_modules/ready $(PAGE_SOURCES)
	cd web && npm run --silent build
	@touch $@

.PHONY: chromium
chromium:
	@command -v chromium >/dev/null || { $(ROOT) apt-get update -qq && $(ROOT) apt-get install -y -qq chromium; }
