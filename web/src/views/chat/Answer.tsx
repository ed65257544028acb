import { Button } from "../../parts/Button";
import { Icon } from "../../parts/Icon";
import { modelName } from "../../parts/modelName";
import { Prose } from "../../parts/Prose";
import { ended } from "../../parts/shorten";
import type { PendingAnswer, Question } from "./answers";

interface AnswerProps {
  pending: PendingAnswer;
  stop: () => void;
  again: (asked: Question) => void;
}

/** The answer while it is generated, below the last message. */
export function Answer({ pending, stop, again }: AnswerProps) {
  return (
    <section class="message assistant answer" aria-label="Answer" aria-busy={pending.going}>
      <header>
        <b>Assistant</b>
        {pending.model !== null && <span title={pending.model}>{modelName(pending.model)}</span>}
        {pending.going && (
          <Button kind="ghost" icon="stop" busy={pending.stopping} onClick={stop}>
            {pending.stopping ? "Stopping…" : "Stop"}
          </Button>
        )}
      </header>
      <div class="said">
        {pending.text !== "" && <Prose text={pending.text} />}
        {pending.going && pending.retries > 0 && (
          <p class="small quiet" role="status">
            The model is busy or unreachable: retrying ({pending.retries})…
          </p>
        )}
        {pending.going && <span class="speaking" role="status" aria-label="The model is answering" />}
        {pending.problem && (
          <div class="broken" role="alert">
            <Icon name="warning" />
            <span>
              {ended(named(pending.problem.message, pending.model))} Your message is stored
              {pending.text !== "" && ", but this partial answer is not"}.
            </span>
            <Button icon="refresh" onClick={() => again(pending.asked)}>
              Try again
            </Button>
          </div>
        )}
      </div>
    </section>
  );
}

/** A message with the name of a model instead of its address. */
function named(message: string, model: string | null): string {
  return model === null ? message : message.replaceAll(model, modelName(model));
}

/** Shown below a question without an answer. */
export function Unanswered({ question, again }: { question: Question; again: (asked: Question) => void }) {
  return (
    <div class="message unanswered small quiet">
      <span>No answer yet.</span>
      <Button icon="refresh" onClick={() => again(question)}>
        Try again
      </Button>
    </div>
  );
}
