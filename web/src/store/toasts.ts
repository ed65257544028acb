// Toasts: short messages that disappear automatically.
import { signal } from "@preact/signals";
import { asProblem } from "../api/problem";

export interface Toast {
  id: number;
  text: string;
  bad: boolean;
}

const LASTING = 6000;
let number = 0;

export const toasts = signal<Toast[]>([]);

export function say(text: string, bad = false): void {
  const id = ++number;
  toasts.value = [...toasts.value, { id, text, bad }];
  setTimeout(() => dismiss(id), LASTING);
}

export function dismiss(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
}

/** Runs an action and shows a failure as a toast. Resolves to true on success; never throws. */
export async function attempt(action: () => Promise<unknown>): Promise<boolean> {
  try {
    await action();
    return true;
  } catch (thrown) {
    say(asProblem(thrown).message, true);
    return false;
  }
}
