import type { Message } from "../../api/schema";
import type { Question, Spoken } from "./answers";

/** The last message, where the user has said it and it can be asked again as it is. */
export function unanswered(messages: readonly Message[]): Question | undefined {
  const last = messages.at(-1);
  return last?.role === "user" && last.name === null ? { id: last.id, content: last.content } : undefined;
}

/** What is said of a question that is gone is shown no more. */
export function stillAsked(spoken: Spoken | undefined, messages: readonly Message[]): Spoken | undefined {
  return spoken?.begun && !messages.some((one) => one.id === spoken.asked.id) ? undefined : spoken;
}
