// The data of a chart, which is shown as a drawing, a sentence and a table.

/** `count` has no unit, a `share` is 0 to 1, `score` has two digits, `time` is milliseconds. */
export type Unit = "count" | "share" | "score" | "time";

export interface Series {
  name: string;
  /** One value per label; null if there is none. */
  values: readonly (number | null)[];
  as: "bar" | "line";
  /** Its hue in the palette, from 1. */
  hue: number;
  unit: Unit;
  /** Stacked bars. */
  stacked?: boolean;
}

export interface Plot {
  /** The heading of the labels, in the first column of the table. */
  over: string;
  labels: readonly string[];
  series: readonly Series[];
  /** Horizontal bars, with labels on the left. */
  lying?: boolean;
}

export function written(value: number | null | undefined, unit: Unit): string {
  if (value === null || value === undefined) return "–";
  if (unit === "share") return `${Math.round(value * 100)} %`;
  if (unit === "score") return value.toFixed(2);
  if (unit === "time") return duration(value);
  return value.toLocaleString();
}

function duration(milliseconds: number): string {
  if (milliseconds >= 60_000) return `${(milliseconds / 60_000).toFixed(1)} min`;
  if (milliseconds >= 1000) return `${(milliseconds / 1000).toFixed(milliseconds < 10_000 ? 2 : 1)} s`;
  if (milliseconds >= 10 || milliseconds === 0) return `${Math.round(milliseconds)} ms`;
  return `${milliseconds.toFixed(milliseconds < 1 ? 2 : 1)} ms`;
}

/** True if there is no data. */
export function isEmpty(plot: Plot): boolean {
  return plot.series.every((series) => series.values.every((value) => value === null || value === 0));
}

/** Describes the chart for screen readers. */
export function summary(plot: Plot): string {
  if (isEmpty(plot)) return "No data in this period.";
  return plot.series.map((series) => describeSeries(series, plot.labels)).join(" ");
}

function describeSeries(series: Series, labels: readonly string[]): string {
  const known = series.values.flatMap((value, place) => (value === null ? [] : [{ value, place }]));
  if (known.length === 0) return `${series.name}: none.`;
  const most = known.reduce((best, other) => (other.value > best.value ? other : best));
  const least = known.reduce((best, other) => (other.value < best.value ? other : best));
  const at = labels[most.place] ?? "";
  if (series.unit === "count") {
    const sum = known.reduce((total, point) => total + point.value, 0);
    return `${series.name}: ${written(sum, "count")} in total, highest ${written(most.value, "count")} at ${at}.`;
  }
  const [low, high] = [written(least.value, series.unit), written(most.value, series.unit)];
  return low === high ? `${series.name}: ${high}.` : `${series.name}: from ${low} to ${high}, highest at ${at}.`;
}
