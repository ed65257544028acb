// The classes of the Python API, over REST: Memory → Space → Conversation.
import { ConnectionFailed, errorOf, NotFinished } from "./errors.js";
import { type Answer, type Call, Http, type Operation, type Options, type Sent, wait } from "./http.js";
import type {
  Change,
  ContextBody,
  FlushBody,
  ImportReport,
  Message,
  MessageBody,
  Operations,
  ReplyBody,
  SpaceInfo,
} from "./schema.js";
import {
  addMethods,
  CONVERSATION,
  ITEMS_OF_NAMESPACE,
  type Loose,
  MEMORY,
  MEMORY_OF_SPACE,
  type Methods,
  type Scope,
  SPACE,
} from "./verbs.js";

export * from "./errors.js";
export type { Call, Options } from "./http.js";
export type * from "./schema.js";

/** A change of a space. `missed`: the cursor was too old, so changes are missing; read the records again. */
export type LiveChange = Change | { kind: "missed"; number: number };
/** What a reply yields: `begun` when the question is stored, pieces of text, and `done` when the answer is stored. */
export type ReplyEvent =
  | { event: "begun"; question: string; receipt: string; model: string }
  | { event: "retrying"; retries: number }
  | { event: "text"; text: string }
  | ReplyStopped
  | ReplyDone;
/** Somebody stopped the answer. What was written so far is stored as `message`. */
export interface ReplyStopped {
  event: "stopped";
  question: string;
  receipt: string;
  model: string;
  message: string | null;
  seq: number | null;
}
export interface ReplyDone {
  event: "done";
  question: string;
  receipt: string;
  model: string;
  message: string;
  seq: number;
  cut: boolean;
  usage: { prompt_tokens: number; completion_tokens: number };
}

export type NewMessage = Loose<Omit<MessageBody, "role" | "content">>;
export type ContextOptions = Loose<Omit<ContextBody, "query">>;
type Query<K extends Operation> = Loose<Operations[K]["query"]> & Call;
type InSpace = { space?: string | undefined };
type Watched = Loose<{ conversation?: string; after?: number }> & Call;

const RECONNECT_PAUSE = 1000; // milliseconds

function split<T extends Call>({ signal, ...rest }: T): [Omit<T, "signal">, AbortSignal | undefined] {
  return [rest, signal];
}

/** A new id, so that a request that is sent again stores nothing twice. */
function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// The methods of its table are added below the class.
export interface Memory extends Methods<typeof MEMORY, never>, Methods<typeof MEMORY_OF_SPACE, never, InSpace> {}

/** A store behind a server: `new Memory("http://127.0.0.1:8765", { key })`. */
export class Memory implements Scope {
  readonly http: Http;
  readonly names = {};

  constructor(address: string, options: Options = {}) {
    this.http = new Http(address, options);
  }

  /** The memory of one person or project. Its first write creates it. */
  space(id: string): Space {
    return new Space(this.http, id);
  }

  /** A conversation of the space `default`. */
  conversation(id: string): Conversation {
    return this.space("default").conversation(id);
  }

