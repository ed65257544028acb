import type { Erasure } from "../../api/erasures";
import { Badge } from "../../parts/Badge";
import { counted } from "../../parts/numbers";
import { Failure } from "../../parts/States";
import { type Column, Table } from "../../parts/Table";
import { Time } from "../../parts/Time";
import type { Loaded } from "../../store/useLoaded";

const COLUMNS: Column<Erasure>[] = [
  { title: "When", show: (one) => <Time at={one.at} /> },
  { title: "What", show: (one) => one.target },
  { title: "Erased", show: (one) => one.erased.map((part) => counted(part.count, part.kind)).join(", ") || "nothing" },
  {
    title: "Files",
    show: (one) =>
      one.pending.length === 0 ? <Badge tone="good">scrubbed</Badge> : <Badge tone="warn">being scrubbed</Badge>,
  },
];

/** Receipts of earlier erasures: counts, never the text. */
export function Erasures({ erasures }: { erasures: Loaded<Erasure[]> }) {
  if (erasures.problem && !erasures.value) return <Failure problem={erasures.problem} retry={erasures.reload} />;
  if (!erasures.value || erasures.value.length === 0) return null;
  return (
    <section aria-label="Past erasures">
      <h2>Past erasures</h2>
      <Table caption="Erasures" columns={COLUMNS} rows={erasures.value} keyOf={(one) => one.id} />
    </section>
  );
}
