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
    CapReached,
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
    Allowance,
    Chunk,
    ConversationInfo,
    EmbeddingModel,
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
    Spent,
    Status,
    Summary,
    When,
)
from recollect.ports import Completion, Embedder, LanguageModel, Prompt, Tokenizer
from recollect.recall.filters import Bounds
from recollect.space import Space

__version__ = "0.1.0"

__all__ = [
    "RECIPES",
    "RULES",
    "Access",
    "Allowance",
    "AsyncConversation",
    "AsyncMemory",
    "AsyncSpace",
    "Bounds",
    "Budget",
    "BudgetExceeded",
    "CapReached",
    "Chunk",
    "ClosedError",
    "Completion",
    "ConflictError",
    "Context",
    "Conversation",
    "ConversationInfo",
    "Embedder",
    "EmbeddingModel",
    "Explanation",
    "Finding",
    "Hit",
    "Hits",
    "InvalidInput",
    "Job",
    "LanguageModel",
    "Memory",
    "Message",
    "Metrics",
    "Newest",
    "NotFinished",
    "NotFound",
    "Percentiles",
    "Pin",
    "Prompt",
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
    "Spent",
    "StateError",
    "Status",
    "StoreBusy",
    "StoreDamaged",
    "StoreError",
    "StoreFull",
    "Summary",
    "Tokenizer",
    "When",
    "__version__",
]
