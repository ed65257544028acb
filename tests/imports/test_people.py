"""Tests the import of chats between people: only what the user wrote is the user's."""

import json
from datetime import UTC, datetime

import pytest
from tests.imports import samples
from tests.imports.test_chat_programs import imported_twice
from tests.imports.world import archive, said, texts, written

pytestmark = pytest.mark.req("X8")


def authors(store, conversation):
    return [(one.role, one.name, one.text) for one in said(store, conversation)]


def test_a_telegram_chat_tells_the_user_from_the_other(store, tmp_path):
    done = imported_twice(store, written(tmp_path / "result.json", samples.TELEGRAM))
    assert (done.formats, done.conversations, done.messages) == (("telegram",), 1, 3)
    assert done.skipped == {"attached files": 1, "notices": 1}
    assert authors(store, "telegram:2") == [
        ("assistant", "Bob", "Where do you live?"),
        ("user", None, "I live in Porto, see https://porto.example"),
        ("assistant", "Carl", "I live in Oslo."),
    ]
    assert said(store, "telegram:2")[0].created_at == datetime(2026, 1, 1, 12, 0, 2, tzinfo=UTC)
    assert store.space("alice").conversation("telegram:2").info().title == "Bob"


def test_all_chats_of_a_telegram_account(store, tmp_path):
    done = imported_twice(store, written(tmp_path / "result.json", samples.TELEGRAM_ACCOUNT))
    assert (done.conversations, done.messages) == (3, 6)
    assert authors(store, "telegram:9") == [
        ("assistant", "Carl", "I live in Rome."),
        ("user", None, "I sing in a choir."),
    ]
    assert authors(store, "telegram:1") == [("user", None, "Buy hay.")]


@pytest.mark.req("X10")
def test_only_the_users_words_become_facts(store, tmp_path):
    alice = store.space("alice")
    alice.import_chats(written(tmp_path / "result.json", samples.TELEGRAM_ACCOUNT))
    while store.work():
        pass
    assert {fact.text for fact in alice.facts(status=None)} == {"user lives in Porto"}
    assert alice.recall("Rome")[0].text == "I live in Rome."


def test_a_discord_channel(store, tmp_path):
    done = imported_twice(store, written(tmp_path / "general.json", samples.DISCORD), me="ada.l")
    assert (done.formats, done.messages) == (("discord",), 2)
    assert done.skipped == {"attached files": 1, "notices": 1, "without text": 1}
    assert authors(store, "discord:70") == [("assistant", "Bob", "I live in Oslo."), ("user", None, "I live in Porto.")]
    assert store.space("alice").conversation("discord:70").info().title == "Stable / general"


@pytest.mark.parametrize("me", ["ada", "U1", "ADA"])
def test_a_slack_export_has_names_for_ids(store, tmp_path, me):
    done = imported_twice(store, archive(tmp_path / "slack.zip", samples.SLACK), me=me)
    assert (done.formats, done.conversations, done.messages) == (("slack",), 1, 3)
    assert done.skipped == {"attached files": 1, "notices": 1, "without text": 1}
    assert authors(store, "slack:memories") == [
        ("assistant", "Bob B", "Hi @ada, I live in Oslo & Bergen."),
        ("user", None, "I live in Porto, see this page in memories"),
        ("assistant", "hay-bot", "The hay has arrived."),
    ]


def test_a_slack_export_as_a_folder(store, tmp_path):
    for name, content in samples.SLACK.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        written(tmp_path / name, content)
    assert store.space("alice").import_chats(tmp_path).messages == 3
    assert {role for role, _ in texts(store, "slack:memories")} == {"assistant"}


EVENING = datetime(2025, 12, 31, 21, 5, tzinfo=UTC)
STAMPS = {
    "Android, Britain": "31/12/2025, 21:05 - ",
    "Android, USA": "12/31/25, 9:05\u202fPM - ",
    "Android, Germany": "31.12.25, 21:05 - ",
    "Android, Netherlands": "31-12-2025 21:05 - ",
    "Android, Brazil": "31/12/2025 21:05 - ",
    "Android, Spain": "31/12/25, 9:05 p. m. - ",
    "Android, India": "31/12/25, 9:05 pm - ",
    "Android, Korea": "2025. 12. 31. 오후 9:05 - ",
    "Android, China": "2025/12/31 下午9:05 - ",
    "Android, Sweden": "2025-12-31 21:05 - ",
    "Android, Finland": "31.12.2025 klo 21.05 - ",
    "Android, Arabic": "٣١/١٢/٢٠٢٥، ٩:٠٥ م - ",
    "iOS, Britain": "[31/12/2025, 21:05:00] ",
    "iOS, USA": "[12/31/25, 9:05:00\u202fPM] ",
    "iOS, Germany": "[31.12.25, 21:05:00] ",
    "iOS, Finland": "[31.12.2025 klo 21.05.00] ",
    "iOS, Japan": "[2025/12/31 21:05:00] ",
    "iOS, Portugal": "[31/12/2025, 21:05:00] ",
    "iOS, Korea": "[2025. 12. 31. 오후 9:05:00] ",
}


