// Hooks for live changes of the space.
import { useEffect, useRef } from "preact/hooks";
import { type Change, listen } from "../api/live";

const GATHERING = 120; // milliseconds in which changes are collected before one reload

/** Calls `heard` for every change, and `missed` if some were lost. */
export function useChanges(heard: (change: Change) => void, missed: () => void): void {
  const latest = useRef({ change: heard, missed });
  latest.current = { change: heard, missed };
  useEffect(
    () => listen({ change: (change) => latest.current.change(change), missed: () => latest.current.missed() }),
    [],
  );
}

/** Kinds of changes that may have deleted loaded records. A deletion does not name the record. */
export const LOSSES: readonly Change["kind"][] = ["conversation", "space", "erasure"];

export function isLoss(change: Change): boolean {
  return change.kind === "conversation" ? change.action === "removed" : LOSSES.includes(change.kind);
}

/** Calls `reload` shortly after a change of one of these kinds. */
export function useReloadOn(kinds: readonly Change["kind"][], reload: () => void): void {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const latest = useRef(reload);
  latest.current = reload;
  const soon = () => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      latest.current();
    }, GATHERING);
  };
  useChanges((change) => {
    if (kinds.includes(change.kind)) soon();
  }, soon);
  useEffect(() => () => clearTimeout(timer.current), []);
}
