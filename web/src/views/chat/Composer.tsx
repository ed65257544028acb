import type { RefObject } from "preact";
import { useState } from "preact/hooks";
import { Icon } from "../../parts/Icon";

const drafts = new Map<string, string>(); // what was typed and not sent, by conversation

interface ComposerProps {
  /** Whose draft this is. */
  place: string;
  /** Says whether it was stored. */
  send: (text: string) => Promise<boolean>;
  input: RefObject<HTMLTextAreaElement | null>;
}

/** Where a message is written. Enter sends it, Shift and Enter begin a new line; nothing typed is lost when it fails. */
export function Composer({ place, send, input }: ComposerProps) {
  const [text, setShown] = useState(drafts.get(place) ?? "");
  const [busy, setBusy] = useState(false);
  const setText = (typed: string) => {
    drafts.set(place, typed);
    setShown(typed);
  };
  const submit = async () => {
    if (text.trim() === "" || busy) return;
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
      <button type="submit" aria-label="Send" title="Send" disabled={text.trim() === "" || busy}>
        {busy ? <span class="turning" aria-hidden="true" /> : <Icon name="send" />}
      </button>
    </form>
  );
}
