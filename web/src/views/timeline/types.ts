import type { Episode } from "../../api/episodes";
import type { Feeling } from "./geometry";

const TYPES: Record<Episode["type"], string> = {
  decision_made: "Decision",
  problem_solved: "Problem solved",
  breakthrough: "Breakthrough",
  issue_identified: "Issue found",
  task_completed: "Task completed",
  pivot: "Change of plan",
};

export function typeLabel(type: Episode["type"]): string {
  return TYPES[type];
}

export const FEELINGS: Record<Feeling, string> = {
  good: "positive",
  bad: "negative",
  even: "neutral",
};
