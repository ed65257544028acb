import { useState } from "preact/hooks";
import type { Activity, Metrics, Span } from "../../api/activity";
import { Chart } from "../../parts/Chart";
import { SelectField } from "../../parts/Field";
import * as plots from "./plots";

interface ChartsProps {
  span: Span;
  periods: readonly Activity[];
  metrics: Metrics;
}

export function Charts({ span, periods, metrics }: ChartsProps) {
  return (
    <div class="charts">
      <Chart title="Retrievals" about="Number of recalls and contexts." plot={plots.retrievals(periods, span)} />
      <Chart title="Hits" about="Share with results, and the best similarity." plot={plots.quality(periods, span)} />
      <Latency span={span} periods={periods} metrics={metrics} />
      <Chart title="Stages" about="Time per stage, on a logarithmic scale." plot={plots.stages(metrics)} />
      <Chart
        title="Context"
        about="Share of the budget used, and share that a provider can cache."
        plot={plots.budget(periods, span)}
      />
      <Chart title="Embedding" about="Messages embedded, and time per message." plot={plots.embedding(periods, span)} />
      <Chart title="Sources" about="Where hits come from." plot={plots.counts("Hits", "Source", metrics.sources, 3)} />
      <Chart title="Content" about="Kinds of hits." plot={plots.counts("Hits", "Kind", metrics.content, 6)} />
      <Chart
        title="Summaries"
        about="Summaries created, and time per summary."
        plot={plots.summarising(periods, span)}
      />
      <Chart
        title="Model tokens"
        about="Tokens that language models read and wrote."
        plot={plots.tokens(periods, span)}
      />
    </div>
  );
}

function Latency({ span, periods, metrics }: ChartsProps) {
  const stages = Object.keys(metrics.milliseconds);
  const [chosen, setChosen] = useState("total");
  const stage = stages.includes(chosen) ? chosen : (stages[0] ?? "total");
  return (
    <Chart title="Latency" about="Milliseconds per stage." plot={plots.latency(periods, span, stage)}>
      {stages.length > 0 && (
        <SelectField label="Stage" bare value={stage} change={setChosen} options={stages.map((name) => [name, name])} />
      )}
    </Chart>
  );
}
