"""Tests connections that break at critical moments, with a TCP proxy between aforesaid and the server."""

from __future__ import annotations

import threading

import pytest
from tests.faults.conftest import assert_healthy

from aforesaid import StoreError

MOMENTS = ["asking", "committing", "committed"]


@pytest.mark.req("X15")
@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("times", [1, 3])
def test_a_message_is_stored_once_when_its_connection_is_cut(address, proxy, opened, moment, times):
    mem = opened(proxy.address(address))
    chat = mem.conversation("c")
    stored = [chat.add("user", "before")]
    for n in range(6):
        proxy.cut(moment, times)
        stored.append(chat.add("user", f"number {n}"))
        assert proxy.cuts == 0
    stored += chat.add_many([{"role": "user", "content": f"and {n}"} for n in range(3)])
    assert [message.seq for message in stored] == list(range(10))
    assert chat.messages() == stored
    assert chat.info().messages == 10
    assert_healthy(mem)


@pytest.mark.req("X15")
@pytest.mark.parametrize("moment", MOMENTS)
def test_all_messages_of_a_batch_are_stored_once_when_the_connection_is_cut(address, proxy, opened, moment):
    mem = opened(proxy.address(address))
    chat = mem.conversation("c")
    chat.add("user", "before")
    proxy.cut(moment)
    stored = chat.add_many([{"role": "user", "content": f"number {n}"} for n in range(20)])
    assert chat.messages(after=0) == stored
    assert [message.seq for message in stored] == list(range(1, 21))
    assert_healthy(mem)


@pytest.mark.req("X15")
def test_other_writes_report_an_unknown_outcome_when_the_response_is_lost(address, proxy, opened):
    mem = opened(proxy.address(address))
    chat = mem.conversation("c")
    chat.add("user", "words")
    proxy.cut("committing")
    with pytest.raises(StoreError, match="may be stored or not"):
        chat.pin("another thing")
    assert chat.pins() == []
    proxy.cut("committed")
    with pytest.raises(StoreError, match="may be stored or not"):
        chat.pin("a thing to keep")
    assert [pin.content for pin in chat.pins()] == ["a thing to keep"]
    assert_healthy(mem)


@pytest.mark.req("X15")
def test_threads_continue_while_connections_are_cut_repeatedly(address, proxy, opened):
    mem = opened(proxy.address(address))
    acknowledged = []

    def add(who):
        for n in range(25):
            acknowledged.append(mem.conversation("c").add("user", f"{who}x{n}"))
            if n % 5 == who:
                proxy.cut_all()

    threads = [threading.Thread(target=add, args=(who,)) for who in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(acknowledged) == 100
    messages = mem.conversation("c").messages(1000)
    assert [message.seq for message in messages] == list(range(100))
    assert messages == sorted(acknowledged, key=lambda message: message.seq)
    assert_healthy(mem)


@pytest.mark.req("X15")
def test_reads_succeed_after_the_pooled_connections_are_cut(address, proxy, opened):
    mem = opened(proxy.address(address))
    chat = mem.conversation("c")
    stored = chat.add("user", "The heron stands in the harbour")
    for _ in range(3):
        proxy.cut_all()
        assert chat.recall("heron")[0].message == stored
        proxy.cut_all()
        assert chat.messages() == [stored]
        proxy.cut_all()
        assert mem.status().messages == 1
        proxy.cut_all()
        assert mem.ready().store


@pytest.mark.req("X15")
def test_a_snapshot_read_fails_when_its_connection_is_cut_and_can_be_repeated(address, proxy, opened):
    mem = opened(proxy.address(address))
    stored = mem.conversation("c").add("user", "words")
    with mem.engine.store.snapshot():
        proxy.cut_all()
        with pytest.raises(StoreError, match="cannot be reached"):
            mem.conversation("c").messages()
    assert mem.conversation("c").messages() == [stored]


@pytest.mark.req("X15")
def test_a_network_delay_of_200_milliseconds_does_not_change_results(address, proxy, opened):
    near, far = opened(address), opened(proxy.address(address))
    near.conversation("c").add("user", "The heron stands in the harbour")
    proxy.delay = 0.2
    stored = [far.conversation("c").add("user", "It is grey"), near.conversation("c").add("user", "It flew away")]
    assert [message.seq for message in stored] == [1, 2]
    assert far.conversation("c").messages(after=0) == stored
    assert far.conversation("c").recall("heron")[0].message.seq == 0
    proxy.delay = 0.0
    assert_healthy(near)


@pytest.mark.req("C11", "X15")
@pytest.mark.parametrize("cut_off", ["who writes", "who listens"])
def test_a_subscriber_is_notified_after_connections_are_cut(address, proxy, opened, cut_off):
    near, far = opened(address), opened(proxy.address(address))
    writing, listening = (far, near) if cut_off == "who writes" else (near, far)
    heard = threading.Event()
    with listening.on_change(heard.set):
        for n in range(3):
            heard.clear()
            writing.conversation("c").add("user", f"number {n}")
            assert heard.wait(30)
            proxy.cut_all()
