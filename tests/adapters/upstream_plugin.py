"""Records which tests used our class. A plugin that puts it in place of a framework's has `from upstream_plugin import
used`; this file and the folder of the adapter are copied out of our package `tests`, because theirs has its name."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

_uses: list[str] = []


def used(what: str = "made") -> None:
    """Call this whenever our class is used."""
    _uses.append(what)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    _uses.clear()
    return (yield)


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """The fixtures of the test were set up before: they count too."""
    try:
        return (yield)
    finally:
        item.user_properties.append(("used", str(len(_uses))))
