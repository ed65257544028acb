// The score parts that count: those with a weight in the recipe or in the space.
import type { Receipt, Score } from "../../api/receipts";
import type { Setting } from "../../api/settings";

export type Part = Exclude<keyof Score, "total">;

const OF_A_RECIPE: readonly Part[] = ["dense", "lexical", "recency", "importance", "access"]; // as in `Recipe.weights`

export function counting(
  recipe: Receipt["call"]["recipe"],
  settings: readonly Pick<Setting, "name" | "value">[],
): ReadonlySet<string> {
  if (recipe.weights !== null) return new Set(OF_A_RECIPE.filter((_, place) => recipe.weights?.[place]));
  const weights = settings.filter((setting) => setting.name.startsWith("weight_") && Number(setting.value) > 0);
  return new Set(weights.map((weight) => weight.name.replace("weight_", "")));
}
