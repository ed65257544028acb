// Builds the charts from the activity data.
import type { Activity, Metrics, Span } from "../../api/activity";
import type { Plot, Series } from "../../parts/plot";
import { periodLabel } from "./ranges";

type Percentiles = NonNullable<Activity["embedding"]>;
const PERCENTILES = [
  ["p50", 1],
  ["p95", 2],
  ["p99", 4],
] as const;

function over(periods: readonly Activity[], span: Span, series: Series[]): Plot {
  return { over: "From", labels: periods.map((period) => periodLabel(period.start, span)), series };
}

export function retrievals(periods: readonly Activity[], span: Span): Plot {
  const count = periods.map((period) => period.retrievals.count);
  const degraded = periods.map((period) => period.retrievals.degraded);
  const whole = count.map((number, place) => number - (degraded[place] ?? 0));
  return over(periods, span, [
    { name: "Retrievals", values: whole, as: "bar", hue: 1, unit: "count", stacked: true },
    { name: "Degraded", values: degraded, as: "bar", hue: 2, unit: "count", stacked: true },
  ]);
}

export function quality(periods: readonly Activity[], span: Span): Plot {
  return over(periods, span, [
    {
      name: "Hit rate",
      values: periods.map((period) => period.retrievals.hit_rate),
      as: "line",
      hue: 1,
      unit: "share",
    },
    {
      name: "Top similarity",
      values: periods.map((period) => period.retrievals.top_score),
      as: "line",
      hue: 3,
      unit: "share",
    },
  ]);
}

export function budget(periods: readonly Activity[], span: Span): Plot {
  return over(periods, span, [
    {
      name: "Budget used",
      values: periods.map((period) => period.retrievals.budget_use),
      as: "line",
      hue: 2,
      unit: "share",
    },
    {
      name: "Stable prefix",
      values: periods.map((period) => period.retrievals.prefix_share),
      as: "line",
      hue: 6,
      unit: "share",
    },
  ]);
}

/** Latency of one stage. */
export function latency(periods: readonly Activity[], span: Span, stage: string): Plot {
  return over(periods, span, percentiles(periods.map((period) => period.retrievals.milliseconds[stage] ?? null)));
}

function percentiles(taken: readonly (Percentiles | null)[]): Series[] {
  return PERCENTILES.map(([name, hue]) => ({
    name,
    values: taken.map((times) => times?.[name] ?? null),
    as: "line",
    hue,
    unit: "time",
  }));
}

/** Latency by stage, slowest first, with the total on top. */
export function stages(metrics: Metrics): Plot {
  const stages = Object.entries(metrics.milliseconds).sort(([first, a], [other, b]) =>
    first === "total" ? -1 : other === "total" ? 1 : b.p95 - a.p95,
  );
  const bars = PERCENTILES.map(([name, hue]): Series => {
    return { name, values: stages.map(([, taken]) => taken[name]), as: "bar", hue, unit: "time" };
  });
  return { over: "Stage", labels: stages.map(([stage]) => stage), series: bars, lying: true };
}

/** Counts by name, largest first. */
export function counts(title: string, over: string, numbers: Readonly<Record<string, number>>, hue: number): Plot {
  const sorted = Object.entries(numbers).sort((first, other) => other[1] - first[1]);
  const values = sorted.map(([, count]) => count);
  return {
    over,
    labels: sorted.map(([name]) => name),
    series: [{ name: title, values, as: "bar", hue, unit: "count" }],
    lying: true,
  };
}

export function embedding(periods: readonly Activity[], span: Span): Plot {
  return over(periods, span, [
    { name: "Messages", values: periods.map((period) => period.embedded), as: "bar", hue: 1, unit: "count" },
    { name: "p50", values: periods.map((period) => period.embedding?.p50 ?? null), as: "line", hue: 3, unit: "time" },
    { name: "p95", values: periods.map((period) => period.embedding?.p95 ?? null), as: "line", hue: 2, unit: "time" },
  ]);
}

export function summarising(periods: readonly Activity[], span: Span): Plot {
  return over(periods, span, [
    {
      name: "Completed",
      values: periods.map((period) => period.summaries),
      as: "bar",
      hue: 7,
      unit: "count",
      stacked: true,
    },
    {
      name: "Failed",
      values: periods.map((period) => period.failed_summaries),
      as: "bar",
      hue: 4,
      unit: "count",
      stacked: true,
    },
    { name: "p50", values: periods.map((period) => period.summarising?.p50 ?? null), as: "line", hue: 2, unit: "time" },
  ]);
}

export function tokens(periods: readonly Activity[], span: Span): Plot {
  return over(periods, span, [
    { name: "Tokens", values: periods.map((period) => period.tokens), as: "bar", hue: 5, unit: "count" },
  ]);
}

export interface Totals {
  embedded: number;
  summaries: number;
  failedSummaries: number;
  tokens: number;
}

export function totals(periods: readonly Activity[]): Totals {
  const sum = (of: (period: Activity) => number) => periods.reduce((total, period) => total + of(period), 0);
  return {
    embedded: sum((period) => period.embedded),
    summaries: sum((period) => period.summaries),
    failedSummaries: sum((period) => period.failed_summaries),
    tokens: sum((period) => period.tokens),
  };
}
