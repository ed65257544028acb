import { useState } from "preact/hooks";
import { type Finding, findings, type Job, type openJobs, type Readiness, type Status } from "../../api/store";
import { Badge } from "../../parts/Badge";
import { Button } from "../../parts/Button";
import { type Column, Table } from "../../parts/Table";
import { Time } from "../../parts/Time";
import { attempt } from "../../store/toasts";
import { concerning, trouble } from "./stuck";

export interface Store {
  status: Status;
  jobs: Awaited<ReturnType<typeof openJobs>>;
  ready: Readiness;
}

const STATES = ["queued", "running", "failed", "done"] as const;
const WORKERS: Record<Readiness["worker"], string> = {
  running: "The work is being done here.",
  elsewhere: "Another process does the work.",
  stopped: "Nobody does the work: start a worker.",
};

const COLUMNS: readonly Column<Job>[] = [
  { title: "Work", show: (job) => job.kind },
  { title: "Space", show: (job) => job.space ?? "all" },
  { title: "What is the matter", show: (job) => <Badge tone="warn">{trouble(job, new Date())}</Badge> },
  { title: "Starts", show: (job) => job.attempts, number: true },
  { title: "Since", show: (job) => <Time at={job.created_at} /> },
  { title: "Last reason", show: (job) => job.error ?? "" },
];

/** Background work: how much there is, and what is stuck. */
export function Work({ store, space }: { store: Store; space: string | null }) {
  const stuck = concerning(store.jobs, space).filter((job) => trouble(job, new Date()) !== null);
  return (
    <section class="panel" aria-label="Background work">
      <h2>Background work</h2>
      <p class="row small">
        <span class="quiet">In the whole store:</span>
        {STATES.map((state) => (
          <Badge key={state} tone={state === "failed" && store.status.jobs.failed ? "bad" : "plain"}>
            {(store.status.jobs[state] ?? 0).toLocaleString()} {state}
          </Badge>
        ))}
        <span class="quiet">{WORKERS[store.ready.worker]}</span>
      </p>
      {stuck.length === 0 ? (
        <p class="quiet small">Nothing is stuck.</p>
      ) : (
        <Table caption="Stuck work" columns={COLUMNS} rows={stuck} keyOf={(job) => job.id} />
      )}
      <Doctor />
    </section>
  );
}

const CHECKS: readonly Column<Finding>[] = [
  { title: "Check", show: (row) => row.check },
  { title: "Result", show: (row) => <Badge tone={row.ok ? "good" : "bad"}>{row.ok ? "ok" : "differs"}</Badge> },
  { title: "What", show: (row) => (row.repaired ? `${row.detail}, repaired` : row.detail) },
];

/** Compares the indexes with the log, when asked: it reads the whole store. */
function Doctor() {
  const [found, setFound] = useState<Finding[] | null>(null);
  const [busy, setBusy] = useState(false);
  const look = async (repair: boolean) => {
    setBusy(true);
    await attempt(async () => setFound(await findings(repair)));
    setBusy(false);
  };
  const wrong = found?.some((one) => !one.ok) ?? false;
  return (
    <>
      <div class="row">
        <Button icon="shield" busy={busy} onClick={() => look(false)}>
          Check the store
        </Button>
        {wrong && (
          <Button icon="tool" busy={busy} onClick={() => look(true)}>
            Repair
          </Button>
        )}
        {found !== null && !wrong && <Badge tone="good">all {found.length} checks are fine</Badge>}
      </div>
      {wrong && found !== null && (
        <Table caption="Checks" columns={CHECKS} rows={found.filter((one) => !one.ok)} keyOf={(row) => row.check} />
      )}
    </>
  );
}
