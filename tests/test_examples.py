"""Tests that the examples run offline and print what they say. `make adapters` runs those that need a framework."""

from __future__ import annotations

import json
from pathlib import Path
from queue import SimpleQueue
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.adapters.framework import frameworks
from tests.clients.scripted_model import KNOWN, ScriptedModel
from tests.examples import FOLDER, documented_output, offline, prints
from tests.loopback import Handler, Service
from tests.programs import Program, run

PART = "scripted_model.py"  # the others import it
WITH_FRAMEWORKS = {name for framework in frameworks() for name in framework.examples}
EXAMPLES = [file for file in sorted(FOLDER.glob("*.py")) if file.name not in {PART, *WITH_FRAMEWORKS}]
NOTEBOOK = FOLDER / "context.ipynb"
# Runs the cells of a notebook one after another, and prints what each of them prints, as JSON.
CELLS = """
import contextlib, io, json, sys
printed, names = [], {}
for source in json.load(sys.stdin):
    with contextlib.redirect_stdout(io.StringIO()) as out:
        exec(compile(source, "<cell>", "exec"), names)
    printed.append(out.getvalue())
print(json.dumps(printed))
"""
pytestmark = pytest.mark.req("X32")


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda file: file.stem)
def test_an_example_prints_what_it_says(example: Path, tmp_path: Path):
    done = run(str(example), environment=offline(), folder=tmp_path)
    assert done.returncode == 0, done.stderr.decode()
    assert prints(example, done.stdout.decode()), done.stdout.decode()


class BotApi(Handler):
    """Telegram's Bot API with the updates of `server.owner`: each is given out until it is confirmed by an offset."""

    def do_GET(self) -> None:  # noqa: N802 (the name that the base class expects)
        offset = int(parse_qs(urlsplit(self.path).query)["offset"][0])
        left = [update for update in self.server.owner.updates if update["update_id"] >= offset]
        if not left:
            self.server.owner.stopping.wait()
        self.reply(200, json.dumps({"ok": True, "result": left}).encode())

    def do_POST(self) -> None:  # noqa: N802 (the name that the base class expects)
        self.server.owner.sent.put(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.reply(200, b'{"ok": true, "result": {}}')


class Telegram(Service):
    handler = BotApi

    def __init__(self, *texts: str) -> None:
        message = {"chat": {"id": 7, "type": "private"}, "from": {"id": 7, "first_name": "Ana"}}
        self.updates = [
            {"update_id": number, "message": {**message, "message_id": number, "text": text}}
            for number, text in enumerate(texts)
        ]
        self.sent: SimpleQueue[dict[str, object]] = SimpleQueue()
        super().__init__()


def test_the_bot_answers_on_telegram_with_a_model_of_a_service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    with (
        Telegram("/remember", "My horse is called Zanzibar.", "What is my horse called?") as api,
        ScriptedModel() as model,
    ):
        real = {"MODEL": "m-1", "OPENAI_API_KEY": "none", "OPENAI_BASE_URL": f"{model.url}/v1"}
        environment = offline() | real | {"TELEGRAM_TOKEN": "1:secret", "TELEGRAM_API": api.url}
        with Program(str(FOLDER / "telegram_bot.py"), environment=environment):
            sent = [api.sent.get(timeout=60) for _ in api.updates]
    assert [one["text"] for one in sent] == ["I remember what you say now. /forget erases it.", "Noted.", KNOWN]
    assert {one["chat_id"] for one in sent} == {7}


def test_the_outputs_of_the_notebook_are_what_its_cells_print(tmp_path: Path):
    cells = [cell for cell in json.loads(NOTEBOOK.read_text("utf-8"))["cells"] if cell["cell_type"] == "code"]
    sources = json.dumps(["".join(cell["source"]) for cell in cells]).encode()
    done = run("-c", CELLS, environment=offline(), folder=tmp_path, input=sources)
    assert done.returncode == 0, done.stderr.decode()
    for cell, printed in zip(cells, json.loads(done.stdout), strict=True):
        assert "".join("".join(output["text"]) for output in cell["outputs"]) == printed


def test_every_example_says_how_to_run_it_and_what_it_prints():
    page = (FOLDER / "README.md").read_text("utf-8")
    assert f"({NOTEBOOK.name})" in page
    for example in FOLDER.glob("*.py"):
        assert f"({example.name})" in page
        if example.name != PART:
            assert f"\n    python examples/{example.name}" in example.read_text("utf-8"), example.name
            assert len(documented_output(example)) > 1, example.name
