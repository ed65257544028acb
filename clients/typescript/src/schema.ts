// Written by tools/page_types.py from the server's own description. `make types` renews it.

export type About = {
  text: string;
  items: (AboutItem)[];
  tokens: number;
};

export type AboutItem = {
  kind: "profile" | "fact" | "message";
  text: string;
  source: string;
  at: string;
  conversation: string | null;
  speaker: string | null;
};

export type Access = {
  message_id: string;
  count: number;
  last_at: string;
};

export type Activity = {
  start: string;
  stop: string;
  retrievals: Metrics;
  embedded: number;
  embedding: Percentiles | null;
  summaries: number;
  failed_summaries: number;
  summarising: Percentiles | null;
  tokens: number;
};

export type ActivityList = {
  items: (Activity)[];
};

export type Arc = {
  beginning: ArcPart;
  middle: ArcPart;
  end: ArcPart;
  key_moments: (Episode)[];
};

export type ArcPart = {
  first_seq: number;
  last_seq: number;
  summary: string;
  topics: (string)[];
  episodes: (Episode)[];
};

export type AuditEntry = {
  id: string;
  space: string;
  at: string;
  actor: string;
  action: "grant" | "revoke" | "change" | "remove" | "read" | "export" | "import" | "hold" | "release";
  detail: { [name: string]: unknown };
  imported: boolean;
};

export type AuditEntryPage = {
  items: (AuditEntry)[];
  next: string | null;
};

export type Budget = {
  total: number;
  reserved: number;
  used: number;
  available: number;
};

export type Change = {
  number: number;
  kind: "space" | "conversation" | "message" | "pin" | "summary" | "fact" | "episode" | "item" | "consent" | "profile" | "setting" | "erasure";
  action: "added" | "changed" | "removed";
  conversation: string | null;
  record: string | null;
  seq: number | null;
};

export type ChangeList = {
  items: (Change)[];
  cursor: number;
  missed: boolean;
};

export type Chunk = {
  id: string;
  message_id: string;
  index: number;
  kind: "code" | "prose";
  language: string | null;
  content: string;
  tokens: number;
};

export type ChunkList = {
  items: (Chunk)[];
};

export type ClearItemsResponse = {
  removed: number;
};

export type ConsentBody = {
  granted: boolean;
  note?: string | null;
};

export type ConsentResponse = {
  space: string;
  granted: boolean;
  at: string | null;
  by: string | null;
  note: string | null;
  revocation: Revocation | null;
};

export type ConsolidateBody = {
  days?: number;
  dry_run?: boolean;
};

export type Consolidation = {
  id: string;
  at: string;
  looked_at: number;
  archived: number;
  merged: number;
  tokens: number;
  records: (ConsolidationItem)[];
  undone_at: string | null;
};

export type ConsolidationItem = {
  action: "archived" | "merged";
  record: "fact" | "episode";
  id: string;
  into: string | null;
  text: string;
  tokens: number;
  strength: number | null;
};

export type ConsolidationList = {
  items: (Consolidation)[];
};

export type ContextBody = {
  recipe?: string | Recipe;
  max_tokens?: number | null;
  system?: string | null;
  domain?: string | null;
  overflow?: "raise" | "truncate";
  query?: string | null;
  include_newest?: boolean | null;
  since?: number | null;
  sent?: (string)[] | null;
  filter?: { [name: string]: unknown } | null;
  spaces?: (string)[] | null;
  format?: "openai" | "anthropic" | "text" | "complete" | null;
  cache?: boolean;
  dry_run?: boolean;
};

export type ContextRequest = {
  query: string | null;
  recipe: Recipe;
  max_tokens: number;
  system: string | null;
  domain: string | null;
  include_newest: boolean | null;
  overflow: "raise" | "truncate";
  since: number | null;
  sent: (string)[] | null;
  filter: { [name: string]: unknown } | null;
  spaces: (string)[] | null;
};

export type ContextResponse = {
  sections: (Section)[];
  tokens: number;
  budget: Budget;
  prefix_tokens: number;
  cache_breakpoints: (number)[];
  warnings: (string)[];
  degraded: (string)[];
  receipt: string;
  milliseconds: { [name: string]: number };
  system: string | null;
  payload: { [name: string]: unknown } | null;
};

export type ConversationEditBody = {
  title?: string | null;
  status?: "active" | "paused" | "ended" | null;
  outcome?: string | null;
  strict?: boolean;
  muted?: boolean | null;
  expires?: string | null;
};

export type ConversationInfo = {
  id: string;
  space: string;
  status: "active" | "paused" | "ended";
  title: string | null;
  outcome: string | null;
  model: string | null;
  messages: number;
  turns: number;
  tokens: number;
  created_at: string;
  updated_at: string;
  ended_at: string | null;
  metadata: { [name: string]: unknown };
  muted: boolean;
  expires_at: string | null;
  parent: string | null;
  forked_at: number | null;
  last_message_at: string | null;
};

export type ConversationInfoList = {
  items: (ConversationInfo)[];
};

export type ConversationInfoPage = {
  items: (ConversationInfo)[];
  next: string | null;
};

export type ConversationStartBody = {
  title?: string | null;
  model?: string | null;
  metadata?: { [name: string]: unknown } | null;
  expires?: string | null;
};

export type CostTotal = {
  model: string;
  operation: string;
  calls: number;
  failed: number;
  open: number;
  prompt_tokens: number;
  completion_tokens: number;
  milliseconds: number;
};

export type CostTotalList = {
  items: (CostTotal)[];
};

export type DamagedRecord = {
  table: string;
  id: string;
  space: string | null;
  conversation: string | null;
  seq: number | null;
  in_backup: boolean | null;
};

export type DebugFlags = {
  hybrid: boolean;
  chunking: boolean;
  tokenBudget: number;
};

export type DebugHit = {
  content: string;
  score: number;
  source: string;
  type: string;
  id: string;
  conversationId: string;
  sources: (string)[];
  parts: Score;
};

export type DebugIndexSizes = {
  messages: string;
  embeddings: string;
  fts: string;
};

export type DebugRetrieval = {
  query: string;
  results: (DebugHit)[];
  metrics: DebugTimings;
  flags: DebugFlags;
  degraded: (string)[];
};

export type DebugStats = {
  totalMessages: number;
  totalConversations: number;
  totalChunks: number;
  totalSummaries: number;
  profileConsent: boolean;
  indexSizes: DebugIndexSizes;
};

