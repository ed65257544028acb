// An error of the server (RFC 9457) or of the connection.
export class Problem extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, detail: string) {
    super(detail);
    this.name = "Problem";
    this.status = status;
    this.code = code;
  }
}

export async function problemOf(response: Response): Promise<Problem> {
  const body: unknown = await response.json().catch(() => null);
  if (isProblem(body)) return new Problem(response.status, body.code, body.detail);
  return new Problem(response.status, "error", `The server returned an error (${response.status}).`);
}

/** Converts any thrown value to a Problem; a failed connection becomes `unreachable`. */
export function asProblem(thrown: unknown): Problem {
  if (thrown instanceof Problem) return thrown;
  if (thrown instanceof TypeError)
    return new Problem(0, "unreachable", "Cannot reach the server. Check that it is running.");
  return new Problem(0, "error", thrown instanceof Error ? thrown.message : String(thrown));
}

export function isAbort(thrown: unknown): boolean {
  return thrown instanceof DOMException && thrown.name === "AbortError";
}

function isProblem(body: unknown): body is { code: string; detail: string } {
  return typeof body === "object" && body !== null && "code" in body && "detail" in body;
}

/** The result of a request; null if the key does not allow it. */
export async function ifAllowed<T>(request: Promise<T>): Promise<T | null> {
  try {
    return await request;
  } catch (thrown) {
    if (thrown instanceof Problem && thrown.status === 403) return null;
    throw thrown;
  }
}
