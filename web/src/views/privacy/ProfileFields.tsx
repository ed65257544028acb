import { useState } from "preact/hooks";
import { type ProfileField, removeField, setProfile } from "../../api/profile";
import { Button, IconButton } from "../../parts/Button";
import { TextArea } from "../../parts/Field";
import { MessageLink } from "../../parts/MessageLink";
import { type Column, Table } from "../../parts/Table";
import { Time } from "../../parts/Time";
import { attempt, say } from "../../store/toasts";
import { FieldForm } from "./FieldForm";
import { RemoveField } from "./RemoveField";
import { shown } from "./values";

interface ProfileFieldsProps {
  space: string;
  fields: readonly ProfileField[];
  changed: () => void;
}

/** Fields with their source and their time. */
export function ProfileFields({ space, fields, changed }: ProfileFieldsProps) {
  const [form, setForm] = useState<{ field?: ProfileField }>();
  const [removing, setRemoving] = useState<ProfileField>();
  const columns: Column<ProfileField>[] = [
    { title: "Field", show: (one) => <b>{one.name}</b> },
    { title: "Value", show: (one) => shown(one.value) },
    { title: "Source", show: (one) => <Source field={one} /> },
    { title: "Since", show: (one) => <Time at={one.since} /> },
    { title: "Until", show: (one) => (one.expires_at === null ? "–" : <Time at={one.expires_at} />) },
    {
      title: "Change",
      show: (one) => (
        <span class="table-tools">
          <IconButton icon="edit" label={`Change ${one.name}`} onClick={() => setForm({ field: one })} />
          <IconButton icon="trash" label={`Remove ${one.name}`} onClick={() => setRemoving(one)} />
        </span>
      ),
    },
  ];
  return (
    <section aria-label="Fields">
      <div class="section-head">
        <h2>Fields</h2>
        <Button icon="plus" onClick={() => setForm({})}>
          Add a field
        </Button>
      </div>
      {fields.length === 0 ? (
        <p class="quiet">No field is set: a city, a diet, how to be addressed, whatever answers should respect.</p>
      ) : (
        <Table caption="Profile" columns={columns} rows={fields} keyOf={(one) => one.name} />
      )}
      {form && (
        <FieldForm
          space={space}
          {...(form.field === undefined ? {} : { field: form.field })}
          close={() => setForm(undefined)}
          done={changed}
        />
      )}
      {removing && <RemoveField space={space} field={removing} close={() => setRemoving(undefined)} done={changed} />}
    </section>
  );
}

function Source({ field }: { field: ProfileField }) {
  if (field.conversation === null || field.message_id === null) {
    return <>{field.source === "caller" ? "a form or a program" : field.source}</>;
  }
  return (
    <>
      {field.source}{" "}
      <MessageLink conversation={field.conversation} id={field.message_id}>
        in {field.conversation}
      </MessageLink>
    </>
  );
}

interface FreeTextProps {
  space: string;
  free: ProfileField | null;
  changed: () => void;
}

export function FreeText({ space, free, changed }: FreeTextProps) {
  const before = free === null ? "" : shown(free.value);
  const [text, setText] = useState(before);
  const save = async (event: Event) => {
    event.preventDefault();
    const said = text.trim();
    await attempt(async () => {
      if (said === "") await removeField(space, "", false);
      else await setProfile(space, { text: said });
      say("The text is saved.");
      changed();
    });
  };
  return (
    <form class="card stack tight" aria-label="In your own words" onSubmit={save}>
      <TextArea
        label="In your own words"
        hint="How answers should be, what to know about you: whatever no field has."
        value={text}
        change={setText}
        rows={4}
      />
      <div class="row form-end">
        {free !== null && (
          <span class="small quiet">
            saved <Time at={free.set_at} />
          </span>
        )}
        <Button kind="primary" type="submit" disabled={text.trim() === before}>
          Save the text
        </Button>
      </div>
    </form>
  );
}
