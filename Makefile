# Two commands matter: `make run` and `make test`. Both set up what they need.
export UV_COMPILE_BYTECODE := 1
export PYTHONDONTWRITEBYTECODE :=

READY := .venv/ready
BIN := .venv/bin/
UV = $$(command -v uv || echo python3 -m uv)
PIP := python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore

.DEFAULT_GOAL := help
.PHONY: help run demo test check unit bench conformance lock clean

help:  ## list the commands
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

run: $(READY)  ## the server, on recollect.db in this folder and on this machine only
	$(BIN)recollect serve

demo: $(READY)  ## a short tour on a store of its own
	$(BIN)recollect demo

test: check unit  ## everything that must hold

check: $(READY)  ## lint, types, architecture, docs
	$(BIN)ruff check .
	$(BIN)ruff format --check .
	$(BIN)mypy
	$(BIN)pytest -q tests/test_architecture.py tests/test_docs.py

unit: $(READY)
	$(BIN)pytest -q -n 2 --dist worksteal

bench: $(READY)  ## figures and pictures into bench-out/
	$(BIN)recollect bench latency --out bench-out

conformance: $(READY)  ## which test proves which promise
	$(BIN)python tools/conformance.py

lock: $(READY)  ## renew the pinned versions in requirements.txt
	$(UV) pip compile --quiet --upgrade --universal --python-version 3.11 --group dev --extra server --extra mcp --extra otel --extra postgres --no-header --no-annotate \
	  pyproject.toml -o requirements.txt

clean:  ## remove what make has made
	rm -rf .venv bench-out

$(READY): pyproject.toml requirements.txt
	@$(UV) --version >/dev/null 2>&1 || $(PIP) uv || $(PIP) --user --break-system-packages uv
	$(UV) venv --quiet --allow-existing .venv
	$(UV) pip sync --quiet requirements.txt
	$(UV) pip install --quiet --no-deps --editable .
	@touch $@
