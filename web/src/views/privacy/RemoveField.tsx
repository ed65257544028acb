import { useState } from "preact/hooks";
import { type ProfileField, removeField } from "../../api/profile";
import { Confirm } from "../../parts/Dialog";
import { Switch } from "../../parts/Field";
import { attempt, say } from "../../store/toasts";
import { shown } from "./values";

interface RemoveFieldProps {
  space: string;
  field: ProfileField;
  close: () => void;
  done: () => void;
}

/** Removes a field from the profile, and on request also its history. */
export function RemoveField({ space, field, close, done }: RemoveFieldProps) {
  const [erase, setErase] = useState(false);
  const remove = () =>
    attempt(async () => {
      await removeField(space, field.name, erase);
      close();
      done();
      say(erase ? "Field and history erased." : "Field removed.");
    });
  return (
    <Confirm title={`Remove “${field.name}”?`} confirm="Remove" close={close} run={remove}>
      <p>“{shown(field.value)}” is no longer used. It stays in the history unless you erase that too.</p>
      <Switch label="Also erase its history" checked={erase} change={setErase} />
    </Confirm>
  );
}
