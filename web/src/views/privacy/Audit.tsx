import { useState } from "preact/hooks";
import { type AuditEntry, audit } from "../../api/profile";
import { Badge, type Tone } from "../../parts/Badge";
import { Button } from "../../parts/Button";
import { SelectField } from "../../parts/Field";
import { Empty, Failure, Loading } from "../../parts/States";
import { type Column, Table } from "../../parts/Table";
import { Time } from "../../parts/Time";
import { useReloadOn } from "../../store/changes";
import { useLast } from "../../store/useLast";
import { useLoaded } from "../../store/useLoaded";
import { detailText } from "./values";

const PART = 25;
const ACTIONS: readonly AuditEntry["action"][] = [
  "grant",
  "revoke",
  "change",
  "remove",
  "read",
  "export",
  "import",
  "hold",
  "release",
];
const TONES: Record<AuditEntry["action"], Tone> = {
  grant: "good",
  revoke: "bad",
  change: "accent",
  remove: "warn",
  read: "plain",
  export: "warn",
  import: "accent",
  hold: "warn",
  release: "plain",
};

const COLUMNS: Column<AuditEntry>[] = [
  { title: "When", show: (entry) => <Time at={entry.at} /> },
  { title: "Who", show: (entry) => entry.actor },
  {
    title: "Action",
    show: (entry) => (
      <>
        <Badge tone={TONES[entry.action]}>{entry.action}</Badge> {entry.imported && <Badge>imported</Badge>}
      </>
    ),
  },
  { title: "Details", show: (entry) => detailText(entry.detail) },
];

/** Who granted, revoked, read, changed and exported the profile; a page at a time. */
export function Audit({ space }: { space: string }) {
  const [action, setAction] = useState<AuditEntry["action"] | null>(null);
  const [count, setCount] = useState(PART);
  const loaded = useLoaded(() => audit(space, count, action), [space, count, action]);
  useReloadOn(["profile", "consent"], loaded.reload);
  const known = useLast(loaded.value, space);
  const entries = known?.items;
  return (
    <div class="stack">
      <div class="section-head">
        <p class="quiet">
          Entries name fields, never values. Nobody can change or remove an entry, not even by forgetting.
        </p>
        <SelectField
          label="Filter by action"
          bare
          value={action ?? ""}
          change={(value) => setAction(ACTIONS.find((known) => known === value) ?? null)}
          options={[["", "All actions"], ...ACTIONS.map((value): [string, string] => [value, value])]}
        />
      </div>
      {loaded.problem && !loaded.value && <Failure problem={loaded.problem} retry={loaded.reload} />}
      {!entries && !loaded.problem && <Loading label="Loading audit log" />}
      {entries?.length === 0 && (
        <Empty icon="shield" title="No entries yet">
          <p>Once you give consent, every use of the profile is recorded here.</p>
        </Empty>
      )}
      {entries && entries.length > 0 && (
        <Table caption="Audit log" columns={COLUMNS} rows={entries} keyOf={(entry) => entry.id} />
      )}
      {known?.more && (
        <p class="more">
          <Button onClick={() => setCount(count + PART)}>Show older entries</Button>
        </p>
      )}
    </div>
  );
}
