import type { TargetedSubmitEvent } from "preact";
import { useState } from "preact/hooks";
import { context } from "../../api/contexts";
import type { ConversationInfo } from "../../api/conversations";
import { asProblem } from "../../api/problem";
import { Button } from "../../parts/Button";
import { SelectField, Switch, TextField } from "../../parts/Field";
import { go } from "../../store/route";
import { titleOf } from "../chat/titles";
import "./Ask.css";

const RECIPES = [
  ["balanced", "balanced: any chat"],
  ["window", "window: small and plain"],
  ["project", "project: large, with shares"],
  ["rolling", "rolling: a summary and what follows"],
  ["retrieval", "retrieval: recalled beside the last messages"],
] as const;

interface AskProps {
  space: string;
  conversation: string;
  conversations: readonly ConversationInfo[];
  built: () => void;
}

/** A question, and how its context is to be made. */
export function Ask({ space, conversation, conversations, built }: AskProps) {
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
        <TextField label="Question" placeholder="As the newest user message asks" value={query} change={setQuery} />
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
          label="Budget in tokens"
          type="number"
          min={1}
          step={1}
          placeholder="The recipe's own"
          value={budget}
          change={setBudget}
        />
        <Switch label="Cut to fit" checked={cut} change={setCut} />
      </div>
      {problem !== "" && (
        <p class="small problem" role="alert">
          {problem}
        </p>
      )}
    </form>
  );
}
