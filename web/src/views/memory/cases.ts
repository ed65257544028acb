// Groups the facts to review: facts that contradict each other are one case.
import type { Fact, Relation } from "../../api/facts";

export interface Case {
  /** The id of its first fact. */
  id: string;
  /** Pending facts come before active ones. */
  facts: Fact[];
  /** Why the facts are shown together. */
  contradictions: Relation[];
}

export function casesOf(facts: readonly Fact[], relations: readonly Relation[]): Case[] {
  const known = new Map(facts.map((fact) => [fact.id, fact]));
  const links = relations.filter(
    (relation) => relation.kind === "contradicts" && known.has(relation.source) && known.has(relation.target),
  );
  const visited = new Set<string>();
  const cases: Case[] = [];
  for (const fact of facts) {
    if (visited.has(fact.id)) continue;
    const ids = reached(fact.id, links);
    for (const id of ids) visited.add(id);
    const together = [...ids].flatMap((id) => known.get(id) ?? []);
    cases.push({
      id: fact.id,
      facts: together.sort((a, b) => Number(a.status !== "pending") - Number(b.status !== "pending")),
      contradictions: links.filter((link) => ids.has(link.source)),
    });
  }
  return cases;
}

function reached(start: string, links: readonly Relation[]): Set<string> {
  const ids = new Set([start]);
  for (let size = 0; size !== ids.size; ) {
    size = ids.size;
    for (const { source, target } of links) {
      if (ids.has(source)) ids.add(target);
      else if (ids.has(target)) ids.add(source);
    }
  }
  return ids;
}
