import { useEffect, useState } from "preact/hooks";

const PAUSE = 250; // milliseconds after the last keystroke

/** The value, once it has not changed for a moment. Keeps a search from running at every keystroke. */
export function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
