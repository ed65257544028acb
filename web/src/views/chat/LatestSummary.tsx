import { useState } from "preact/hooks";
import { latestSummary, summariseNow } from "../../api/summaries";
import { Button } from "../../parts/Button";
import { Prose } from "../../parts/Prose";
import { numberOf } from "../../parts/speakers";
import { Time } from "../../parts/Time";
import { LOSSES, useReloadOn } from "../../store/changes";
import { attempt, say } from "../../store/toasts";
import { useLoaded } from "../../store/useLoaded";

/** The text of the latest summary, and a button to create the next. */
export function LatestSummary({ space, conversation }: { space: string; conversation: string }) {
  const summary = useLoaded((signal) => latestSummary(space, conversation, signal), [space, conversation]);
  useReloadOn(["summary", ...LOSSES], summary.reload);
  const [busy, setBusy] = useState(false);
  const summarise = async () => {
    setBusy(true);
    await attempt(async () => {
      const made = await summariseNow(space, conversation);
      say(`Summarised messages ${numberOf(made.first_seq)} to ${numberOf(made.last_seq)}.`);
      summary.reload();
    });
    setBusy(false);
  };
  const latest = summary.value;
  return (
    <section aria-label="Summary">
      <h2>Summary</h2>
      {latest ? (
        <>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard */}
          <section class="latest small" tabIndex={0} aria-label="Latest summary">
            <Prose text={latest.text} />
          </section>
          <p class="small quiet">
            Messages {numberOf(latest.first_seq)} to {numberOf(latest.last_seq)} · <Time at={latest.created_at} />
          </p>
        </>
      ) : (
        <p class="small quiet">{summary.problem?.message ?? "No summary yet."}</p>
      )}
      <Button icon="spark" busy={busy} onClick={summarise}>
        Summarise now
      </Button>
    </section>
  );
}
