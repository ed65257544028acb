import { allConversations } from "../../api/conversations";
import { type Answerer, answerer, type EmbeddingModel, embeddingModels } from "../../api/models";
import { ifAllowed } from "../../api/problem";
import { Badge } from "../../parts/Badge";
import { Failure, Loading } from "../../parts/States";
import { useLoaded } from "../../store/loaded";

/** Which models are used. They are named when the server is started. */
export function Models({ space }: { space: string }) {
  const found = useLoaded(
    async (signal) => {
      const conversations = await allConversations(space, signal);
      const [speaks, embeds] = await Promise.all([
        answerer(space, conversations[0]?.id ?? "new", signal),
        ifAllowed(embeddingModels(signal)),
      ]);
      return { speaks, embeds };
    },
    [space],
  );
  if (found.problem) return <Failure problem={found.problem} retry={found.reload} />;
  if (found.value === undefined) return <Loading lines={3} />;
  return (
    <>
      <Speaks model={found.value.speaks} />
      {found.value.embeds?.map((model) => (
        <Embeds key={model.name} model={model} />
      ))}
    </>
  );
}

function Speaks({ model }: { model: Answerer }) {
  return (
    <div class="setting model" data-name="model">
      <div class="what">
        <b>Language model</b>
        <p class="small quiet">Answers in the chat, and writes summaries.</p>
        <p class="origin">
          At the start of the server: <code>RECOLLECT_MODEL</code>
        </p>
      </div>
      <div class="value">
        {model.model === null ? <Badge>none</Badge> : <code>{model.model}</code>}
        {model.model !== null && <Badge tone={model.local ? "good" : "warn"}>{model.local ? "local" : "remote"}</Badge>}
      </div>
      {model.reason !== null && <p class="small quiet reason">{model.reason}</p>}
    </div>
  );
}

function Embeds({ model }: { model: EmbeddingModel }) {
  const share = model.expected > 0 ? model.embedded / model.expected : 1;
  return (
    <div class="setting model" data-name="embedder">
      <div class="what">
        <b>Embedding model</b>
        <p class="small quiet">
          Finds what means the same. {model.embedded.toLocaleString()} of {model.expected.toLocaleString()} texts have
          their vector, {Math.floor(share * 100)} %.
        </p>
        <p class="origin">
          At the start of the server: <code>RECOLLECT_EMBEDDER</code>
        </p>
      </div>
      <div class="value">
        <code>{model.name}</code>
        <Badge tone={model.state === "serving" ? "good" : "plain"}>{model.state}</Badge>
      </div>
    </div>
  );
}
