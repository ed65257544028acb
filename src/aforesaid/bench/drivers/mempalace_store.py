"""MemPalace: each message is a drawer, added by its MCP tool and found by its search.

Its interface for other vectors is an HTTP service. The table takes the place of its HTTP client, so that requests do
not count in its times.
"""

from __future__ import annotations

import os
from pathlib import Path

from driver_protocol import Embed, serve

# isort: split
from mempalace import embedding

URL, MODEL = "http://127.0.0.1:1", "table"


class MemPalaceStore:
    def __init__(self, folder: str, embed: Embed, now: str | None) -> None:
        self._palace = str(Path(folder) / "palace")
        os.environ |= {
            "MEMPALACE_PALACE_PATH": self._palace,
            "MEMPALACE_EMBEDDING_MODEL": "openai-compat",
            "MEMPALACE_EMBEDDING_API_URL": URL,
            "MEMPALACE_EMBEDDING_API_MODEL": MODEL,
        }
        embedding.OpenAICompatEmbeddingFunction.__call__ = lambda self, input: embed(list(input))  # noqa: ARG005
        from mempalace import mcp_server, palace, searcher

        self._tools, self._searcher, self._open = mcp_server, searcher, palace.get_collection
        self._open(self._palace, create=True)

    def add(self, message: dict[str, str]) -> None:
        outcome = self._tools.tool_add_drawer("bench", "messages", message["text"], source_file=message["id"])
        if not outcome.get("success"):
            raise RuntimeError(outcome.get("error", str(outcome)))

    def settle(self) -> None: ...

    def search(self, question: str, limit: int) -> list[str]:
        found = self._searcher.search_memories(question, self._palace, n_results=limit)
        if "error" in found:
            raise RuntimeError(found["error"])
        return [result["source_file"] for result in found["results"]]

    def ids(self) -> list[str]:
        found = self._open(self._palace, create=False).get(include=["metadatas"])
        return [metadata["source_file"] for metadata in found["metadatas"]]

    def close(self) -> None: ...


if __name__ == "__main__":
    serve(MemPalaceStore)