@pytest.mark.parametrize("place", STAMPS)
def test_whatsapp_dates_of_phones_in_many_places(store, tmp_path, place):
    stamp = STAMPS[place]
    chat = f"\u200e{stamp}Bob: Hello\nsecond line: yes\n\n{stamp}Ada: I live in Porto.\n"
    (tmp_path / "_chat.txt").write_text(chat, "utf-8")
    done = imported_twice(store, tmp_path / "_chat.txt", me="Ada")
    assert (done.formats, done.messages, done.skipped) == (("whatsapp",), 2, {})
    first, second = said(store, "whatsapp:_chat")
    assert (first.role, first.name, first.text) == ("assistant", "Bob", "Hello\nsecond line: yes")
    assert (second.role, second.name, second.text) == ("user", None, "I live in Porto.")
    assert first.created_at == EVENING


WHATSAPP = """\
1/2/26, 12:05 AM - Messages and calls are end-to-end encrypted. Only people in this chat can read them.
1/2/26, 12:05 AM - Bob: ok
1/2/26, 12:05 AM - Bob: ok
1/3/26, 9:00 AM - Ada: <Media omitted>
2/1/26, 9:00 AM - Ada: \u200eIMG-20260201-WA0001.jpg (file attached)
my horse
2/1/26, 9:01 AM - Bob: Lovely: really \u200e<This message was edited>
2/1/26, 9:02 AM - Bob added Carl
"""


@pytest.mark.parametrize("packed", [False, True], ids=["file", "archive"])
def test_a_whatsapp_chat_between_two_people_in_the_order_of_its_dates(store, tmp_path, packed):
    name = "WhatsApp Chat with Bob.txt"
    path = tmp_path / name
    path.write_text(WHATSAPP, "utf-8")
    if packed:
        path = archive(tmp_path / "chat.zip", {name: WHATSAPP.encode(), "IMG-20260201-WA0001.jpg": b"\xff\xd8"})
    done = imported_twice(store, path)
    assert {k: v for k, v in done.skipped.items() if "other files" not in k} == {"attached files": 2, "notices": 2}
    assert authors(store, "whatsapp:WhatsApp Chat with Bob") == [
        ("assistant", "Bob", "ok"),
        ("assistant", "Bob", "ok"),
        ("user", None, "my horse"),
        ("assistant", "Bob", "Lovely: really"),
    ]
    times = [one.created_at for one in said(store, "whatsapp:WhatsApp Chat with Bob")]
    assert times[0] == datetime(2026, 1, 2, 0, 5, tzinfo=UTC)
    assert times[2] == datetime(2026, 2, 1, 9, 0, tzinfo=UTC)


def test_a_whatsapp_export_that_begins_later_adds_nothing(store, tmp_path):
    path = tmp_path / "WhatsApp Chat with Bob.txt"
    path.write_text(WHATSAPP, "utf-8")
    store.space("alice").import_chats(path)
    path.write_text("".join(WHATSAPP.splitlines(keepends=True)[3:]), "utf-8")
    assert store.space("alice").import_chats(path).messages == 0


def test_a_large_telegram_chat_is_read_message_by_message(store, tmp_path):
    path = tmp_path / "result.json"
    head = {key: value for key, value in samples.TELEGRAM.items() if key != "messages"}
    with path.open("w", encoding="utf-8") as file:
        file.write(json.dumps(head)[:-1] + ', "messages": [')
        for at in range(1300):
            message = samples.telegram_message(1, "Ada", f"number {at}") | {"id": at + 1}
            file.write(("," if at else "") + json.dumps(message))
        file.write("]}")
    seen = []
    store.space("alice").import_chats(path, progress=lambda *tick: seen.append(tick))
    assert seen[-1] == (1300, 1300)
    assert (500, 1300) in seen
    assert [one.text for one in said(store, "telegram:2")] == [f"number {at}" for at in range(1300)]