export type DebugTimings = {
  totalMs: number;
  denseMs: number;
  ftsMs: number;
  rerankMs: number;
};

export type DeleteItemResponse = {
  deleted: boolean;
};

export type DeleteRelationResponse = {
  removed: boolean;
};

export type DeleteResponse = {
  deleted: boolean;
};

export type DeleteSchemaResponse = {
  removed: boolean;
};

export type EmbeddingModel = {
  name: string;
  dimension: number;
  state: string;
  embedded: number;
  expected: number;
};

export type Episode = {
  id: string;
  space: string;
  conversation: string;
  type: "decision_made" | "problem_solved" | "breakthrough" | "issue_identified" | "task_completed" | "pivot";
  title: string;
  summary: string;
  context: string;
  participants: (string)[];
  outcome: string | null;
  valence: number;
  significance: number;
  facts: (string)[];
  first_seq: number;
  last_seq: number;
  method: "pattern" | "model" | "manual";
  model: string | null;
  tokens: number;
  created_at: string;
  at: string;
};

export type EpisodeBody = {
  title: string;
  type: "decision_made" | "problem_solved" | "breakthrough" | "issue_identified" | "task_completed" | "pivot";
  first?: number | null;
  last?: number | null;
  summary?: string | null;
  outcome?: string | null;
  valence?: number;
  significance?: number;
  facts?: (string)[];
};

export type EpisodeList = {
  items: (Episode)[];
};

export type Erasure = {
  id: string;
  space: string;
  at: string;
  target: "message" | "conversation" | "fact" | "before" | "everything" | "edit" | "expired" | "items";
  erased: (ErasureCount)[];
  recomputed: (ErasureCount)[];
  kept: (ErasureCount)[];
  pending: (string)[];
  dry_run: boolean;
};

export type ErasureCount = {
  kind: string;
  count: number;
  reason: string;
};

export type ErasureList = {
  items: (Erasure)[];
};

export type Evidence = {
  message_id: string;
  conversation: string;
  quote: string;
  speaker: string;
  said_at: string;
  supports: boolean;
};

export type Explanation = {
  terms: (string)[];
  identifiers: (string)[];
  when: [string, string] | null;
  messages: number;
  candidates: number;
  duplicates: number;
};

export type Fact = {
  id: string;
  space: string;
  kind: "fact" | "decision" | "preference" | "entity" | "procedure" | "constraint" | "goal";
  subject: string;
  attribute: string | null;
  value: string | null;
  text: string;
  status: "pending" | "active" | "superseded" | "archived" | "rejected";
  confidence: number;
  importance: number;
  category: string | null;
  tags: (string)[];
  method: "pattern" | "model" | "manual";
  model: string | null;
  tokens: number;
  evidence: (Evidence)[];
  valid_from: string | null;
  valid_until: string | null;
  known_from: string;
  known_until: string | null;
  accesses: number;
  accessed_at: string | null;
  created_at: string;
  updated_at: string;
  expires_at: string | null;
  reason: string | null;
  withdrawn_from: "pending" | "active" | "superseded" | "archived" | "rejected" | null;
  schema: string | null;
};

export type FactBody = {
  kind?: "fact" | "decision" | "preference" | "entity" | "procedure" | "constraint" | "goal";
  importance?: number | null;
  category?: string | null;
  tags?: (string)[];
  subject?: string | null;
  attribute?: string | null;
  value?: string | null;
  valid_from?: string | null;
  valid_until?: string | null;
  expires?: string | null;
  text: string;
  source?: string | null;
};

export type FactEditBody = {
  kind?: "fact" | "decision" | "preference" | "entity" | "procedure" | "constraint" | "goal";
  importance?: number | null;
  category?: string | null;
  tags?: (string)[];
  subject?: string | null;
  attribute?: string | null;
  value?: string | null;
  valid_from?: string | null;
  valid_until?: string | null;
  expires?: string | null;
  text?: string | null;
};

export type FactList = {
  items: (Fact)[];
};

export type FactPage = {
  items: (Fact)[];
  next: string | null;
};

export type Feedback = {
  message_id: string;
  verdict: "useful" | "useless" | "quoted";
  terms: (number)[];
  at: string;
};

export type FeedbackBody = {
  query: string;
  message: string;
  useful?: boolean;
};

export type FeedbackList = {
  items: (Feedback)[];
};

export type FeedbackResetResponse = {
  removed: number;
};

export type Finding = {
  check: string;
  ok: boolean;
  count: number;
  detail: string;
  repaired: boolean;
  damaged: (DamagedRecord)[];
};

export type FindingList = {
  items: (Finding)[];
};

export type FlushBody = {
  timeout?: number;
};

export type FlushResponse = {
  done: boolean;
};

export type ForgetBody = {
  message?: string | null;
  conversation?: string | null;
  fact?: string | null;
  items?: (string)[] | null;
  key?: string | null;
  before?: string | null;
  everything?: boolean;
  same_words?: boolean;
  dry_run?: boolean;
};

export type ForkBody = {
  at?: number | string | null;
  id?: string | null;
};

export type HealthResponse = {
  ok: boolean;
};

export type Hit = {
  kind: "message" | "pin" | "summary" | "fact" | "episode" | "profile" | "item";
  id: string;
  text: string;
  score: Score;
  sources: (string)[];
  conversation: string;
  message: Message | null;
  chunk: Chunk | null;
  messages: (string)[];
  notes: (string)[];
  fact: Fact | null;
  space: string;
  at: string | null;
  item: Item | null;
};

export type HitGroup = {
  kind: "session" | "turn";
  space: string;
  conversation: string;
  messages: (Message)[];
  hits: (Hit)[];
  score: number;
};

export type Hold = {
  space: string;
  at: string;
  by: string;
  reason: string;
};

export type HoldBody = {
  reason: string;
};

export type HoldResponse = {
  hold: Hold | null;
};

export type HookEventBody = {
  agent: string;
  kind: "start" | "prompt" | "answer" | "compact" | "end";
  session: string;
  space: string;
  turn?: string;
  text?: string;
  source?: string;
};

export type HookResult = {
  text: string;
  stored: number;
  recalled: number;
};

export type ImportReport = {
  formats: ("chatgpt" | "claude" | "chat" | "langchain" | "mem0" | "claude-code" | "codex" | "openwebui" | "librechat" | "telegram" | "whatsapp" | "slack" | "discord" | "letta" | "zep" | "sharegpt" | "gemini" | "llm" | "pydantic-ai" | "langmem")[];
  conversations: number;
  messages: number;
  known: number;
  changed: number;
  facts: number;
  skipped: { [name: string]: number };
};

