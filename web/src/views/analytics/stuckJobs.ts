// Detects stuck background jobs.
import type { Job } from "../../api/store";

export type JobProblem = "gave up" | "worker stopped" | "waiting to retry";

/** Why a job is stuck; null if it is not. */
export function problemOf(job: Job, now: Date): JobProblem | null {
  if (job.state === "failed") return "gave up";
  if (job.state === "running" && new Date(job.due_at) < now) return "worker stopped";
  if (job.state === "queued" && job.attempts > 0) return "waiting to retry";
  return null;
}

/** Jobs of one space and of the store itself; without a space, all jobs. */
export function jobsOf(jobs: readonly Job[], space: string | null): Job[] {
  return jobs.filter((job) => space === null || job.space === null || job.space === space);
}
