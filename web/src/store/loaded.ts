// What a view shows: being read, there, or not to be had. Read anew on changes, without a flicker.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { asProblem, isAbort, type Problem } from "../api/problem";

export interface Loaded<T> {
  /** Stays what it was while it is read anew. */
  value: T | undefined;
  problem: Problem | undefined;
  loading: boolean;
  reload: () => void;
}

/** Reads with `read` whenever one of `inputs` changes. Only the last answer counts. */
export function useLoaded<T>(read: (signal: AbortSignal) => Promise<T>, inputs: readonly unknown[]): Loaded<T> {
  const [state, setState] = useState<Omit<Loaded<T>, "reload">>({
    value: undefined,
    problem: undefined,
    loading: true,
  });
  const [turn, setTurn] = useState(0);
  const latest = useRef(read);
  latest.current = read;
  const shown = useRef(inputs);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the caller names what it depends on
  useEffect(() => {
    const stop = new AbortController();
    const same = inputs.every((one, index) => Object.is(one, shown.current[index]));
    shown.current = inputs;
    setState((before) => ({ value: same ? before.value : undefined, problem: undefined, loading: true }));
    latest.current(stop.signal).then(
      (value) => {
        if (!stop.signal.aborted) setState({ value, problem: undefined, loading: false });
      },
      (thrown: unknown) => {
        if (!stop.signal.aborted && !isAbort(thrown)) {
          setState((before) => ({ ...before, problem: asProblem(thrown), loading: false }));
        }
      },
    );
    return () => stop.abort();
  }, [...inputs, turn]);

  const reload = useCallback(() => setTurn((before) => before + 1), []);
  return { ...state, reload };
}
