"""A LlamaIndex chat engine whose memory is a space. Runs offline, with LlamaIndex's mock model.

pip install "aforesaid[llama-index]" && python examples/llama_index_memory.py
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from llama_index.core.chat_engine import SimpleChatEngine
from llama_index.core.llms.mock import MockLLM
from llama_index.core.memory import ChatMemoryBuffer
from llama_index.core.memory import Memory as ShortTermMemory

from aforesaid import Memory
from aforesaid.integrations.llama_index import ChatStore, RecallBlock


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, Memory(Path(folder) / "app.db") as mem:
        ana = mem.space("ana")
        first = ChatMemoryBuffer.from_defaults(chat_store=ChatStore(ana), chat_store_key="monday")
        SimpleChatEngine.from_defaults(llm=MockLLM(), memory=first).chat("I'm allergic to peanuts.")
        mem.flush()

        second = ShortTermMemory.from_defaults(session_id="friday", memory_blocks=[RecallBlock(ana, limit=3)])
        engine = SimpleChatEngine.from_defaults(llm=MockLLM(), memory=second)
        print(engine.chat("What am I allergic to?"))  # the mock model repeats its prompt
        print([fact.text for fact in ana.facts()])


if __name__ == "__main__":
    main()
