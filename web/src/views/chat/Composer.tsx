import { signal } from "@preact/signals";
import type { RefObject } from "preact";
import { useState } from "preact/hooks";
import { Icon } from "../../parts/Icon";
import { say } from "../../store/toasts";

const drafts = signal<ReadonlyMap<string, string>>(new Map()); // what was typed and not sent, by conversation

interface ComposerProps {
  /** Whose draft this is. */
  place: string;
  /** Says whether it was stored. */
  send: (text: string) => Promise<boolean>;
  /** Why nothing can be sent now. */
  waiting: string | undefined;
  input: RefObject<HTMLTextAreaElement | null>;
}

/** Where a message is written. Enter sends it, Shift and Enter begin a new line; nothing typed is lost when it fails. */
export function Composer({ place, send, waiting, input }: ComposerProps) {
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
