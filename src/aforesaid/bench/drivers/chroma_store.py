"""Chroma: one collection of a persistent client, with an embedding function of our own."""

from __future__ import annotations

from driver_protocol import Embed, serve

# isort: split
import chromadb
from chromadb import Documents, EmbeddingFunction, Embeddings


class ChromaEmbedding(EmbeddingFunction[Documents]):  # type: ignore[misc]
    def __init__(self, embed: Embed) -> None:
        self._embed = embed

    def __call__(self, input: Documents) -> Embeddings:
        return self._embed(list(input))


class ChromaStore:
    def __init__(self, folder: str, embed: Embed, now: str | None) -> None:
        self._client = chromadb.PersistentClient(folder)
        self._collection = self._client.get_or_create_collection(
            "bench", embedding_function=ChromaEmbedding(embed), configuration={"hnsw": {"space": "cosine"}}
        )

    def add(self, message: dict[str, str]) -> None:
        self._collection.add(ids=[message["id"]], documents=[message["text"]])

    def settle(self) -> None: ...

    def search(self, question: str, limit: int) -> list[str]:
        return list(self._collection.query(query_texts=[question], n_results=limit)["ids"][0])

    def ids(self) -> list[str]:
        return list(self._collection.get(include=[])["ids"])

    def close(self) -> None:
        self._client.close()


if __name__ == "__main__":
    serve(ChromaStore)
