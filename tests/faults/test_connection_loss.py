"""Connections that break at the worst moments, in a real TCP proxy between aforesaid and the server."""

from __future__ import annotations

import threading

import pytest
from tests.faults.conftest import assert_healthy

from aforesaid import StoreError

MOMENTS = ["asking", "committing", "committed"]


@pytest.mark.req("X15")
@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("times", [1, 3])
def test_a_message_is_stored_once_though_its_connection_was_cut(address, proxy, opened, moment, times):
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
def test_many_messages_are_stored_all_and_once_though_the_connection_was_cut(address, proxy, opened, moment):
    mem = opened(proxy.address(address))
    chat = mem.conversation("c")
    chat.add("user", "before")
    proxy.cut(moment)
    stored = chat.add_many([{"role": "user", "content": f"number {n}"} for n in range(20)])
    assert chat.messages(after=0) == stored
    assert [message.seq for message in stored] == list(range(1, 21))
    assert_healthy(mem)


@pytest.mark.req("X15")
def test_other_writes_say_that_they_may_be_stored_when_the_answer_was_lost(address, proxy, opened):
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
def test_threads_go_on_while_connections_are_cut_again_and_again(address, proxy, opened):
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
def test_a_question_is_answered_though_the_connections_that_were_kept_are_gone(address, proxy, opened):
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
def test_a_long_read_whose_connection_was_cut_says_so_and_can_be_repeated(address, proxy, opened):
    mem = opened(proxy.address(address))
    stored = mem.conversation("c").add("user", "words")
    with mem.engine.store.snapshot():
        proxy.cut_all()
        with pytest.raises(StoreError, match="cannot be reached"):
            mem.conversation("c").messages()
    assert mem.conversation("c").messages() == [stored]


@pytest.mark.req("X15")
def test_a_network_delay_of_200_milliseconds_delays_and_changes_nothing(address, proxy, opened):
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
def test_who_listens_hears_though_connections_were_cut(address, proxy, opened, cut_off):
    near, far = opened(address), opened(proxy.address(address))
    writing, listening = (far, near) if cut_off == "who writes" else (near, far)
    heard = threading.Event()
    with listening.on_change(heard.set):
        for n in range(3):
            heard.clear()
            writing.conversation("c").add("user", f"number {n}")
            assert heard.wait(30)
            proxy.cut_all()
