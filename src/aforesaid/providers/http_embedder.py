"""Embedders over HTTP: any service that answers POST {base}/embeddings in the format of OpenAI."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock

import httpx2
import numpy as np

from aforesaid.errors import InvalidInput, ProviderError
from aforesaid.models.json import Json
from aforesaid.ports import Vectors
from aforesaid.providers.http_client import endpoint, proxy_mounts, raise_for_status
from aforesaid.providers.static import normalize

BATCH = 64  # texts in a request; a model on a laptop answers within the timeout
TIMEOUT = 30.0  # seconds


class HttpEmbedder:
    """Vectors of a service, normalized to length one. Safe for several threads.

    It never retries. Raises ProviderError if a retry may help, ProviderRefused if not. Neither repeats the key or any
    text.
    """

    def __init__(self, name: str, base: str, model: str, *, key: str = "", timeout: float = TIMEOUT) -> None:
        self.name = name
        self._url = endpoint(base, "embeddings")
        self._model = model
        self._headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._timeout = timeout
        self._client: httpx2.Client | None = None
        self._opening = Lock()

    def embed(self, texts: Sequence[str]) -> Vectors:
        batches = [self._embed(texts[start : start + BATCH]) for start in range(0, len(texts), BATCH)]
        if not batches:
            return np.zeros((0, 0), np.float32)
        if len({batch.shape[1] for batch in batches}) > 1:
            raise ProviderError(f"{self.name} answered with vectors of different dimensions")
        return normalize(np.concatenate(batches))

    def close(self) -> None:
        """Closes the open connections. A later call opens new ones."""
        with self._opening:
            if self._client is not None:
                self._client.close()
                self._client = None

    def _embed(self, texts: Sequence[str]) -> Vectors:
        answer = self._post({"model": self._model, "input": [text or " " for text in texts]})  # "" is refused
        try:
            return vectors(answer, len(texts))
        except (ValueError, TypeError, LookupError) as error:
            raise ProviderError(f"{self.name} gave an unusable answer: {reason(error)}") from error

    def _post(self, body: Json) -> httpx2.Response:
        try:
            response = self._open().post(self._url, json=body)
        except httpx2.HTTPError as error:
            raise ProviderError(f"{self.name} cannot be reached: {type(error).__name__}") from error
        except UnicodeEncodeError as error:
            raise InvalidInput("text with a lone surrogate is not valid Unicode and has no vector") from error
        raise_for_status(self.name, response)
        return response

    def _open(self) -> httpx2.Client:
        with self._opening:
            if self._client is None:
                self._client = httpx2.Client(
                    headers=self._headers, timeout=self._timeout, mounts=proxy_mounts(self._url)
                )
            return self._client


class InvalidVectors(ValueError):
    """The response has a wrong number or shape of vectors."""


def reason(error: Exception) -> str:
    return str(error) if isinstance(error, InvalidVectors) else type(error).__name__


def vectors(answer: httpx2.Response, expected: int) -> Vectors:
    """The vectors of a response in the order of the texts, all finite and of one dimension."""
    items = sorted(answer.json()["data"], key=lambda item: int(item["index"]))
    if [item["index"] for item in items] != list(range(expected)):
        raise InvalidVectors(f"{len(items)} vectors for {expected} texts")
    with np.errstate(over="ignore"):
        rows = np.asarray([item["embedding"] for item in items], np.float32)
    if rows.ndim != 2 or rows.shape[1] == 0:
        raise InvalidVectors("not one list of numbers per text")
    if not np.isfinite(rows).all():
        raise InvalidVectors("a number that is not finite")
    return rows
