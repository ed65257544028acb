import { call } from "./client";
import type { Erasure, ForgetBody, Verification } from "./schema";

export type { Erasure, ErasureCount, ForgetBody, Verification } from "./schema";

/** Erases a target and everything derived from it; with `dry_run`, only returns what would be erased. */
export function forget(space: string, body: ForgetBody): Promise<Erasure> {
  return call("POST /forget", { space, body });
}

export async function erasures(space: string): Promise<Erasure[]> {
  return (await call("GET /erasures", { space })).items;
}

/** Searches every table and file of the store for a text of the space. */
export function verifyErasure(space: string, text: string): Promise<Verification> {
  return call("POST /verify-erasure", { space, body: { text, space } });
}
