// Changes one setting: saves it immediately, and shows an error at its field.
import { useState } from "preact/hooks";
import { asProblem } from "../../api/problem";
import { type Setting, setSetting, unsetSetting, type Value } from "../../api/settings";

export interface Changing {
  problem: string;
  busy: boolean;
  set: (value: Value) => void;
  reset: () => void;
  refuse: (problem: string) => void;
}

/** Calls `changed` with the value that the server stored. */
export function useChange(space: string, setting: Setting, changed: (stored: Setting) => void): Changing {
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  const run = async (action: () => Promise<Setting>) => {
    setBusy(true);
    setProblem("");
    try {
      changed(await action());
    } catch (thrown) {
      setProblem(asProblem(thrown).message);
    } finally {
      setBusy(false);
    }
  };
  return {
    problem,
    busy,
    set: (value) => void run(() => setSetting(space, setting.name, value)),
    reset: () => void run(() => unsetSetting(space, setting.name)),
    refuse: setProblem,
  };
}
