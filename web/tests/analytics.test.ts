import { describe, expect, it } from "vitest";
import type { Activity, Metrics } from "../src/api/activity";
import type { Job } from "../src/api/store";
import { isEmpty, type Plot, summary, written } from "../src/parts/plot";
import * as plots from "../src/views/analytics/plots";
import { localInput, periodLabel, rangeOf, spanOf } from "../src/views/analytics/ranges";
import { jobsOf, problemOf } from "../src/views/analytics/stuckJobs";

const NOW = new Date("2026-03-08T12:00:00Z");
const NONE: Metrics = {
  count: 0,
  hit_rate: null,
  top_score: null,
  budget_use: null,
  prefix_share: null,
  degraded: 0,
  sources: {},
  content: {},
  milliseconds: {},
  flags: {},
};

function period(hour: number, retrievals: Partial<Metrics> = {}, rest: Partial<Activity> = {}): Activity {
  const at = (moment: number) => new Date(Date.UTC(2026, 2, 8, moment)).toISOString();
  const empty = { embedded: 0, embedding: null, summaries: 0, failed_summaries: 0, summarising: null, tokens: 0 };
  return { start: at(hour), stop: at(hour + 1), retrievals: { ...NONE, ...retrievals }, ...empty, ...rest };
}

const took = (p50: number) => ({ p50, p95: p50 * 2, p99: p50 * 3 });

describe("a time range", () => {
  it("is parsed from the address, and is a day by default", () => {
    expect(rangeOf(["week"])).toBe("week");
    expect(rangeOf([])).toBe("day");
    expect(rangeOf(["century"])).toBe("day");
    const chosen = { since: "2026-03-01T00:00:00Z", until: "2026-03-02T00:00:00Z" };
    expect(rangeOf(["custom", chosen.since, chosen.until])).toEqual(chosen);
    expect(rangeOf(["custom", chosen.until, chosen.since])).toBe("day");
    expect(rangeOf(["custom", "never", "soon"])).toBe("day");
  });

  it.each(["hour", "day", "week", "month"] as const)("of a %s ends now and has few enough periods", (name) => {
    const span = spanOf(name, NOW);
    expect(span.until).toBe(NOW.toISOString());
    const periods = (Date.parse(span.until) - Date.parse(span.since)) / 1000 / span.step;
    expect(periods).toBeGreaterThan(20);
    expect(periods).toBeLessThanOrEqual(50);
  });

  it("between two times is split evenly, into whole seconds", () => {
    const span = spanOf({ since: "2026-03-08T00:00:00Z", until: "2026-03-08T00:00:10Z" }, NOW);
    expect(span.step).toBe(1);
  });

  it("names its periods by hour, weekday or day", () => {
    const at = "2026-03-04T09:30:00Z";
    expect(periodLabel(at, spanOf("day", NOW))).toMatch(/\d+:\d\d/);
    expect(periodLabel(at, spanOf("week", NOW))).toMatch(/Wed.*\d+:\d\d/);
    expect(periodLabel(at, spanOf("month", NOW))).toMatch(/Mar/);
  });

  it("is formatted for an input in the user's time zone", () => {
    expect(new Date(localInput(NOW)).getTime()).toBe(NOW.getTime());
  });
});

describe("charts", () => {
  const span = spanOf("day", NOW);

  it("have a gap where there is no data", () => {
    const found = plots.quality([period(1, { hit_rate: 0.5 }), period(2)], span);
    expect(found.series[0]?.values).toEqual([0.5, null]);
    expect(isEmpty(found)).toBe(false);
    expect(isEmpty(plots.quality([period(1)], span))).toBe(true);
  });

  it("stack degraded retrievals on the complete ones", () => {
    const found = plots.retrievals([period(1, { count: 5, degraded: 2 })], span);
    expect(found.series.map((series) => series.values)).toEqual([[3], [2]]);
  });

  it("show a stage's percentiles, period by period", () => {
    const found = plots.latency([period(1, { milliseconds: { dense: took(2) } }), period(2)], span, "dense");
    expect(found.series.map((series) => [series.name, series.values])).toEqual([
      ["p50", [2, null]],
      ["p95", [4, null]],
      ["p99", [6, null]],
    ]);
  });

  it("put the total before its stages, the slowest first", () => {
    const milliseconds = { dense: took(1), total: took(5), rerank: took(3) };
    expect(plots.stages({ ...NONE, milliseconds }).labels).toEqual(["total", "rerank", "dense"]);
  });

  it("put the largest count first", () => {
    expect(plots.counts("Hits", "Source", { lexical: 2, dense: 7 }, 1).labels).toEqual(["dense", "lexical"]);
  });

  it("sum up periods", () => {
    const found = plots.totals([period(1, {}, { tokens: 3, embedded: 1 }), period(2, {}, { tokens: 4, summaries: 2 })]);
    expect(found).toEqual({ embedded: 1, summaries: 2, failedSummaries: 0, tokens: 7 });
  });

  it("have a description in words", () => {
    const plot: Plot = {
      over: "From",
      labels: ["09:00", "10:00"],
      series: [
        { name: "Retrievals", values: [3, 5], as: "bar", hue: 1, unit: "count" },
        { name: "Hit rate", values: [0.5, 1], as: "line", hue: 1, unit: "share" },
        { name: "p50", values: [null, null], as: "line", hue: 1, unit: "time" },
      ],
    };
    expect(summary(plot)).toBe(
      "Retrievals: 8 in total, highest 5 at 10:00. Hit rate: from 50 % to 100 %, highest at 10:00. p50: none.",
    );
  });

  it.each([
    [null, "count", "–"],
    [0.456, "share", "46 %"],
    [0.456, "score", "0.46"],
    [0, "time", "0 ms"],
    [0.123, "time", "0.12 ms"],
    [4.56, "time", "4.6 ms"],
    [45.6, "time", "46 ms"],
    [4560, "time", "4.56 s"],
    [90_000, "time", "1.5 min"],
  ] as const)("write %s as %s: %s", (value, unit, text) => {
    expect(written(value, unit)).toBe(text);
  });
});

describe("a job", () => {
  const job = (rest: Partial<Job>): Job => ({
    id: "embed-1",
    kind: "embed",
    space: "mara",
    message_id: null,
    state: "queued",
    attempts: 0,
    error: null,
    milliseconds: null,
    created_at: "2026-03-08T11:00:00Z",
    due_at: "2026-03-08T11:30:00Z",
    worker: null,
    conversation: null,
    ...rest,
  });

  it.each([
    [{ state: "queued" }, null],
    [{ state: "queued", attempts: 2 }, "waiting to retry"],
    [{ state: "running", attempts: 1, due_at: "2026-03-08T12:30:00Z" }, null],
    [{ state: "running", attempts: 1 }, "worker stopped"],
    [{ state: "failed", attempts: 8 }, "gave up"],
  ] as const)("%j is %s", (rest, expected) => {
    expect(problemOf(job(rest), NOW)).toBe(expected);
  });

  it("belongs to its space, and a job of the store belongs to every space", () => {
    const jobs = [job({}), job({ space: "other" }), job({ space: null })];
    expect(jobsOf(jobs, "mara").map((one) => one.space)).toEqual(["mara", null]);
    expect(jobsOf(jobs, null)).toHaveLength(3);
  });
});
