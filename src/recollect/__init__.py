"""Conversation memory for LLM applications: every word kept, the right ones found, on your own machine."""

from recollect.aio import AsyncConversation, AsyncMemory, AsyncSpace
from recollect.conversation import Conversation
from recollect.errors import (
    ClosedError,
    ConflictError,
    InvalidInput,
    NotFinished,
    NotFound,
    ProviderError,
    ProviderRefused,
    RecollectError,
    SchemaTooNew,
    StateError,
    StoreBusy,
    StoreDamaged,
    StoreError,
    StoreFull,
)
from recollect.ingest.importance import RULES, Rule
from recollect.memory import Memory
from recollect.models import (
    Chunk,
    ConversationInfo,
    EmbeddingModel,
    Finding,
    Hit,
    Hits,
    Job,
    Message,
    Pin,
    Score,
    Setting,
    SpaceInfo,
    Status,
    When,
)
from recollect.ports import Embedder, Tokenizer
from recollect.space import Space

__version__ = "0.1.0"

__all__ = [
    "RULES",
    "AsyncConversation",
    "AsyncMemory",
    "AsyncSpace",
    "Chunk",
    "ClosedError",
    "ConflictError",
    "Conversation",
    "ConversationInfo",
    "Embedder",
    "EmbeddingModel",
    "Finding",
    "Hit",
    "Hits",
    "InvalidInput",
    "Job",
    "Memory",
    "Message",
    "NotFinished",
    "NotFound",
    "Pin",
    "ProviderError",
    "ProviderRefused",
    "RecollectError",
    "Rule",
    "SchemaTooNew",
    "Score",
    "Setting",
    "Space",
    "SpaceInfo",
    "StateError",
    "Status",
    "StoreBusy",
    "StoreDamaged",
    "StoreError",
    "StoreFull",
    "Tokenizer",
    "When",
    "__version__",
]
