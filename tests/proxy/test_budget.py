"""Tests how a history is shortened to a context window, and the upstream options."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aforesaid.errors import InvalidInput
from aforesaid.proxy.upstream import UpstreamOptions, base_url, windows
from aforesaid.proxy.window import MEDIA_TOKENS, MESSAGE_OVERHEAD, estimate_tokens, first_item_sent
from aforesaid.proxy.wire_formats import WIRE_FORMATS

pytestmark = pytest.mark.req("X5")

CALL = {"role": "assistant", "content": None, "tool_calls": [{"id": "c", "function": {"name": "f", "arguments": "{}"}}]}


@st.composite
def turns(draw):
    """A turn: a question, optional tool calls with results, and an answer."""
    words = st.integers(0, 60).map("word ".__mul__)
    loop = [CALL, {"role": "tool", "tool_call_id": "c", "content": draw(words)}] * draw(st.integers(0, 2))
    return [{"role": "user", "content": draw(words)}, *loop, {"role": "assistant", "content": draw(words)}]


@given(st.lists(turns(), min_size=1, max_size=20), st.integers(0, 2000))
def test_the_shortened_history_fits_starts_at_a_turn_and_keeps_the_newest(said, most):
    items = [{"role": "system", "content": "Plan."}, *(item for turn in said for item in turn)]
    at = first_item_sent(items, WIRE_FORMATS["chat"], most)
    shown = items[at:]
    cost = sum(estimate_tokens(item) + MESSAGE_OVERHEAD for item in shown if item["role"] != "system")
    assert at == 0 or shown[0]["role"] == "user"
    assert cost <= most or len(shown) <= len(said[-1])


@given(st.lists(turns(), min_size=30, max_size=40))
def test_the_start_of_the_history_moves_in_large_steps(said):
    items: list = []
    beginnings = []
    for turn in said:
        items += turn
        beginnings.append(first_item_sent(items, WIRE_FORMATS["chat"], 3000))
    assert beginnings == sorted(beginnings)
    total = sum(estimate_tokens(item) + MESSAGE_OVERHEAD for item in items)
    assert len(set(beginnings)) <= 2 + total // 1500


def test_tokens_are_estimated_by_bytes_for_text_and_per_image():
    assert estimate_tokens("水" * 5000) > 4000
    assert estimate_tokens("data:image/png;base64," + "A" * 100_000) == MEDIA_TOKENS


@pytest.mark.parametrize(
    ("given", "begins"),
    [
        ("https://api.openai.com/v1", "https://api.openai.com/v1"),
        ("https://api.anthropic.com", "https://api.anthropic.com/v1"),
        ("http://127.0.0.1:11434/", "http://127.0.0.1:11434/v1"),
        ("https://openrouter.ai/api/v1/", "https://openrouter.ai/api/v1"),
        ("http://[::1]:8000/v1beta/openai", "http://[::1]:8000/v1beta/openai"),
    ],
)
def test_the_base_url_defaults_to_v1(given, begins):
    assert base_url(given) == begins
    assert base_url(begins) == begins


@pytest.mark.parametrize("given", ["", "api.openai.com", "ftp://x", "http://", "http://x:port/", "http://x/?a=b"])
def test_an_invalid_upstream_url_is_rejected(given):
    with pytest.raises(InvalidInput, match="not an upstream URL"):
        base_url(given)


def test_an_exact_model_name_precedes_a_pattern():
    known = UpstreamOptions("http://x", windows=windows(["gpt-5*=400000", "*=8000", "gpt-5-mini=128000"]))
    assert [known.window(name) for name in ("gpt-5-mini", "gpt-5.1", "other")] == [128_000, 400_000, 8000]
    assert UpstreamOptions("http://x").window("gpt-5") is None


def test_the_repr_does_not_contain_the_key():
    assert "sk-1" not in repr(UpstreamOptions("http://x", key="sk-1"))
