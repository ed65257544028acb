import { useState } from "preact/hooks";
import { type Verification, verifyErasure } from "../../api/erasures";
import { Button } from "../../parts/Button";
import { TextField } from "../../parts/Field";
import { VerificationResult } from "../../parts/VerificationResult";
import { attempt } from "../../store/toasts";

/** Searches every table and the bytes of every file for a text. */
export function Verify({ space }: { space: string }) {
  const [text, setText] = useState("");
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<{ text: string; result: Verification }>();
  const check = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    await attempt(async () => setOutcome({ text, result: await verifyErasure(space, text) }));
    setBusy(false);
  };
  return (
    <section class="card stack" aria-label="Verify erasure">
      <form class="verify" onSubmit={check}>
        <TextField
          label="Text to check"
          value={text}
          change={setText}
          hint="Searches every table, the search indexes and the bytes of the store's files. The text is not stored."
        />
        <Button icon="search" type="submit" busy={busy} disabled={text.trim() === ""}>
          Check
        </Button>
      </form>
      {outcome && <VerificationResult text={outcome.text} result={outcome.result} />}
    </section>
  );
}
