# The public names, and the module of each. `__init__.py` imports a module when one of its names is first used.

from aforesaid.aio import AsyncConversation, AsyncItems, AsyncMemory, AsyncSpace
from aforesaid.answering.answer import Answer
from aforesaid.answering.async_answer import AsyncAnswer
from aforesaid.context.context import Budget, Context, Section
from aforesaid.context.current_turn import NewestMessage
from aforesaid.context.quote import Quote
from aforesaid.context.receipt import Receipt, ReceiptItem, Replay
from aforesaid.context.recipe import RECIPES, Recipe
from aforesaid.context.why import ReceiptEntry, Why
from aforesaid.conversation import Conversation
from aforesaid.errors import (
    AccessDenied,
    AforesaidError,
    BudgetExceeded,
    CapReached,
    ClosedError,
    ConflictError,
    ConsentNeeded,
    InvalidInput,
    NoModel,
    NotFinished,
    NotFound,
    OnHold,
    ProviderError,
    ProviderRefused,
    SchemaTooNew,
    ServerUnavailable,
    StateError,
    StoreBusy,
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreMoved,
    WrongKey,
)
from aforesaid.ingest.importance import IMPORTANCE_RULES, ImportanceRule
from aforesaid.items import Items
from aforesaid.jobs.notifier import Subscription
from aforesaid.memory import Memory
from aforesaid.models.about import About, AboutItem
from aforesaid.models.answer import RunningAnswer
from aforesaid.models.change import Change, Changes
from aforesaid.models.consolidation import Consolidation, ConsolidationItem
from aforesaid.models.conversation import ConversationInfo
from aforesaid.models.cost import CostTotal, ResponderInfo, TokenAllowance
from aforesaid.models.episode import Arc, ArcPart, Episode
from aforesaid.models.erasure import Erasure, ErasureCount, TraceLocation, Verification
from aforesaid.models.fact import Evidence, ExtractedClaim, Fact, Relation
from aforesaid.models.feedback import Feedback, RatedMessage
from aforesaid.models.item import Item, ItemHit
from aforesaid.models.job import Job
from aforesaid.models.key import Key, NewKey
from aforesaid.models.message import Chunk, Message, MessageScore, TimeSpan
from aforesaid.models.pin import Pin
from aforesaid.models.profile import AuditEntry, Consent, Profile, ProfileField, Revocation
from aforesaid.models.recall import Explanation, Hit, HitGroup, Hits, Score
from aforesaid.models.record import Record, Schema
from aforesaid.models.retrieval import Access, Activity, Metrics, Percentiles, Retrieval
from aforesaid.models.space import Hold, Setting, SpaceInfo, Stats
from aforesaid.models.store import Backup, DamagedRecord, EmbeddingModel, Finding, Readiness, RestoreReport, Status
from aforesaid.models.summary import RollingSummaryState, Summary, SummaryTimings
from aforesaid.models.transfer import CopyReport, ImportReport, SpaceCopy
from aforesaid.ports import (
    ChatPrompt,
    Completion,
    Embedder,
    Extractor,
    Importer,
    LanguageModel,
    ModelStream,
    Prompt,
    StreamingModel,
    Tokenizer,
)
from aforesaid.recall.filters import RecallOptions
from aforesaid.space import Space
from aforesaid.text.control_tokens import neutralize
from aforesaid.text.injection import looks_like_injection
from aforesaid.text.masking import mask_secrets
from aforesaid.text.memory_blocks import strip_memory_blocks
from aforesaid.text.names import speaker_name

__version__: str

__all__ = [
    "IMPORTANCE_RULES",
    "RECIPES",
    "About",
    "AboutItem",
    "Access",
    "AccessDenied",
    "Activity",
    "AforesaidError",
    "Answer",
    "Arc",
    "ArcPart",
    "AsyncAnswer",
    "AsyncConversation",
    "AsyncItems",
    "AsyncMemory",
    "AsyncSpace",
    "AuditEntry",
    "Backup",
    "Budget",
    "BudgetExceeded",
    "CapReached",
    "Change",
    "Changes",
    "ChatPrompt",
    "Chunk",
    "ClosedError",
    "Completion",
    "ConflictError",
    "Consent",
    "ConsentNeeded",
    "Consolidation",
    "ConsolidationItem",
    "Context",
    "Conversation",
    "ConversationInfo",
    "CopyReport",
    "CostTotal",
    "DamagedRecord",
    "Embedder",
    "EmbeddingModel",
    "Episode",
    "Erasure",
    "ErasureCount",
    "Evidence",
    "Explanation",
    "ExtractedClaim",
    "Extractor",
    "Fact",
    "Feedback",
    "Finding",
    "Hit",
    "HitGroup",
    "Hits",
    "Hold",
    "ImportReport",
    "ImportanceRule",
    "Importer",
    "InvalidInput",
    "Item",
    "ItemHit",
    "Items",
    "Job",
    "Key",
    "LanguageModel",
    "Memory",
    "Message",
    "MessageScore",
    "Metrics",
    "ModelStream",
    "NewKey",
    "NewestMessage",
    "NoModel",
    "NotFinished",
    "NotFound",
    "OnHold",
    "Percentiles",
    "Pin",
    "Profile",
    "ProfileField",
    "Prompt",
    "ProviderError",
    "ProviderRefused",
    "Quote",
    "RatedMessage",
    "Readiness",
    "RecallOptions",
    "Receipt",
    "ReceiptEntry",
    "ReceiptItem",
    "Recipe",
    "Record",
    "Relation",
    "Replay",
    "ResponderInfo",
    "RestoreReport",
    "Retrieval",
    "Revocation",
    "RollingSummaryState",
    "RunningAnswer",
    "Schema",
    "SchemaTooNew",
    "Score",
    "Section",
    "ServerUnavailable",
    "Setting",
    "Space",
    "SpaceCopy",
    "SpaceInfo",
    "StateError",
    "Stats",
    "Status",
    "StoreBusy",
    "StoreDamaged",
    "StoreError",
    "StoreFull",
    "StoreMoved",
    "StreamingModel",
    "Subscription",
    "Summary",
    "SummaryTimings",
    "TimeSpan",
    "TokenAllowance",
    "Tokenizer",
    "TraceLocation",
    "Verification",
    "Why",
    "WrongKey",
    "__version__",
    "looks_like_injection",
    "mask_secrets",
    "neutralize",
    "speaker_name",
    "strip_memory_blocks",
]
