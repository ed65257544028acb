// The table of verbs: which operation each method calls, and the types that follow from it.
import type { Answer, Call, Http, Operation } from "./http.js";
import type { Operations } from "./schema.js";

type Body<K extends Operation> = [Operations[K]["body"]] extends [undefined]
  ? unknown
  : NonNullable<Operations[K]["body"]>;
/** What a request takes, except `Bound`, which its object knows. */
type Fields<K extends Operation, Bound extends string> = Omit<Operations[K]["path"], Bound> &
  Operations[K]["query"] &
  Body<K>;

/** An optional field may also be undefined. */
export type Loose<T> = { [N in keyof T]: undefined extends T[N] ? T[N] | undefined : T[N] };
type Optional<T, Then, Else> = Partial<T> extends T ? Then : Else;
type Options<T> = Optional<T, [options?: Loose<T> & Call], [options: Loose<T> & Call]>;
type Positional<T, Names extends readonly string[], Tail extends unknown[]> = Names extends readonly [
  infer Name extends keyof T,
  ...infer Rest extends readonly string[],
]
  ? Optional<Pick<T, Name>, [_?: T[Name], ...Positional<T, Rest, Tail>], [_: T[Name], ...Positional<T, Rest, Tail>]>
  : Tail;
type Arguments<T, Names extends readonly string[], Fixed extends string> = Positional<
  T,
  Names,
  Options<Omit<T, Names[number] | Fixed>>
>;
type Picked<T, Name> = Name extends keyof T ? T[Name] : T;

interface Verb<K extends Operation, Names extends readonly string[], Name extends string, Fixed> {
  readonly operation: K;
  readonly args: Names;
  readonly pick: Name;
  readonly fixed: Fixed;
}
type AnyVerb = Verb<Operation, readonly string[], string, object>;

/** The method of a verb. */
type Method<V, Bound extends string, More> =
  V extends Verb<infer K, infer Names, infer Name, infer Fixed>
    ? (...args: Arguments<Fields<K, Bound> & More, Names, keyof Fixed & string>) => Promise<Picked<Answer<K>, Name>>
    : never;
export type Methods<Table, Bound extends string, More = unknown> = {
  [N in keyof Table]: Method<Table[N], Bound, More>;
};

interface Shape<Names extends readonly string[], Name extends string, Fixed> {
  /** The fields that come first, by position. All others are in the options. */
  args?: Names;
  /** The field of the answer that the method returns. Default: the whole answer. */
  pick?: Name;
  /** The fields that are always the same. */
  fixed?: Fixed;
}

function verb<
  K extends Operation,
  const Names extends readonly string[] = [],
  const Name extends string = "",
  const Fixed extends object = Record<never, never>,
>(operation: K, shape: Shape<Names, Name, Fixed> = {}): Verb<K, Names, Name, Fixed> {
  const { args = [], pick = "", fixed = {} } = shape;
  return { operation, args, pick, fixed } as unknown as Verb<K, Names, Name, Fixed>;
}

const ID = ["id"] as const;
const KEY = ["key"] as const;
const ITEMS = { pick: "items" } as const;
const CHAT = "/conversations/{conversation}";

export const MEMORY = {
  allowance: verb("GET /cost/allowance"),
  createKey: verb("POST /keys", { args: ["name"] }),
  jobs: verb("GET /jobs", ITEMS),
  keys: verb("GET /keys", ITEMS),
  recall: verb("POST /spaces/recall", { args: ["spaces", "query"] }),
  revokeKey: verb("DELETE /keys/{id}", { args: ID }),
  size: verb("GET /size", { pick: "bytes" }),
  spaces: verb("GET /spaces", ITEMS),
  status: verb("GET /status"),
  verifyErasure: verb("POST /verify-erasure", { args: ["text"] }),
  why: verb("POST /receipts/{id}/why", { args: ["id", "message"], fixed: { all: true } }),
};

/** Methods of a Memory that need to know the space. */
export const MEMORY_OF_SPACE = {
  receipt: verb("GET /receipts/{id}", { args: ID }),
  replay: verb("GET /receipts/{id}/replay", { args: ID }),
  retrievals: verb("GET /retrievals", ITEMS),
};

