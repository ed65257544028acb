import { useState } from "preact/hooks";
import type { Message } from "../../api/messages";
import { answerer, type ResponderInfo } from "../../api/replies";
import { Button } from "../../parts/Button";
import { Dialog } from "../../parts/Dialog";
import { TextField } from "../../parts/Field";
import { Menu, type MenuItem } from "../../parts/Menu";
import { modelName, modelPlace } from "../../parts/modelName";
import { attempt, say } from "../../store/toasts";
import { useLoaded } from "../../store/useLoaded";
import { choose, recentModels } from "./models";

interface ModelMenuProps {
  space: string;
  conversation: string;
  speaker: ResponderInfo;
  messages: readonly Message[];
}

/** The model that answers the next message, with a menu to choose another one. */
export function ModelMenu({ space, conversation, speaker, messages }: ModelMenuProps) {
  const recent = useLoaded((signal) => recentModels(space, signal), [space]);
  const [naming, setNaming] = useState(false);
  const used = messages.flatMap((message) => (message.role === "assistant" && message.model ? [message.model] : []));
  const known = [...new Set([speaker.model, ...used, ...(recent.value ?? [])])].filter((model) => model !== null);
  const names = known.map(modelName);
  const items: MenuItem[] = known.map((model, index) => ({
    label:
      names.indexOf(modelName(model)) === names.lastIndexOf(modelName(model)) ? (names[index] ?? model) : full(model),
    icon: "spark",
    checked: model === speaker.model,
    run: () => choose(space, conversation, model),
  }));
  items.push({ label: "Another model…", icon: "plus", run: () => setNaming(true) });
  const name = speaker.model === null ? "No model" : modelName(speaker.model);
  return (
    <>
      <Menu label={`Model: ${name}`} items={items} text={name} up />
      {naming && <NameModel space={space} conversation={conversation} close={() => setNaming(false)} />}
    </>
  );
}

function full(model: string): string {
  const place = modelPlace(model);
  return place === null ? modelName(model) : `${modelName(model)} (${place})`;
}

interface NameModelProps {
  space: string;
  conversation: string;
  close: () => void;
}

function NameModel({ space, conversation, close }: NameModelProps) {
  const [model, setModel] = useState("");
  const use = async (event: Event) => {
    event.preventDefault();
    await attempt(async () => {
      const told = await answerer(space, conversation, model.trim());
      if (told.model === null) return say(told.reason ?? "No such model.", true);
      choose(space, conversation, told.model);
      close();
    });
  };
  return (
    <Dialog title="Another model" close={close}>
      <form class="stack" onSubmit={use}>
        <TextField label="Model" value={model} change={setModel} placeholder="ollama:qwen3" required />
        <p class="small quiet">
          Its provider and its name, such as ollama:qwen3, openai:gpt-5 or anthropic:claude-sonnet-5.
        </p>
        <Button kind="primary" type="submit">
          Use this model
        </Button>
      </form>
    </Dialog>
  );
}
