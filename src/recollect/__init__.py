"""Conversation memory for LLM applications: every word kept, the right ones found, on your own machine."""

from recollect.aio import AsyncConversation, AsyncMemory, AsyncSpace
from recollect.context.budget import Budget
from recollect.context.context import Context, Section
from recollect.context.quote import Quote
from recollect.context.receipt import Receipt, ReceiptItem
from recollect.context.recipe import RECIPES, Recipe
from recollect.context.replay import Replay
from recollect.context.scene import Newest
from recollect.conversation import Conversation
from recollect.errors import (
    BudgetExceeded,
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
    Access,
    Arc,
    Chunk,
    ConversationInfo,
    EmbeddingModel,
    Episode,
    Explanation,
    Finding,
    Hit,
    Hits,
    Job,
    Message,
    Metrics,
    Percentiles,
    Pin,
    Retrieval,
    Score,
    Setting,
    SpaceInfo,
    Status,
    Summary,
    Third,
    When,
)
from recollect.ports import Embedder, Tokenizer
from recollect.recall.filters import Bounds
from recollect.space import Space

__version__ = "0.1.0"

__all__ = [
    "RECIPES",
    "RULES",
    "Access",
    "Arc",
    "AsyncConversation",
    "AsyncMemory",
    "AsyncSpace",
    "Bounds",
    "Budget",
    "BudgetExceeded",
    "Chunk",
    "ClosedError",
    "ConflictError",
    "Context",
    "Conversation",
    "ConversationInfo",
    "Embedder",
    "EmbeddingModel",
    "Episode",
    "Explanation",
    "Finding",
    "Hit",
    "Hits",
    "InvalidInput",
    "Job",
    "Memory",
    "Message",
    "Metrics",
    "Newest",
    "NotFinished",
    "NotFound",
    "Percentiles",
    "Pin",
    "ProviderError",
    "ProviderRefused",
    "Quote",
    "Receipt",
    "ReceiptItem",
    "Recipe",
    "RecollectError",
    "Replay",
    "Retrieval",
    "Rule",
    "SchemaTooNew",
    "Score",
    "Section",
    "Setting",
    "Space",
    "SpaceInfo",
    "StateError",
    "Status",
    "StoreBusy",
    "StoreDamaged",
    "StoreError",
    "StoreFull",
    "Summary",
    "Third",
    "Tokenizer",
    "When",
    "__version__",
]
