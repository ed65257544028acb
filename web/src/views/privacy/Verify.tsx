import { useState } from "preact/hooks";
import { type Verification, verifyErasure } from "../../api/erasures";
import { Button } from "../../parts/Button";
import { TextField } from "../../parts/Field";
import { Icon } from "../../parts/Icon";
import { attempt } from "../../store/toasts";
import { byTable } from "./forgetTarget";

/** Searches every table and the bytes of every file for a text. */
export function Verify({ space }: { space: string }) {
  const [text, setText] = useState("");
  const [busy, setBusy] = useState(false);
  const [seen, setSeen] = useState<{ text: string; found: Verification }>();
  const look = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    await attempt(async () => setSeen({ text, found: await verifyErasure(space, text) }));
    setBusy(false);
  };
  return (
    <section class="card stack" aria-label="Verify erasure">
      <form class="verify" onSubmit={look}>
        <TextField
          label="Text to check"
          value={text}
          change={setText}
          hint="Searches every table, the search indexes and the bytes of the store's files. The text is not stored."
        />
        <Button icon="search" type="submit" busy={busy} disabled={text.trim() === ""}>
          Check
        </Button>
      </form>
      {seen && <Seen text={seen.text} found={seen.found} />}
    </section>
  );
}

function Seen({ text, found }: { text: string; found: Verification }) {
  const clean = found.found.length === 0;
  const size = `${found.tables.length} tables and ${found.files.length} files, ${found.bytes.toLocaleString()} bytes`;
  return (
    <div class="seen" data-clean={clean} role="status">
      <p>
        <Icon name={clean ? "check" : "warning"} size={16} />
        <span>
          {clean ? `“${text}” was not found.` : `“${text}” was found in ${found.found.length} places.`} Checked {size}.
        </span>
      </p>
      {!clean && (
        <ul>
          {byTable(found.found).map(([table, count]) => (
            <li key={table}>
              {table} <span class="quiet">{count}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
