// The answer in the open conversation: requested, streaming, stored or interrupted.
import { useCallback, useEffect, useMemo, useState } from "preact/hooks";
import type { Message } from "../../api/messages";
import { runningAnswers } from "../../api/replies";
import { ask, onStored, type PendingAnswer, type Place, pendingAt, type Question, stop, watch } from "./answers";
import { freshId } from "./titles";

export interface AnswerControl {
  pending: PendingAnswer | undefined;
  /** Resolves to true if the question was stored. */
  ask: (content: string) => Promise<boolean>;
  again: (asked: Question) => void;
  stop: () => void;
}

/** Calls `stored` with every message that the answer stores. */
export function useAnswer(
  space: string,
  conversation: string,
  model: string | null,
  stored: (messages: Message[]) => void,
): AnswerControl {
  const place = useMemo(() => ({ space, conversation }), [space, conversation]);
  useEffect(() => onStored(place, stored), [place, stored]);
  return {
    pending: pendingAt(place),
    ask: useCallback((content: string) => ask(place, { id: freshId(), content }, model), [place, model]),
    again: useCallback((asked: Question) => void ask(place, asked, model), [place, model]),
    stop: useCallback(() => void stop(place), [place]),
  };
}

const SOON = 700; // milliseconds; the answer to a new question may be about to begin
const LATER = 3000;

/** Watches the answer to a question if another tab or process writes it. Returns true if nobody answers it. */
export function useUnanswered(space: string, conversation: string, question: Question | undefined): boolean {
  const [alone, setAlone] = useState<string>();
  const id = question?.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a question with the same id is the same
  useEffect(() => {
    if (question === undefined) return;
    const place: Place = { space, conversation };
    let checks = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let current = true;
    const check = async () => {
      const running = await runningAnswers(space, conversation).catch(() => []);
      if (!current) return;
      if (running.some((answer) => answer.question === question.id)) await watch(place, question);
      else if (++checks > 1) setAlone(question.id);
      if (current) timer = setTimeout(check, checks < 2 ? SOON : LATER);
    };
    void check();
    return () => {
      current = false;
      clearTimeout(timer);
      setAlone(undefined);
    };
  }, [space, conversation, id]);
  return id !== undefined && alone === id;
}
