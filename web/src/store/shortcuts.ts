// Global keyboard shortcuts, inactive while the user types.
import { useEffect, useRef } from "preact/hooks";

export interface Shortcut {
  keys: string; // "n", "?", or a sequence of two: "g c"
  label: string;
  run: () => void;
}

const SEQUENCE = 1200; // maximum milliseconds between the two keys of a sequence
const active = new Set<{ current: readonly Shortcut[] }>();
let first = "";
let firstAt = 0;

/** The active shortcuts, for the help dialog. */
export function shortcuts(): Shortcut[] {
  return [...active].flatMap((group) => group.current);
}

export function useShortcuts(group: readonly Shortcut[]): void {
  const latest = useRef(group);
  latest.current = group;
  useEffect(() => {
    active.add(latest);
    return () => {
      active.delete(latest);
    };
  }, []);
}

export function typing(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
  if (document.querySelector("dialog[open]") !== null) return;
  const pair = event.timeStamp - firstAt < SEQUENCE ? `${first} ${event.key}` : "";
  const shortcut =
    shortcuts().find((each) => each.keys === pair) ?? shortcuts().find((each) => each.keys === event.key);
  first = event.key;
  firstAt = event.timeStamp;
  if (shortcut === undefined) return;
  event.preventDefault();
  shortcut.run();
});
