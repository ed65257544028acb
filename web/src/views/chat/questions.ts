import type { Message } from "../../api/schema";
import type { PendingAnswer, Question } from "./answers";

/** The last message, where the user has said it and it can be asked again as it is. */
export function unanswered(messages: readonly Message[]): Question | undefined {
  const last = messages.at(-1);
  return last?.role === "user" && last.name === null ? { id: last.id, content: last.content } : undefined;
}

/** What is said of a question that is gone is shown no more. */
export function stillAsked(
  pending: PendingAnswer | undefined,
  messages: readonly Message[],
): PendingAnswer | undefined {
  return pending?.begun && !messages.some((one) => one.id === pending.asked.id) ? undefined : pending;
}
