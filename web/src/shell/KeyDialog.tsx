import { useState } from "preact/hooks";
import { key, locked, takeKey } from "../api/key";
import { Button } from "../parts/Button";
import { Dialog } from "../parts/Dialog";
import { Switch, TextField } from "../parts/Field";

/** Asks for a key where the store has keys. */
export function KeyDialog() {
  const [secret, setSecret] = useState("");
  const [remember, setRemember] = useState(false);
  const refused = key.value !== null;
  const open = (event: Event) => {
    event.preventDefault();
    if (secret.trim() !== "") takeKey(secret.trim(), remember);
  };
  return (
    <Dialog title="A key is needed" close={() => (locked.value = false)}>
      <form class="stack" onSubmit={open}>
        <p class="quiet">
          {refused ? "The key that was used opens nothing here." : "This store has keys."} Whoever runs it makes one
          with <code>recollect keys create NAME</code>.
        </p>
        <TextField label="Key" type="password" value={secret} change={setSecret} required />
        <Switch
          label="Keep it in this browser"
          hint="Otherwise it is gone when this tab is closed."
          checked={remember}
          change={setRemember}
        />
        <Button kind="primary" type="submit">
          Open
        </Button>
      </form>
    </Dialog>
  );
}