export type Item = {
  space: string;
  namespace: (string)[];
  key: string;
  value: unknown;
  text: string | null;
  created_at: string;
  updated_at: string;
  expires_at: string | null;
  index: (string)[] | null;
  lifetime: number | null;
};

export type ItemBody = {
  namespace?: (string)[];
  value: unknown;
  text?: string | null;
  index?: boolean | (string)[] | null;
  expires?: string | null;
  replaces?: ReplacedItem | null;
};

export type ItemEntry = {
  value: unknown;
  text?: string | null;
  index?: boolean | (string)[] | null;
  expires?: string | null;
  replaces?: ReplacedItem | null;
  key: string;
  namespace?: (string)[];
};

export type ItemHit = {
  item: Item;
  score: number | null;
};

export type ItemHitList = {
  items: (ItemHit)[];
};

export type ItemList = {
  items: (Item)[];
};

export type ItemRenameBody = {
  namespace?: (string)[];
  new_key: string;
  new_namespace?: (string)[] | null;
};

export type ItemSearchBody = {
  namespace?: (string)[];
  query?: string | null;
  filter?: { [name: string]: unknown } | null;
  limit?: number;
  offset?: number;
};

export type ItemTouchBody = {
  namespace?: (string)[];
  expires?: string | null;
};

export type ItemsBody = {
  namespace?: (string)[];
  entries: (ItemEntry)[];
};

export type Job = {
  id: string;
  kind: string;
  space: string | null;
  message_id: string | null;
  state: "queued" | "running" | "done" | "failed";
  attempts: number;
  error: string | null;
  milliseconds: number | null;
  created_at: string;
  due_at: string;
  worker: string | null;
  conversation: string | null;
};

export type JobList = {
  items: (Job)[];
};

export type Key = {
  id: string;
  name: string;
  access: "read" | "write" | "admin";
  spaces: (string)[] | null;
  created_at: string;
  revoked_at: string | null;
};

export type KeyBody = {
  name: string;
  access?: "read" | "write" | "admin";
  spaces?: (string)[] | null;
};

export type KeyList = {
  items: (Key)[];
};

export type LocateBody = {
  ids: (string)[];
};

export type Message = {
  id: string;
  space: string;
  conversation: string;
  seq: number;
  role: "system" | "user" | "assistant" | "tool";
  content: string | ({ [name: string]: unknown })[];
  name: string | null;
  tool_calls: ({ [name: string]: unknown })[] | null;
  tool_call_id: string | null;
  model: string | null;
  importance: number;
  tokens: number;
  created_at: string;
  metadata: { [name: string]: unknown };
  expires_at: string | null;
  raw: string | null;
};

export type MessageAccess = {
  access: Access | null;
};

export type MessageBatchBody = {
  messages: (MessageBody)[];
};

export type MessageBody = {
  role: string;
  content?: string | ({ [name: string]: unknown })[] | null;
  id?: string | null;
  name?: string | null;
  tool_calls?: ({ [name: string]: unknown })[] | null;
  tool_call_id?: string | null;
  model?: string | null;
  at?: string | null;
  importance?: number | null;
  metadata?: { [name: string]: unknown } | null;
  expires?: string | null;
  raw?: string | null;
};

export type MessageEditBody = {
  content?: string | ({ [name: string]: unknown })[] | null;
  metadata?: { [name: string]: unknown } | null;
  raw?: string | null;
};

export type MessageList = {
  items: (Message)[];
};

export type MessageReference = {
  conversation: string;
  message: string;
};

export type MessageScore = {
  message_id: string;
  seq: number;
  importance: number;
  before: number;
  rules: (string)[];
};

export type MessageScoreList = {
  items: (MessageScore)[];
};

export type Metrics = {
  count: number;
  hit_rate: number | null;
  top_score: number | null;
  budget_use: number | null;
  prefix_share: number | null;
  degraded: number;
  sources: { [name: string]: number };
  content: { [name: string]: number };
  milliseconds: { [name: string]: Percentiles };
  flags: { [name: string]: number };
};

export type MoveItemsResponse = {
  moved: number;
};

export type NamespaceMoveBody = {
  namespace?: (string)[];
  new_namespace: (string)[];
};

export type NeedsSummaryResponse = {
  needed: boolean;
};

export type NewKey = {
  key: Key;
  secret: string;
};

export type NewestMessage = {
  text: string;
  message: Message | null;
};

export type Percentiles = {
  p50: number;
  p95: number;
  p99: number;
};

export type Pin = {
  id: string;
  content: string;
  importance: number;
  type: "manual" | "auto" | "code" | "concept" | "system";
  source_message_id: string | null;
  created_at: string;
  reason: string | null;
};

export type PinBody = {
  content?: string | null;
  importance?: number;
  type?: "manual" | "auto" | "code" | "concept" | "system";
  source?: string | null;
};

export type PinEditBody = {
  content?: string | null;
  importance?: number | null;
  type?: "manual" | "auto" | "code" | "concept" | "system" | null;
};

export type PinInConversationBody = {
  content?: string | null;
  importance?: number;
  type?: "manual" | "auto" | "code" | "concept" | "system";
  source?: string | null;
  conversation: string;
};

export type PinList = {
  items: (Pin)[];
};

export type PopResponse = {
  message: Message | null;
};

export type Problem = {
  type: string;
  title: string;
  status: number;
  code: string;
  detail: string;
  data: { [name: string]: string | number | boolean | null } | null;
};

export type Profile = {
  space: string;
  consent: boolean;
  fields: (ProfileField)[];
  free: ProfileField | null;
};

export type ProfileBody = {
  fields?: { [name: string]: string | number | boolean } | null;
  text?: string | null;
  source?: MessageReference | string | null;
  since?: string | null;
  expires?: string | null;
};

export type ProfileField = {
  name: string;
  value: string | number | boolean;
  source: "caller" | "user" | "assistant" | "system" | "tool" | "imported";
  conversation: string | null;
  message_id: string | null;
  since: string;
  expires_at: string | null;
  set_at: string;
};

