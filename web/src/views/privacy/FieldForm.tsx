import { useState } from "preact/hooks";
import { type ProfileField, setProfile } from "../../api/profile";
import { Button } from "../../parts/Button";
import { Dialog } from "../../parts/Dialog";
import { SelectField, TextField } from "../../parts/Field";
import { fromField, toField } from "../../parts/inputs";
import { MessageField, type MessageRef } from "../../parts/MessageField";
import { attempt, say } from "../../store/toasts";
import { parseValue, shown, typeOf, VALUE_TYPES } from "./values";

interface FieldFormProps {
  space: string;
  field?: ProfileField;
  close: () => void;
  done: () => void;
}

/** The form of a profile field: value, end date, and source message. */
export function FieldForm({ space, field, close, done }: FieldFormProps) {
  const [name, setName] = useState(field?.name ?? "");
  const [type, setType] = useState(field === undefined ? "text" : typeOf(field.value));
  const [text, setText] = useState(field === undefined ? "" : shown(field.value));
  const [until, setUntil] = useState(toField(field?.expires_at ?? null));
  const [source, setSource] = useState<MessageRef>({
    conversation: field?.conversation ?? "",
    message: field?.message_id ?? "",
  });
  const value = parseValue(text, type);
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
      say("Field saved.");
    });
  };
  return (
    <Dialog title={field === undefined ? "Add field" : `Edit “${field.name}”`} close={close}>
      <form class="stack" onSubmit={submit}>
        <TextField label="Name" value={name} change={setName} disabled={field !== undefined} placeholder="city" />
        <div class="form-grid narrow">
          <SelectField
            label="Type"
            value={type}
            change={(value) => {
              setType(VALUE_TYPES.find((known) => known === value) ?? "text");
              if (value === "yes or no") setText("yes");
            }}
            options={VALUE_TYPES.map((value) => [value, value])}
          />
          {type === "yes or no" ? (
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
              {...(type === "number" ? { type: "number" as const, step: "any" } : {})}
            />
          )}
        </div>
        <TextField
          label="Valid until"
          type="datetime-local"
          value={until}
          change={setUntil}
          hint="After this date it is not used. Empty: no end."
        />
        <details open={source.conversation !== ""}>
          <summary>Source message</summary>
          <MessageField space={space} value={source} change={setSource} />
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
