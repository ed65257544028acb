// An answer on its way: asked for, spoken, stored, or broken off.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { type Message, message as readMessage } from "../../api/messages";
import { asProblem, type Problem } from "../../api/problem";
import { reply } from "../../api/replies";
import { say } from "../../store/toasts";
import { freshId } from "./titles";

export interface Spoken {
  text: string;
  model: string | null;
  going: boolean;
  problem: Problem | undefined;
  /** What was asked, to ask it again. */
  asked: { id: string; content: string };
}

export interface Answering {
  spoken: Spoken | undefined;
  /** Says whether the question was stored. */
  ask: (content: string) => Promise<boolean>;
  again: () => void;
  stop: () => void;
}

/** `stored` is given every message that the answer leaves behind. */
export function useAnswering(space: string, conversation: string, stored: (messages: Message[]) => void): Answering {
  const [spoken, setSpoken] = useState<Spoken>();
  const stopping = useRef<AbortController>(new AbortController());
  useEffect(() => () => stopping.current.abort(), []);

  const begin = useCallback(
    (id: string, content: string): Promise<boolean> => {
      const stop = new AbortController();
      stopping.current = stop;
      const put = async (of: string) => stored([await readMessage(space, conversation, of)]);
      const change = (what: Partial<Spoken>) => setSpoken((before) => before && { ...before, ...what });
      setSpoken({ text: "", model: null, going: true, problem: undefined, asked: { id, content } });
      return new Promise((resolve) => {
        let begun = false;
        let text = "";
        const listen = async () => {
          for await (const one of reply(space, conversation, { content, id }, stop.signal)) {
            if (one.kind === "begun") {
              begun = true;
              await put(one.question);
              change({ model: one.model });
              resolve(true);
            } else if (one.kind === "text") {
              text += one.text;
              change({ text });
            } else {
              await put(one.message);
              setSpoken(undefined);
            }
          }
        };
        listen()
          .catch((thrown: unknown) => {
            const problem = asProblem(thrown);
            if (stop.signal.aborted) setSpoken(undefined);
            else if (begun) change({ going: false, problem });
            else {
              setSpoken(undefined);
              say(problem.message, true);
            }
          })
          .finally(() => resolve(begun));
      });
    },
    [space, conversation, stored],
  );

  const ask = useCallback((content: string) => begin(freshId(), content), [begin]);
  const again = () => {
    if (spoken !== undefined) void begin(spoken.asked.id, spoken.asked.content);
  };
  return { spoken, ask, again, stop: () => stopping.current.abort() };
}
