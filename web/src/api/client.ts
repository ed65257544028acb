// The HTTP client. Calls every operation of the REST API, with the types of the server's OpenAPI description.
import { key, locked } from "./key";
import { Problem, problemOf } from "./problem";
import type { Operations } from "./schema";

const PREFIX = "/api/memory";

export type Operation = keyof Operations;
export type Answer<K extends Operation> = Operations[K]["answer"];

/** Makes the fields optional that an operation does not need. */
type Needed<Name extends string, T> = T extends undefined ? unknown : { [N in Name]: T };
// biome-ignore lint/complexity/noBannedTypes: an object without required fields
type Parameters<Name extends string, T> = {} extends T ? { [N in Name]?: T } : { [N in Name]: T };

export type Options<K extends Operation> = { space?: string; signal?: AbortSignal | undefined } & Parameters<
  "path",
  Operations[K]["path"]
> &
  Parameters<"query", Operations[K]["query"]> &
  Needed<"body", Operations[K]["body"]>;

interface LooseOptions {
  space?: string;
  signal?: AbortSignal;
  path?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
}

/** Sends a request and returns the parsed response. Throws a Problem on failure. */
export async function call<K extends Operation>(operation: K, options: Options<K>): Promise<Answer<K>> {
  const response = await send(operation, options as LooseOptions);
  return (response.status === 204 ? undefined : await response.json()) as Answer<K>;
}

/** Sends a request and returns the raw response, for streams and downloads. */
export async function send(operation: Operation, options: LooseOptions, headers: HeadersInit = {}): Promise<Response> {
  const [method = "GET", path = "/"] = operation.split(" ");
  const allHeaders = new Headers(headers);
  if (key.value !== null) allHeaders.set("Authorization", `Bearer ${key.value}`);
  if (options.body !== undefined && !allHeaders.has("Content-Type")) allHeaders.set("Content-Type", "application/json");
  const response = await fetch(address(path, options), {
    method,
    headers: allHeaders,
    body: encoded(options.body),
    signal: options.signal ?? null,
  });
  if (response.ok) return response;
  const problem = await problemOf(response);
  if (problem.status === 401) locked.value = true;
  throw problem;
}

function encoded(body: unknown): BodyInit | null {
  if (body === undefined) return null;
  return body instanceof Blob ? body : JSON.stringify(body);
}

export function address(path: string, options: Pick<LooseOptions, "space" | "path" | "query">): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = options.path?.[name];
    if (value === undefined) throw new Problem(0, "error", `${path} needs ${name}`);
    return encodeURIComponent(value);
  });
  const query = new URLSearchParams();
  if (options.space !== undefined) query.set("space", options.space);
  for (const [name, value] of Object.entries(options.query ?? {})) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== undefined && item !== null) query.append(name, String(item));
    }
  }
  const search = query.size > 0 ? `?${query}` : "";
  return `${filled.startsWith("/api/") ? "" : PREFIX}${filled}${search}`;
}
