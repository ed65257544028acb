// The streamed answer of a model.
import { call, send } from "./client";
import { Problem } from "./problem";
import type { ReplyBody, ResponderInfo, RunningAnswer } from "./schema";
import { events } from "./stream";

export type { ResponderInfo, RunningAnswer } from "./schema";

/** `begun`: the question is stored. `retrying`: the model is called again. `done` and `stopped`: the answer is stored, as
 * far as it was written. `ended`: an answer of another process is stored or given up. */
export type ReplyEvent =
  | { kind: "begun"; question: string; model: string }
  | { kind: "retrying"; retries: number }
  | { kind: "text"; text: string }
  | { kind: "done"; message: string; seq: number; cut: boolean }
  | { kind: "stopped"; message: string | null }
  | { kind: "ended" };

/** Which model answers in a conversation, or why none does. */
export function answerer(
  space: string,
  conversation: string,
  model: string | null,
  signal?: AbortSignal,
): Promise<ResponderInfo> {
  return call("GET /conversations/{conversation}/answerer", {
    space,
    path: { conversation },
    query: { model },
    signal,
  });
}

/** The answers that a model writes now, in any process. */
export async function runningAnswers(space: string, conversation: string): Promise<RunningAnswer[]> {
  return (await call("GET /conversations/{conversation}/answers", { space, path: { conversation } })).items;
}

/** Stops the answer to a message, in whichever process writes it. What was written so far is stored. */
export async function stopAnswer(space: string, conversation: string, id: string): Promise<boolean> {
  return (await call("POST /conversations/{conversation}/answers/{id}/stop", { space, path: { conversation, id } }))
    .stopped;
}

/** Yields an answer that is being written: the text so far, then each piece. */
export async function* watch(
  space: string,
  conversation: string,
  id: string,
  signal: AbortSignal,
): AsyncGenerator<ReplyEvent> {
  yield* read(
    await send("GET /conversations/{conversation}/answers/{id}", { space, path: { conversation, id }, signal }),
  );
}

/** Stores the user's message and yields the answer piece by piece. Throws a Problem if it breaks off. */
export async function* reply(
  space: string,
  conversation: string,
  body: ReplyBody,
  signal: AbortSignal,
): AsyncGenerator<ReplyEvent> {
  const operation = "POST /conversations/{conversation}/reply";
  yield* read(await send(operation, { space, path: { conversation }, body, signal }));
}

const KINDS: readonly string[] = ["begun", "retrying", "text", "done", "stopped", "ended"];

async function* read(response: Response): AsyncGenerator<ReplyEvent> {
  if (response.body === null) return;
  for await (const { name, data } of events(response.body)) {
    const event = JSON.parse(data) as Record<string, unknown>;
    if (name === "error") throw new Problem(Number(event.status), String(event.code), String(event.detail));
    if (KINDS.includes(name)) yield { kind: name, ...event } as ReplyEvent;
  }
}
