"""LlamaIndex chat engines whose history and long-term memory are the space of a user.

    pip install "aforesaid[llama-index]"
    python examples/llama_index_memory.py                          # offline: the model is scripted
    MODEL=gpt-5 python examples/llama_index_memory.py              # also: pip install llama-index-llms-openai

It prints:

    ana, monday> I'm allergic to peanuts.
    Noted.
    ana, friday> May I eat satay?
    No, because of the peanuts.
    bob, friday> May I eat satay?
    Yes.
    ana, monday: ["I'm allergic to peanuts.", 'Noted.']

`ChatStore` stores a whole conversation. `RecallBlock` adds what the conversations say on the newest message.
"""

import os
from typing import Any

from llama_index.core.base.llms.types import CompletionResponse, CompletionResponseGen, LLMMetadata
from llama_index.core.chat_engine import SimpleChatEngine
from llama_index.core.llms import LLM, CustomLLM
from llama_index.core.memory import ChatMemoryBuffer
from llama_index.core.memory import Memory as ShortTermMemory

from aforesaid import Memory, Space
from aforesaid.integrations.llama_index import ChatStore, RecallBlock


class ScriptedLLM(CustomLLM):
    """Stands in for a model: it looks for the answer in what it receives."""

    @property
    def metadata(self) -> LLMMetadata:
        return LLMMetadata(model_name="scripted")

    def complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponse:
        answer = "No, because of the peanuts." if "peanuts" in prompt else "Yes."
        return CompletionResponse(text=answer if "satay" in prompt else "Noted.")

    def stream_complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponseGen:
        answer = self.complete(prompt).text
        yield CompletionResponse(text=answer, delta=answer)


def language_model() -> LLM:
    if "MODEL" in os.environ:
        from llama_index.llms.openai import OpenAI  # pyright: ignore[reportMissingImports]

        return OpenAI(model=os.environ["MODEL"])
    return ScriptedLLM()


def storing(space: Space, conversation: str) -> ChatMemoryBuffer:
    return ChatMemoryBuffer.from_defaults(chat_store=ChatStore(space), chat_store_key=conversation)


def recalling(space: Space, conversation: str) -> ShortTermMemory:
    return ShortTermMemory.from_defaults(session_id=conversation, memory_blocks=[RecallBlock(space, limit=3)])


with Memory("llama_index_memory.db") as mem:
    llm = language_model()
    for user, conversation, memory_of, question in (
        ("ana", "monday", storing, "I'm allergic to peanuts."),
        ("ana", "friday", recalling, "May I eat satay?"),
        ("bob", "friday", recalling, "May I eat satay?"),
    ):
        print(f"{user}, {conversation}> {question}")
        memory = memory_of(mem.space(user), conversation)
        print(SimpleChatEngine.from_defaults(llm=llm, memory=memory).chat(question))
        mem.flush()  # optional: waits for the vectors; words are found at once
    print("ana, monday:", [message.text for message in mem.space("ana").conversation("monday")])
