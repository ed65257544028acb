// Loads the data of a view, and loads it again on changes, without flicker.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { asProblem, isAbort, type Problem } from "../api/problem";

const PAUSE = 2000; // milliseconds between retries

export interface Loaded<T> {
  /** Keeps the old value during a reload, unless the record was deleted. */
  value: T | undefined;
  problem: Problem | undefined;
  loading: boolean;
  reload: () => void;
}

/** True if the server is down, or is closing, or a proxy before it cannot reach it. */
function isOutage(problem: Problem | undefined): boolean {
  return (
    problem !== undefined && (["unreachable", "closing"].includes(problem.code) || [502, 504].includes(problem.status))
  );
}

/** Calls `again` after a pause during an outage of the server. */
export function useAfterOutage(problem: Problem | undefined, again: () => void): void {
  const latest = useRef(again);
  latest.current = again;
  useEffect(() => {
    if (!isOutage(problem)) return;
    const timer = setTimeout(() => latest.current(), PAUSE);
    return () => clearTimeout(timer);
  }, [problem]);
}

/** Calls `read` whenever one of `inputs` changes. Only the last result counts. */
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
  const request = useRef({ running: false, repeat: false });

  // biome-ignore lint/correctness/useExhaustiveDependencies: the caller lists the dependencies
  useEffect(() => {
    const stop = new AbortController();
    const end = () => {
      request.current.running = false;
      if (request.current.repeat) setTurn((before) => before + 1);
    };
    request.current = { running: true, repeat: false };
    const same = inputs.every((input, index) => Object.is(input, shown.current[index]));
    shown.current = inputs;
    setState((before) =>
      same ? { ...before, loading: true } : { value: undefined, problem: undefined, loading: true },
    );
    latest.current(stop.signal).then(
      (value) => {
        if (stop.signal.aborted) return;
        setState({ value, problem: undefined, loading: false });
        end();
      },
      (thrown: unknown) => {
        if (stop.signal.aborted || isAbort(thrown)) return;
        const problem = asProblem(thrown);
        setState((before) => ({ value: problem.status === 404 ? undefined : before.value, problem, loading: false }));
        end();
      },
    );
    return () => stop.abort();
  }, [...inputs, turn]);

  const reload = useCallback(() => {
    if (request.current.running)
      request.current.repeat = true; // the running request may return old data
    else setTurn((before) => before + 1);
  }, []);
  useAfterOutage(state.problem, reload);
  return { ...state, reload };
}
