import type { Verification } from "../api/schema";

/** Counts the matches per table, highest first. */
export function byTable(matches: Verification["found"]): [table: string, count: number][] {
  const counts = new Map<string, number>();
  for (const { where } of matches) {
    const table = where.split(".")[0] ?? where;
    counts.set(table, (counts.get(table) ?? 0) + 1);
  }
  return [...counts].sort(([a, count], [b, other]) => other - count || (a < b ? -1 : 1));
}
