import { useEffect, useState } from "preact/hooks";

const PAUSE = 250; // milliseconds after the last keystroke

/** The value, once it has not changed for a moment. Keeps a search from running at every keystroke. */
export function useSettled<T>(value: T, pause = PAUSE): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pause);
    return () => clearTimeout(timer);
  }, [value, pause]);
  return settled;
}
