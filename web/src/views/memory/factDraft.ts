// What a person types into the form of a fact, and the request that it makes.
import type { Fact, FactEditBody, Kind } from "../../api/facts";
import { fromField, toField } from "../../parts/inputs";
import { textWith, valueIn } from "./agreement";

export type Purpose = "remember" | "edit" | "replace";

export interface Draft {
  text: string;
  kind: Kind;
  subject: string;
  attribute: string;
  value: string;
  category: string;
  tags: string;
  importance: string;
  from: string;
  until: string;
}

export function draftOf(fact: Fact | undefined, purpose: Purpose): Draft {
  const replacing = purpose === "replace";
  return {
    text: replacing ? "" : (fact?.text ?? ""),
    kind: fact?.kind ?? "fact",
    subject: fact?.subject ?? "user",
    attribute: fact?.attribute ?? "",
    value: replacing ? "" : (fact?.value ?? ""),
    category: fact?.category ?? "",
    tags: fact?.tags.join(", ") ?? "",
    importance: fact === undefined ? "" : String(fact.importance),
    from: toField(replacing ? null : (fact?.valid_from ?? null)),
    until: toField(replacing ? null : (fact?.valid_until ?? null)),
  };
}

/** The fields of the form that were changed. */
export function changed(draft: Draft, before: Draft): FactEditBody {
  const edit: FactEditBody = {};
  if (draft.text !== before.text) edit.text = draft.text;
  if (draft.kind !== before.kind) edit.kind = draft.kind;
  for (const name of ["subject", "attribute", "value", "category"] as const) {
    if (draft[name] !== before[name] && draft[name] !== "") edit[name] = draft[name];
  }
  if (draft.attribute === "" && before.attribute !== "") edit.attribute = null;
  if (draft.tags !== before.tags) edit.tags = tagsOf(draft.tags);
  if (draft.importance !== before.importance && draft.importance !== "") edit.importance = Number(draft.importance);
  if (draft.from !== before.from) edit.valid_from = fromField(draft.from);
  if (draft.until !== before.until) edit.valid_until = fromField(draft.until);
  return edit;
}

function tagsOf(text: string): string[] {
  return text
    .split(",")
    .map((tag) => tag.trim())
    .filter((tag) => tag !== "");
}

/** Which of the two a person typed: it stays as typed, and the other one follows. */
export type Typed = ReadonlySet<"text" | "value">;

/** The draft with other words. Its value follows them, unless the person typed a value too. */
export function withText(draft: Draft, text: string, before: Draft, typed: Typed): Draft {
  if (before.value === "" || typed.has("value")) return { ...draft, text };
  return { ...draft, text, value: valueIn(text, before.text, before.value) ?? before.value };
}

/** The draft with another value. Its words follow it, unless the person typed words too. */
export function withValue(draft: Draft, value: string, before: Draft, typed: Typed): Draft {
  if (before.value === "" || typed.has("text") || value.trim() === "") return { ...draft, value };
  return { ...draft, value, text: textWith(value, before.text, before.value) ?? before.text };
}

/** True if the new words no longer show the value of the attribute, so that the server refuses them. */
export function disagrees(draft: Draft, before: Draft): boolean {
  if (before.value === "" || draft.attribute === "" || draft.text === before.text) return false;
  return draft.value === before.value && valueIn(draft.text, before.text, before.value) === undefined;
}
