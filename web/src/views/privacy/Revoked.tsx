import type { Revocation } from "../../api/profile";
import { Icon } from "../../parts/Icon";
import { counted } from "../../parts/numbers";

export interface Looked {
  text: string;
  tables?: [table: string, count: number][];
  problem?: string;
}

export interface Proof {
  revocation: Revocation | null;
  /** What is left in the profile. */
  left: number;
  looked: Looked[];
}

/** What revoking erased, and where its words were looked for afterwards. */
export function Revoked({ proof: { revocation, left, looked } }: { proof: Proof }) {
  return (
    <section class="card revoked" role="status" aria-label="What was erased">
      <h2>
        <Icon name="check" /> The profile is erased
      </h2>
      {revocation && (
        <p>
          {counted(revocation.fields.length, "field")} with {counted(revocation.entries, "value")} in all, and{" "}
          {counted(revocation.receipts, "receipt")}.{" "}
          {revocation.scrubbed
            ? "Their bytes in the file are overwritten."
            : "Another process was reading: the file still has old bytes. Grant and revoke again to scrub them."}
        </p>
      )}
      <p>{left === 0 ? "Read again, the profile is empty." : `Read again, the profile still has ${left} entries.`}</p>
      {looked.length > 0 && (
        <ul class="looked">
          {looked.map((one) => (
            <li key={one.text}>
              <b>“{one.text}”</b> {verdict(one)}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function verdict({ tables, problem }: Looked): string {
  if (problem !== undefined) return `could not be looked for: ${problem}`;
  if (tables === undefined || tables.length === 0) return "is nowhere in the store any more.";
  const places = tables.map(([table, count]) => `${table} (${count})`).join(", ");
  return `is said elsewhere too: ${places}. Forget those messages to erase that.`;
}
