// The answer in the open conversation: asked for, spoken, stored, or broken off.
import { useCallback, useEffect, useMemo } from "preact/hooks";
import type { Message } from "../../api/messages";
import { ask, keep, type Question, type Spoken, spokenAt, stop } from "./answers";
import { freshId } from "./titles";

export interface Answering {
  spoken: Spoken | undefined;
  /** Says whether the question was stored. */
  ask: (content: string) => Promise<boolean>;
  again: (asked: Question) => void;
  stop: () => void;
}

/** `stored` is given every message that the answer leaves behind. */
export function useAnswering(space: string, conversation: string, stored: (messages: Message[]) => void): Answering {
  const place = useMemo(() => ({ space, conversation }), [space, conversation]);
  useEffect(() => keep(place, stored), [place, stored]);
  return {
    spoken: spokenAt(place),
    ask: useCallback((content: string) => ask(place, { id: freshId(), content }), [place]),
    again: useCallback((asked: Question) => void ask(place, asked), [place]),
    stop: useCallback(() => stop(place), [place]),
  };
}
