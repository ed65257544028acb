import { useState } from "preact/hooks";
import { archive, type Fact } from "../../api/facts";
import { Button } from "../../parts/Button";
import { Dialog } from "../../parts/Dialog";
import { TextField } from "../../parts/Field";
import { attempt, say } from "../../store/toasts";
import { WORDS } from "./actions";

interface ArchiveFormProps {
  space: string;
  fact: Fact;
  close: () => void;
  done: () => void;
}

/** The form that says that a fact is no longer true, with an optional reason. */
export function ArchiveForm({ space, fact, close, done }: ArchiveFormProps) {
  const [reason, setReason] = useState("");
  const submit = (event: Event) => {
    event.preventDefault();
    void attempt(async () => {
      await archive(space, fact.id, reason.trim());
      close();
      done();
      say(WORDS.archive.done);
    });
  };
  return (
    <Dialog title="No longer true" close={close}>
      <form class="stack" onSubmit={submit}>
        <p dir="auto">{fact.text}</p>
        <TextField label="Reason" value={reason} change={setReason} hint="Optional. It is kept with the fact." />
        <div class="row form-end">
          <Button onClick={close}>Cancel</Button>
          <Button kind="primary" type="submit">
            Archive
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
