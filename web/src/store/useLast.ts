import { useRef } from "preact/hooks";

/** Returns the last value while the next one loads, so that the view does not flicker. A new `scope` resets it. */
export function useLast<T>(value: T | undefined, scope: string): T | undefined {
  const last = useRef<{ scope: string; value: T | undefined }>({ scope, value: undefined });
  if (last.current.scope !== scope) last.current = { scope, value: undefined };
  if (value !== undefined) last.current.value = value;
  return last.current.value;
}