export type Quote = {
  kind: "message" | "pin" | "fact";
  id: string;
  source_message_id: string | null;
  conversation: string;
  at: string;
  order: [number, number];
  text: string;
  role: "system" | "user" | "assistant" | "tool";
  name: string | null;
  imported: boolean;
  untrusted: boolean;
  whole: boolean;
  code: boolean;
  score: Score | null;
  sources: (string)[];
  tokens: number;
  words: [number, number] | null;
  space: string | null;
};

export type RatedMessage = {
  message_id: string;
  useful: number;
  useless: number;
  quoted: number;
  last_at: string;
  correction: number;
};

export type RatedMessageList = {
  items: (RatedMessage)[];
};

export type Readiness = {
  ready: boolean;
  store: boolean;
  schema: boolean;
  worker: "running" | "stopped" | "elsewhere";
  reason: string | null;
};

export type ReasonBody = {
  reason?: string | null;
};

export type RecallBody = {
  query: string;
  limit?: number;
  kinds?: ("message" | "pin" | "summary" | "fact" | "episode" | "profile" | "item")[] | null;
  types?: (string)[] | null;
  categories?: (string)[] | null;
  tags?: (string)[] | null;
  filter?: { [name: string]: unknown } | null;
  group?: "session" | "turn" | null;
  since?: string | null;
  until?: string | null;
  min_importance?: number | null;
  min_score?: number | null;
  include_episodes?: boolean | null;
  as_of?: string | null;
  known_at?: string | null;
  boost?: string | null;
  explain?: boolean | null;
  items?: boolean | (string)[] | null;
};

export type RecallResponse = {
  items: (Hit)[];
  degraded: (string)[];
  warnings: (string)[];
  explanation: Explanation | null;
  milliseconds: { [name: string]: number };
  groups: (HitGroup)[];
};

export type Receipt = {
  id: string;
  at: string;
  space: string;
  conversation: string;
  call: ContextRequest;
  question: string | null;
  tokens: number;
  prefix_tokens: number;
  sections: { [name: string]: number };
  items: (ReceiptItem)[];
  warnings: (string)[];
  degraded: (string)[];
  digest: string;
  text: string | null;
};

export type ReceiptComparison = {
  same: boolean;
  before: Receipt;
  after: Receipt;
  added: (ReceiptItem)[];
  removed: (ReceiptItem)[];
  changed: ([ReceiptItem, ReceiptItem])[];
};

export type ReceiptEntry = {
  item: ReceiptItem;
  text: string;
  speaker: string;
  at: string | null;
  conversation: string | null;
  seq: number | null;
};

export type ReceiptEntryList = {
  items: (ReceiptEntry)[];
};

export type ReceiptItem = {
  section: string;
  kind: string;
  id: string;
  source_message_id: string | null;
  included: boolean;
  reason: string;
  tokens: number;
  score: Score | null;
  sources: (string)[];
  space: string | null;
  missing: number;
};

export type ReceiptListItem = {
  id: string;
  at: string;
  conversation: string;
  question: string | null;
  recipe: string;
  max_tokens: number;
  tokens: number;
  prefix_tokens: number;
  sections: { [name: string]: number };
  counts: { [name: string]: number };
  warnings: (string)[];
  degraded: (string)[];
  digest: string;
};

export type ReceiptListItemList = {
  items: (ReceiptListItem)[];
};

export type RechunkResponse = {
  changed: number;
};

export type Recipe = {
  name: string;
  fill: "balanced" | "window" | "project" | "rolling" | "retrieval";
  max_tokens?: number;
  always?: number;
  recent?: number | null;
  high_water?: number;
  low_water?: number;
  newest_share?: number;
  pins?: number;
  pins_share?: number;
  summaries?: number;
  summaries_share?: number;
  profile_share?: number;
  recalled?: number;
  recalled_share?: number;
  recalled_tokens?: number | null;
  threshold?: number;
  conversation_first?: boolean;
  weights?: (number)[] | null;
  code_first?: boolean;
  system_reserve?: number;
  working_reserve?: number;
  recent_share?: number;
  recent_priority?: number;
  summary_priority?: number;
  chunk_size?: number;
  short_term_turns?: number;
  consolidation_days?: number;
  max_episodes?: number;
  recency_weight?: number;
  importance_weight?: number;
  rolling_window?: number;
  rolling_after?: number;
};

export type RecordResponse = {
  schema: string;
  value: { [name: string]: unknown };
  fact: Fact;
};

export type RecordResponsePage = {
  items: (RecordResponse)[];
  next: string | null;
};

export type Relation = {
  source: string;
  kind: "related_to" | "depends_on" | "contradicts" | "supersedes" | "part_of" | "caused_by";
  target: string;
  strength: number;
  created_at: string;
};

export type RelationBody = {
  source: string;
  kind: "related_to" | "depends_on" | "contradicts" | "supersedes" | "part_of" | "caused_by";
  target: string;
  strength?: number;
};

export type RelationList = {
  items: (Relation)[];
};

export type ReleaseResponse = {
  released: boolean;
};

export type RemoveBody = {
  first: string | number;
  last?: string | number | null;
};

export type RemoveResponse = {
  removed: number;
};

export type ReplaceBody = {
  first: string | number;
  messages: (MessageBody)[];
};

export type ReplacedItem = {
  value: unknown;
  updated_at: string;
};

export type ReplyBody = {
  recipe?: string | Recipe;
  max_tokens?: number | null;
  system?: string | null;
  domain?: string | null;
  overflow?: "raise" | "truncate";
  content: string | ({ [name: string]: unknown })[];
  id?: string | null;
  model?: string | null;
  format?: "complete" | null;
  answer_tokens?: number;
  detached?: boolean;
};

export type ResponderInfo = {
  model: string | null;
  local: boolean;
  reason: string | null;
};

export type Retrieval = {
  id: string;
  space: string;
  conversation: string | null;
  at: string;
  kind: "recall" | "context";
  hits: number;
  sources: { [name: string]: number };
  content: { [name: string]: number };
  milliseconds: { [name: string]: number };
  top_scores: (number)[];
  flags: { [name: string]: boolean | number | string };
  degraded: (string)[];
  tokens: number | null;
  budget: number | null;
  prefix_tokens: number | null;
};

export type RetrievalList = {
  items: (Retrieval)[];
};

export type Revocation = {
  space: string;
  at: string;
  fields: (string)[];
  entries: number;
  receipts: number;
  scrubbed: boolean;
};

export type RollingSummaryState = {
  size: number;
  newest_seq: number | null;
  latest: Summary | null;
  behind: number;
  making: Summary | null;
  stuck: boolean;
  timings: SummaryTimings;
  history: (Summary)[];
};

