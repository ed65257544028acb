import { useState } from "preact/hooks";
import { key, locked, takeKey } from "../api/key";
import { Button } from "../parts/Button";
import { Dialog } from "../parts/Dialog";
import { Switch, TextField } from "../parts/Field";

/** Asks for an API key if the store requires one. */
export function KeyDialog() {
  const [secret, setSecret] = useState("");
  const [remember, setRemember] = useState(false);
  const refused = key.value !== null;
  const open = (event: Event) => {
    event.preventDefault();
    if (secret.trim() !== "") takeKey(secret.trim(), remember);
  };
  return (
    <Dialog title="API key required" close={() => (locked.value = false)}>
      <form class="stack" onSubmit={open}>
        <p class="quiet">
          {refused ? "This API key is not valid for this store." : "This store requires an API key."} To create one, run{" "}
          <code>aforesaid keys create NAME</code>.
        </p>
        <TextField label="API key" type="password" value={secret} change={setSecret} required />
        <Switch
          label="Remember in this browser"
          hint="Otherwise it is removed when you close this tab."
          checked={remember}
          change={setRemember}
        />
        <Button kind="primary" type="submit">
          Continue
        </Button>
      </form>
    </Dialog>
  );
}
