# Two commands matter: `make run` and `make test`. Both set up what they need.
export UV_COMPILE_BYTECODE := 1
export PYTHONDONTWRITEBYTECODE :=

SYNCED := .make/synced
RUN := uv run --frozen --no-sync

.DEFAULT_GOAL := help
.PHONY: help run test check unit bench conformance lock clean

help:  ## list the commands
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

run: $(SYNCED)  ## a short tour on a store of its own
	$(RUN) recollect demo

test: check unit  ## everything that must hold

check: $(SYNCED)  ## lint, types, architecture, docs
	$(RUN) ruff check .
	$(RUN) ruff format --check .
	$(RUN) mypy
	$(RUN) pytest -q tests/test_architecture.py tests/test_docs.py

unit: $(SYNCED)
	$(RUN) pytest -q -n 2 --dist worksteal

bench: $(SYNCED)  ## figures and pictures into bench-out/
	$(RUN) recollect bench latency --out bench-out

conformance: $(SYNCED)  ## which test proves which promise
	$(RUN) python tools/conformance.py

lock:  ## renew the pinned versions
	uv lock --upgrade

clean:  ## remove what make has made
	rm -rf .venv .make bench-out

$(SYNCED): pyproject.toml uv.lock
	@command -v uv >/dev/null || python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore uv
	uv sync --quiet --frozen
	@mkdir -p $(dir $@) && touch $@
