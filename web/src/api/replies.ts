// The streamed answer of a model.
import { call, send } from "./client";
import { Problem } from "./problem";
import type { ReplyBody, ResponderInfo } from "./schema";
import { events } from "./stream";

export type { ResponderInfo } from "./schema";

/** `begun`: the question is stored. `done`: the answer is stored. */
export type ReplyEvent =
  | { kind: "begun"; question: string; receipt: string; model: string }
  | { kind: "text"; text: string }
  | { kind: "done"; message: string; seq: number; cut: boolean };

/** Which model answers in a conversation, or why none does. */
export function answerer(space: string, conversation: string, signal?: AbortSignal): Promise<ResponderInfo> {
  return call("GET /conversations/{conversation}/answerer", { space, path: { conversation }, signal });
}

/** Stores the user's message and yields the answer piece by piece. Throws a Problem if it breaks off. */
export async function* reply(
  space: string,
  conversation: string,
  body: ReplyBody,
  signal: AbortSignal,
): AsyncGenerator<ReplyEvent> {
  const operation = "POST /conversations/{conversation}/reply";
  const response = await send(operation, { space, path: { conversation }, body, signal });
  if (response.body === null) return;
  for await (const { name, data } of events(response.body)) {
    const event = JSON.parse(data) as Record<string, unknown>;
    if (name === "error") throw new Problem(Number(event.status), String(event.code), String(event.detail));
    if (name === "begun" || name === "text" || name === "done") yield { kind: name, ...event } as ReplyEvent;
  }
}
