// What a person is asked about before it is forgotten: a message or a fact. Its element carries it as `data-forget`, so
// that the Delete key works on what has the focus.
import { signal } from "@preact/signals";
import { say } from "./toasts";

export interface ForgetTarget {
  kind: "message" | "fact";
  id: string;
  /** The conversation of a message; empty for a fact. */
  conversation: string;
}

/** The target of the open dialog. */
export const forgetting = signal<ForgetTarget>();

export function askToForget(target: ForgetTarget): void {
  forgetting.value = target;
}

/** The value of `data-forget`. */
export function forgetMark(target: ForgetTarget): string {
  return JSON.stringify(target);
}

/** Asks about the message or fact that has the focus, or about the message that an address points to. */
export function askToForgetFocused(): void {
  const marked =
    document.activeElement?.closest<HTMLElement>("[data-forget]") ??
    document.querySelector<HTMLElement>("[data-marked=true][data-forget]");
  if (marked?.dataset.forget === undefined) say("Focus a message or a fact first, with Tab.", true);
  else askToForget(JSON.parse(marked.dataset.forget) as ForgetTarget);
}
