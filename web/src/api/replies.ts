// What a model answers, as it comes.
import { call, send } from "./client";
import { Problem } from "./problem";
import type { Answerer, RepliesAsked } from "./schema";
import { events } from "./stream";

export type { Answerer } from "./schema";

/** `begun`: the question is stored. `done`: the answer is, too. */
export type Spoken =
  | { kind: "begun"; question: string; receipt: string; model: string }
  | { kind: "text"; text: string }
  | { kind: "done"; message: string; seq: number; cut: boolean };

/** Which model answers in a conversation, or why none does. */
export function answerer(space: string, conversation: string, signal?: AbortSignal): Promise<Answerer> {
  return call("GET /conversations/{conversation}/answerer", { space, path: { conversation }, signal });
}

/** Stores what the user says and gives the answer piece by piece; throws a Problem where it breaks off. */
export async function* reply(
  space: string,
  conversation: string,
  body: RepliesAsked,
  signal: AbortSignal,
): AsyncGenerator<Spoken> {
  const operation = "POST /conversations/{conversation}/reply";
  const response = await send(operation, { space, path: { conversation }, body, signal });
  if (response.body === null) return;
  for await (const { name, data } of events(response.body)) {
    const told = JSON.parse(data) as Record<string, unknown>;
    if (name === "error") throw new Problem(Number(told.status), String(told.code), String(told.detail));
    if (name === "begun" || name === "text" || name === "done") yield { kind: name, ...told } as Spoken;
  }
}
