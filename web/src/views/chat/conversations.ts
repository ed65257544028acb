// The conversations of a space, kept as they are: what changes is read anew by itself, not the whole list.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { allConversations, byLastChange, type ConversationInfo, conversation } from "../../api/conversations";
import { Problem } from "../../api/problem";
import { isLoss, useChanges } from "../../store/changes";
import { type Loaded, useLoaded } from "../../store/useLoaded";

const GATHERING = 150; // milliseconds
const MANY = 8; // changed at once: then the list is read as a whole

export function useConversations(space: string): Loaded<ConversationInfo[]> {
  const whole = useLoaded((signal) => allConversations(space, signal), [space]);
  const [fresh, setFresh] = useState<ReadonlyMap<string, ConversationInfo>>(new Map());
  const changed = useRef(new Set<string>());
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const { value, reload } = whole;

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new list makes what was read beside it old
  useEffect(() => setFresh(new Map()), [value]);

  const look = useCallback(async () => {
    timer.current = undefined;
    const names = [...changed.current];
    changed.current.clear();
    if (names.length > MANY) return reload();
    try {
      const found = await Promise.all(names.map((name) => conversation(space, name)));
      setFresh((before) => new Map([...before, ...found.map((one) => [one.id, one] as const)]));
    } catch (thrown) {
      if (thrown instanceof Problem) reload(); // it was deleted meanwhile
    }
  }, [space, reload]);

  useChanges((change) => {
    if (isLoss(change)) return reload();
    if (change.kind !== "conversation" && change.kind !== "message") return;
    if (change.conversation === null) return reload();
    changed.current.add(change.conversation);
    timer.current ??= setTimeout(look, GATHERING);
  }, reload);
  useEffect(() => () => clearTimeout(timer.current), []);

  if (value === undefined) return whole;
  const all = new Map([...value.map((one) => [one.id, one] as const), ...fresh]);
  return { ...whole, value: [...all.values()].sort(byLastChange) };
}
