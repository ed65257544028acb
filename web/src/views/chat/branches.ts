// The branches of a conversation.
import type { ConversationInfo } from "../../api/conversations";

/** A conversation and those that it is a branch of. */
export function lineOf(name: string, all: readonly ConversationInfo[]): string[] {
  const line = [name];
  for (;;) {
    const parent = all.find((info) => info.id === line.at(-1))?.parent;
    if (!parent || line.includes(parent)) return line;
    line.push(parent);
  }
}

/** A conversation and all that share its messages, those without branches first. */
export function withBranches(name: string, all: readonly ConversationInfo[]): string[] {
  const branches = all.filter((info) => info.parent === name);
  return [...branches.flatMap((branch) => withBranches(branch.id, all)), name];
}

/** The conversations that go on another way after a message of a conversation, by the seq of the message; -1: from the
 * start. */
export function crossings(name: string, all: readonly ConversationInfo[]): Map<number, string[]> {
  const line = lineOf(name, all);
  const found = new Map<number, string[]>();
  const add = (at: number, other: string) => found.set(at, [...(found.get(at) ?? []), other]);
  let end = Number.POSITIVE_INFINITY; // the last seq up to which the line of `each` is that of the conversation
  for (const each of line) {
    for (const branch of all) {
      const at = branch.forked_at ?? undefined;
      if (branch.parent === each && at !== undefined && at <= end && !line.includes(branch.id)) add(at, branch.id);
    }
    const info = all.find((other) => other.id === each);
    end = Math.min(end, info?.forked_at ?? end);
    if (info?.parent) add(end, info.parent);
  }
  return found;
}
