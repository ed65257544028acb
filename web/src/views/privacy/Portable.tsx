import { useState } from "preact/hooks";
import { exported, imported } from "../../api/portable";
import { Button } from "../../parts/Button";
import { FileField } from "../../parts/FileField";
import { counted } from "../../parts/numbers";
import { attempt, say } from "../../store/toasts";
import { ImportChats } from "./ImportChats";

/** The whole space as one file, and back. */
export function Portable({ space }: { space: string }) {
  return (
    <div class="portable">
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
    await attempt(async () => handOver(await exported(space), `${space}.zip`));
    setBusy(false);
  };
  return (
    <section class="card stack" aria-label="Take it along">
      <h2>Take it along</h2>
      <p>
        Everything in the space “{space}” as one ZIP file of readable JSON: messages, pins, summaries, facts, episodes
        and, with consent, the profile.
      </p>
      <p>
        <Button kind="primary" icon="download" busy={busy} onClick={download}>
          Download the space
        </Button>
      </p>
      <p class="small quiet">
        What is forgotten later stays in files that were downloaded before. That it was exported is in the audit.
      </p>
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
      const info = await imported(space, file);
      say(`The space has ${counted(info.messages, "message")} in ${counted(info.conversations, "conversation")} now.`);
    });
    setBusy(false);
  };
  return (
    <form class="card stack" aria-label="Bring it back" onSubmit={put}>
      <h2>Bring it back</h2>
      <p>
        A file that was downloaded here or made with “recollect export”. It goes into “{space}”; repeating it changes
        nothing.
      </p>
      <FileField label="ZIP file" accept=".zip,application/zip" choose={setFile} />
      <p>
        <Button type="submit" busy={busy} disabled={file === undefined}>
          Import the file
        </Button>
      </p>
    </form>
  );
}

/** Saves a file under a name, as a download. */
function handOver(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