  /** The retrievals, embedding, summaries and tokens per period: of a space, or of all. */
  async activity(options: InSpace & Query<"GET /activity"> = {}): Promise<Answer<"GET /activity">["items"]> {
    return (await this.#measured("GET /activity", options)).items;
  }

  /** The metrics of the retrievals of a space, or of all. */
  metrics(options: InSpace & Query<"GET /metrics"> = {}): Promise<Answer<"GET /metrics">> {
    return this.#measured("GET /metrics", options);
  }

  /** The tokens of language models, by model and operation: of a space, or of all. */
  async costs(options: InSpace & Query<"GET /cost"> = {}): Promise<Answer<"GET /cost">["items"]> {
    const [query, signal] = split(options);
    return (await this.http.json(options.space === undefined ? "GET /cost/total" : "GET /cost", { query, signal }))
      .items;
  }

  /** One finding per check of the indexes. With `repair`, rebuilds those that differ. */
  async doctor(options: Call & { repair?: boolean } = {}): Promise<Answer<"GET /doctor">["items"]> {
    const operation = options.repair ? "POST /doctor" : "GET /doctor";
    return (await this.http.json(operation, { signal: options.signal })).items;
  }

  /** Waits for background work. Throws NotFinished after the timeout. */
  async flush(options: Loose<Partial<FlushBody>> & Call = {}): Promise<void> {
    const [body, signal] = split(options);
    const { done } = await this.http.json("POST /flush", { body, signal });
    if (!done) throw new NotFinished("background work did not end in time; it continues", 504, "not_finished");
  }

  /** If the store answers, has room and has a worker, and the reason if not. */
  async ready(options: Call = {}): Promise<Answer<"GET /api/ready">> {
    const response = await this.http.raw("GET /api/ready", { signal: options.signal });
    const answer = (await response.json()) as Answer<"GET /api/ready">;
    if (!("ready" in answer)) throw errorOf(answer, response.status);
    return answer;
  }

  /** The whole store in one file, for `aforesaid restore`. */
  backup(options: Call = {}): Promise<Blob> {
    return this.#file("POST /backup", { signal: options.signal });
  }

  /** Imports an exported space, under another name if `space` is given. */
  async importSpace(file: Blob, options: InSpace & Call = {}): Promise<Space> {
    const [query, signal] = split(options);
    const info: SpaceInfo = await this.http.json("POST /import", { query, signal, body: file });
    return this.space(info.id);
  }

  /** Yields the changes of a space as they happen. See `space.changes`. */
  watch(space: string, options: Watched = {}): AsyncGenerator<LiveChange, void, undefined> {
    return this.space(space).changes(options);
  }

  /** Calls `wake` after each change of a space. `close()` ends it; `closed` rejects if the server refuses to go on. */
  onChange(space: string, wake: () => void): { close(): void; closed: Promise<void> } {
    const ending = new AbortController();
    const follow = async () => {
      for await (const _ of this.watch(space, { signal: ending.signal })) wake();
    };
    const closed = follow().catch((thrown: unknown) => {
      if (!ending.signal.aborted) throw thrown;
    });
    return { close: () => ending.abort(), closed };
  }

  #measured<K extends "GET /activity" | "GET /metrics">(operation: K, options: InSpace & Query<K>): Promise<Answer<K>> {
    const [query, signal] = split(options);
    return this.http.json(operation, { query: { all: options.space === undefined, ...query }, signal });
  }

  async #file(operation: Operation, sent: Sent): Promise<Blob> {
    return (await this.http.send(operation, sent)).blob();
  }
}
addMethods(Memory, { ...MEMORY, ...MEMORY_OF_SPACE });

// The methods of its table are added below the class.
export interface Space extends Methods<typeof SPACE, never> {}

/** The memory of one person or project, separate from all others. */
export class Space implements Scope {
  readonly http: Http;
  readonly names: { readonly space: string };

  constructor(http: Http, space: string) {
    this.http = http;
    this.names = { space };
  }

  /** The name of the space. */
  get id(): string {
    return this.names.space;
  }

  conversation(id: string): Conversation {
    return new Conversation(this.http, this.id, id);
  }

  /** The JSON values under a namespace: its segments, outermost first. A text is one segment. */
  items(namespace: string | readonly string[] = []): Items {
    return new Items(this.http, this.id, typeof namespace === "string" ? [namespace] : namespace);
  }

  /** The counts of the space. Throws NotFound before its first write. */
  info(options: Call = {}): Promise<SpaceInfo> {
    return this.http.json("GET /spaces/{name}", { path: { name: this.id }, signal: options.signal });
  }

  /** Deletes the space and everything in it. False if there was nothing. */
  async delete(options: Call = {}): Promise<boolean> {
    const sent = { path: { name: this.id }, signal: options.signal };
    return (await this.http.json("DELETE /spaces/{name}", sent)).deleted;
  }

  /** The whole space as a ZIP file of readable JSON files. */
  async export(options: Query<"GET /export"> = {}): Promise<Blob> {
    const [query, signal] = split(options);
    return (await this.http.send("GET /export", { query: { space: this.names.space, ...query }, signal })).blob();
  }

  /** Imports the export of another program. Repeating it adds only new messages. */
  importChats(file: Blob, options: Query<"POST /import-chats"> = {}): Promise<ImportReport> {
    const [query, signal] = split(options);
    return this.http.json("POST /import-chats", { query: { space: this.names.space, ...query }, signal, body: file });
  }

