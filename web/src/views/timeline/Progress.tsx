import type { Window } from "../../api/summaries";
import { Badge } from "../../parts/Badge";
import { Icon } from "../../parts/Icon";
import { Time } from "../../parts/Time";
import { duration, type Coverage as Made } from "./coverage";

interface ProgressProps {
  made: Made;
  window: Window;
  needed: boolean;
}

/** How far the summaries have come, what they took, and whether something is stuck. */
export function Progress({ made, window, needed }: ProgressProps) {
  const all = (window.newest_seq ?? -1) + 1;
  const share = all === 0 ? 0 : made.covered / all;
  const stuck = made.stuck.length + (window.stuck && made.stuck.length === 0 ? 1 : 0);
  return (
    <section class="card progress" aria-label="Progress of the summaries">
      <div class="progress-head">
        <h3>
          {made.covered} of {all} messages are summed up
        </h3>
        {needed && <Badge tone="warn">one is due</Badge>}
        {made.processing > 0 && stuck === 0 && <Badge tone="accent">being made</Badge>}
      </div>
      <progress max={1} value={share} aria-label="Share of the messages that is summed up" />
      {stuck > 0 && (
        <p class="stuck" role="status">
          <Icon name="warning" size={16} />
          <span>
            <b>{stuck === 1 ? "A summary is stuck." : `${stuck} summaries are stuck.`}</b> Whoever made it has gone.
            After five minutes another worker takes it over; “Summarise now” does it at once.
          </span>
        </p>
      )}
      <dl class="numbers">
        <Amount name="finished" value={String(made.completed)} />
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

function Rolling({ window }: { window: Window }) {
  if (window.latest === null && window.making === null) {
    return (
      <p class="small quiet">
        No rolling summary here: it is made where the setting <code>summaries</code> is <code>rolling</code>.
      </p>
    );
  }
  const { timings } = window;
  return (
    <div class="rolling">
      <h3>Rolling summary</h3>
      <p class="small">
        {window.latest === null ? (
          "None is finished yet"
        ) : (
          <>
            Up to message {window.latest.last_seq} of {window.newest_seq}, {window.behind} behind; a window of{" "}
            {window.size} messages
          </>
        )}
        {window.making !== null && (
          <>
            ; the next is being made since <Time at={window.making.created_at} />
          </>
        )}
        . {timings.completed} finished, {timings.failed} failed, {duration(timings.average_milliseconds)} on average,{" "}
        {duration(timings.maximum_milliseconds)} at most.
      </p>
    </div>
  );
}
