// Background work that does not go on by itself, or only slowly.
import type { Job } from "../../api/store";

export type JobProblem = "gave up" | "worker stopped" | "waiting to retry";

/** What is the matter with a job; null where nothing is. */
export function problemOf(job: Job, now: Date): JobProblem | null {
  if (job.state === "failed") return "gave up";
  if (job.state === "running" && new Date(job.due_at) < now) return "worker stopped";
  if (job.state === "queued" && job.attempts > 0) return "waiting to retry";
  return null;
}

/** Of a space and of the store itself; of every space, where none is given. */
export function jobsOf(jobs: readonly Job[], space: string | null): Job[] {
  return jobs.filter((job) => space === null || job.space === null || job.space === space);
}
