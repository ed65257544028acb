// The conversations of a space. A changed conversation is read by itself; a loss reads the whole list.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { allConversations, byLastMessage, type ConversationInfo, conversation } from "../../api/conversations";
import { Problem } from "../../api/problem";
import { isLoss, useChanges } from "../../store/changes";
import { type Loaded, useLoaded } from "../../store/useLoaded";

const GATHERING = 150; // milliseconds
const MANY = 8; // changes, from which on the whole list is read

export function useConversations(space: string): Loaded<ConversationInfo[]> {
  const whole = useLoaded((signal) => allConversations(space, signal), [space]);
  const [fresh, setFresh] = useState<ReadonlyMap<string, ConversationInfo>>(new Map());
  const changed = useRef(new Set<string>());
  const lossCount = useRef(0);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const { value, reload } = whole;

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new list replaces the conversations that were read separately
  useEffect(() => setFresh(new Map()), [value]);

  const readChanged = useCallback(async () => {
    timer.current = undefined;
    const names = changed.current;
    changed.current = new Set();
    if (names.size > MANY) return reload();
    const losses = lossCount.current;
    try {
      const changed = await Promise.all([...names].map((name) => conversation(space, name)));
      if (losses !== lossCount.current) return; // one of these may be deleted; the whole list is being read
      setFresh((before) => new Map([...before, ...changed.map((info) => [info.id, info] as const)]));
    } catch (thrown) {
      if (thrown instanceof Problem) reload(); // one of these was deleted before its notice arrived
    }
  }, [space, reload]);

  const readAll = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = undefined;
    changed.current.clear();
    lossCount.current += 1;
    reload();
  }, [reload]);

  useChanges((change) => {
    if (isLoss(change)) return readAll();
    if (change.kind !== "conversation" && change.kind !== "message") return;
    if (change.conversation === null) return readAll();
    changed.current.add(change.conversation);
    timer.current ??= setTimeout(readChanged, GATHERING);
  }, readAll);
  useEffect(() => () => clearTimeout(timer.current), []);

  if (value === undefined) return whole;
  const all = new Map([...value.map((info) => [info.id, info] as const), ...fresh]);
  return { ...whole, value: [...all.values()].sort(byLastMessage) };
}