export type RunningAnswer = {
  question: string;
  model: string;
  begun_at: string;
  retries: number;
  stopping: boolean;
};

export type RunningAnswerList = {
  items: (RunningAnswer)[];
};

export type Schema = {
  name: string;
  json_schema: { [name: string]: unknown };
  instructions: string;
  key: (string)[] | null;
  created_at: string;
};

export type SchemaBody = {
  json_schema: { [name: string]: unknown };
  instructions?: string;
  key?: (string)[] | null;
  past?: boolean;
};

export type SchemaList = {
  items: (Schema)[];
};

export type Score = {
  total: number;
  dense: number;
  lexical: number;
  identifier: number;
  recency: number;
  importance: number;
  access: number;
  speaker: number;
  time: number;
  statement: number;
  relevance: number;
  feedback: number;
};

export type ScoreBody = {
  ids?: (string)[] | null;
  dry_run?: boolean;
};

export type Section = {
  name: string;
  items: (string | ProfileField | Pin | Summary | Message | Quote | NewestMessage)[];
  tokens: number;
};

export type SettingBody = {
  value: boolean | number | string;
};

export type SettingResponse = {
  name: string;
  value: boolean | number | string;
  source: "default" | "environment" | "space";
  default: boolean | number | string;
  help: string;
  variable: string;
  least: number | null;
  most: number | null;
  choices: (string)[];
};

export type SettingResponseList = {
  items: (SettingResponse)[];
};

export type SpaceInfo = {
  id: string;
  conversations: number;
  messages: number;
  created_at: string;
};

export type SpaceInfoPage = {
  items: (SpaceInfo)[];
  next: string | null;
};

export type SpaceRecallBody = {
  query: string;
  limit?: number;
  kinds?: ("message" | "pin" | "summary" | "fact" | "episode" | "profile" | "item")[] | null;
  types?: (string)[] | null;
  categories?: (string)[] | null;
  tags?: (string)[] | null;
  filter?: { [name: string]: unknown } | null;
  group?: "session" | "turn" | null;
  since?: string | null;
  until?: string | null;
  min_importance?: number | null;
  min_score?: number | null;
  include_episodes?: boolean | null;
  as_of?: string | null;
  known_at?: string | null;
  boost?: string | null;
  explain?: boolean | null;
  items?: boolean | (string)[] | null;
  conversation?: string | null;
};

export type SpacesRecallBody = {
  query: string;
  limit?: number;
  kinds?: ("message" | "pin" | "summary" | "fact" | "episode" | "profile" | "item")[] | null;
  types?: (string)[] | null;
  categories?: (string)[] | null;
  tags?: (string)[] | null;
  filter?: { [name: string]: unknown } | null;
  group?: "session" | "turn" | null;
  since?: string | null;
  until?: string | null;
  min_importance?: number | null;
  min_score?: number | null;
  include_episodes?: boolean | null;
  as_of?: string | null;
  known_at?: string | null;
  boost?: string | null;
  explain?: boolean | null;
  items?: boolean | (string)[] | null;
  spaces: (string)[];
};

export type Stats = {
  conversations: number;
  messages: number;
  chunks: number;
  summaries: number;
  pins: number;
  facts: number;
  episodes: number;
  items: number;
  bytes: { [name: string]: number };
};

export type Status = {
  spaces: number;
  conversations: number;
  messages: number;
  chunks: number;
  jobs: { [name: string]: number };
  models: (EmbeddingModel)[];
  schema_version: number;
};

export type StopResponse = {
  stopped: boolean;
};

export type StoreSizeResponse = {
  bytes: { [name: string]: number };
};

export type SummarizeBody = {
  first?: number | string | null;
  last?: number | string | null;
  message_count?: number | null;
};

export type SummarizeInConversationBody = {
  first?: number | string | null;
  last?: number | string | null;
  message_count?: number | null;
  conversation: string;
};

export type Summary = {
  id: string;
  space: string;
  conversation: string;
  kind: "segment" | "rolling";
  first_seq: number;
  last_seq: number;
  message_count: number;
  text: string;
  topics: (string)[];
  importance: number;
  base_id: string | null;
  status: "processing" | "completed" | "failed";
  method: "model" | "extractive" | "offline" | null;
  model: string | null;
  tokens: number;
  milliseconds: number | null;
  error: string | null;
  created_at: string;
  replaced_by: string | null;
};

export type SummaryList = {
  items: (Summary)[];
};

export type SummaryTimings = {
  completed: number;
  failed: number;
  average_milliseconds: number | null;
  maximum_milliseconds: number | null;
};

export type TimeSpan = {
  start: string;
  stop: string;
  text: string;
};

export type TimeSpanList = {
  items: (TimeSpan)[];
};

export type TokenAllowance = {
  since: string;
  spent: number;
  cap: number | null;
  left: number | null;
};

export type TraceLocation = {
  where: string;
  at: string;
  what: "text" | "word";
};

export type Verification = {
  found: (TraceLocation)[];
  tables: (string)[];
  files: (string)[];
  bytes: number;
  words: number;
};

export type VerifyErasureBody = {
  text: string;
  space?: string | null;
};

export type VersionResponse = {
  version: string;
};

export type Why = {
  receipt: string;
  included: boolean;
  cause: "included" | "cut" | "no_room" | "ranked_low" | "not_read" | "weak" | "unanswered" | "not_found" | "duplicate" | "stated" | "filtered" | "muted" | "branch" | "elsewhere" | "other_space" | "expired" | "unknown" | "later" | "not_indexed" | "not_searchable" | "not_searched" | "no_question" | "search_failed" | "sent" | "left_out";
  sentence: string;
  message: Message | null;
  matches: number;
  section: string | null;
  items: (ReceiptItem)[];
  rank: number | null;
  first_rank: number | null;
  found: number;
  read: number;
  wanted: number;
  least: number;
  score: Score | null;
  last: ReceiptItem | null;
  tokens: number;
  missing: number;
  enough: number | null;
  similarity: number | null;
  shared: (string)[];
  other: ReceiptItem | null;
  job: "queued" | "running" | "done" | "failed" | null;
  changed: boolean;
  included_now: boolean;
};

export type WhyBody = {
  message: string;
  message_space?: string | null;
  all?: boolean;
};

export type List_str_List = {
  items: ((string)[])[];
};

