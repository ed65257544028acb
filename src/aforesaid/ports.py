"""The interfaces to the outside: tokenizers, embedders, language models, a clock and progress reports."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from aforesaid.models.fact import ExtractedClaim
from aforesaid.models.json import Json
from aforesaid.models.message import Utterance

Clock = Callable[[], datetime]
Vectors = NDArray[np.float32]
Progress = Callable[[int, int], None]  # done, total; while an import counts, 0 and what it has counted
KeySource = str | bytes | os.PathLike[str]  # a passphrase or a key, or the path of a file that holds it


class Tokenizer(Protocol):
    """Counts tokens. `name` is stored with every count."""

    @property
    def name(self) -> str: ...

    def count(self, text: str) -> int: ...


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt for a language model. `system` says how to answer, `text` is the input. `schema` is the JSON schema of
    the answer; None asks for plain text. An answer has at most `max_tokens` tokens, reasoning included."""

    system: str
    text: str
    max_tokens: int
    schema: Mapping[str, Json] | None = None


@dataclass(frozen=True, slots=True)
class Completion:
    """The answer of a model and its tokens; None if not reported. `cut` is True if `max_tokens` ended the answer."""

    text: str
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cut: bool = False


class Embedder(Protocol):
    """Turns texts into vectors, one row per text, in order. Raises ProviderError if it cannot answer now. `name`
    identifies the model: vectors of different names are never compared."""

    @property
    def name(self) -> str: ...

    def embed(self, texts: Sequence[str]) -> Vectors: ...


@dataclass(frozen=True, slots=True, eq=False)
class RerankRequest:
    """The best candidates of a recall, in the order of the weighted formula: the text of each, and its features, which
    are columns by name (`recall/features.py` lists them)."""

    query: str
    texts: Sequence[str]
    features: Mapping[str, NDArray[np.float64]]


class Reranker(Protocol):
    """Scores candidates between 0 and 1, one score for each text, in order. A score is the probability that the text
    answers the query. Raises ProviderError if it cannot answer now."""

    @property
    def name(self) -> str: ...

    def rerank(self, request: RerankRequest) -> Sequence[float]: ...


class Extractor(Protocol):
    """Reads facts in consecutive messages of a conversation, oldest first. Each claim passes the evidence gate, and is
    dropped without its quote. Raises ProviderError if it cannot answer now. `name` identifies it: an extractor of a new
    name reads all messages."""

    @property
    def name(self) -> str: ...

    def extract(self, messages: Sequence[Utterance]) -> Iterable[ExtractedClaim]: ...


class Importer(Protocol):
    """Reads the export of another program: conversations as the import format `chat` has them, such as
    `{"id": "trip", "title": "Trip", "messages": [{"role": "user", "content": "Hi.", "created_at": "2026-03-01"}]}`. It
    is read twice, the same both times."""

    def read(self, path: Path) -> Iterable[Mapping[str, Json]]: ...


class LanguageModel(Protocol):
    """A language model. `name` is `provider:model`; `local` is True if no text leaves this machine. Raises
    ProviderError if it cannot answer now, ProviderRefused if it never will. Safe for several threads."""

    @property
    def name(self) -> str: ...

    @property
    def local(self) -> bool: ...

    def complete(self, prompt: Prompt) -> Completion: ...


class ChatPrompt(Protocol):
    """A conversation to continue, in the format of either kind of chat API."""

    def to_openai(self) -> list[Json]: ...
    def to_anthropic(self, *, cache: bool = False) -> dict[str, Json]: ...


class ModelStream(Protocol):
    """The pieces of an answer, in order. An error is raised after the pieces that came before it."""

    def __iter__(self) -> Iterator[str]: ...
    def __next__(self) -> str: ...
    def close(self) -> None:
        """Ends the stream immediately, from any thread. No more pieces follow, and `completion` stays None."""

    @property
    def completion(self) -> Completion | None:
        """The whole answer, once the stream has reached its end."""


@runtime_checkable
class RetryingStream(ModelStream, Protocol):
    """A stream that calls its model again while it is busy or unreachable, and has not begun to answer."""

    @property
    def retries(self) -> int:
        """How often it was called again so far."""


@runtime_checkable
class StreamingModel(LanguageModel, Protocol):
    """A language model that streams its answer. An answer has at most `max_tokens` tokens."""

    def stream(self, talk: ChatPrompt, max_tokens: int) -> ModelStream: ...
