// Keeps the focus in place when the focused element is removed.
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";

const REACHED = "a[href], button:not(:disabled), input:not(:disabled), select, textarea, summary";

/** The link nearest to a position, because an accidental click on a link is harmless; otherwise the element there. */
function inPlace(left: readonly HTMLElement[], place: number): HTMLElement | undefined {
  const link = (element: HTMLElement) => element.matches("a[href]");
  return (
    left.slice(place).find(link) ?? left.slice(0, place).findLast(link) ?? left.at(Math.min(place, left.length - 1))
  );
}

/** Keeps the focus inside the element, as long as it has focusable content. */
export function useKeptFocus<T extends HTMLElement>(): RefObject<T | null> {
  const frame = useRef<T>(null);
  useEffect(() => {
    const box = frame.current;
    if (box === null) return;
    let last: { element: Element; place: number } | undefined;
    const reached = () =>
      [...box.querySelectorAll<HTMLElement>(REACHED)].filter((element) => !element.closest("dialog"));
    const note = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement) || target.closest("dialog")) return;
      last = { element: target, place: Math.max(0, reached().indexOf(target)) };
    };
    const watcher = new MutationObserver(() => {
      if (last === undefined || last.element.isConnected) return;
      if (document.activeElement !== document.body) return;
      inPlace(reached(), last.place)?.focus();
    });
    box.addEventListener("focusin", note);
    watcher.observe(box, { childList: true, subtree: true });
    return () => {
      box.removeEventListener("focusin", note);
      watcher.disconnect();
    };
  }, []);
  return frame;
}
