import { useState } from "preact/hooks";
import { allConversations, startConversation } from "../../api/conversations";
import { Button } from "../../parts/Button";
import { Dialog } from "../../parts/Dialog";
import { TextField } from "../../parts/Field";
import { go } from "../../store/route";
import { attempt } from "../../store/toasts";
import { nameOf } from "./titles";

export function NewConversation({ space, close }: { space: string; close: () => void }) {
  const [title, setTitle] = useState("");
  const [busy, setBusy] = useState(false);
  const start = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    const worked = await attempt(async () => {
      const taken = new Set((await allConversations(space)).map((info) => info.id));
      const name = nameOf(title, (candidate) => taken.has(candidate));
      await startConversation(space, name, { title: title.trim() || name });
      close();
      go("chat", name);
    });
    if (!worked) setBusy(false);
  };
  return (
    <Dialog title="New conversation" close={close}>
      <form class="stack" onSubmit={start}>
        <TextField label="Title" value={title} change={setTitle} placeholder="A trip to Lisbon" />
        <Button kind="primary" type="submit" busy={busy}>
          Start
        </Button>
      </form>
    </Dialog>
  );
}
