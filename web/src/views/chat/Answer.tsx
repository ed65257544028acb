import { Button } from "../../parts/Button";
import { Icon } from "../../parts/Icon";
import { Prose } from "../../parts/Prose";
import type { Answering } from "./answering";

/** The answer that is being spoken, below the last message. */
export function Answer({ answering }: { answering: Answering }) {
  const { spoken, stop, again } = answering;
  if (spoken === undefined) return null;
  return (
    <section class="message assistant answer" aria-label="The answer" aria-busy={spoken.going}>
      <header>
        <b>Assistant</b>
        {spoken.model !== null && <span>{spoken.model}</span>}
        {spoken.going && (
          <Button kind="ghost" icon="stop" onClick={stop}>
            Stop
          </Button>
        )}
      </header>
      <div class="said">
        {spoken.text !== "" && <Prose text={spoken.text} />}
        {spoken.going && <span class="speaking" role="status" aria-label="The model is answering" />}
        {spoken.problem && (
          <div class="broken" role="alert">
            <Icon name="warning" />
            <span>
              {spoken.problem.message} Your message is stored{spoken.text !== "" && "; this piece of an answer is not"}.
            </span>
            <Button icon="refresh" onClick={again}>
              Ask again
            </Button>
          </div>
        )}
      </div>
    </section>
  );
}
