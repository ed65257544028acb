import { useState } from "preact/hooks";
import { Button } from "../../parts/Button";
import { Empty } from "../../parts/States";
import { go } from "../../store/route";
import { attempt, say } from "../../store/toasts";

interface FirstVisitProps {
  space: string;
  start: () => void;
}

/** Shown in an empty space: start a conversation, or add a sample. */
export function FirstVisit({ space, start }: FirstVisitProps) {
  const [busy, setBusy] = useState(false);
  const addSample = async () => {
    setBusy(true);
    const worked = await attempt(async () => {
      const { addSample, OPENED } = await import("./sample");
      await addSample(space, new Date());
      say("Sample added. Facts, episodes and summaries appear within seconds.");
      go("chat", OPENED);
    });
    if (!worked) setBusy(false);
  };
  return (
    <div class="first-visit">
      <Empty icon="chat" title={space === "default" ? "No conversations yet" : `No conversations in “${space}” yet`}>
        <p>
          aforesaid stores your conversations on this machine, recalls the relevant parts, and shows what a model would
          receive and why. Start a conversation, or try the sample first.
        </p>
        <div class="row">
          <Button kind="primary" icon="spark" busy={busy} onClick={addSample}>
            Add sample conversations
          </Button>
          <Button icon="plus" onClick={start}>
            Start a conversation
          </Button>
        </div>
        <p class="small">The sample has two made-up conversations. You can delete them at any time.</p>
      </Empty>
    </div>
  );
}
