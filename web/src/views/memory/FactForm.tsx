import { useRef, useState } from "preact/hooks";
import { editFact, type Fact, remember, supersede } from "../../api/facts";
import { asProblem, type Problem } from "../../api/problem";
import { Button } from "../../parts/Button";
import { Dialog } from "../../parts/Dialog";
import { SelectField, TextArea, TextField } from "../../parts/Field";
import { say } from "../../store/toasts";
import { changed, type Draft, disagrees, draftOf, type Purpose, withText, withValue } from "./factDraft";
import { KINDS } from "./kinds";

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
  edit: "The old version stays in the history. The text and the value change together.",
  replace: "The old fact stays in the history. “Undo” restores it.",
};
const SAID: Record<Purpose, string> = {
  remember: "Fact added.",
  edit: "Fact updated.",
  replace: "Fact replaced.",
};

/** The form to add, edit or replace a fact. */
export function FactForm({ space, purpose, fact, close, done }: FactFormProps) {
  const [before] = useState(() => draftOf(fact, purpose));
  const [draft, setDraft] = useState(before);
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<Problem>();
  const typed = useRef(new Set<"text" | "value">());
  const form = useRef<HTMLFormElement>(null);
  const change = (next: Draft) => {
    setRefused(undefined);
    setDraft(next);
  };
  const set = (part: Partial<Draft>) => change({ ...draft, ...part });
  const setText = (text: string) => {
    typed.current.add("text");
    change(purpose === "edit" ? withText(draft, text, before, typed.current) : { ...draft, text });
  };
  const setValue = (value: string) => {
    typed.current.add("value");
    change(purpose === "edit" ? withValue(draft, value, before, typed.current) : { ...draft, value });
  };
  const focusValue = () => form.current?.querySelector<HTMLInputElement>("[data-field=value] input")?.select();

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
    try {
      const made = await keep();
      close();
      done(made);
      say(SAID[purpose]);
    } catch (thrown) {
      setRefused(asProblem(thrown));
      setBusy(false);
    }
  };

  return (
    <Dialog title={TITLES[purpose]} close={close} wide>
      <form class="stack fact-form" ref={form} onSubmit={submit}>
        {purpose === "replace" && fact && <p class="replaced">{fact.text}</p>}
        <TextArea label="Text" value={draft.text} change={setText} rows={2} hint={ABOUT[purpose]} />
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
          <div data-field="value">
            <TextField
              label="Value"
              value={draft.value}
              change={setValue}
              hint={
                purpose === "edit" && disagrees(draft, before)
                  ? `The text no longer shows “${before.value}”. Enter the value that it states.`
                  : undefined
              }
            />
          </div>
        </div>
        {purpose === "edit" && fact && <Consequences fact={fact} draft={draft} before={before} />}
        {refused && (
          <Refused
            problem={refused}
            slot={purpose === "edit" && before.value !== "" && draft.attribute !== ""}
            value={focusValue}
            unslot={() => set({ attribute: "", value: "" })}
          />
        )}
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

interface ConsequencesProps {
  fact: Fact;
  draft: Draft;
  before: Draft;
}

/** What an edit of the content does to the quotes and the certainty of a fact. */
function Consequences({ fact, draft, before }: ConsequencesProps) {
  if (draft.text === before.text && draft.value === before.value) return null;
  const quotes = fact.evidence.filter((evidence) => evidence.supports && evidence.quote !== "");
  return (
    <div class="consequences small" role="status">
      {quotes.map((evidence) => (
        <p key={`${evidence.message_id} ${evidence.quote}`}>
          The quote <q dir="auto">{evidence.quote}</q> stays, marked as no longer saying this.
        </p>
      ))}
      <p>The certainty is yours: 100 %, entered by a person.</p>
    </div>
  );
}

interface RefusedProps {
  problem: Problem;
  /** True if the fact has an attribute whose value may disagree with the words. */
  slot: boolean;
  value: () => void;
  unslot: () => void;
}

/** Why the server refused the fact, and what to do. */
function Refused({ problem, slot, value, unslot }: RefusedProps) {
  const advise = slot && problem.code === "invalid_input";
  return (
    <div class="refused small" role="alert">
      <p>
        <b>Not saved.</b> <span dir="auto">{problem.message}</span>
      </p>
      {advise && (
        <p class="row">
          <Button onClick={value}>Enter the new value</Button>
          <Button onClick={unslot}>Keep only the text</Button>
        </p>
      )}
    </div>
  );
}
