import { useState } from "preact/hooks";
import { exportSpace, importSpace } from "../../api/transfer";
import { Button } from "../../parts/Button";
import { FileField } from "../../parts/FileField";
import { counted } from "../../parts/numbers";
import { attempt, say } from "../../store/toasts";
import { ImportChats } from "./ImportChats";

/** The whole space as one file, and back. */
export function ExportImport({ space }: { space: string }) {
  return (
    <div class="export-import">
      <Export space={space} />
      <Import space={space} />
      <ImportChats space={space} />
    </div>
  );
}

function Export({ space }: { space: string }) {
  const [busy, setBusy] = useState(false);
  const download = async () => {
    setBusy(true);
    await attempt(async () => saveFile(await exportSpace(space), `${space}.zip`));
    setBusy(false);
  };
  return (
    <section class="card stack" aria-label="Export">
      <h2>Export</h2>
      <p>
        Everything in the space “{space}” as one ZIP file of readable JSON: messages, pins, summaries, facts, episodes
        and, with consent, the profile.
      </p>
      <p>
        <Button kind="primary" icon="download" busy={busy} onClick={download}>
          Export
        </Button>
      </p>
      <p class="small quiet">Files that you downloaded keep what you forget later. The audit log records the export.</p>
    </section>
  );
}

function Import({ space }: { space: string }) {
  const [file, setFile] = useState<File>();
  const [busy, setBusy] = useState(false);
  const put = async (event: Event) => {
    event.preventDefault();
    if (file === undefined) return;
    setBusy(true);
    await attempt(async () => {
      const info = await importSpace(space, file);
      say(
        `Imported. The space now has ${counted(info.messages, "message")} in ${counted(info.conversations, "conversation")}.`,
      );
    });
    setBusy(false);
  };
  return (
    <form class="card stack" aria-label="Import" onSubmit={put}>
      <h2>Import</h2>
      <p>
        A ZIP file from this page or from <code>aforesaid export</code>. It is imported into “{space}”. Importing it
        again changes nothing.
      </p>
      <FileField label="ZIP file" accept=".zip,application/zip" choose={setFile} />
      <p>
        <Button type="submit" busy={busy} disabled={file === undefined}>
          Import
        </Button>
      </p>
    </form>
  );
}

/** Saves a file under a name, as a download. */
function saveFile(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
