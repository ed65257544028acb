import { answerer, type EmbeddingModel, embeddingModels, type ResponderInfo } from "../../api/models";
import { ifAllowed } from "../../api/problem";
import { Badge } from "../../parts/Badge";
import { modelName } from "../../parts/modelName";
import { Failure, Loading } from "../../parts/States";
import { useLoaded } from "../../store/useLoaded";

/** The models in use. They are set when the server starts. */
export function Models({ space }: { space: string }) {
  const models = useLoaded(
    async (signal) => {
      const [responder, embedders] = await Promise.all([
        answerer(space, "new", signal),
        ifAllowed(embeddingModels(signal)),
      ]);
      return { responder, embedders };
    },
    [space],
  );
  if (models.problem) return <Failure problem={models.problem} retry={models.reload} />;
  if (models.value === undefined) return <Loading lines={3} />;
  return (
    <>
      <LanguageModelRow model={models.value.responder} />
      {models.value.embedders?.map((model) => (
        <EmbeddingModelRow key={model.name} model={model} />
      ))}
    </>
  );
}

function LanguageModelRow({ model }: { model: ResponderInfo }) {
  return (
    <div class="setting model" data-name="model">
      <div class="what">
        <b>Language model</b>
        <p class="small quiet">Answers in the chat and writes summaries.</p>
        <p class="origin">
          Set with <code>AFORESAID_MODEL</code>
        </p>
      </div>
      <div class="value">
        {model.model === null ? <Badge>none</Badge> : <code title={model.model}>{modelName(model.model)}</code>}
        {model.model !== null && <Badge tone={model.local ? "good" : "warn"}>{model.local ? "local" : "remote"}</Badge>}
      </div>
      {model.reason !== null && <p class="small quiet reason">{model.reason}</p>}
    </div>
  );
}

function EmbeddingModelRow({ model }: { model: EmbeddingModel }) {
  const share = model.expected > 0 ? model.embedded / model.expected : 1;
  return (
    <div class="setting model" data-name="embedder">
      <div class="what">
        <b>Embedding model</b>
        <p class="small quiet">
          Finds text by meaning. {model.embedded.toLocaleString()} of {model.expected.toLocaleString()} texts embedded,{" "}
          {Math.floor(share * 100)} %.
        </p>
        <p class="origin">
          Set with <code>AFORESAID_EMBEDDER</code>
        </p>
      </div>
      <div class="value">
        <code>{model.name}</code>
        <Badge tone={model.state === "serving" ? "good" : "plain"}>{model.state}</Badge>
      </div>
    </div>
  );
}
