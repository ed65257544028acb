// Draws plots on a canvas. Loaded when the first chart is shown: it is larger than the rest of the page.
import { BarChart, LineChart } from "echarts/charts";
import { GridComponent, TooltipComponent } from "echarts/components";
import { init, use } from "echarts/core";
import { CanvasRenderer } from "echarts/renderers";
import type { Palette } from "./palette";
import { type Plot, type Series, type Unit, written } from "./plot";

use([BarChart, LineChart, GridComponent, TooltipComponent, CanvasRenderer]);

export interface Drawing {
  show(plot: Plot, palette: Palette): void;
  resize(): void;
  end(): void;
}

export function drawing(element: HTMLElement): Drawing {
  const chart = init(element, null, { renderer: "canvas" });
  return {
    show: (plot, palette) => chart.setOption(option(plot, palette), { notMerge: true }),
    resize: () => chart.resize(),
    end: () => chart.dispose(),
  };
}

interface TooltipParam {
  seriesIndex?: number;
  dataIndex?: number;
  value?: unknown;
}

function option(plot: Plot, palette: Palette) {
  const units = [...new Set(plot.series.map((series) => series.unit))];
  const labels = {
    type: "category" as const,
    data: [...plot.labels],
    inverse: plot.lying ?? false,
    axisLine: { lineStyle: { color: palette.line } },
    axisTick: { show: false },
    axisLabel: { color: palette.muted, fontSize: 11, hideOverlap: true },
  };
  const values = units.map((unit, place) => valueAxis(unit, place, palette, plot.lying ?? false));
  return {
    animation: false,
    textStyle: { fontFamily: palette.font, color: palette.text },
    grid: {
      left: 4,
      right: 22,
      top: 14,
      bottom: 2,
      outerBoundsMode: "same" as const,
      outerBoundsContain: "axisLabel" as const,
    },
    tooltip: {
      trigger: "axis" as const,
      renderMode: "richText" as const,
      confine: true,
      backgroundColor: palette.surface,
      borderColor: palette.line,
      textStyle: { color: palette.text, fontSize: 12, fontFamily: palette.font },
      axisPointer: { type: "shadow" as const, shadowStyle: { color: palette.line, opacity: 0.45 } },
      formatter: (params: unknown) => tip(plot, params as TooltipParam[]),
    },
    xAxis: plot.lying ? values : labels,
    yAxis: plot.lying ? labels : values,
    series: plot.series.map((series) => drawn(series, units.indexOf(series.unit), palette)),
  };
}

function valueAxis(unit: Unit, place: number, palette: Palette, lying: boolean) {
  const shared = {
    position: place === 0 ? undefined : ("right" as const),
    axisLabel: {
      color: palette.muted,
      fontSize: 11,
      formatter: (value: number) => tick(value, unit),
      hideOverlap: true,
    },
    splitLine: { show: place === 0, lineStyle: { color: palette.line } },
  };
  // A logarithmic axis: one chart shows hundredths of a millisecond and seconds.
  if (lying && unit === "time") return { ...shared, type: "log" as const, min: 0.01, startValue: 0.01 };
  const whole = unit === "share" || unit === "score";
  return {
    ...shared,
    type: "value" as const,
    min: 0,
    max: whole ? 1 : undefined,
    interval: whole ? 0.25 : undefined,
    minInterval: unit === "count" ? 1 : undefined,
    splitNumber: 3,
  };
}

/** A number without trailing zeros. */
function tick(value: number, unit: Unit): string {
  return written(value, unit).replace(/\.(\d*?)0+(?= )/, (_, digits: string) => (digits === "" ? "" : `.${digits}`));
}

function drawn(series: Series, axis: number, palette: Palette) {
  const colour = palette.hues[(series.hue - 1) % palette.hues.length] ?? palette.text;
  const shared = { name: series.name, data: [...series.values], yAxisIndex: axis, itemStyle: { color: colour } };
  if (series.as === "bar") {
    return {
      ...shared,
      type: "bar" as const,
      barMaxWidth: 22,
      barCategoryGap: "30%",
      stack: series.stacked ? "all" : undefined,
      yAxisIndex: axis,
    };
  }
  return {
    ...shared,
    type: "line" as const,
    connectNulls: true,
    showSymbol: series.values.filter((value) => value !== null).length < 24,
    symbol: "circle",
    symbolSize: 5,
    lineStyle: { width: 2, color: colour },
  };
}

function tip(plot: Plot, params: readonly TooltipParam[]): string {
  const lines = params.flatMap(({ seriesIndex = 0, value }) => {
    const series = plot.series[seriesIndex];
    if (series === undefined || typeof value !== "number") return [];
    return [`${series.name}: ${written(value, series.unit)}`];
  });
  return [plot.labels[params[0]?.dataIndex ?? -1] ?? "", ...lines].join("\n");
}
