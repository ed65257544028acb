// Hooks on what happens in the space.
import { useEffect, useRef } from "preact/hooks";
import { type Change, listen } from "../api/live";

const GATHERING = 120; // milliseconds: many changes at once are answered once

/** Calls `heard` for every change, `missed` where some were not told. */
export function useChanges(heard: (change: Change) => void, missed: () => void): void {
  const latest = useRef({ change: heard, missed });
  latest.current = { change: heard, missed };
  useEffect(() => listen({ change: (one) => latest.current.change(one), missed: () => latest.current.missed() }), []);
}

/** Changes with which what was read may be gone: those of what went carry no name. */
export const LOSSES: readonly Change["kind"][] = ["conversation", "space", "erasure"];

export function isLoss(change: Change): boolean {
  return change.kind === "conversation" ? change.action === "removed" : LOSSES.includes(change.kind);
}

/** Calls `reload` soon after something of these kinds changed. */
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
