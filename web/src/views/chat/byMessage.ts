import type { Fact } from "../../api/facts";

/** The facts by the messages that state them. */
export function byMessage(all: readonly Fact[]): Map<string, Fact[]> {
  const groups = new Map<string, Fact[]>();
  for (const fact of all) {
    for (const { message_id, supports } of fact.evidence) {
      if (supports) groups.set(message_id, [...(groups.get(message_id) ?? []), fact]);
    }
  }
  return groups;
}
