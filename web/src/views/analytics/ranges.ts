// Time ranges, and the labels of their periods.
import type { Span } from "../../api/activity";

export const RANGES = [
  ["hour", "Hour"],
  ["day", "Day"],
  ["week", "Week"],
  ["month", "Month"],
  ["custom", "Custom"],
] as const;

export type Named = "hour" | "day" | "week" | "month";
export type Range = Named | { since: string; until: string };

const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;
const LENGTHS: Record<Named, { span: number; step: number }> = {
  hour: { span: 60 * MINUTE, step: 2 * MINUTE },
  day: { span: DAY, step: 30 * MINUTE },
  week: { span: 7 * DAY, step: 4 * 60 * MINUTE },
  month: { span: 30 * DAY, step: DAY },
};
const PERIODS = 40; // of a custom range

export function isNamed(word: string | undefined): word is Named {
  return word !== undefined && word in LENGTHS;
}

/** Parses the address: a name, or two times. The default is a day. */
export function rangeOf(rest: readonly string[]): Range {
  const [name, since, until] = rest;
  if (isNamed(name)) return name;
  if (name !== "custom" || since === undefined || until === undefined) return "day";
  return Date.parse(since) < Date.parse(until) ? { since, until } : "day";
}

export function spanOf(range: Range, now: Date): Span {
  if (typeof range !== "string") {
    const seconds = (Date.parse(range.until) - Date.parse(range.since)) / 1000;
    return { ...range, step: Math.max(1, Math.ceil(seconds / PERIODS)) };
  }
  const { span, step } = LENGTHS[range];
  return { since: new Date(now.getTime() - span * 1000).toISOString(), until: now.toISOString(), step };
}

/** The label of a period: its hour, its day and hour, or its day, in the user's time zone. */
export function periodLabel(start: string, span: Span): string {
  const moment = new Date(start);
  const hour: Intl.DateTimeFormatOptions = { hour: "2-digit", minute: "2-digit" };
  const day: Intl.DateTimeFormatOptions = { day: "numeric", month: "short" };
  if (span.step >= DAY) return moment.toLocaleDateString(undefined, day);
  const long = (Date.parse(span.until) - Date.parse(span.since)) / 1000 > DAY;
  return long
    ? moment.toLocaleString(undefined, { weekday: "short", ...hour })
    : moment.toLocaleTimeString(undefined, hour);
}

/** Converts a time to the value of a datetime-local input, and back. */
export function localInput(moment: Date): string {
  const shifted = new Date(moment.getTime() - moment.getTimezoneOffset() * MINUTE * 1000);
  return shifted.toISOString().slice(0, 16);
}
