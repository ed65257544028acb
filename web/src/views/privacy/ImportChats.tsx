import { useState } from "preact/hooks";
import { type ImportReport, importChats } from "../../api/transfer";
import { Button } from "../../parts/Button";
import { FileField } from "../../parts/FileField";
import { counted } from "../../parts/numbers";
import { attempt } from "../../store/toasts";

/** Imports the export of another program, after a preview. */
export function ImportChats({ space }: { space: string }) {
  const [file, setFile] = useState<File>();
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<{ dry: boolean; report: ImportReport }>();
  const read = async (dry: boolean) => {
    if (file === undefined) return;
    setBusy(true);
    await attempt(async () => setOutcome({ dry, report: await importChats(space, file, dry) }));
    setBusy(false);
  };
  const submit = (event: Event) => {
    event.preventDefault();
    void read(true);
  };
  return (
    <form class="card stack" aria-label="Import chats from other apps" onSubmit={submit}>
      <h2>Import chats from other apps</h2>
      <p>An unchanged export file from ChatGPT, Claude, LangChain or mem0, or chat messages as JSON Lines.</p>
      <FileField
        label="Exported file"
        accept=".zip,.json,.jsonl"
        choose={(chosen) => {
          setFile(chosen);
          setOutcome(undefined);
        }}
      />
      {outcome && <ImportResult dry={outcome.dry} report={outcome.report} />}
      <p class="row">
        <Button type="submit" icon="eye" busy={busy} disabled={file === undefined}>
          Preview
        </Button>
        {outcome?.dry && (
          <Button
            kind="primary"
            busy={busy}
            disabled={outcome.report.messages + outcome.report.facts === 0}
            onClick={() => read(false)}
          >
            Import
          </Button>
        )}
      </p>
    </form>
  );
}

function ImportResult({ dry, report }: { dry: boolean; report: ImportReport }) {
  const parts = [
    counted(report.messages, "message"),
    counted(report.conversations, "conversation"),
    ...(report.facts === 0 ? [] : [counted(report.facts, "fact")]),
  ];
  const skipped = Object.entries(report.skipped);
  return (
    <div role="status">
      <p>
        {dry ? "To import" : "Imported"}: <b>{parts.join(", ")}</b> ({report.formats.join(", ")}).
        {report.known > 0 && ` ${counted(report.known, "message")} already stored.`}
      </p>
      {skipped.length > 0 && (
        <p class="small quiet">Skipped: {skipped.map(([why, count]) => `${count} × ${why}`).join(", ")}</p>
      )}
    </div>
  );
}
