// The labels and colours of facts, the same in lists and in the graph.
import type { Kind, RelationKind, Status } from "../../api/facts";
import type { Tone } from "../../parts/Badge";

export const KINDS: readonly Kind[] = ["fact", "preference", "decision", "constraint", "goal", "procedure", "entity"];

export const KIND_TITLES: Record<Kind, string> = {
  fact: "Facts",
  preference: "Preferences",
  decision: "Decisions",
  constraint: "Constraints",
  goal: "Goals",
  procedure: "Procedures",
  entity: "People and things",
};

export const KIND_HUES: Record<Kind, string> = {
  fact: "var(--hue-1)",
  preference: "var(--hue-4)",
  decision: "var(--hue-2)",
  constraint: "var(--hue-7)",
  goal: "var(--hue-5)",
  procedure: "var(--hue-6)",
  entity: "var(--hue-3)",
};

export const STATUSES: readonly Status[] = ["active", "pending", "superseded", "archived", "rejected"];

export const STATUS_TONES: Record<Status, Tone> = {
  active: "good",
  pending: "warn",
  superseded: "plain",
  archived: "plain",
  rejected: "bad",
};

export const RELATIONS: readonly RelationKind[] = [
  "related_to",
  "depends_on",
  "contradicts",
  "supersedes",
  "part_of",
  "caused_by",
];

/** The label of a relation, read from its target. */
export const INVERSE: Record<RelationKind, string> = {
  related_to: "related to",
  depends_on: "required by",
  contradicts: "contradicted by",
  supersedes: "superseded by",
  part_of: "contains",
  caused_by: "causes",
};

export function spelled(kind: string): string {
  return kind.replaceAll("_", " ");
}
