// Requests: addresses, keys, retries, and server-sent events. Needs only fetch, streams and AbortSignal.
import { AforesaidError, ConnectionFailed, errorOf } from "./errors.js";
import type { Operations } from "./schema.js";

export type Operation = keyof Operations;
export type Answer<K extends Operation> = Operations[K]["answer"];

export interface Options {
  /** A key from `aforesaid keys create`. */
  key?: string | undefined;
  /** How often a request is sent again, if the server is busy or, where it is safe, the connection fails. Default: 2. */
  retries?: number | undefined;
  /** The function that sends a request. Default: the global `fetch`. */
  fetch?: typeof fetch | undefined;
}

export interface Call {
  signal?: AbortSignal | undefined;
}

export interface Sent extends Call {
  path?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  headers?: Record<string, string>;
}

export interface Event {
  name: string;
  id: string;
  data: string;
}

const PREFIX = "/api/memory";
const FIRST_PAUSE = 250; // milliseconds; doubles with each retry
const LONGEST_PAUSE = 60_000;
// These change nothing, or nothing more when they arrive twice. A message has an id, so it is stored once.
const REPEATABLE = /^(GET|PUT) |^POST .*\/(messages|context|recall|flush|verify-erasure)$/;

export class Http {
  readonly #address: string;
  readonly #options: Options;

  constructor(address: string, options: Options) {
    this.#address = address.replace(/\/+$/, "");
    this.#options = options;
  }

  async json<K extends Operation>(operation: K, sent: Sent): Promise<Answer<K>> {
    const response = await this.send(operation, sent);
    try {
      return (response.status === 204 ? undefined : await response.json()) as Answer<K>;
    } catch (thrown) {
      throw failure(thrown, sent.signal);
    }
  }

  /** Returns the response of a request. Throws an AforesaidError, or the reason of an aborted `signal`. */
  async send(operation: Operation, sent: Sent): Promise<Response> {
    for (let attempt = 0; ; attempt += 1) {
      const last = attempt >= (this.#options.retries ?? 2);
      let pause = FIRST_PAUSE * 2 ** attempt;
      try {
        const response = await this.raw(operation, sent);
        if (response.ok) return response;
        const error = errorOf(await response.json().catch(() => null), response.status);
        const after = Number(response.headers.get("Retry-After") ?? Number.NaN) * 1000;
        const again = (response.status === 429 || response.status === 503) && error.code !== "cap_reached";
        if (last || !again || after > LONGEST_PAUSE) throw error;
        pause = after || pause;
      } catch (thrown) {
        if (thrown instanceof AforesaidError) throw thrown;
        if (last || sent.signal?.aborted || !REPEATABLE.test(operation)) throw failure(thrown, sent.signal);
      }
      await wait(pause, sent.signal);
    }
  }

  /** Yields the server-sent events of a response. Throws ConnectionFailed if it breaks off. */
  async *events(operation: Operation, sent: Sent): AsyncGenerator<Event, void, undefined> {
    const response = await this.send(operation, sent);
    if (response.body === null) return;
    const reader = response.body
      .pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>)
      .getReader();
    let rest = "";
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        const blocks = (rest + value).split("\n\n");
        rest = blocks.pop() ?? "";
        for (const block of blocks) {
          const event = parsed(block.split("\n"));
          if (event.data !== "") yield event;
        }
      }
    } catch (thrown) {
      throw failure(thrown, sent.signal);
    } finally {
      await reader.cancel().catch(() => undefined);
    }
  }

  /** Sends a request once, and returns the response whatever its status. */
  raw(operation: Operation, sent: Sent): Promise<Response> {
    const [method = "GET", path = ""] = operation.split(" ");
    const headers: Record<string, string> = { ...sent.headers };
    if (this.#options.key !== undefined) headers["Authorization"] = `Bearer ${this.#options.key}`;
    const init: RequestInit = { method, headers, signal: sent.signal ?? null };
    if (sent.body !== undefined) {
      const file = sent.body instanceof Blob;
      headers["Content-Type"] = file ? "application/octet-stream" : "application/json";
      init.body = file ? (sent.body as Blob) : JSON.stringify(sent.body);
    }
    return (this.#options.fetch ?? fetch)(this.#address + located(path, sent), init);
  }
}

function located(path: string, sent: Sent): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(sent.path?.[name])));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(sent.query ?? {})) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== undefined && item !== null) query.append(name, String(item));
    }
  }
  return `${filled.startsWith("/api/") ? "" : PREFIX}${filled}${query.size > 0 ? `?${query}` : ""}`;
}

function parsed(lines: string[]): Event {
  const field = (name: string) =>
    lines.filter((line) => line.startsWith(`${name}: `)).map((line) => line.slice(name.length + 2));
  return { name: field("event").join(""), id: field("id").join(""), data: field("data").join("\n") };
}

/** What a request throws that got no whole response. */
function failure(thrown: unknown, signal: AbortSignal | undefined): unknown {
  if (thrown instanceof AforesaidError || signal?.aborted) return signal?.aborted ? signal.reason : thrown;
  return new ConnectionFailed("the server cannot be reached, or the connection broke off", 0, "unreachable", {
    cause: thrown,
  });
}

/** Waits, or throws the reason when the signal is aborted. */
export function wait(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    if (signal?.aborted) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
}
