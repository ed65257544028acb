import { useState } from "preact/hooks";
import { editFact, type Fact, type FactEditBody, type Kind, remember, supersede } from "../../api/facts";
import { Button } from "../../parts/Button";
import { Dialog } from "../../parts/Dialog";
import { SelectField, TextArea, TextField } from "../../parts/Field";
import { fromField, toField } from "../../parts/inputs";
import { attempt, say } from "../../store/toasts";
import { KINDS } from "./kinds";

export type Purpose = "remember" | "edit" | "replace";

interface FactFormProps {
  space: string;
  purpose: Purpose;
  fact?: Fact;
  close: () => void;
  done: (made: Fact) => void;
}

const TITLES: Record<Purpose, string> = {
  remember: "Add a fact",
  edit: "Edit fact",
  replace: "Replace fact",
};
const ABOUT: Record<Purpose, string> = {
  remember: "The fact is active immediately. With an attribute, it replaces the attribute's current value.",
  edit: "The old version stays in the history. The text and the value of an attribute change together.",
  replace: "The old fact stays in the history. “Undo” restores it.",
};
const SAID: Record<Purpose, string> = {
  remember: "Fact added.",
  edit: "Fact updated.",
  replace: "Fact replaced.",
};

interface Draft {
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

function draftOf(fact: Fact | undefined, purpose: Purpose): Draft {
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
function changed(draft: Draft, before: Draft): FactEditBody {
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

/** The form to add, edit or replace a fact. */
export function FactForm({ space, purpose, fact, close, done }: FactFormProps) {
  const [before] = useState(() => draftOf(fact, purpose));
  const [draft, setDraft] = useState(before);
  const [busy, setBusy] = useState(false);
  const set = (part: Partial<Draft>) => setDraft({ ...draft, ...part });

  const keep = async () => {
    if (purpose === "edit" && fact) return editFact(space, fact.id, changed(draft, before));
    const empty: Draft = { ...draftOf(undefined, "remember"), subject: "" };
    const body = { ...changed(draft, empty), text: draft.text };
    if (purpose !== "replace" || !fact) return remember(space, body);
    return supersede(space, fact, { ...body, valid_from: body.valid_from ?? new Date().toISOString() });
  };
  const submit = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    const worked = await attempt(async () => {
      const made = await keep();
      close();
      done(made);
      say(SAID[purpose]);
    });
    if (!worked) setBusy(false);
  };

  return (
    <Dialog title={TITLES[purpose]} close={close} wide>
      <form class="stack fact-form" onSubmit={submit}>
        {purpose === "replace" && fact && <p class="replaced">{fact.text}</p>}
        <TextArea label="Text" value={draft.text} change={(text) => set({ text })} rows={2} hint={ABOUT[purpose]} />
        <div class="form-grid">
          <SelectField
            label="Kind"
            value={draft.kind}
            change={(kind) => set({ kind: KINDS.find((each) => each === kind) ?? "fact" })}
            options={KINDS.map((kind) => [kind, kind])}
          />
          <TextField
            label="Subject"
            value={draft.subject}
            change={(subject) => set({ subject })}
            hint="Who or what it is about"
          />
          <TextField
            label="Attribute"
            value={draft.attribute}
            change={(attribute) => set({ attribute })}
            hint="A property with one value at a time, such as “home”"
          />
          <TextField label="Value" value={draft.value} change={(value) => set({ value })} />
        </div>
        <details>
          <summary>Dates, tags, importance</summary>
          <div class="form-grid">
            <TextField
              label="Valid from"
              type="datetime-local"
              value={draft.from}
              change={(from) => set({ from })}
              hint={purpose === "replace" ? "Empty: from now on" : undefined}
            />
            <TextField
              label="Valid until"
              type="datetime-local"
              value={draft.until}
              change={(until) => set({ until })}
            />
            <TextField label="Category" value={draft.category} change={(category) => set({ category })} />
            <TextField label="Tags" value={draft.tags} change={(tags) => set({ tags })} hint="Separated by commas" />
            <TextField
              label="Importance"
              type="number"
              min={0}
              max={1}
              step="any"
              value={draft.importance}
              change={(importance) => set({ importance })}
              hint="0 to 1. Empty: the default of its kind"
            />
          </div>
        </details>
        <div class="row form-end">
          <Button onClick={close}>Cancel</Button>
          <Button kind="primary" type="submit" busy={busy} disabled={draft.text.trim() === ""}>
            {purpose === "remember" ? "Add" : purpose === "edit" ? "Save" : "Replace"}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
