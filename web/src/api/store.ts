// Requests about the whole store. They need an admin key to all spaces.
import { call } from "./client";
import type { Finding, Job, Readiness, Status } from "./schema";

export type { Finding, Job, Readiness, Status } from "./schema";

const MANY = 200;

export function status(signal?: AbortSignal): Promise<Status> {
  return call("GET /status", { signal });
}

/** Unfinished jobs. */
export async function openJobs(signal?: AbortSignal): Promise<Job[]> {
  const states = ["failed", "running", "queued"] as const;
  const lists = await Promise.all(states.map((state) => call("GET /jobs", { query: { state, limit: MANY }, signal })));
  return lists.flatMap((list) => list.items);
}

export function readiness(signal?: AbortSignal): Promise<Readiness> {
  return call("GET /api/ready", { signal });
}

export async function checkStore(repair: boolean): Promise<Finding[]> {
  return (await call(repair ? "POST /doctor" : "GET /doctor", {})).items;
}
