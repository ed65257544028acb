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
    ConsentNeeded,
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
    AuditEntry,
    Chunk,
    Consent,
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
    Profile,
    ProfileField,
    Retrieval,
    Revocation,
    Score,
    Setting,
    SpaceInfo,
    Status,
    Summary,
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
    "AsyncConversation",
    "AsyncMemory",
    "AsyncSpace",
    "AuditEntry",
    "Bounds",
    "Budget",
    "BudgetExceeded",
    "Chunk",
    "ClosedError",
    "ConflictError",
    "Consent",
    "ConsentNeeded",
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
    "Memory",
    "Message",
    "Metrics",
    "Newest",
    "NotFinished",
    "NotFound",
    "Percentiles",
    "Pin",
    "Profile",
    "ProfileField",
    "ProviderError",
    "ProviderRefused",
    "Quote",
    "Receipt",
    "ReceiptItem",
    "Recipe",
    "RecollectError",
    "Replay",
    "Retrieval",
    "Revocation",
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
    "Tokenizer",
    "When",
    "__version__",
]
