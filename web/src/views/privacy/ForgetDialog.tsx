import { useState } from "preact/hooks";
import type { Erasure } from "../../api/erasures";
import { Button } from "../../parts/Button";
import { Dialog } from "../../parts/Dialog";
import { TextField } from "../../parts/Field";
import { counted } from "../../parts/numbers";

interface ForgetDialogProps {
  space: string;
  preview: Erasure;
  busy: boolean;
  close: () => void;
  run: () => void;
}

/** Asks for confirmation. To forget everything, you type the name of the space. */
export function ForgetDialog({ space, preview, busy, close, run }: ForgetDialogProps) {
  const [name, setName] = useState("");
  const everything = preview.target === "everything";
  const messages = preview.erased.find((part) => part.kind === "message")?.count ?? 0;
  return (
    <Dialog
      title={everything ? "Forget everything?" : "Forget permanently?"}
      close={close}
      actions={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button kind="bad" busy={busy} disabled={everything && name !== space} onClick={run}>
            Forget permanently
          </Button>
        </>
      }
    >
      <p>
        {messages > 0 &&
          `This erases ${counted(messages, "message")} and everything derived from ${messages === 1 ? "it" : "them"}. `}
        You can restore it only from an earlier backup or export.
      </p>
      {everything && <TextField label={`Type “${space}” to confirm`} value={name} change={setName} />}
    </Dialog>
  );
}
