import type { TargetedSubmitEvent } from "preact";
import { useState } from "preact/hooks";
import { context } from "../../api/contexts";
import type { ConversationInfo } from "../../api/conversations";
import { asProblem } from "../../api/problem";
import { Button } from "../../parts/Button";
import { SelectField, Switch, TextField } from "../../parts/Field";
import { go } from "../../store/route";
import { titleOf } from "../chat/titles";
import "./QuestionForm.css";

const RECIPES = [
  ["balanced", "balanced: general chat"],
  ["window", "window: the last messages"],
  ["project", "project: large, with fixed shares"],
  ["rolling", "rolling: a rolling summary and what follows"],
  ["retrieval", "retrieval: recalled text and the last messages"],
] as const;

interface QuestionFormProps {
  space: string;
  conversation: string;
  conversations: readonly ConversationInfo[];
  built: () => void;
}

/** The form for a question and the options of its context. */
export function QuestionForm({ space, conversation, conversations, built }: QuestionFormProps) {
  const [query, setQuery] = useState("");
  const [recipe, setRecipe] = useState("balanced");
  const [budget, setBudget] = useState("");
  const [cut, setCut] = useState(false);
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);

  const build = async (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setBusy(true);
    setProblem("");
    try {
      const shown = await context(space, conversation, {
        query: query.trim() || null,
        recipe,
        max_tokens: budget === "" ? null : Number(budget),
        overflow: cut ? "truncate" : "raise",
      });
      built();
      go("context", conversation, shown.receipt);
    } catch (thrown) {
      setProblem(asProblem(thrown).message);
    } finally {
      setBusy(false);
    }
  };

  return (
    <form class="card ask" onSubmit={build}>
      <div class="question">
        <TextField label="Question" placeholder="Default: the latest user message" value={query} change={setQuery} />
        <Button kind="primary" icon="layers" type="submit" busy={busy}>
          Build
        </Button>
      </div>
      <div class="how">
        <SelectField
          label="Conversation"
          value={conversation}
          change={(name) => go("context", name)}
          options={conversations.map((info) => [info.id, titleOf(info)])}
        />
        <SelectField label="Recipe" value={recipe} change={setRecipe} options={RECIPES} />
        <TextField
          label="Token budget"
          type="number"
          min={1}
          step={1}
          placeholder="Default of the recipe"
          value={budget}
          change={setBudget}
        />
        <Switch label="Truncate to fit" checked={cut} change={setCut} />
      </div>
      {problem !== "" && (
        <p class="small problem" role="alert">
          {problem}
        </p>
      )}
    </form>
  );
}
