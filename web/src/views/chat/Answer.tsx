import { Button } from "../../parts/Button";
import { Icon } from "../../parts/Icon";
import { Prose } from "../../parts/Prose";
import { ended } from "../../parts/shorten";
import type { Question, Spoken } from "./answers";

interface AnswerProps {
  spoken: Spoken;
  stop: () => void;
  again: (asked: Question) => void;
}

/** The answer that is being spoken, below the last message. */
export function Answer({ spoken, stop, again }: AnswerProps) {
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
              {ended(spoken.problem.message)} Your message is stored
              {spoken.text !== "" && "; this piece of an answer is not"}.
            </span>
            <Button icon="refresh" onClick={() => again(spoken.asked)}>
              Ask again
            </Button>
          </div>
        )}
      </div>
    </section>
  );
}

/** Below a question that nobody has answered. */
export function Unanswered({ question, again }: { question: Question; again: (asked: Question) => void }) {
  return (
    <div class="message unanswered small quiet">
      <span>This has no answer.</span>
      <Button icon="refresh" onClick={() => again(question)}>
        Ask again
      </Button>
    </div>
  );
}
