import type { ConversationInfo } from "../../api/conversations";

/** What a conversation is called: its title, or its name. */
export function titleOf(info: Pick<ConversationInfo, "id" | "title">): string {
  return info.title?.trim() || info.id;
}

/** A name for a new conversation, out of its title: readable in addresses and on the command line. */
export function nameOf(title: string, taken: (name: string) => boolean): string {
  const base =
    title
      .normalize("NFC")
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, "-")
      .replace(/^-+|-+$/g, "")
      .slice(0, 60) || "conversation";
  if (!taken(base)) return base;
  for (let number = 2; ; number++) {
    const name = `${base}-${number}`;
    if (!taken(name)) return name;
  }
}

/** An id for a message that may have to be sent again. */
export function freshId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `page-${[...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