  /** Yields the changes of the space as they happen, from now on or after a cursor (the `number` of a change).
   * Reconnects where it was after a lost connection; throws if the server refuses, or if `signal` is aborted. */
  async *changes(options: Watched = {}): AsyncGenerator<LiveChange, void, undefined> {
    const [{ after, conversation }, signal] = split(options);
    let cursor = after?.toString();
    for (;;) {
      const headers: Record<string, string> = cursor === undefined ? {} : { "Last-Event-ID": cursor };
      const sent = { query: { space: this.names.space, conversation }, headers, signal };
      try {
        for await (const { name, id, data } of this.http.events("GET /events", sent)) {
          cursor = id;
          if (name === "change") yield JSON.parse(data) as Change;
          if (name === "missed") yield { kind: "missed", number: Number(id) };
        }
      } catch (thrown) {
        if (!(thrown instanceof ConnectionFailed)) throw thrown;
      }
      await wait(RECONNECT_PAUSE, signal);
    }
  }
}
addMethods(Space, SPACE);

export interface Items extends Methods<typeof ITEMS_OF_NAMESPACE, "namespace"> {}

/** The JSON values under a namespace of a space. `get` throws NotFound if there is no such item. */
export class Items implements Scope {
  readonly http: Http;
  readonly names: { readonly space: string; readonly namespace: readonly string[] };

  constructor(http: Http, space: string, namespace: readonly string[]) {
    this.http = http;
    this.names = { space, namespace };
  }
}
addMethods(Items, ITEMS_OF_NAMESPACE);

// The methods of its table are added below the class.
export interface Conversation extends Methods<typeof CONVERSATION, "conversation"> {}

/** Messages in order. */
export class Conversation implements Scope {
  readonly http: Http;
  readonly names: { readonly space: string; readonly conversation: string };

  constructor(http: Http, space: string, conversation: string) {
    this.http = http;
    this.names = { space, conversation };
  }

  /** The name of the conversation. */
  get id(): string {
    return this.names.conversation;
  }

  /** Stores a message, once, also if the request is sent again. When this returns, the message is on disk. */
  async add(role: string, content?: MessageBody["content"], options: NewMessage & Call = {}): Promise<Message> {
    const [rest, signal] = split(options);
    const [message] = await this.addMany([{ role, content: content ?? null, ...rest }], { signal });
    return message as Message;
  }

  /** Stores messages in order: all or none. */
  async addMany(messages: readonly Loose<MessageBody>[], options: Call = {}): Promise<Message[]> {
    const body = { messages: messages.map((message) => ({ ...message, id: message.id ?? newId() })) };
    return (await this.http.json("POST /conversations/{conversation}/messages", this.#sent(options, body))).items;
  }

  /** A rolling summary and its earlier versions: the latest one, or the one with this id. */
  async chain(id?: string, options: Query<"GET /conversations/{conversation}/chain"> = {}) {
    const [query, signal] = split(options);
    const path = { conversation: this.id, id };
    const operation = `GET /conversations/{conversation}${id === undefined ? "" : "/summaries/{id}"}/chain` as const;
    return (await this.http.json(operation, { path, query: { space: this.names.space, ...query }, signal })).items;
  }

  /** Stores the user's message and yields a model's answer as it is written. Ending the loop early stops the answer,
   * and nothing of it is stored. */
  async *reply(
    content: ReplyBody["content"],
    options: Loose<Partial<Omit<ReplyBody, "content">>> & Call = {},
  ): AsyncGenerator<ReplyEvent, void, undefined> {
    const [rest, signal] = split(options);
    const sent = this.#sent({ signal }, { ...rest, content, id: rest.id ?? newId() });
    for await (const { name, data } of this.http.events("POST /conversations/{conversation}/reply", sent)) {
      const fields: object = JSON.parse(data);
      if (name === "error") throw errorOf(fields, (fields as { status: number }).status);
      yield { ...fields, event: name } as ReplyEvent;
      if (name === "done" || name === "stopped") return;
    }
    throw new ConnectionFailed("the answer broke off; nothing of it is stored", 0, "unreachable");
  }

  #sent(options: Call, body: unknown): Sent {
    const path = { conversation: this.id };
    return { path, query: { space: this.names.space }, body, signal: options.signal };
  }
}
addMethods(Conversation, CONVERSATION);
