import type { Message } from "../../api/schema";
import type { PendingAnswer, Question } from "./answers";

/** The last message, if it is the user's and can be sent again unchanged. */
export function unanswered(messages: readonly Message[]): Question | undefined {
  const last = messages.at(-1);
  return last?.role === "user" && last.name === null ? { id: last.id, content: last.content } : undefined;
}

/** The pending answer, unless its question was deleted, or it failed here and the question was answered since. */
export function stillAsked(
  pending: PendingAnswer | undefined,
  messages: readonly Message[],
): PendingAnswer | undefined {
  if (!pending?.begun) return pending;
  const at = messages.findIndex((message) => message.id === pending.asked.id);
  return at < 0 || (!pending.going && at < messages.length - 1) ? undefined : pending;
}

/** The question that a message answers: the last message of the user before it, if it can be sent again unchanged. */
export function questionOf(messages: readonly Message[], index: number): Message | undefined {
  for (let at = index - 1; at >= 0; at--) {
    const message = messages[at];
    if (message?.role === "user") return message.name === null ? message : undefined;
  }
  return undefined;
}

/** The receipt of the newest answer that has one. */
export function newestReceipt(messages: readonly Message[]): string | undefined {
  const newest = messages.findLast((message) => typeof message.metadata.receipt === "string");
  return newest?.metadata.receipt as string | undefined;
}
