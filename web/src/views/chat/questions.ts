import type { Message } from "../../api/schema";
import type { PendingAnswer, Question } from "./answers";

/** The last message, if it is the user's and can be sent again unchanged. */
export function unanswered(messages: readonly Message[]): Question | undefined {
  const last = messages.at(-1);
  return last?.role === "user" && last.name === null ? { id: last.id, content: last.content } : undefined;
}

/** The pending answer, unless its question was deleted. */
export function stillAsked(
  pending: PendingAnswer | undefined,
  messages: readonly Message[],
): PendingAnswer | undefined {
  return pending?.begun && !messages.some((message) => message.id === pending.asked.id) ? undefined : pending;
}
