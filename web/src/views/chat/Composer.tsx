import { signal } from "@preact/signals";
import type { ComponentChildren, RefObject } from "preact";
import { useState } from "preact/hooks";
import { Icon } from "../../parts/Icon";
import { say } from "../../store/toasts";

const drafts = signal<ReadonlyMap<string, string>>(new Map()); // unsent text by conversation

interface ComposerProps {
  /** The conversation of the draft. */
  place: string;
  /** Resolves to true if the message was stored. */
  send: (text: string) => Promise<boolean>;
  /** Why sending is not possible now. */
  waiting: string | undefined;
  input: RefObject<HTMLTextAreaElement | null>;
  /** Controls beside the field. */
  children?: ComponentChildren;
}

/** The message field. Enter sends, Shift+Enter starts a new line. If sending fails, the text stays. */
export function Composer({ place, send, waiting, input, children }: ComposerProps) {
  const text = drafts.value.get(place) ?? "";
  const [busy, setBusy] = useState(false);
  const setText = (typed: string) => {
    drafts.value = new Map([...drafts.value, [place, typed]]);
  };
  const submit = async () => {
    if (text.trim() === "" || busy) return;
    if (waiting !== undefined) return say(waiting);
    setBusy(true);
    if (await send(text)) setText("");
    setBusy(false);
    input.current?.focus();
  };
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <textarea
        ref={input}
        aria-label="Message"
        dir="auto"
        placeholder="Write a message"
        rows={1}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") event.currentTarget.blur();
          if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
          event.preventDefault();
          void submit();
        }}
      />
      {children}
      <button
        type="submit"
        aria-label="Send"
        title={waiting ?? "Send"}
        disabled={text.trim() === "" || busy || waiting !== undefined}
      >
        {busy ? <span class="turning" aria-hidden="true" /> : <Icon name="send" />}
      </button>
    </form>
  );
}
