import { useState } from "preact/hooks";
import { type Pin, pinText, unpin } from "../../api/pins";
import { Badge } from "../../parts/Badge";
import { Button, IconButton } from "../../parts/Button";
import { TextArea } from "../../parts/Field";
import { Failure, Loading } from "../../parts/States";
import { Time } from "../../parts/Time";
import { attempt } from "../../store/toasts";
import type { Loaded } from "../../store/useLoaded";

interface PinsProps {
  space: string;
  conversation: string;
  pins: Loaded<Pin[]>;
  show: (message: string) => void;
}

/** The pins: texts that are part of every context of this conversation. */
export function Pins({ space, conversation, pins, show }: PinsProps) {
  return (
    <section aria-label="Pins">
      <h2 tabIndex={-1}>Pins</h2>
      <PinList space={space} conversation={conversation} pins={pins} show={show} />
      <NewPin space={space} conversation={conversation} added={pins.reload} />
    </section>
  );
}

function PinList({ space, conversation, pins, show }: PinsProps) {
  if (pins.value === undefined && pins.problem) return <Failure problem={pins.problem} retry={pins.reload} />;
  if (pins.value === undefined) return <Loading label="Loading pins" />;
  if (pins.value.length === 0) {
    return <p class="small quiet">No pins yet. Pinned text is part of every context of this conversation.</p>;
  }
  const remove = (pin: Pin, button: HTMLElement) =>
    attempt(async () => {
      const next = nextFocus(button);
      await unpin(space, conversation, pin.id);
      next?.focus();
      pins.reload();
    });
  return (
    <ul class="pins">
      {pins.value.map((pin) => (
        <li key={pin.id}>
          <p dir="auto">{pin.content}</p>
          <footer class="row small quiet">
            {pin.type !== "manual" && <Badge tone="accent">{pin.type}</Badge>}
            {pin.reason !== null && <span>{pin.reason}</span>}
            <Time at={pin.created_at} />
            <span class="pin-tools">
              {pin.source_message_id !== null && (
                <IconButton
                  icon="eye"
                  label="Show message"
                  onClick={() => pin.source_message_id !== null && show(pin.source_message_id)}
                />
              )}
              <IconButton icon="trash" label="Remove pin" onClick={(event) => remove(pin, event.currentTarget)} />
            </span>
          </footer>
        </li>
      ))}
    </ul>
  );
}

/** Moves the focus after a pin is removed: to the next pin, the previous one, or the heading. */
function nextFocus(button: HTMLElement): HTMLElement | null | undefined {
  const row = button.closest("li");
  const other = row?.nextElementSibling ?? row?.previousElementSibling;
  return other?.querySelector<HTMLElement>("button:last-of-type") ?? button.closest("section")?.querySelector("h2");
}

function NewPin({ space, conversation, added }: { space: string; conversation: string; added: () => void }) {
  const [text, setText] = useState("");
  const add = async (event: Event) => {
    event.preventDefault();
    if (text.trim() === "") return;
    if (await attempt(() => pinText(space, conversation, text.trim()))) {
      setText("");
      added();
    }
  };
  return (
    <form class="new-pin" onSubmit={add}>
      <TextArea label="New pin" value={text} change={setText} rows={2} />
      <Button type="submit" icon="pin" disabled={text.trim() === ""}>
        Pin
      </Button>
    </form>
  );
}
