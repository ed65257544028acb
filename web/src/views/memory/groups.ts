// Groups facts for reading: those about the user by topic, then those about other subjects.
import type { Fact } from "../../api/facts";
import { sentence } from "../../parts/shorten";
import { KINDS } from "./kinds";

export interface Group {
  title: string;
  facts: Fact[];
}

const AREAS: Record<string, string> = {
  person: "Who you are",
  health: "Your health",
  taste: "What you like",
  work: "Your work",
};

/** Every fact is in exactly one group. The user's groups come first; in a group, the most important fact is first. */
export function aboutGroups(facts: readonly Fact[]): Group[] {
  const groups = new Map<string, Fact[]>();
  const own = facts.filter((fact) => fact.subject === "user");
  const others = facts.filter((fact) => fact.subject !== "user");
  for (const fact of own) put(groups, areaOf(fact), fact);
  for (const fact of others) put(groups, `About ${sentence(fact.subject)}`, fact);
  return [...groups].map(([title, members]) => ({
    title,
    facts: members.sort((a, b) => b.importance - a.importance || (a.text < b.text ? -1 : 1)),
  }));
}

function areaOf(fact: Fact): string {
  if (fact.category === null) return "About you";
  return AREAS[fact.category] ?? sentence(fact.category);
}

/** Facts by kind, in the order of the kinds. */
export function byKind(facts: readonly Fact[]): [Fact["kind"], Fact[]][] {
  return KINDS.map((kind): [Fact["kind"], Fact[]] => [kind, facts.filter((fact) => fact.kind === kind)]).filter(
    ([, members]) => members.length > 0,
  );
}

function put(groups: Map<string, Fact[]>, title: string, fact: Fact): void {
  const group = groups.get(title);
  if (group === undefined) groups.set(title, [fact]);
  else group.push(fact);
}
