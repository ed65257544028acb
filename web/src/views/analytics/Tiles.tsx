import type { Metrics } from "../../api/activity";
import { type Unit, written } from "../../parts/plot";
import type { Totals } from "./plots";
import "./Tiles.css";

/** The key figures. */
export function Tiles({ metrics, totals }: { metrics: Metrics; totals: Totals }) {
  const total = metrics.milliseconds.total;
  return (
    <dl class="tiles">
      <Tile name="Retrievals" value={metrics.count} unit="count" note={`${metrics.degraded} degraded`} />
      <Tile name="Hit rate" value={metrics.hit_rate} unit="share" note="returned results" />
      <Tile name="Top similarity" value={metrics.top_score} unit="score" note="mean best score" />
      <Tile name="Latency p95" value={total?.p95 ?? null} unit="time" note={`p50 ${written(total?.p50, "time")}`} />
      <Tile name="Budget used" value={metrics.budget_use} unit="share" note="of the token budget" />
      <Tile name="Stable prefix" value={metrics.prefix_share} unit="share" note="can be cached" />
      <Tile name="Summaries" value={totals.summaries} unit="count" note={`${totals.failedSummaries} failed`} />
      <Tile name="Model tokens" value={totals.tokens} unit="count" note={`${totals.embedded} embedded`} />
    </dl>
  );
}

interface TileProps {
  name: string;
  value: number | null;
  unit: Unit;
  note: string;
}

function Tile({ name, value, unit, note }: TileProps) {
  return (
    <div class="card">
      <dt class="small">{name}</dt>
      <dd>
        <b>{written(value, unit)}</b>
        <span class="small quiet">{note}</span>
      </dd>
    </div>
  );
}
