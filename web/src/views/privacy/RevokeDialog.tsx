import { useState } from "preact/hooks";
import { verifyErasure } from "../../api/erasures";
import { asProblem } from "../../api/problem";
import { type Profile, profile as readProfile, setConsent } from "../../api/profile";
import { Confirm } from "../../parts/Dialog";
import { byTable } from "../../parts/traces";
import { attempt } from "../../store/toasts";
import type { Proof, TextCheck } from "./RevocationReport";

const MOST = 8; // values that are checked afterwards

interface RevokeDialogProps {
  space: string;
  profile: Profile | null;
  close: () => void;
  done: (proof: Proof) => void;
}

/** Asks for confirmation, shows what will be erased, revokes, and checks the result. */
export function RevokeDialog({ space, profile, close, done }: RevokeDialogProps) {
  const [busy, setBusy] = useState(false);
  const names = profile?.fields.map((field) => field.name) ?? [];
  const texts = textsOf(profile);
  const revoke = async () => {
    setBusy(true);
    const worked = await attempt(async () => {
      const { revocation } = await setConsent(space, false);
      const left = await readProfile(space);
      const checks: TextCheck[] = [];
      for (const text of texts) checks.push(await checkText(space, text));
      close();
      done({ revocation, left: left.fields.length + (left.free === null ? 0 : 1), checks });
    });
    if (!worked) setBusy(false);
  };
  return (
    <Confirm title="Revoke consent?" confirm="Revoke and erase" close={close} run={revoke} busy={busy}>
      <p>
        {names.length === 0 && !profile?.free
          ? "The profile is empty. No new one will be stored."
          : `This erases ${listed(names, profile?.free != null)}, all earlier values, their index entries, and the receipts that name them.`}
      </p>
      <p>You cannot undo this. The revocation and the audit log stay.</p>
    </Confirm>
  );
}

function listed(names: readonly string[], free: boolean): string {
  const all = [...names.map((name) => `“${name}”`), ...(free ? ["your own words"] : [])];
  return all.length < 2 ? all.join("") : `${all.slice(0, -1).join(", ")} and ${all.at(-1)}`;
}

function textsOf(profile: Profile | null): string[] {
  const all = profile === null ? [] : [...profile.fields, ...(profile.free === null ? [] : [profile.free])];
  return all.flatMap((field) => (typeof field.value === "string" ? [field.value] : [])).slice(0, MOST);
}

async function checkText(space: string, text: string): Promise<TextCheck> {
  try {
    return { text, tables: byTable((await verifyErasure(space, text)).found) };
  } catch (thrown) {
    return { text, problem: asProblem(thrown).message };
  }
}
