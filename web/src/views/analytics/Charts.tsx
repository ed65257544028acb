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
      <Chart title="Retrievals" about="How often something was looked up." plot={plots.retrievals(periods, span)} />
      <Chart
        title="Hits"
        about="How many found something, and how close the best came."
        plot={plots.quality(periods, span)}
      />
      <Latency span={span} periods={periods} metrics={metrics} />
      <Chart
        title="Stages"
        about="Where a retrieval's time goes, on a logarithmic scale."
        plot={plots.stages(metrics)}
      />
      <Chart
        title="Context"
        about="How full contexts were, and how much of them a cache can serve."
        plot={plots.budget(periods, span)}
      />
      <Chart
        title="Embedding"
        about="Messages that got their vectors, and how long each took."
        plot={plots.embedding(periods, span)}
      />
      <Chart title="Sources" about="What found the hits." plot={plots.counts("Hits", "Source", metrics.sources, 3)} />
      <Chart
        title="Content"
        about="What kind of thing was found."
        plot={plots.counts("Hits", "Kind", metrics.content, 6)}
      />
      <Chart
        title="Summaries"
        about="How often they are made, and how long one takes."
        plot={plots.summarising(periods, span)}
      />
      <Chart title="Model tokens" about="What language models read and wrote." plot={plots.tokens(periods, span)} />
    </div>
  );
}

function Latency({ span, periods, metrics }: ChartsProps) {
  const stages = Object.keys(metrics.milliseconds);
  const [chosen, setChosen] = useState("total");
  const stage = stages.includes(chosen) ? chosen : (stages[0] ?? "total");
  return (
    <Chart title="Latency" about="Milliseconds of a stage." plot={plots.latency(periods, span, stage)}>
      {stages.length > 0 && (
        <SelectField label="Stage" bare value={stage} change={setChosen} options={stages.map((name) => [name, name])} />
      )}
    </Chart>
  );
}
