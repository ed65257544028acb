import { useState } from "preact/hooks";
import { type Erasure, type ForgetBody, forget, type Verification, verifyErasure } from "../api/erasures";
import { fact } from "../api/facts";
import { message, textOf } from "../api/messages";
import { ifAllowed } from "../api/problem";
import { Button } from "../parts/Button";
import { Dialog } from "../parts/Dialog";
import { ErasureReport } from "../parts/ErasureReport";
import { Switch } from "../parts/Field";
import { counted } from "../parts/numbers";
import { Failure, Loading } from "../parts/States";
import { shorten } from "../parts/shorten";
import { VerificationResult } from "../parts/VerificationResult";
import type { ForgetTarget } from "../store/forgetting";
import { attempt } from "../store/toasts";
import { useLoaded } from "../store/useLoaded";

const LONGEST = 400; // characters of the text in the dialog
const REPEATED = ["states the same words", "the source of the fact; forget the message to erase its text"];

interface ForgetDialogProps {
  space: string;
  target: ForgetTarget;
  close: () => void;
}

/** Asks before a message or a fact is forgotten, shows what goes with it, forgets it, and proves that it is gone. */
export default function ForgetDialog({ space, target, close }: ForgetDialogProps) {
  const [also, setAlso] = useState(false);
  const [busy, setBusy] = useState(false);
  const [proof, setProof] = useState<{ receipt: Erasure; verified: Verification | null }>();
  const text = useLoaded(() => textOfTarget(space, target), [space, target.id]);
  const single = useLoaded(() => forget(space, { ...bodyOf(target), dry_run: true }), [space, target.id]);
  const preview = useLoaded(
    () => forget(space, { ...bodyOf(target), same_words: also, dry_run: true }),
    [space, target.id, also],
  );
  const repeats = repeated(single.value);
  const words = text.value ?? "";
  const run = async () => {
    setBusy(true);
    await attempt(async () => {
      const receipt = await forget(space, { ...bodyOf(target), same_words: also });
      setProof({ receipt, verified: words.trim() === "" ? null : await ifAllowed(verifyErasure(space, words)) });
    });
    setBusy(false);
  };
  const problem = text.problem ?? preview.problem;
  const actions = proof ? (
    <Button kind="primary" onClick={close}>
      Done
    </Button>
  ) : (
    <>
      <Button onClick={close}>Cancel</Button>
      <Button kind="bad" icon="trash" busy={busy} disabled={preview.value === undefined} onClick={run}>
        Forget permanently
      </Button>
    </>
  );
  return (
    <Dialog title={proof ? "Forgotten" : `Forget this ${target.kind}?`} close={close} actions={actions} wide>
      {proof ? (
        <Proof words={words} {...proof} />
      ) : problem ? (
        <Failure problem={problem} />
      ) : (
        <>
          <blockquote class="to-forget" dir="auto">
            {shorten(words, LONGEST)}
          </blockquote>
          {repeats !== "" && (
            <Switch
              label={`The same words stand in ${repeats}: forget these too`}
              hint="Otherwise they stay, and a model may still read them."
              checked={also}
              change={setAlso}
            />
          )}
          {preview.value ? <ErasureReport erasure={preview.value} /> : <Loading label="Looking what goes with it" />}
          <p class="small quiet">You can restore it only from an earlier backup or export.</p>
        </>
      )}
    </Dialog>
  );
}

function Proof({ words, receipt, verified }: { words: string; receipt: Erasure; verified: Verification | null }) {
  return (
    <>
      <ErasureReport erasure={receipt} />
      {verified ? (
        <VerificationResult text={shorten(words, 60)} result={verified} />
      ) : (
        <p class="small quiet">To search the whole store for the text, you need an admin key to all spaces.</p>
      )}
    </>
  );
}

async function textOfTarget(space: string, { kind, id, conversation }: ForgetTarget): Promise<string> {
  return kind === "fact" ? (await fact(space, id)).text : textOf((await message(space, conversation, id)).content);
}

function bodyOf({ kind, id }: ForgetTarget): ForgetBody {
  return kind === "fact" ? { fact: id } : { message: id };
}

/** “1 message, 2 summaries”: what else states the same words; empty if nothing does. */
function repeated(preview: Erasure | undefined): string {
  const counts = new Map<string, number>();
  for (const { kind, count, reason } of preview?.kept ?? []) {
    if (REPEATED.includes(reason)) counts.set(kind, (counts.get(kind) ?? 0) + count);
  }
  return [...counts].map(([kind, count]) => counted(count, kind)).join(", ");
}
