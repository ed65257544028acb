import type { RollingSummaryState } from "../../api/summaries";
import { Badge } from "../../parts/Badge";
import { Icon } from "../../parts/Icon";
import { numberOf } from "../../parts/speakers";
import { Time } from "../../parts/Time";
import { type Coverage, duration } from "./coverage";

interface ProgressProps {
  made: Coverage;
  window: RollingSummaryState;
  needed: boolean;
}

/** The progress of the summaries, their duration, and whether one is stuck. */
export function Progress({ made, window, needed }: ProgressProps) {
  const all = (window.newest_seq ?? -1) + 1;
  const share = all === 0 ? 0 : made.covered / all;
  const stuck = made.stuck.length + (window.stuck && made.stuck.length === 0 ? 1 : 0);
  return (
    <section class="card progress" aria-label="Summary progress">
      <div class="progress-head">
        <h3>
          {made.covered} of {all} messages summarised
        </h3>
        {needed && <Badge tone="warn">summary due</Badge>}
        {made.processing > 0 && stuck === 0 && <Badge tone="accent">in progress</Badge>}
      </div>
      <progress max={1} value={share} aria-label="Share of messages summarised" />
      {stuck > 0 && (
        <p class="stuck" role="status">
          <Icon name="warning" size={16} />
          <span>
            <b>{stuck === 1 ? "A summary is stuck." : `${stuck} summaries are stuck.`}</b> The worker stopped. Another
            worker takes over after five minutes. To continue now, select “Summarise now”.
          </span>
        </p>
      )}
      <dl class="numbers">
        <Amount name="completed" value={String(made.completed)} />
        <Amount name="failed" value={String(made.failed)} />
        <Amount name="average" value={duration(made.average)} />
        <Amount name="longest" value={duration(made.maximum)} />
      </dl>
      <Rolling window={window} />
    </section>
  );
}

function Amount({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dd>{value}</dd>
      <dt>{name}</dt>
    </div>
  );
}

function Rolling({ window }: { window: RollingSummaryState }) {
  if (window.latest === null && window.making === null) {
    return (
      <p class="small quiet">
        No rolling summary. To get one, set <code>summaries</code> to <code>rolling</code>.
      </p>
    );
  }
  const { timings } = window;
  return (
    <div class="rolling">
      <h3>Rolling summary</h3>
      <p class="small">
        {window.latest === null ? (
          "None completed yet"
        ) : (
          <>
            Up to message {numberOf(window.latest.last_seq)} of {numberOf(window.newest_seq ?? -1)}, {window.behind}{" "}
            behind; window of {window.size} messages
          </>
        )}
        {window.making !== null && (
          <>
            ; next one in progress since <Time at={window.making.created_at} />
          </>
        )}
        . {timings.completed} completed, {timings.failed} failed, {duration(timings.average_milliseconds)} on average,{" "}
        {duration(timings.maximum_milliseconds)} at most.
      </p>
    </div>
  );
}
