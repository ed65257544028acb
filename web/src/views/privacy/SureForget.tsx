import { useState } from "preact/hooks";
import type { Erasure } from "../../api/erasures";
import { Button } from "../../parts/Button";
import { Dialog } from "../../parts/Dialog";
import { TextField } from "../../parts/Field";
import { counted } from "../../parts/numbers";

interface SureForgetProps {
  space: string;
  preview: Erasure;
  busy: boolean;
  close: () => void;
  run: () => void;
}

/** Asks once more; who wants everything gone writes the space's name. */
export function SureForget({ space, preview, busy, close, run }: SureForgetProps) {
  const [name, setName] = useState("");
  const everything = preview.target === "everything";
  const messages = preview.erased.find((one) => one.kind === "message")?.count ?? 0;
  return (
    <Dialog
      title={everything ? "Forget everything?" : "Forget it for good?"}
      close={close}
      actions={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button kind="bad" busy={busy} disabled={everything && name !== space} onClick={run}>
            Forget for good
          </Button>
        </>
      }
    >
      <p>
        {messages > 0 &&
          `${counted(messages, "message")} ${messages === 1 ? "goes, with all that came from it" : "go, with all that came from them"}. `}
        There is no way back, except a backup or an export that you made before.
      </p>
      {everything && <TextField label={`Write “${space}” to go on`} value={name} change={setName} />}
    </Dialog>
  );
}
