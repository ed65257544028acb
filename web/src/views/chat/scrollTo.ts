// Goes to a message: loads earlier messages until it is there, scrolls to it and highlights it.
import type { RefObject } from "preact";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { ListHandle } from "../../parts/VirtualList";
import { attempt, say } from "../../store/toasts";
import type { Transcript } from "./transcript";

export interface ScrollTo {
  /** The id of the highlighted message. */
  marked: string | undefined;
  show: (seq: number) => Promise<void>;
}

/** Goes to `target`, a seq, when messages are loaded and whenever it changes. */
export function useScrollTo(transcript: Transcript, list: RefObject<ListHandle | null>, target?: number): ScrollTo {
  const [marked, setMarked] = useState<string>();
  const { messages, reach } = transcript;
  const known = useRef(messages);
  known.current = messages;
  const show = useCallback(
    async (seq: number) => {
      await reach(seq);
      requestAnimationFrame(() => {
        const message = known.current.find((each) => each.seq === seq); // rendered by now
        if (message === undefined) return say(`Message ${seq} does not exist.`, true);
        list.current?.toKey(message.id);
        setMarked(message.id);
      });
    },
    [reach, list],
  );
  const ready = messages.length > 0;
  useEffect(() => {
    if (ready && target !== undefined && Number.isInteger(target)) void attempt(() => show(target));
  }, [target, ready, show]);
  return { marked, show };
}
