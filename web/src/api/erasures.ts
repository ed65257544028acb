import { call } from "./client";
import type { Erasure, ForgetBody, Verification } from "./schema";

export type { Erasure, ErasureCount, ForgetBody, Verification } from "./schema";

/** Erases what is named and all that came from it; with `dry_run` it only says what would go. */
export function forget(space: string, body: ForgetBody): Promise<Erasure> {
  return call("POST /forget", { space, body });
}

export async function erasures(space: string): Promise<Erasure[]> {
  return (await call("GET /erasures", { space })).items;
}

/** Looks for a text of the space in every table and file of the store. */
export function verifyErasure(space: string, text: string): Promise<Verification> {
  return call("POST /verify-erasure", { space, body: { text, space } });
}
