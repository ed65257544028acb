import type { Episode } from "../../api/episodes";
import type { Feeling } from "./geometry";

const TYPES: Record<Episode["type"], string> = {
  decision_made: "Decision",
  problem_solved: "Problem solved",
  breakthrough: "Breakthrough",
  issue_identified: "Issue found",
  task_completed: "Task done",
  pivot: "Change of mind",
};

export function spelledType(type: Episode["type"]): string {
  return TYPES[type];
}

export const FEELINGS: Record<Feeling, string> = {
  good: "it went well",
  bad: "it went badly",
  even: "neither good nor bad",
};
