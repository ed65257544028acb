import pytest

from aforesaid.distill.llm.model_router import ModelRouter
from aforesaid.providers.language_models import ModelRegistry
from aforesaid.providers.tokenizers import tokenizer


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
def test_a_local_model_processes_its_own_conversation_and_the_default_others(own, default, chosen):
    router = ModelRouter(ModelRegistry({"OPENAI_API_KEY": "k"}, default), None, tokenizer())
    assert router.background_model(own) == chosen
