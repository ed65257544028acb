"""mem0 with its default vector store on disk. `infer=False` stores each message as it is, without a language model."""

from __future__ import annotations

from pathlib import Path

from driver_protocol import Embed, serve

# isort: split
from langchain_core.embeddings import Embeddings
from mem0 import Memory

USER = {"user_id": "bench"}


class LangchainEmbeddings(Embeddings):  # type: ignore[misc]
    def __init__(self, embed: Embed) -> None:
        self._embed = embed

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        vectors: list[list[float]] = self._embed(texts)
        return vectors

    def embed_query(self, text: str) -> list[float]:
        return self.embed_documents([text])[0]


class Mem0Store:
    def __init__(self, folder: str, embed: Embed, now: str | None) -> None:
        size = len(embed(["size"])[0])
        path = Path(folder)
        vectors = {"path": str(path / "qdrant"), "on_disk": True, "embedding_model_dims": size}
        self._memory = Memory.from_config(
            {
                "vector_store": {"provider": "qdrant", "config": vectors},
                "embedder": {"provider": "langchain", "config": {"model": LangchainEmbeddings(embed)}},
                "llm": {"provider": "openai", "config": {"api_key": "not used"}},
                "history_db_path": str(path / "history.db"),
            }
        )

    def add(self, message: dict[str, str]) -> None:
        messages = [{"role": message["role"], "content": message["text"]}]
        self._memory.add(messages, **USER, infer=False, metadata={"message": message["id"]})

    def settle(self) -> None: ...

    def search(self, question: str, limit: int) -> list[str]:
        found = self._memory.search(question, top_k=limit, filters=USER)
        return [result["metadata"]["message"] for result in found["results"]]

    def ids(self) -> list[str]:
        found = self._memory.get_all(filters=USER, top_k=1_000_000)
        return [result["metadata"]["message"] for result in found["results"]]

    def close(self) -> None:
        self._memory.close()


if __name__ == "__main__":
    serve(Mem0Store)
