// How much of a conversation is summarised, and how long that took.
import type { Summary } from "../../api/summaries";

export interface Coverage {
  /** Messages that a finished summary covers. */
  covered: number;
  completed: number;
  failed: number;
  processing: number;
  stuck: Summary[];
  average: number | null;
  maximum: number | null;
}

const STUCK = 5 * 60_000; // milliseconds, after which another worker takes over

export function coverageOf(summaries: readonly Summary[], newest: number, now: number): Coverage {
  const done = summaries.filter((summary) => summary.status === "completed");
  const times = done.flatMap((summary) => (summary.milliseconds === null ? [] : [summary.milliseconds]));
  const processing = summaries.filter((summary) => summary.status === "processing");
  return {
    covered: coveredBy(done, newest),
    completed: done.length,
    failed: summaries.filter((summary) => summary.status === "failed").length,
    processing: processing.length,
    stuck: processing.filter((summary) => now - Date.parse(summary.created_at) > STUCK),
    average: times.length === 0 ? null : times.reduce((sum, time) => sum + time, 0) / times.length,
    maximum: times.length === 0 ? null : Math.max(...times),
  };
}

function coveredBy(done: readonly Summary[], newest: number): number {
  let count = 0;
  let next = 0;
  for (const { first_seq, last_seq } of [...done].sort((a, b) => a.first_seq - b.first_seq)) {
    const from = Math.max(first_seq, next);
    const to = Math.min(last_seq, newest);
    if (to >= from) count += to - from + 1;
    next = Math.max(next, to + 1);
  }
  return count;
}

export function duration(milliseconds: number | null): string {
  if (milliseconds === null) return "–";
  if (milliseconds < 1000) return `${milliseconds < 10 ? milliseconds.toFixed(1) : Math.round(milliseconds)} ms`;
  return `${(milliseconds / 1000).toFixed(1)} s`;
}

export interface Line {
  speaker: string | null;
  text: string;
}

/** Splits an extractive summary into sentences with their speakers. Its topics are shown elsewhere. */
export function linesOf(text: string): Line[] {
  return text
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.startsWith("Topics: "))
    .map((line) => {
      const match = /^\[(\w+)\] (.*)$/.exec(line);
      return match ? { speaker: match[1] ?? null, text: match[2] ?? "" } : { speaker: null, text: line };
    });
}
