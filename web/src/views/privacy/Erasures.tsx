import type { Erasure } from "../../api/erasures";
import { Badge } from "../../parts/Badge";
import { counted } from "../../parts/numbers";
import { Failure } from "../../parts/States";
import { type Column, Table } from "../../parts/Table";
import { Time } from "../../parts/Time";
import type { Loaded } from "../../store/useLoaded";

const COLUMNS: Column<Erasure>[] = [
  { title: "When", show: (erasure) => <Time at={erasure.at} /> },
  { title: "What", show: (erasure) => erasure.target },
  {
    title: "Erased",
    show: (erasure) => erasure.erased.map((part) => counted(part.count, part.kind)).join(", ") || "nothing",
  },
  {
    title: "Files",
    show: (erasure) =>
      erasure.pending.length === 0 ? <Badge tone="good">scrubbed</Badge> : <Badge tone="warn">being scrubbed</Badge>,
  },
];

/** Receipts of earlier erasures: counts, never the text. */
export function Erasures({ erasures }: { erasures: Loaded<Erasure[]> }) {
  if (erasures.problem && !erasures.value) return <Failure problem={erasures.problem} retry={erasures.reload} />;
  if (!erasures.value || erasures.value.length === 0) return null;
  return (
    <section aria-label="Past erasures">
      <h2>Past erasures</h2>
      <Table caption="Erasures" columns={COLUMNS} rows={erasures.value} keyOf={(erasure) => erasure.id} />
    </section>
  );
}