export const SPACE = {
  about: verb("GET /about", { args: ["tokens"] }),
  archive: verb("POST /facts/{id}/archive", { args: ID }),
  audit: verb("GET /audit", ITEMS),
  compare: verb("GET /receipts/{id}/compare", { args: ["id", "other"] }),
  consent: verb("GET /consent"),
  consolidate: verb("POST /consolidations"),
  consolidations: verb("GET /consolidations", ITEMS),
  conversations: verb("GET /conversations", ITEMS),
  editFact: verb("PATCH /facts/{id}", { args: ID }),
  episodes: verb("GET /episodes", ITEMS),
  erasures: verb("GET /erasures", ITEMS),
  fact: verb("GET /facts/{id}", { args: ID }),
  facts: verb("GET /facts", ITEMS),
  feedback: verb("POST /feedback", { args: ["query", "message"], pick: "items" }),
  feedbackGiven: verb("GET /feedback", ITEMS),
  forget: verb("POST /forget"),
  grantConsent: verb("PUT /consent", { fixed: { granted: true } }),
  held: verb("GET /hold", { pick: "hold" }),
  hold: verb("PUT /hold", { args: ["reason"], pick: "hold" }),
  learn: verb("PUT /schemas/{name}", { args: ["name", "json_schema"] }),
  locate: verb("POST /messages/locate", { args: ["ids"], pick: "items" }),
  profile: verb("GET /profile"),
  promote: verb("POST /facts/{id}/promote", { args: ID }),
  rebuild: verb("GET /receipts/{id}/context", { args: ID }),
  recall: verb("POST /recall", { args: ["query"] }),
  receipt: verb("GET /receipts/{id}", { args: ID }),
  receiptItems: verb("GET /receipts/{id}/items", { args: ID, pick: "items" }),
  receipts: verb("GET /receipts", ITEMS),
  rechunk: verb("POST /rechunk", { pick: "changed" }),
  records: verb("GET /records", { args: ["schema"], pick: "items" }),
  reject: verb("POST /facts/{id}/reject", { args: ID }),
  relate: verb("POST /relations", { args: ["source", "kind", "target"] }),
  relations: verb("GET /relations", ITEMS),
  releaseHold: verb("DELETE /hold", { pick: "released" }),
  remember: verb("POST /facts", { args: ["text"] }),
  removeProfile: verb("DELETE /profile"),
  replay: verb("GET /receipts/{id}/replay", { args: ID }),
  resetFeedback: verb("DELETE /feedback", { pick: "removed" }),
  review: verb("GET /review", ITEMS),
  revokeConsent: verb("PUT /consent", { fixed: { granted: false }, pick: "revocation" }),
  schemas: verb("GET /schemas", ITEMS),
  set: verb("PUT /settings/{name}", { args: ["name", "value"] }),
  setProfile: verb("PUT /profile"),
  settings: verb("GET /settings", ITEMS),
  stats: verb("GET /debug/stats"),
  undo: verb("POST /facts/{id}/undo", { args: ID }),
  undoConsolidation: verb("POST /consolidations/undo"),
  unlearn: verb("DELETE /schemas/{name}", { args: ["name"], pick: "removed" }),
  unrelate: verb("DELETE /relations", { args: ["source", "kind", "target"], pick: "removed" }),
  unset: verb("DELETE /settings/{name}", { args: ["name"] }),
  why: verb("POST /receipts/{id}/why", { args: ["id", "message"] }),
};

