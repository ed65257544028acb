import { useRef } from "preact/hooks";

/** What was there last while the next is being read, so that nothing flickers; forgotten where `scope` changes. */
export function useLast<T>(value: T | undefined, scope: string): T | undefined {
  const last = useRef<{ scope: string; value: T | undefined }>({ scope, value: undefined });
  if (last.current.scope !== scope) last.current = { scope, value: undefined };
  if (value !== undefined) last.current.value = value;
  return last.current.value;
}
