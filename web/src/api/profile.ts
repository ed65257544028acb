import { call, type Options } from "./client";
import type { About, AuditEntry, AuditEntryPage, ConsentResponse, Profile, ProfileBody } from "./schema";

export type { AuditEntry, ConsentResponse, Profile, ProfileBody, ProfileField, Revocation } from "./schema";

const PART = 500;

export function consent(space: string): Promise<ConsentResponse> {
  return call("GET /consent", { space });
}

/** Grants or revokes consent. Revoking erases the profile. */
export function setConsent(space: string, granted: boolean, note?: string): Promise<ConsentResponse> {
  return call("PUT /consent", { space, body: { granted, note: note ?? null } });
}

/** The profile; empty without consent. Each read adds an audit entry. */
export function profile(
  space: string,
  moment: { as_of?: string | null; known_at?: string | null } = {},
): Promise<Profile> {
  return call("GET /profile", { space, query: moment });
}

/** The portrait of the space: the profile, facts, and what people said that matters most. */
export function about(space: string, tokens: number): Promise<About> {
  return call("GET /about", { space, query: { tokens } });
}

export function setProfile(space: string, body: ProfileBody): Promise<Profile> {
  return call("PUT /profile", { space, body });
}

/** Removes a field, or the free text if the name is empty; with `erase`, also its history. */
export function removeField(space: string, name: string, erase: boolean): Promise<Profile> {
  const what = name === "" ? { text: true } : { field: [name] };
  return call("DELETE /profile", { space, query: { ...what, erase } });
}

export interface AuditPage {
  items: AuditEntry[];
  /** True if there are older entries. */
  more: boolean;
}

/** The newest entries of the audit log, at most `count`. */
export async function audit(space: string, count: number, action: AuditEntry["action"] | null): Promise<AuditPage> {
  const items: AuditEntry[] = [];
  let after: string | null = null;
  do {
    const query: Options<"GET /audit">["query"] = { action, limit: Math.min(PART, count - items.length), after };
    const part: AuditEntryPage = await call("GET /audit", { space, query });
    items.push(...part.items);
    after = part.next;
  } while (after !== null && items.length < count);
  return { items, more: after !== null };
}
