import { useState } from "preact/hooks";
import { Button } from "../../parts/Button";
import { Empty } from "../../parts/States";
import { go } from "../../store/route";
import { attempt, say } from "../../store/toasts";

interface FirstVisitProps {
  space: string;
  start: () => void;
}

/** Nothing is here yet: begin, or look around with a sample. */
export function FirstVisit({ space, start }: FirstVisitProps) {
  const [busy, setBusy] = useState(false);
  const addSample = async () => {
    setBusy(true);
    const worked = await attempt(async () => {
      const { addSample, OPENED } = await import("./sample");
      await addSample(space, new Date());
      say("The sample is here. Facts, episodes and summaries follow in a moment.");
      go("chat", OPENED);
    });
    if (!worked) setBusy(false);
  };
  return (
    <div class="first-visit">
      <Empty
        icon="chat"
        title={space === "default" ? "Nothing is remembered yet" : `Nothing is remembered in “${space}” yet`}
      >
        <p>
          recollect keeps every word of your conversations on this machine, finds the right ones again, and shows what a
          model would be told and why. Start a conversation, or look around with a sample first.
        </p>
        <div class="row">
          <Button kind="primary" icon="spark" busy={busy} onClick={addSample}>
            Add a sample conversation
          </Button>
          <Button icon="plus" onClick={start}>
            Start a conversation
          </Button>
        </div>
        <p class="small">The sample is two invented conversations. They can be deleted or forgotten like any other.</p>
      </Empty>
    </div>
  );
}
