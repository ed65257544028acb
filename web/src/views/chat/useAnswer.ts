// The answer in the open conversation: requested, streaming, stored or interrupted.
import { useCallback, useEffect, useMemo } from "preact/hooks";
import type { Message } from "../../api/messages";
import { ask, onStored, type PendingAnswer, pendingAt, type Question, stop } from "./answers";
import { freshId } from "./titles";

export interface AnswerControl {
  pending: PendingAnswer | undefined;
  /** Resolves to true if the question was stored. */
  ask: (content: string) => Promise<boolean>;
  again: (asked: Question) => void;
  stop: () => void;
}

/** Calls `stored` with every message that the answer stores. */
export function useAnswer(space: string, conversation: string, stored: (messages: Message[]) => void): AnswerControl {
  const place = useMemo(() => ({ space, conversation }), [space, conversation]);
  useEffect(() => onStored(place, stored), [place, stored]);
  return {
    pending: pendingAt(place),
    ask: useCallback((content: string) => ask(place, { id: freshId(), content }), [place]),
    again: useCallback((asked: Question) => void ask(place, asked), [place]),
    stop: useCallback(() => stop(place), [place]),
  };
}
