import { useEffect, useRef, useState } from "preact/hooks";
import { type Activity, activity, type Metrics, metrics, type Span } from "../../api/activity";
import { allowance, type CostTotal, cost, type TokenAllowance } from "../../api/cost";
import { ifAllowed } from "../../api/problem";
import { openJobs, readiness, status } from "../../api/store";
import { IconButton } from "../../parts/Button";
import { Switch } from "../../parts/Field";
import { Empty, Failure, Loading } from "../../parts/States";
import { ViewHead } from "../../parts/ViewHead";
import { useReloadOn } from "../../store/changes";
import { linkTo } from "../../store/route";
import { useLoaded } from "../../store/useLoaded";
import type { ViewProps } from "../views";
import "./Analytics.css";
import { Charts } from "./Charts";
import { Cost } from "./Cost";
import { Jobs, type Store } from "./Jobs";
import { totals } from "./plots";
import { RangePicker } from "./RangePicker";
import { rangeOf, spanOf } from "./ranges";
import { Tiles } from "./Tiles";

const PAUSE = 15_000; // milliseconds between refreshes; the change feed has no retrievals

interface AnalyticsData {
  span: Span;
  periods: Activity[];
  metrics: Metrics;
  spent: CostTotal[];
  /** Null if the key has no access to the whole store. */
  store: Store | null;
  left: TokenAllowance | null;
}

interface MetricsRequest {
  span: Span;
  all: boolean;
  /** True if the key has no access to the whole store. Then no further request is made. */
  barred: boolean;
}

async function read(space: string, { span, all, barred }: MetricsRequest, signal: AbortSignal): Promise<AnalyticsData> {
  const [periods, measured, spent, store, left] = await Promise.all([
    activity(space, span, all, signal),
    metrics(space, span, all, signal),
    cost(space, span, all, signal),
    barred ? null : ifAllowed(readStore(signal)),
    barred ? null : ifAllowed(allowance(signal)),
  ]);
  return { span, periods, metrics: measured, spent, store, left };
}

async function readStore(signal: AbortSignal): Promise<Store> {
  const [counts, jobs, ready] = await Promise.all([status(signal), openJobs(signal), readiness(signal)]);
  return { status: counts, jobs, ready };
}

export default function Analytics({ space, rest }: ViewProps) {
  const range = rangeOf(rest);
  const named = rest.join("/");
  const [all, setAll] = useState(false);
  const [live, setLive] = useState(true);
  const barred = useRef(false);
  const loaded = useLoaded(
    async (signal) => {
      const request = { span: spanOf(range, new Date()), all, barred: barred.current };
      const made = await read(space, request, signal);
      barred.current = made.store === null;
      return made;
    },
    [space, named, all],
  );
  const { reload } = loaded;
  useReloadOn(live ? ["message", "summary"] : [], reload);
  useEffect(() => {
    if (!live) return;
    const timer = setInterval(() => document.hidden || reload(), PAUSE);
    return () => clearInterval(timer);
  }, [live, reload]);
  return (
    <div class="view analytics">
      <ViewHead title="Analytics" about="How well and how fast memory answers, and what it costs." />
      <div class="controls">
        <RangePicker key={named} range={range} />
        <div class="row">
          <Switch label="All spaces" checked={all} change={setAll} />
          <Switch label="Live" checked={live} change={setLive} />
          <IconButton icon="refresh" label="Refresh" onClick={reload} />
        </div>
      </div>
      {loaded.problem && <Failure problem={loaded.problem} retry={reload} />}
      {loaded.value === undefined && !loaded.problem && <Loading lines={8} />}
      {loaded.value && <Shown loaded={loaded.value} space={all ? null : space} />}
    </div>
  );
}

function Shown({ loaded, space }: { loaded: AnalyticsData; space: string | null }) {
  const sums = totals(loaded.periods);
  const nothing = loaded.metrics.count + sums.embedded + sums.summaries + sums.failedSummaries + sums.tokens === 0;
  return (
    <>
      {nothing ? (
        <Empty icon="chart" title="No activity in this period">
          <p class="quiet">
            Numbers appear after the first recall. Try <a href={linkTo("analytics", "month")}>a month</a>, or{" "}
            <a href={linkTo("context")}>build a context</a>.
          </p>
        </Empty>
      ) : (
        <>
          <Tiles metrics={loaded.metrics} totals={sums} />
          <Charts span={loaded.span} periods={loaded.periods} metrics={loaded.metrics} />
        </>
      )}
      <Cost spent={loaded.spent} left={loaded.left} />
      {loaded.store !== null && <Jobs store={loaded.store} space={space} />}
    </>
  );
}
