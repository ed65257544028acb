import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { theme } from "../store/theme";
import "./Chart.css";
import type { Drawing } from "./drawing";
import { paletteOf } from "./palette";
import { isEmpty, type Plot, summary, written } from "./plot";
import { Table } from "./Table";

interface ChartProps {
  title: string;
  about: ComponentChildren;
  plot: Plot;
  /** Content beside the title. */
  children?: ComponentChildren;
}

/** A chart with a legend, a description for screen readers, and a table of the numbers. */
export function Chart({ title, about, plot, children }: ChartProps) {
  return (
    <figure class="chart card">
      <figcaption>
        <div>
          <h2>{title}</h2>
          <p class="small quiet">{about}</p>
        </div>
        {children}
      </figcaption>
      {isEmpty(plot) ? (
        <p class="none quiet small">No data in this period.</p>
      ) : (
        <>
          <Canvas plot={plot} label={`${title}. ${summary(plot)}`} />
          <Legend plot={plot} />
          <Numbers title={title} plot={plot} />
        </>
      )}
    </figure>
  );
}

function Canvas({ plot, label }: { plot: Plot; label: string }) {
  const place = useRef<HTMLDivElement>(null);
  const [made, setMade] = useState<Drawing | null>(null);
  const dark = useDark();

  useEffect(() => {
    const element = place.current;
    let drawing: Drawing | null = null;
    let gone = false;
    const watcher = new ResizeObserver(() => drawing?.resize());
    void import("./drawing").then((loaded) => {
      if (gone || element === null) return;
      drawing = loaded.drawing(element);
      watcher.observe(element);
      setMade(drawing);
    });
    return () => {
      gone = true;
      watcher.disconnect();
      drawing?.end();
    };
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme needs other colours
  useEffect(() => {
    if (made !== null && place.current !== null) made.show(plot, paletteOf(place.current));
  }, [made, plot, dark]);

  const height = plot.lying ? Math.max(7, plot.labels.length * 2.4) : 12;
  return (
    <div
      class="canvas"
      ref={place}
      role="img"
      aria-label={label}
      data-drawn={made !== null}
      style={{ minHeight: `${height}rem` }}
    />
  );
}

const SYSTEM = matchMedia("(prefers-color-scheme: dark)");

/** True if the page is dark now. */
function useDark(): boolean {
  const [system, setSystem] = useState(SYSTEM.matches);
  useEffect(() => {
    const changed = () => setSystem(SYSTEM.matches);
    SYSTEM.addEventListener("change", changed);
    return () => SYSTEM.removeEventListener("change", changed);
  }, []);
  return theme.value === "system" ? system : theme.value === "dark";
}

function Legend({ plot }: { plot: Plot }) {
  if (plot.series.length < 2) return null;
  return (
    <ul class="chart-legend" aria-hidden="true">
      {plot.series.map((series) => (
        <li key={series.name}>
          <i class={series.as} style={{ background: `var(--hue-${series.hue})` }} />
          {series.name}
        </li>
      ))}
    </ul>
  );
}

function Numbers({ title, plot }: { title: string; plot: Plot }) {
  const [open, setOpen] = useState(false);
  const rows = plot.labels
    .map((label, place) => ({ label, place }))
    .filter(({ place }) => plot.series.some((series) => series.values[place]));
  const columns = [
    { title: plot.over, show: (row: { label: string; place: number }) => row.label },
    ...plot.series.map((series) => ({
      title: series.name,
      number: true,
      show: ({ place }: { place: number }) => written(series.values[place], series.unit),
    })),
  ];
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary class="small quiet">Show as table</summary>
      {open && <Table caption={title} columns={columns} rows={rows} keyOf={(row) => String(row.place)} />}
    </details>
  );
}
