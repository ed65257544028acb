import { useState } from "preact/hooks";
import { type Imported, importedChats } from "../../api/portable";
import { Button } from "../../parts/Button";
import { FileField } from "../../parts/FileField";
import { counted } from "../../parts/numbers";
import { attempt } from "../../store/toasts";

/** What another program kept, taken in as it is; what would come is shown first. */
export function ImportChats({ space }: { space: string }) {
  const [file, setFile] = useState<File>();
  const [busy, setBusy] = useState(false);
  const [seen, setSeen] = useState<{ dry: boolean; found: Imported }>();
  const read = async (dry: boolean) => {
    if (file === undefined) return;
    setBusy(true);
    await attempt(async () => setSeen({ dry, found: await importedChats(space, file, dry) }));
    setBusy(false);
  };
  const submit = (event: Event) => {
    event.preventDefault();
    void read(true);
  };
  return (
    <form class="card stack" aria-label="Chats from elsewhere" onSubmit={submit}>
      <h2>Chats from elsewhere</h2>
      <p>What ChatGPT, Claude, LangChain or mem0 exported, or lines of chat messages: the file as it is.</p>
      <FileField
        label="Exported file"
        accept=".zip,.json,.jsonl"
        choose={(chosen) => {
          setFile(chosen);
          setSeen(undefined);
        }}
      />
      {seen && <Seen dry={seen.dry} found={seen.found} />}
      <p class="row">
        <Button type="submit" icon="eye" busy={busy} disabled={file === undefined}>
          Show what would come
        </Button>
        {seen?.dry && (
          <Button
            kind="primary"
            busy={busy}
            disabled={seen.found.messages + seen.found.facts === 0}
            onClick={() => read(false)}
          >
            Take it in
          </Button>
        )}
      </p>
    </form>
  );
}

function Seen({ dry, found }: { dry: boolean; found: Imported }) {
  const parts = [
    counted(found.messages, "message"),
    counted(found.conversations, "conversation"),
    ...(found.facts === 0 ? [] : [counted(found.facts, "fact")]),
  ];
  const skipped = Object.entries(found.skipped);
  return (
    <div role="status">
      <p>
        {dry ? "Would come" : "Came in"}: <b>{parts.join(", ")}</b> ({found.formats.join(", ")}).
        {found.known > 0 && ` ${counted(found.known, "message")} known already.`}
      </p>
      {skipped.length > 0 && (
        <p class="small quiet">Left out: {skipped.map(([why, count]) => `${count} × ${why}`).join(", ")}</p>
      )}
    </div>
  );
}
