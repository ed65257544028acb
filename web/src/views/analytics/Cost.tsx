import type { CostTotal, TokenAllowance } from "../../api/cost";
import { written } from "../../parts/plot";
import { type Column, Table } from "../../parts/Table";

const COLUMNS: readonly Column<CostTotal>[] = [
  { title: "Model", show: (row) => row.model },
  { title: "Operation", show: (row) => row.operation },
  { title: "Calls", show: (row) => row.calls.toLocaleString(), number: true },
  { title: "Failed", show: (row) => row.failed.toLocaleString(), number: true },
  { title: "Prompt", show: (row) => row.prompt_tokens.toLocaleString(), number: true },
  { title: "Completion", show: (row) => row.completion_tokens.toLocaleString(), number: true },
  { title: "Time per call", show: (row) => written(mean(row), "time"), number: true },
];

function mean(row: CostTotal): number | null {
  return row.calls > 0 ? row.milliseconds / row.calls : null;
}

/** Tokens of language models by model and operation, and the rest of today's cap. */
export function Cost({ spent, left }: { spent: readonly CostTotal[]; left: TokenAllowance | null }) {
  return (
    <section class="panel" aria-label="Model cost">
      <h2>Model cost</h2>
      {left !== null && <Allowance left={left} />}
      {spent.length === 0 ? (
        <p class="quiet small">No language model was used in this period.</p>
      ) : (
        <Table caption="Model cost" columns={COLUMNS} rows={spent} keyOf={(row) => `${row.model} ${row.operation}`} />
      )}
    </section>
  );
}

function Allowance({ left }: { left: TokenAllowance }) {
  if (left.cap === null) {
    return (
      <p class="small quiet">
        {left.spent.toLocaleString()} tokens today. No daily limit (<code>AFORESAID_DAILY_TOKENS</code>).
      </p>
    );
  }
  return (
    <p class="small quiet">
      {left.spent.toLocaleString()} of {left.cap.toLocaleString()} tokens used today.{" "}
      {(left.left ?? 0).toLocaleString()} left.
    </p>
  );
}