export const CONVERSATION = {
  accesses: verb(`GET ${CHAT}/messages/{id}/accesses`, { args: ID, pick: "access" }),
  answerer: verb(`GET ${CHAT}/answerer`),
  arc: verb(`GET ${CHAT}/arc`),
  branches: verb(`GET ${CHAT}/branches`, ITEMS),
  chunks: verb(`GET ${CHAT}/messages/{id}/chunks`, { args: ID, pick: "items" }),
  clear: verb(`DELETE ${CHAT}/messages`, { pick: "removed" }),
  context: verb(`POST ${CHAT}/context`, { args: ["query"] }),
  delete: verb(`DELETE ${CHAT}`, { pick: "deleted" }),
  edit: verb(`PUT ${CHAT}/messages/{id}`, { args: ["id", "content"] }),
  editPin: verb(`PATCH ${CHAT}/pins/{id}`, { args: ID }),
  end: verb(`PATCH ${CHAT}`, { args: ["outcome"], fixed: { status: "ended" } }),
  episode: verb(`GET ${CHAT}/episodes/{id}`, { args: ID }),
  episodes: verb(`GET ${CHAT}/episodes`, ITEMS),
  expire: verb(`PATCH ${CHAT}`, { args: ["expires"] }),
  fork: verb(`POST ${CHAT}/fork`, { args: ["at"] }),
  info: verb(`GET ${CHAT}`),
  message: verb(`GET ${CHAT}/messages/{id}`, { args: ID }),
  messages: verb(`GET ${CHAT}/messages`, ITEMS),
  mute: verb(`PATCH ${CHAT}`, { fixed: { muted: true } }),
  needsSummary: verb(`GET ${CHAT}/needs-summary`, { pick: "needed" }),
  noteEpisode: verb(`POST ${CHAT}/episodes`, { args: ["title"] }),
  pause: verb(`PATCH ${CHAT}`, { fixed: { status: "paused" } }),
  pin: verb(`POST ${CHAT}/pins`, { args: ["content"] }),
  pinned: verb(`GET ${CHAT}/pins/{id}`, { args: ID }),
  pins: verb(`GET ${CHAT}/pins`, ITEMS),
  pop: verb(`POST ${CHAT}/messages/pop`, { pick: "message" }),
  recall: verb(`POST ${CHAT}/recall`, { args: ["query"] }),
  recent: verb(`GET ${CHAT}/recent`, ITEMS),
  remove: verb(`POST ${CHAT}/messages/remove`, { args: ["first", "last"], pick: "removed" }),
  removeEpisode: verb(`DELETE ${CHAT}/episodes/{id}`, { args: ID }),
  rename: verb(`PATCH ${CHAT}`, { args: ["title"] }),
  replace: verb(`POST ${CHAT}/messages/replace`, { args: ["first", "messages"], pick: "items" }),
  resume: verb(`PATCH ${CHAT}`, { fixed: { status: "active" } }),
  runningAnswers: verb(`GET ${CHAT}/answers`, ITEMS),
  score: verb("POST /{conversation}/score-messages", { args: ["ids"], pick: "items" }),
  start: verb(`PUT ${CHAT}`),
  stopAnswer: verb(`POST ${CHAT}/answers/{id}/stop`, { args: ID, pick: "stopped" }),
  summaries: verb(`GET ${CHAT}/summaries`, ITEMS),
  summarize: verb(`POST ${CHAT}/summaries`, { args: ["first", "last"] }),
  summary: verb(`GET ${CHAT}/summaries/{id}`, { args: ID }),
  times: verb(`GET ${CHAT}/messages/{id}/times`, { args: ID, pick: "items" }),
  unmute: verb(`PATCH ${CHAT}`, { fixed: { muted: false } }),
  unpin: verb(`DELETE ${CHAT}/pins/{id}`, { args: ID }),
  window: verb(`GET ${CHAT}/window`),
};

export const ITEMS_OF_NAMESPACE = {
  clear: verb("DELETE /items", { pick: "removed" }),
  delete: verb("DELETE /items/{key}", { args: KEY, pick: "deleted" }),
  get: verb("GET /items/{key}", { args: KEY }),
  move: verb("POST /namespaces/move", { args: ["new_namespace"], pick: "moved" }),
  namespaces: verb("GET /namespaces", ITEMS),
  put: verb("PUT /items/{key}", { args: ["key", "value"] }),
  putMany: verb("POST /items", { args: ["entries"], pick: "items" }),
  rename: verb("POST /items/{key}/rename", { args: ["key", "new_key"] }),
  search: verb("POST /items/search", { args: ["query"], pick: "items" }),
  touch: verb("POST /items/{key}/touch", { args: ["key", "expires"] }),
};

/** What the methods of an object have in common. */
export interface Scope {
  readonly http: Http;
  readonly names: {
    readonly space?: string;
    readonly conversation?: string;
    readonly namespace?: readonly string[];
  };
}

/** Adds a method for each verb of a table to a class. */
export function addMethods(target: { prototype: object }, table: Record<string, AnyVerb>): void {
  for (const [name, verb] of Object.entries(table)) {
    const method = function (this: Scope, ...args: unknown[]) {
      return run(this, verb, args);
    };
    Object.defineProperty(target.prototype, name, { value: method, configurable: true, writable: true });
  }
}

async function run(scope: Scope, { operation, args, pick, fixed }: AnyVerb, given: unknown[]): Promise<unknown> {
  const { signal, by, ...fields } = { ...(given[args.length] as Record<string, unknown> & Call), ...fixed };
  for (const [index, name] of args.entries()) fields[name] = given[index];
  if (scope.names.namespace !== undefined) fields["namespace"] = scope.names.namespace;
  const path: Record<string, unknown> = { conversation: scope.names.conversation };
  for (const [, name = ""] of operation.matchAll(/\{(\w+)\}/g)) {
    path[name] ??= fields[name];
    if (name !== "conversation") delete fields[name];
  }
  // The space, and the actor `by`, are in the query of every request; all else is in its body, if it has one.
  const hasBody = !/^(GET|DELETE) /.test(operation);
  const query = { space: scope.names.space, by, ...(hasBody ? {} : fields) };
  const sent = hasBody ? { path, query, body: fields, signal } : { path, query, signal };
  const answer: unknown = await scope.http.json(operation, sent);
  return pick === "" ? answer : (answer as Record<string, unknown>)[pick];
}
