import type { CostTotal, TokenAllowance } from "../../api/cost";
import { dollars, priceOf } from "../../api/prices";
import { modelName } from "../../parts/modelName";
import { written } from "../../parts/plot";
import { type Column, Table } from "../../parts/Table";
import { Prices } from "./Prices";

const COLUMNS: readonly Column<CostTotal>[] = [
  { title: "Model", show: (row) => <span title={row.model}>{modelName(row.model)}</span> },
  { title: "Operation", show: (row) => row.operation },
  { title: "Calls", show: (row) => row.calls.toLocaleString(), number: true },
  { title: "Failed", show: (row) => row.failed.toLocaleString(), number: true },
  { title: "Prompt", show: (row) => row.prompt_tokens.toLocaleString(), number: true },
  { title: "Completion", show: (row) => row.completion_tokens.toLocaleString(), number: true },
  { title: "Cost", show: (row) => money(costOf(row)), number: true },
  { title: "Time per call", show: (row) => written(mean(row), "time"), number: true },
];

function mean(row: CostTotal): number | null {
  return row.calls > 0 ? row.milliseconds / row.calls : null;
}

/** In dollars, by the price table of this browser; null if it has no price for the model. */
function costOf(row: CostTotal): number | null {
  const price = priceOf(row.model);
  if (price === undefined) return null;
  return (row.prompt_tokens * price.input + row.completion_tokens * price.output) / 1e6;
}

function money(cost: number | null): string {
  return cost === null ? "no price" : dollars(cost);
}

/** Tokens and cost of language models by model and operation, and the rest of today's cap. */
export function Cost({ spent, left }: { spent: readonly CostTotal[]; left: TokenAllowance | null }) {
  return (
    <section class="panel" aria-label="Model cost">
      <h2>Model cost</h2>
      {left !== null && <Allowance left={left} />}
      {spent.length === 0 ? (
        <p class="quiet small">No language model was used in this period.</p>
      ) : (
        <>
          <Total spent={spent} />
          <Table caption="Model cost" columns={COLUMNS} rows={spent} keyOf={(row) => `${row.model} ${row.operation}`} />
        </>
      )}
      <Prices models={[...new Set(spent.map((row) => modelName(row.model)))]} />
    </section>
  );
}

function Total({ spent }: { spent: readonly CostTotal[] }) {
  const costs = spent.map(costOf);
  const sum = costs.reduce<number>((total, cost) => total + (cost ?? 0), 0);
  const unknown = new Set(spent.filter((_, index) => costs[index] === null).map((row) => row.model));
  return (
    <p>
      Total <b>{dollars(sum)}</b>
      {unknown.size > 0 && (
        <span class="small quiet">
          {" "}
          without {[...unknown].map(modelName).join(", ")}: enter {unknown.size === 1 ? "its price" : "their prices"}{" "}
          below.
        </span>
      )}
    </p>
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
