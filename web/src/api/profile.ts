import { call, type Options } from "./client";
import type { AuditEntry, ConsentResponse, PageAuditEntry, Profile, ProfileBody } from "./schema";

export type { AuditEntry, ConsentResponse, Profile, ProfileBody, ProfileField, Revocation } from "./schema";

const PART = 500;

export function consent(space: string): Promise<ConsentResponse> {
  return call("GET /consent", { space });
}

/** Grants it, or revokes it: then everything of the profile is erased. */
export function setConsent(space: string, granted: boolean, note?: string): Promise<ConsentResponse> {
  return call("PUT /consent", { space, body: { granted, note: note ?? null } });
}

/** What is known of the person; empty without consent. Each reading is noted in the audit. */
export function profile(
  space: string,
  moment: { as_of?: string | null; known_at?: string | null } = {},
): Promise<Profile> {
  return call("GET /profile", { space, query: moment });
}

export function setProfile(space: string, body: ProfileBody): Promise<Profile> {
  return call("PUT /profile", { space, body });
}

/** Takes a field away, or the free text where its name is empty; with `erase` its history too. */
export function removeField(space: string, name: string, erase: boolean): Promise<Profile> {
  const what = name === "" ? { text: true } : { field: [name] };
  return call("DELETE /profile", { space, query: { ...what, erase } });
}

export interface AuditPage {
  items: AuditEntry[];
  /** There are older ones than these. */
  more: boolean;
}

/** The newest entries of the audit, at most `count`. */
export async function audit(space: string, count: number, action: AuditEntry["action"] | null): Promise<AuditPage> {
  const items: AuditEntry[] = [];
  let after: string | null = null;
  do {
    const query: Options<"GET /audit">["query"] = { action, limit: Math.min(PART, count - items.length), after };
    const part: PageAuditEntry = await call("GET /audit", { space, query });
    items.push(...part.items);
    after = part.next;
  } while (after !== null && items.length < count);
  return { items, more: after !== null };
}
