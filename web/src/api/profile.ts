import { call } from "./client";
import type { Answer, AuditEntry, Profile, ProfileWish } from "./schema";

export type { Answer, AuditEntry, Profile, ProfileField, ProfileWish, Revocation } from "./schema";

export function consent(space: string): Promise<Answer> {
  return call("GET /consent", { space });
}

/** Grants it, or revokes it: then everything of the profile is erased. */
export function setConsent(space: string, granted: boolean, note?: string): Promise<Answer> {
  return call("PUT /consent", { space, body: { granted, note: note ?? null } });
}

/** What is known of the person; empty without consent. Each reading is noted in the audit. */
export function profile(
  space: string,
  moment: { as_of?: string | null; known_at?: string | null } = {},
): Promise<Profile> {
  return call("GET /profile", { space, query: moment });
}

export function setProfile(space: string, body: ProfileWish): Promise<Profile> {
  return call("PUT /profile", { space, body });
}

/** Takes a field away, or the free text where its name is empty; with `erase` its history too. */
export function removeField(space: string, name: string, erase: boolean): Promise<Profile> {
  const what = name === "" ? { text: true } : { field: [name] };
  return call("DELETE /profile", { space, query: { ...what, erase } });
}

export async function audit(space: string, limit: number, action: AuditEntry["action"] | null): Promise<AuditEntry[]> {
  return (await call("GET /audit", { space, query: { limit, action } })).items;
}
