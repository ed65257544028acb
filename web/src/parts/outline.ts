import type { Block } from "./markdown";

/** The blocks with heading levels for the page, which has a heading of level 1: from 2 on, without gaps. */
export function outline(all: readonly Block[]): Block[] {
  const used = [...new Set(all.flatMap((block) => (block.kind === "heading" ? [block.level] : [])))].sort();
  let last = 1;
  return all.map((block) => {
    if (block.kind !== "heading") return block;
    last = Math.min(used.indexOf(block.level) + 2, last + 1, 6);
    return { ...block, level: last };
  });
}
