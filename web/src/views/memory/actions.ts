// The actions that the state of a fact allows.
import type { Decision, Fact, Relation } from "../../api/facts";
import type { IconName } from "../../parts/Icon";

export type Action = Decision | "edit" | "replace";

const BY_STATUS: Record<Fact["status"], readonly Action[]> = {
  pending: ["promote", "reject", "edit"],
  active: ["edit", "replace", "archive", "reject"],
  superseded: [],
  archived: ["promote", "reject"],
  rejected: ["promote"],
};

/** `undo` is available if the fact superseded another, was superseded, or was archived or rejected by a person. */
export function actionsFor(
  fact: Pick<Fact, "id" | "status" | "withdrawn_from">,
  relations: readonly Relation[],
): Action[] {
  const ends = relations.some(
    (relation) =>
      relation.kind === "supersedes" &&
      (relation.source === fact.id ? fact.status === "active" : relation.target === fact.id),
  );
  const withdrawn = fact.withdrawn_from !== null && (fact.status === "archived" || fact.status === "rejected");
  const undo: Action[] =
    withdrawn || (ends && (fact.status === "active" || fact.status === "superseded")) ? ["undo"] : [];
  return [...BY_STATUS[fact.status], ...undo];
}

interface Wording {
  icon: IconName;
  label: string;
  /** The message after success. */
  done: string;
}

export const WORDS: Record<Action, Wording> = {
  promote: { icon: "check", label: "Confirm", done: "Fact confirmed." },
  reject: { icon: "close", label: "Mark as wrong", done: "Marked as wrong. It will not be suggested again." },
  edit: { icon: "edit", label: "Edit…", done: "" },
  replace: { icon: "swap", label: "Replace…", done: "" },
  archive: { icon: "archive", label: "No longer true…", done: "Archived. “Undo” restores it." },
  undo: { icon: "undo", label: "Undo", done: "Undone." },
};
