import pytest

from recollect.distill.route import route


@pytest.mark.req("A9")
@pytest.mark.parametrize(
    ("own", "default", "chosen"),
    [
        ("ollama:own", "openai:m", "ollama:own"),
        ("ollama:own", None, "ollama:own"),
        ("openai:gpt", "ollama:default", "ollama:default"),
        ("openai:gpt", None, None),
        (None, "openai:m", "openai:m"),
        (None, None, None),
    ],
)
def test_a_local_model_thinks_for_its_own_conversation_and_the_default_for_others(own, default, chosen):
    assert route(own, default, lambda name: name.startswith("ollama:")) == chosen
