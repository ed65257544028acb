import type { TargetedSubmitEvent } from "preact";
import { useState } from "preact/hooks";
import { context } from "../../api/contexts";
import type { ConversationInfo } from "../../api/conversations";
import { asProblem } from "../../api/problem";
import { Button } from "../../parts/Button";
import { SelectField, Switch, TextField } from "../../parts/Field";
import { Icon } from "../../parts/Icon";
import { shorten } from "../../parts/shorten";
import { go, linkTo } from "../../store/route";
import { useNarrow } from "../../store/width";
import { titleOf } from "../chat/titles";
import "./QuestionForm.css";
import { RECIPES } from "./recipes";

interface QuestionFormProps {
  space: string;
  conversation: string;
  conversations: readonly ConversationInfo[];
  /** The question of the open receipt: the recipes are tried with it unless another one is typed. */
  asked: string;
  built: () => void;
}

/** The form for a question and the options of its context. */
export function QuestionForm({ space, conversation, conversations, asked, built }: QuestionFormProps) {
  const [query, setQuery] = useState("");
  const [recipe, setRecipe] = useState("balanced");
  const [budget, setBudget] = useState("");
  const [cut, setCut] = useState(false);
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  const narrow = useNarrow();

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

  const info = conversations.find((each) => each.id === conversation) ?? { id: conversation, title: null };
  const options = (
    <div class="how">
      <SelectField
        label="Conversation"
        value={conversation}
        change={(name) => go("context", name)}
        options={conversations.map((info) => [info.id, titleOf(info)])}
      />
      <SelectField
        label="Recipe"
        value={recipe}
        change={setRecipe}
        options={RECIPES.map(({ name, about }) => [name, `${name}: ${about}`])}
      />
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
  );
  return (
    <form class="card ask" onSubmit={build}>
      <div class="question">
        <TextField label="Question" placeholder="Default: the latest user message" value={query} change={setQuery} />
        <Button kind="primary" icon="layers" type="submit" busy={busy}>
          Build
        </Button>
        <a
          class="button plain"
          href={linkTo("context", conversation, "bench", ...(query.trim() || asked ? [query.trim() || asked] : []))}
        >
          <Icon name="swap" size={16} />
          <span>Try all recipes</span>
        </a>
      </div>
      {narrow ? (
        <details>
          <summary class="small">
            <Icon name="chevron" size={14} /> {shorten(titleOf(info), 40)} · {recipe} ·{" "}
            {budget === "" ? "default budget" : budget}
          </summary>
          {options}
        </details>
      ) : (
        options
      )}
      {problem !== "" && (
        <p class="small problem" role="alert">
          {problem}
        </p>
      )}
    </form>
  );
}