export interface Operations {
  "GET /api/health": { path: {  }; query: {  }; body: undefined; answer: HealthResponse };
  "GET /about": { path: {  }; query: { tokens?: number | null; by?: string | null }; body: undefined; answer: About };
  "GET /activity": { path: {  }; query: { since?: string | null; until?: string | null; step?: number | null; all?: boolean | null }; body: undefined; answer: ActivityList };
  "GET /audit": { path: {  }; query: { limit?: number | null; after?: string | null; since?: string | null; action?: "grant" | "revoke" | "change" | "remove" | "read" | "export" | "import" | "hold" | "release" | null }; body: undefined; answer: AuditEntryPage };
  "POST /backup": { path: {  }; query: { damaged?: boolean | null }; body: undefined; answer: undefined };
  "GET /changes": { path: {  }; query: { conversation?: string | null; after?: number | null; limit?: number | null }; body: undefined; answer: ChangeList };
  "GET /consent": { path: {  }; query: {  }; body: undefined; answer: ConsentResponse };
  "PUT /consent": { path: {  }; query: { by?: string | null }; body: ConsentBody; answer: ConsentResponse };
  "GET /consolidations": { path: {  }; query: { limit?: number | null }; body: undefined; answer: ConsolidationList };
  "POST /consolidations": { path: {  }; query: {  }; body: ConsolidateBody; answer: Consolidation };
  "POST /consolidations/undo": { path: {  }; query: {  }; body: undefined; answer: Consolidation };
  "GET /conversations": { path: {  }; query: { limit?: number | null; after?: string | null; status?: "active" | "paused" | "ended" | null; q?: string | null }; body: undefined; answer: ConversationInfoPage };
  "GET /conversations/{conversation}": { path: { conversation: string }; query: {  }; body: undefined; answer: ConversationInfo };
  "PUT /conversations/{conversation}": { path: { conversation: string }; query: {  }; body: ConversationStartBody; answer: ConversationInfo };
  "PATCH /conversations/{conversation}": { path: { conversation: string }; query: {  }; body: ConversationEditBody; answer: ConversationInfo };
  "DELETE /conversations/{conversation}": { path: { conversation: string }; query: {  }; body: undefined; answer: DeleteResponse };
  "GET /conversations/{conversation}/answerer": { path: { conversation: string }; query: { model?: string | null }; body: undefined; answer: ResponderInfo };
  "GET /conversations/{conversation}/answers": { path: { conversation: string }; query: {  }; body: undefined; answer: RunningAnswerList };
  "GET /conversations/{conversation}/answers/{id}": { path: { id: string; conversation: string }; query: {  }; body: undefined; answer: undefined };
  "POST /conversations/{conversation}/answers/{id}/stop": { path: { id: string; conversation: string }; query: {  }; body: undefined; answer: StopResponse };
  "GET /conversations/{conversation}/arc": { path: { conversation: string }; query: { masked?: boolean | null }; body: undefined; answer: Arc };
  "GET /conversations/{conversation}/branches": { path: { conversation: string }; query: {  }; body: undefined; answer: ConversationInfoList };
  "GET /conversations/{conversation}/chain": { path: { conversation: string }; query: { limit?: number | null; masked?: boolean | null }; body: undefined; answer: SummaryList };
  "POST /conversations/{conversation}/context": { path: { conversation: string }; query: {  }; body: ContextBody | null; answer: ContextResponse };
  "GET /conversations/{conversation}/episodes": { path: { conversation: string }; query: { type?: "decision_made" | "problem_solved" | "breakthrough" | "issue_identified" | "task_completed" | "pivot" | null; min_significance?: number | null; limit?: number | null; masked?: boolean | null }; body: undefined; answer: EpisodeList };
  "POST /conversations/{conversation}/episodes": { path: { conversation: string }; query: {  }; body: EpisodeBody; answer: Episode };
  "GET /conversations/{conversation}/episodes/{id}": { path: { id: string; conversation: string }; query: {  }; body: undefined; answer: Episode };
  "DELETE /conversations/{conversation}/episodes/{id}": { path: { id: string; conversation: string }; query: {  }; body: undefined; answer: undefined };
  "POST /conversations/{conversation}/fork": { path: { conversation: string }; query: {  }; body: ForkBody; answer: ConversationInfo };
  "POST /conversations/{conversation}/messages": { path: { conversation: string }; query: {  }; body: MessageBody | MessageBatchBody; answer: MessageList };
  "GET /conversations/{conversation}/messages": { path: { conversation: string }; query: { limit?: number | null; after?: number | null; before?: number | null; masked?: boolean | null }; body: undefined; answer: MessageList };
  "DELETE /conversations/{conversation}/messages": { path: { conversation: string }; query: {  }; body: undefined; answer: RemoveResponse };
  "POST /conversations/{conversation}/messages/pop": { path: { conversation: string }; query: {  }; body: undefined; answer: PopResponse };
  "POST /conversations/{conversation}/messages/remove": { path: { conversation: string }; query: {  }; body: RemoveBody; answer: RemoveResponse };
  "POST /conversations/{conversation}/messages/replace": { path: { conversation: string }; query: {  }; body: ReplaceBody; answer: MessageList };
  "GET /conversations/{conversation}/messages/{id}": { path: { id: string; conversation: string }; query: {  }; body: undefined; answer: Message };
  "PUT /conversations/{conversation}/messages/{id}": { path: { id: string; conversation: string }; query: {  }; body: MessageEditBody; answer: Message };
  "GET /conversations/{conversation}/messages/{id}/accesses": { path: { id: string; conversation: string }; query: {  }; body: undefined; answer: MessageAccess };
  "GET /conversations/{conversation}/messages/{id}/chunks": { path: { id: string; conversation: string }; query: {  }; body: undefined; answer: ChunkList };
  "GET /conversations/{conversation}/messages/{id}/times": { path: { id: string; conversation: string }; query: {  }; body: undefined; answer: TimeSpanList };
  "GET /conversations/{conversation}/needs-summary": { path: { conversation: string }; query: {  }; body: undefined; answer: NeedsSummaryResponse };
  "GET /conversations/{conversation}/pins": { path: { conversation: string }; query: { limit?: number | null }; body: undefined; answer: PinList };
  "POST /conversations/{conversation}/pins": { path: { conversation: string }; query: {  }; body: PinBody; answer: Pin };
  "GET /conversations/{conversation}/pins/{id}": { path: { id: string; conversation: string }; query: {  }; body: undefined; answer: Pin };
  "PATCH /conversations/{conversation}/pins/{id}": { path: { id: string; conversation: string }; query: {  }; body: PinEditBody; answer: Pin };
  "DELETE /conversations/{conversation}/pins/{id}": { path: { id: string; conversation: string }; query: {  }; body: undefined; answer: undefined };
  "POST /conversations/{conversation}/recall": { path: { conversation: string }; query: {  }; body: RecallBody; answer: RecallResponse };
  "GET /conversations/{conversation}/recent": { path: { conversation: string }; query: { limit?: number | null; include_newest?: boolean | null }; body: undefined; answer: MessageList };
  "POST /conversations/{conversation}/reply": { path: { conversation: string }; query: {  }; body: ReplyBody; answer: undefined };
  "GET /conversations/{conversation}/summaries": { path: { conversation: string }; query: { kind?: "segment" | "rolling" | null; status?: "processing" | "completed" | "failed" | "any" | null; replaced?: boolean | null; limit?: number | null; masked?: boolean | null }; body: undefined; answer: SummaryList };
  "POST /conversations/{conversation}/summaries": { path: { conversation: string }; query: {  }; body: SummarizeBody | null; answer: Summary };
  "GET /conversations/{conversation}/summaries/{id}": { path: { id: string; conversation: string }; query: {  }; body: undefined; answer: Summary };
  "GET /conversations/{conversation}/summaries/{id}/chain": { path: { id: string; conversation: string }; query: { limit?: number | null; masked?: boolean | null }; body: undefined; answer: SummaryList };
  "GET /conversations/{conversation}/window": { path: { conversation: string }; query: {  }; body: undefined; answer: RollingSummaryState };
  "GET /cost": { path: {  }; query: { since?: string | null; until?: string | null }; body: undefined; answer: CostTotalList };
  "GET /cost/allowance": { path: {  }; query: {  }; body: undefined; answer: TokenAllowance };
  "GET /cost/total": { path: {  }; query: { since?: string | null; until?: string | null }; body: undefined; answer: CostTotalList };
  "GET /debug/retrieval": { path: {  }; query: { q: string; conversationId?: string | null; limit?: number | null }; body: undefined; answer: DebugRetrieval };
  "GET /debug/stats": { path: {  }; query: {  }; body: undefined; answer: DebugStats };
  "GET /doctor": { path: {  }; query: {  }; body: undefined; answer: FindingList };
  "POST /doctor": { path: {  }; query: {  }; body: undefined; answer: FindingList };
  "GET /episodes": { path: {  }; query: { type?: "decision_made" | "problem_solved" | "breakthrough" | "issue_identified" | "task_completed" | "pivot" | null; min_significance?: number | null; limit?: number | null }; body: undefined; answer: EpisodeList };
  "GET /erasures": { path: {  }; query: { limit?: number | null }; body: undefined; answer: ErasureList };
  "GET /events": { path: {  }; query: { all?: boolean | null; conversation?: string | null; after?: number | null }; body: undefined; answer: undefined };
  "GET /export": { path: {  }; query: { by?: string | null }; body: undefined; answer: undefined };
  "GET /facts": { path: {  }; query: { limit?: number | null; after?: string | null; status?: "pending" | "active" | "superseded" | "archived" | "rejected" | "any" | null; kind?: "fact" | "decision" | "preference" | "entity" | "procedure" | "constraint" | "goal" | null; category?: string | null; tag?: string | null; subject?: string | null; conversation?: string | null; schema?: string | null; as_of?: string | null; known_at?: string | null }; body: undefined; answer: FactPage };
  "POST /facts": { path: {  }; query: {  }; body: FactBody; answer: Fact };
  "GET /facts/{id}": { path: { id: string }; query: {  }; body: undefined; answer: Fact };
  "PATCH /facts/{id}": { path: { id: string }; query: {  }; body: FactEditBody; answer: Fact };
  "POST /facts/{id}/archive": { path: { id: string }; query: {  }; body: ReasonBody | null; answer: Fact };
  "POST /facts/{id}/promote": { path: { id: string }; query: {  }; body: undefined; answer: Fact };
  "POST /facts/{id}/reject": { path: { id: string }; query: {  }; body: ReasonBody | null; answer: Fact };
  "POST /facts/{id}/undo": { path: { id: string }; query: {  }; body: undefined; answer: Fact };
  "POST /feedback": { path: {  }; query: {  }; body: FeedbackBody; answer: FeedbackList };
  "GET /feedback": { path: {  }; query: { limit?: number | null; query?: string | null }; body: undefined; answer: RatedMessageList };
  "DELETE /feedback": { path: {  }; query: {  }; body: undefined; answer: FeedbackResetResponse };
  "POST /flush": { path: {  }; query: {  }; body: FlushBody; answer: FlushResponse };
  "POST /forget": { path: {  }; query: {  }; body: ForgetBody; answer: Erasure };
  "GET /hold": { path: {  }; query: {  }; body: undefined; answer: HoldResponse };
  "PUT /hold": { path: {  }; query: { by?: string | null }; body: HoldBody; answer: HoldResponse };
  "DELETE /hold": { path: {  }; query: { by?: string | null }; body: undefined; answer: ReleaseResponse };
  "POST /hooks": { path: {  }; query: {  }; body: HookEventBody; answer: HookResult };
  "POST /import": { path: {  }; query: {  }; body: undefined; answer: SpaceInfo };
  "POST /import-chats": { path: {  }; query: { format?: "chatgpt" | "claude" | "chat" | "langchain" | "mem0" | "claude-code" | "codex" | "openwebui" | "librechat" | "telegram" | "whatsapp" | "slack" | "discord" | "letta" | "zep" | "sharegpt" | "gemini" | "llm" | "pydantic-ai" | "langmem" | null; name?: string | null; me?: string | null; dry_run?: boolean | null }; body: undefined; answer: ImportReport };
  "POST /items": { path: {  }; query: {  }; body: ItemsBody; answer: ItemList };
  "DELETE /items": { path: {  }; query: { namespace?: (string)[] | null }; body: undefined; answer: ClearItemsResponse };
  "POST /items/search": { path: {  }; query: {  }; body: ItemSearchBody; answer: ItemHitList };
  "PUT /items/{key}": { path: { key: string }; query: {  }; body: ItemBody; answer: Item };
  "GET /items/{key}": { path: { key: string }; query: { namespace?: (string)[] | null }; body: undefined; answer: Item };
  "DELETE /items/{key}": { path: { key: string }; query: { namespace?: (string)[] | null }; body: undefined; answer: DeleteItemResponse };
  "POST /items/{key}/rename": { path: { key: string }; query: {  }; body: ItemRenameBody; answer: Item };
  "POST /items/{key}/touch": { path: { key: string }; query: {  }; body: ItemTouchBody; answer: Item };
  "GET /jobs": { path: {  }; query: { state?: "queued" | "running" | "done" | "failed" | null; limit?: number | null }; body: undefined; answer: JobList };
  "GET /keys": { path: {  }; query: {  }; body: undefined; answer: KeyList };
  "POST /keys": { path: {  }; query: {  }; body: KeyBody; answer: NewKey };
  "DELETE /keys/{id}": { path: { id: string }; query: {  }; body: undefined; answer: Key };
  "POST /messages/locate": { path: {  }; query: {  }; body: LocateBody; answer: MessageList };
  "GET /metrics": { path: {  }; query: { since?: string | null; until?: string | null; all?: boolean | null }; body: undefined; answer: Metrics };
  "GET /namespaces": { path: {  }; query: { namespace?: (string)[] | null; suffix?: (string)[] | null; max_depth?: number | null; limit?: number | null; offset?: number | null }; body: undefined; answer: List_str_List };
  "POST /namespaces/move": { path: {  }; query: {  }; body: NamespaceMoveBody; answer: MoveItemsResponse };
  "POST /pins": { path: {  }; query: {  }; body: PinInConversationBody; answer: Pin };
  "GET /profile": { path: {  }; query: { as_of?: string | null; known_at?: string | null; by?: string | null }; body: undefined; answer: Profile };
  "PUT /profile": { path: {  }; query: { by?: string | null }; body: ProfileBody; answer: Profile };
  "DELETE /profile": { path: {  }; query: { field?: (string)[] | null; text?: boolean | null; erase?: boolean | null; by?: string | null }; body: undefined; answer: Profile };
  "POST /recall": { path: {  }; query: {  }; body: SpaceRecallBody; answer: RecallResponse };
  "GET /recall": { path: {  }; query: { q: string; limit?: number | null; conversation?: string | null; kind?: ("message" | "pin" | "summary" | "fact" | "episode" | "profile" | "item")[] | null }; body: undefined; answer: RecallResponse };
  "GET /receipts": { path: {  }; query: { limit?: number | null; conversation?: string | null }; body: undefined; answer: ReceiptListItemList };
  "GET /receipts/{id}": { path: { id: string }; query: { all?: boolean | null }; body: undefined; answer: Receipt };
  "GET /receipts/{id}/compare": { path: { id: string }; query: { other: string }; body: undefined; answer: ReceiptComparison };
  "GET /receipts/{id}/context": { path: { id: string }; query: { format?: "openai" | "anthropic" | "text" | "complete" | null; cache?: boolean | null }; body: undefined; answer: ContextResponse };
  "GET /receipts/{id}/items": { path: { id: string }; query: {  }; body: undefined; answer: ReceiptEntryList };
  "GET /receipts/{id}/replay": { path: { id: string }; query: { all?: boolean | null }; body: undefined; answer: ReceiptComparison };
  "POST /receipts/{id}/why": { path: { id: string }; query: {  }; body: WhyBody; answer: Why };
  "POST /rechunk": { path: {  }; query: {  }; body: undefined; answer: RechunkResponse };
  "GET /records": { path: {  }; query: { schema: string; limit?: number | null; after?: string | null; status?: "pending" | "active" | "superseded" | "archived" | "rejected" | "any" | null }; body: undefined; answer: RecordResponsePage };
  "GET /relations": { path: {  }; query: { fact?: string | null; limit?: number | null }; body: undefined; answer: RelationList };
  "POST /relations": { path: {  }; query: {  }; body: RelationBody; answer: Relation };
  "DELETE /relations": { path: {  }; query: { source: string; kind: "related_to" | "depends_on" | "contradicts" | "supersedes" | "part_of" | "caused_by"; target: string }; body: undefined; answer: DeleteRelationResponse };
  "GET /retrievals": { path: {  }; query: { since?: string | null; until?: string | null; limit?: number | null; all?: boolean | null }; body: undefined; answer: RetrievalList };
  "GET /review": { path: {  }; query: { limit?: number | null }; body: undefined; answer: FactList };
  "GET /schemas": { path: {  }; query: {  }; body: undefined; answer: SchemaList };
  "PUT /schemas/{name}": { path: { name: string }; query: {  }; body: SchemaBody; answer: Schema };
  "DELETE /schemas/{name}": { path: { name: string }; query: {  }; body: undefined; answer: DeleteSchemaResponse };
  "GET /settings": { path: {  }; query: {  }; body: undefined; answer: SettingResponseList };
  "PUT /settings/{name}": { path: { name: string }; query: {  }; body: SettingBody; answer: SettingResponse };
  "DELETE /settings/{name}": { path: { name: string }; query: {  }; body: undefined; answer: SettingResponse };
  "GET /size": { path: {  }; query: {  }; body: undefined; answer: StoreSizeResponse };
  "GET /spaces": { path: {  }; query: { limit?: number | null; after?: string | null }; body: undefined; answer: SpaceInfoPage };
  "POST /spaces/recall": { path: {  }; query: {  }; body: SpacesRecallBody; answer: RecallResponse };
  "GET /spaces/{name}": { path: { name: string }; query: {  }; body: undefined; answer: SpaceInfo };
  "DELETE /spaces/{name}": { path: { name: string }; query: {  }; body: undefined; answer: DeleteResponse };
  "GET /stats": { path: {  }; query: {  }; body: undefined; answer: Stats };
  "GET /status": { path: {  }; query: {  }; body: undefined; answer: Status };
  "POST /summaries": { path: {  }; query: {  }; body: SummarizeInConversationBody; answer: Summary };
  "POST /verify-erasure": { path: {  }; query: {  }; body: VerifyErasureBody; answer: Verification };
  "POST /{conversation}/score-messages": { path: { conversation: string }; query: {  }; body: ScoreBody | null; answer: MessageScoreList };
  "GET /api/ready": { path: {  }; query: {  }; body: undefined; answer: Readiness };
  "GET /api/version": { path: {  }; query: {  }; body: undefined; answer: VersionResponse };
}
