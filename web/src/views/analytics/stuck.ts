// Background work that does not go on by itself, or only slowly.
import type { Job } from "../../api/store";

export type Trouble = "given up" | "lost its worker" | "waiting to try again";

/** What is the matter with a job; null where nothing is. */
export function trouble(job: Job, now: Date): Trouble | null {
  if (job.state === "failed") return "given up";
  if (job.state === "running" && new Date(job.due_at) < now) return "lost its worker";
  if (job.state === "queued" && job.attempts > 0) return "waiting to try again";
  return null;
}

/** Of a space and of the store itself; of every space, where none is given. */
export function concerning(jobs: readonly Job[], space: string | null): Job[] {
  return jobs.filter((job) => space === null || job.space === null || job.space === space);
}
