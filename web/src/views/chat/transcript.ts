// The loaded messages of a conversation: the newest first, earlier ones while scrolling up, and new ones of any process
// while it is open.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { type Message, messagesAfter, messagesBefore } from "../../api/messages";
import { asProblem, type Problem } from "../../api/problem";
import { isLoss, useChanges } from "../../store/changes";
import { useAfterOutage } from "../../store/useLoaded";

const FIRST = 100;
const EARLIER = 500;
const GATHERING = 60; // milliseconds in which changes are collected before one request

export interface Transcript {
  messages: Message[];
  loading: boolean;
  problem: Problem | undefined;
  /** True if the first message of the conversation is loaded. */
  whole: boolean;
  earlier: () => void;
  /** Loads earlier messages until this seq is loaded. */
  reach: (seq: number) => Promise<void>;
  put: (messages: Message[]) => void;
  reload: () => void;
}

interface Now {
  messages: Message[];
  whole: boolean;
  /** The running request for earlier messages. */
  reading: Promise<void> | undefined;
  alive: boolean;
}

/** Merges two lists of messages by seq; for the same seq, the second list wins. */
export function merged(known: readonly Message[], added: readonly Message[]): Message[] {
  const last = known.at(-1)?.seq ?? -1;
  if (
    added.length > 0 &&
    added.every((message, index) => message.seq > (index === 0 ? last : (added[index - 1]?.seq ?? 0)))
  ) {
    return [...known, ...added];
  }
  const all = new Map([...known, ...added].map((message) => [message.seq, message]));
  return [...all.values()].sort((a, b) => a.seq - b.seq);
}

function until(known: readonly Message[], seq: number): readonly Message[] {
  return (known.at(-1)?.seq ?? -1) <= seq ? known : known.filter((message) => message.seq <= seq);
}

/** True if the first loaded message was deleted; the conversation may have been deleted and created again. */
export function wentBefore(known: readonly Message[], since: number, loaded: readonly Message[]): boolean {
  const first = known[0];
  return first !== undefined && first.seq > since && first.id !== loaded[0]?.id;
}

export function useTranscript(space: string, conversation: string): Transcript {
  const [messages, setMessages] = useState<Message[]>([]);
  const [whole, setWhole] = useState(false);
  const [loading, setLoading] = useState(true);
  const [problem, setProblem] = useState<Problem>();
  const [turn, setTurn] = useState(0);
  const now = useRef<Now>({ messages, whole, reading: undefined, alive: true });
  now.current = { ...now.current, messages, whole };

  const put = useCallback((added: Message[]) => setMessages((known) => merged(known, added)), []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new `turn` reloads
  useEffect(() => {
    now.current.alive = true;
    setLoading(true);
    messagesBefore(space, conversation, null, FIRST).then(
      (loaded) => {
        if (!now.current.alive) return;
        setProblem(undefined);
        setMessages(loaded);
        setWhole(loaded.length < FIRST);
        setLoading(false);
      },
      (thrown: unknown) => {
        if (!now.current.alive) return;
        setProblem(asProblem(thrown));
        setLoading(false);
      },
    );
    return () => {
      now.current.alive = false;
    };
  }, [space, conversation, turn]);

  const back = useCallback((): Promise<void> => {
    const first = now.current.messages[0];
    if (now.current.whole || first === undefined) return Promise.resolve();
    now.current.reading ??= messagesBefore(space, conversation, first.seq, EARLIER)
      .then((loaded) => {
        if (!now.current.alive) return;
        setMessages((known) => merged(loaded, known));
        now.current.messages = merged(loaded, now.current.messages);
        if (loaded.length === EARLIER) return;
        now.current.whole = true;
        setWhole(true);
      })
      .finally(() => {
        now.current.reading = undefined;
      });
    return now.current.reading; // callers share one running request
  }, [space, conversation]);

  const earlier = useCallback(() => {
    back().catch((thrown: unknown) => setProblem(asProblem(thrown)));
  }, [back]);

  const reach = useCallback(
    async (seq: number): Promise<void> => {
      while (now.current.alive && !now.current.whole && (now.current.messages[0]?.seq ?? 0) > seq) await back();
    },
    [back],
  );

  const reload = useCallback(() => setTurn((before) => before + 1), []);
  const due = useRef<{ from: number; timer: ReturnType<typeof setTimeout> | undefined }>({
    from: -1,
    timer: undefined,
  });
  const refresh = useCallback(
    (from: number) => {
      const waiting = due.current;
      waiting.from = waiting.timer === undefined ? from : Math.min(waiting.from, from);
      waiting.timer ??= setTimeout(() => {
        waiting.timer = undefined;
        const since = waiting.from;
        messagesAfter(space, conversation, since).then(
          (loaded) => {
            if (!now.current.alive) return;
            setProblem(undefined);
            if (wentBefore(now.current.messages, since, loaded)) return reload();
            setMessages((known) => merged(until(known, since), loaded));
          },
          (thrown: unknown) => setProblem(asProblem(thrown)),
        );
      }, GATHERING);
    },
    [space, conversation, reload],
  );

  const added = () => refresh(now.current.messages.at(-1)?.seq ?? -1);
  const altered = () => refresh((now.current.messages[0]?.seq ?? 0) - 1);
  useChanges((change) => {
    if (isLoss(change)) return altered();
    if (change.kind !== "message" || change.conversation !== conversation) return;
    if (change.action === "added") added();
    else altered();
  }, altered);
  useEffect(() => () => clearTimeout(due.current.timer), []);

  useAfterOutage(problem, () => {
    if (messages.length > 0) altered();
    else setTurn((before) => before + 1);
  });

  return { messages, loading, problem, whole, earlier, reach, put, reload };
}
