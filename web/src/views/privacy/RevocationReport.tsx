import type { Revocation } from "../../api/profile";
import { Icon } from "../../parts/Icon";
import { counted } from "../../parts/numbers";

export interface TextCheck {
  text: string;
  tables?: [table: string, count: number][];
  problem?: string;
}

export interface Proof {
  revocation: Revocation | null;
  /** The remaining fields of the profile. */
  left: number;
  checks: TextCheck[];
}

/** What the revocation erased, and where its values still occur. */
export function RevocationReport({ proof: { revocation, left, checks } }: { proof: Proof }) {
  return (
    <section class="card revoked" role="status" aria-label="Erasure result">
      <h2>
        <Icon name="check" /> Profile erased
      </h2>
      {revocation && (
        <p>
          Erased {counted(revocation.fields.length, "field")} with {counted(revocation.entries, "value")}, and{" "}
          {counted(revocation.receipts, "receipt")}.{" "}
          {revocation.scrubbed
            ? "Their bytes in the file are overwritten."
            : "Another process was reading, so the file still contains old bytes. Grant and revoke again to scrub them."}
        </p>
      )}
      <p>{left === 0 ? "Checked: the profile is empty." : `Checked: the profile still has ${left} entries.`}</p>
      {checks.length > 0 && (
        <ul class="checks">
          {checks.map((check) => (
            <li key={check.text}>
              <b>“{check.text}”</b> {verdict(check)}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function verdict({ tables, problem }: TextCheck): string {
  if (problem !== undefined) return `could not be checked: ${problem}`;
  if (tables === undefined || tables.length === 0) return "was not found in the store.";
  const places = tables.map(([table, count]) => `${table} (${count})`).join(", ");
  return `also occurs in ${places}. To erase it, forget those messages.`;
}
