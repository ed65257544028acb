import { useState } from "preact/hooks";
import { type ProfileField, removeField, setProfile } from "../../api/profile";
import { Button, IconButton } from "../../parts/Button";
import { TextArea } from "../../parts/Field";
import { MessageLink } from "../../parts/MessageLink";
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

/** The fields of the profile with their source and time. */
export function ProfileFields({ space, fields, changed }: ProfileFieldsProps) {
  const [form, setForm] = useState<{ field?: ProfileField }>();
  const [removing, setRemoving] = useState<ProfileField>();
  return (
    <section aria-label="Fields">
      <div class="section-head">
        <h2>Fields</h2>
        <Button icon="plus" onClick={() => setForm({})}>
          Add field
        </Button>
      </div>
      {fields.length === 0 ? (
        <p class="quiet">No fields yet. Add what answers should take into account, such as a city or a diet.</p>
      ) : (
        <ul class="profile-fields">
          {fields.map((field) => (
            <li key={field.name}>
              <div>
                <p>
                  <span class="quiet">{field.name}</span> <b>{shown(field.value)}</b>
                </p>
                <p class="small quiet">
                  <Source field={field} />, since <Time at={field.since} />
                  {field.expires_at !== null && (
                    <>
                      , until <Time at={field.expires_at} />
                    </>
                  )}
                </p>
              </div>
              <IconButton icon="edit" label={`Edit ${field.name}`} onClick={() => setForm({ field })} />
              <IconButton icon="trash" label={`Remove ${field.name}`} onClick={() => setRemoving(field)} />
            </li>
          ))}
        </ul>
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
    return <>{field.source === "caller" ? "the page or the API" : field.source}</>;
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
    const trimmed = text.trim();
    await attempt(async () => {
      if (trimmed === "") await removeField(space, "", false);
      else await setProfile(space, { text: trimmed });
      say("Text saved.");
      changed();
    });
  };
  return (
    <form class="card stack tight" aria-label="In your own words" onSubmit={save}>
      <TextArea
        label="In your own words"
        hint="Anything else that answers should take into account."
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
          Save text
        </Button>
      </div>
    </form>
  );
}
