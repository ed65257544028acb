import { useState } from "preact/hooks";
import { type ProfileField, setProfile } from "../../api/profile";
import { Button } from "../../parts/Button";
import { Dialog } from "../../parts/Dialog";
import { SelectField, TextField } from "../../parts/Field";
import { fromField, toField } from "../../parts/inputs";
import { MessageField, type Spoken } from "../../parts/MessageField";
import { attempt, say } from "../../store/toasts";
import { SHAPES, shapeOf, shown, valued } from "./values";

interface FieldFormProps {
  space: string;
  field?: ProfileField;
  close: () => void;
  done: () => void;
}

/** A field of the profile: its value, until when it is true, and the message that says so. */
export function FieldForm({ space, field, close, done }: FieldFormProps) {
  const [name, setName] = useState(field?.name ?? "");
  const [shape, setShape] = useState(field === undefined ? "text" : shapeOf(field.value));
  const [text, setText] = useState(field === undefined ? "" : shown(field.value));
  const [until, setUntil] = useState(toField(field?.expires_at ?? null));
  const [source, setSource] = useState<Spoken>({
    conversation: field?.conversation ?? "",
    message: field?.message_id ?? "",
  });
  const value = valued(text, shape);
  const whole = name.trim() !== "" && value !== undefined && (source.conversation === "" || source.message !== "");
  const submit = async (event: Event) => {
    event.preventDefault();
    if (value === undefined) return;
    await attempt(async () => {
      await setProfile(space, {
        fields: { [name.trim()]: value },
        expires: fromField(until),
        source: source.conversation === "" ? null : source,
      });
      close();
      done();
      say("The field is saved.");
    });
  };
  return (
    <Dialog title={field === undefined ? "Add a field" : `Change “${field.name}”`} close={close}>
      <form class="stack" onSubmit={submit}>
        <TextField label="Name" value={name} change={setName} disabled={field !== undefined} placeholder="city" />
        <div class="form-grid narrow">
          <SelectField
            label="Kind of value"
            value={shape}
            change={(one) => {
              setShape(SHAPES.find((known) => known === one) ?? "text");
              if (one === "yes or no") setText("yes");
            }}
            options={SHAPES.map((one) => [one, one])}
          />
          {shape === "yes or no" ? (
            <SelectField
              label="Value"
              value={text}
              change={setText}
              options={[
                ["yes", "yes"],
                ["no", "no"],
              ]}
            />
          ) : (
            <TextField
              label="Value"
              value={text}
              change={setText}
              {...(shape === "number" ? { type: "number" as const, step: "any" } : {})}
            />
          )}
        </div>
        <TextField
          label="True until"
          type="datetime-local"
          value={until}
          change={setUntil}
          hint="From then on it is in no context. Empty: for good."
        />
        <details open={source.conversation !== ""}>
          <summary>Which message says so</summary>
          <MessageField space={space} value={source} change={setSource} none="none: I say so here" />
        </details>
        <div class="row form-end">
          <Button onClick={close}>Cancel</Button>
          <Button kind="primary" type="submit" disabled={!whole}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
