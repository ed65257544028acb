import type { ConversationInfo } from "../../api/conversations";
import { cut } from "../../parts/shorten";

const LONGEST = 60; // characters of a generated name

/** The title of a conversation, or its name. */
export function titleOf(info: Pick<ConversationInfo, "id" | "title">): string {
  return info.title?.trim() || info.id;
}

/** A name for a new conversation, made from its title, readable in addresses and on the command line. */
export function nameOf(title: string, taken: (name: string) => boolean): string {
  const written = title
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-");
  const base = cut(written.replace(/^-/, ""), LONGEST).replace(/-$/, "") || "conversation";
  if (!taken(base)) return base;
  for (let number = 2; ; number++) {
    const name = `${base}-${number}`;
    if (!taken(name)) return name;
  }
}

/** An id for a message, so that it can be sent again. */
export function freshId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `page-${[...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
