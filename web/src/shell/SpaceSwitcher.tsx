import { useState } from "preact/hooks";
import { key } from "../api/key";
import { spaces } from "../api/spaces";
import { Button } from "../parts/Button";
import { Dialog } from "../parts/Dialog";
import { TextField } from "../parts/Field";
import { useReloadOn } from "../store/changes";
import { enterSpace, HOME } from "../store/route";
import { useLoaded } from "../store/useLoaded";

const ANOTHER = "\u0000another"; // not a valid name of a space

/** Selects the space. `default` comes first, then the spaces of the store. */
export function SpaceSwitcher({ space }: { space: string }) {
  const [asking, setAsking] = useState(false);
  const loaded = useLoaded(spaces, [space, key.value]);
  useReloadOn(["space"], loaded.reload);
  const names = [...new Set([HOME.space, ...(loaded.value ?? []).map((info) => info.id), space])];
  return (
    <div class="space-switcher">
      <label>
        <span class="unseen">Space</span>
        <select
          value={space}
          onChange={(event) => {
            const chosen = event.currentTarget.value;
            event.currentTarget.value = space;
            if (chosen === ANOTHER) setAsking(true);
            else enterSpace(chosen);
          }}
        >
          {names.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
          <option value={ANOTHER}>Open another space…</option>
        </select>
      </label>
      {asking && <OtherSpace close={() => setAsking(false)} />}
    </div>
  );
}

function OtherSpace({ close }: { close: () => void }) {
  const [name, setName] = useState("");
  const enter = (event: Event) => {
    event.preventDefault();
    if (name.trim() === "") return;
    close();
    enterSpace(name.trim());
  };
  return (
    <Dialog title="Open a space" close={close}>
      <form class="stack" onSubmit={enter}>
        <TextField
          label="Name"
          hint="A space is the memory of one person or project, separate from all others. Its first message creates it."
          value={name}
          change={setName}
          required
        />
        <Button kind="primary" type="submit">
          Open
        </Button>
      </form>
    </Dialog>
  );
}
