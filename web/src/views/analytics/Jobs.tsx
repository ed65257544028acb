import { useState } from "preact/hooks";
import { checkStore, type Finding, type Job, type openJobs, type Readiness, type Status } from "../../api/store";
import { Badge } from "../../parts/Badge";
import { Button } from "../../parts/Button";
import { type Column, Table } from "../../parts/Table";
import { Time } from "../../parts/Time";
import { attempt } from "../../store/toasts";
import { jobsOf, problemOf } from "./stuckJobs";

export interface Store {
  status: Status;
  jobs: Awaited<ReturnType<typeof openJobs>>;
  ready: Readiness;
}

const STATES = ["queued", "running", "failed", "done"] as const;
const WORKERS: Record<Readiness["worker"], string> = {
  running: "This process runs the jobs.",
  elsewhere: "Another process runs the jobs.",
  stopped: "No worker is running. Start one.",
};

const COLUMNS: readonly Column<Job>[] = [
  { title: "Job", show: (job) => job.kind },
  { title: "Space", show: (job) => job.space ?? "all" },
  { title: "Problem", show: (job) => <Badge tone="warn">{problemOf(job, new Date())}</Badge> },
  { title: "Attempts", show: (job) => job.attempts, number: true },
  { title: "Created", show: (job) => <Time at={job.created_at} /> },
  { title: "Last error", show: (job) => job.error ?? "" },
];

/** Background jobs: counts, and stuck jobs. */
export function Jobs({ store, space }: { store: Store; space: string | null }) {
  const stuck = jobsOf(store.jobs, space).filter((job) => problemOf(job, new Date()) !== null);
  return (
    <section class="panel" aria-label="Background jobs">
      <h2>Background jobs</h2>
      <p class="row small">
        <span class="quiet">Whole store:</span>
        {STATES.map((state) => (
          <Badge key={state} tone={state === "failed" && store.status.jobs.failed ? "bad" : "plain"}>
            {(store.status.jobs[state] ?? 0).toLocaleString()} {state}
          </Badge>
        ))}
        <span class="quiet">{WORKERS[store.ready.worker]}</span>
      </p>
      {stuck.length === 0 ? (
        <p class="quiet small">No stuck jobs.</p>
      ) : (
        <Table caption="Stuck jobs" columns={COLUMNS} rows={stuck} keyOf={(job) => job.id} />
      )}
      <Doctor />
    </section>
  );
}

const CHECKS: readonly Column<Finding>[] = [
  { title: "Check", show: (row) => row.check },
  { title: "Result", show: (row) => <Badge tone={row.ok ? "good" : "bad"}>{row.ok ? "ok" : "differs"}</Badge> },
  { title: "Details", show: (row) => (row.repaired ? `${row.detail}, repaired` : row.detail) },
];

/** Compares the indexes with the messages, on request, because it reads the whole store. */
function Doctor() {
  const [findings, setFindings] = useState<Finding[] | null>(null);
  const [busy, setBusy] = useState(false);
  const run = async (repair: boolean) => {
    setBusy(true);
    await attempt(async () => setFindings(await checkStore(repair)));
    setBusy(false);
  };
  const wrong = findings?.some((finding) => !finding.ok) ?? false;
  return (
    <>
      <div class="row">
        <Button icon="shield" busy={busy} onClick={() => run(false)}>
          Check the store
        </Button>
        {wrong && (
          <Button icon="tool" busy={busy} onClick={() => run(true)}>
            Repair
          </Button>
        )}
        {findings !== null && !wrong && <Badge tone="good">all {findings.length} checks passed</Badge>}
      </div>
      {wrong && findings !== null && (
        <Table
          caption="Checks"
          columns={CHECKS}
          rows={findings.filter((finding) => !finding.ok)}
          keyOf={(row) => row.check}
        />
      )}
    </>
  );
}
