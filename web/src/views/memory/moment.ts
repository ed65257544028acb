// The time for which facts are shown.
import type { Fact } from "../../api/facts";

export interface Moment {
  /** Shows facts that were valid at this time; null means now. */
  asOf: number | null;
  /** Shows facts that were known at this time; null means now. */
  knownAt: number | null;
}

export const NOW: Moment = { asOf: null, knownAt: null };

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const FEW_DAYS = 14 * DAY;

export interface Scale {
  start: number;
  /** The number of slider steps; the last one is now. */
  steps: number;
  step: number;
}

/** The range from the earliest time of any fact until now, in hours or days. */
export function scaleOf(facts: readonly Fact[], now: number): Scale {
  const moments = facts.flatMap((fact) => [
    ...[fact.valid_from, fact.valid_until, fact.known_from].map((at) => (at === null ? now : Date.parse(at))),
    ...fact.evidence.map((evidence) => Date.parse(evidence.said_at)),
  ]);
  const earliest = moments.reduce((least, at) => (at < least ? at : least), now);
  const step = now - earliest <= FEW_DAYS ? HOUR : DAY;
  const start = Math.floor(earliest / step) * step;
  return { start, step, steps: Math.max(1, Math.ceil((now - start) / step)) };
}

export function stepOf(at: number | null, scale: Scale): number {
  if (at === null) return scale.steps;
  return Math.min(scale.steps, Math.max(0, Math.round((at - scale.start) / scale.step)));
}

export function momentOf(step: number, scale: Scale): number | null {
  return step >= scale.steps ? null : scale.start + step * scale.step;
}

/** The selected time as request parameters. */
export function asQuery(moment: Moment): { as_of?: string; known_at?: string } {
  return {
    ...(moment.asOf === null ? {} : { as_of: new Date(moment.asOf).toISOString() }),
    ...(moment.knownAt === null ? {} : { known_at: new Date(moment.knownAt).toISOString() }),
  };
}
