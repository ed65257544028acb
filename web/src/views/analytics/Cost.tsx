import type { Allowance, Spent } from "../../api/cost";
import { written } from "../../parts/plot";
import { type Column, Table } from "../../parts/Table";

const COLUMNS: readonly Column<Spent>[] = [
  { title: "Model", show: (row) => row.model },
  { title: "For", show: (row) => row.operation },
  { title: "Calls", show: (row) => row.calls.toLocaleString(), number: true },
  { title: "Failed", show: (row) => row.failed.toLocaleString(), number: true },
  { title: "Prompt", show: (row) => row.prompt_tokens.toLocaleString(), number: true },
  { title: "Answer", show: (row) => row.completion_tokens.toLocaleString(), number: true },
  { title: "Time a call", show: (row) => written(mean(row), "time"), number: true },
];

function mean(row: Spent): number | null {
  return row.calls > 0 ? row.milliseconds / row.calls : null;
}

/** What language models took, by model and operation; what is left of today's cap. */
export function Cost({ spent, left }: { spent: readonly Spent[]; left: Allowance | null }) {
  return (
    <section class="panel" aria-label="Model cost">
      <h2>Model cost</h2>
      {left !== null && <Left left={left} />}
      {spent.length === 0 ? (
        <p class="quiet small">No language model was asked in this time. What needs none costs nothing.</p>
      ) : (
        <Table caption="Model cost" columns={COLUMNS} rows={spent} keyOf={(row) => `${row.model} ${row.operation}`} />
      )}
    </section>
  );
}

function Left({ left }: { left: Allowance }) {
  if (left.cap === null) {
    return (
      <p class="small quiet">
        Today {left.spent.toLocaleString()} tokens. There is no daily cap (<code>RECOLLECT_DAILY_TOKENS</code>).
      </p>
    );
  }
  return (
    <p class="small quiet">
      Today {left.spent.toLocaleString()} of {left.cap.toLocaleString()} tokens; {(left.left ?? 0).toLocaleString()} are
      left.
    </p>
  );
}
