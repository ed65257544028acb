import { type ContextResponse, context } from "../../api/contexts";
import { Icon } from "../../parts/Icon";
import { counted } from "../../parts/numbers";
import { Failure, Loading } from "../../parts/States";
import { TokenBar } from "../../parts/TokenBar";
import { isLoss, useChanges } from "../../store/changes";
import { linkTo } from "../../store/route";
import { useLoaded } from "../../store/useLoaded";
import { titleOf } from "../context/sections";

interface ContextPreviewProps {
  space: string;
  conversation: string;
  query: string;
  /** Why no model answers. */
  reason: string | null | undefined;
}

/** Shown if no model answers: the context that a model would receive for the message. */
export function ContextPreview({ space, conversation, query, reason }: ContextPreviewProps) {
  const built = useLoaded(() => context(space, conversation, { query }), [space, conversation, query]);
  useChanges((change) => {
    if (isLoss(change)) built.reload();
  }, built.reload);
  return (
    <section class="context-preview" aria-label="Context preview">
      <h2>
        <Icon name="layers" /> Context preview
      </h2>
      <p class="small quiet">Your message is stored. No model answers{reason ? `: ${reason}` : "."}</p>
      {built.problem && <Failure problem={built.problem} retry={built.reload} />}
      {built.value === undefined && !built.problem && <Loading label="Building context" lines={3} />}
      {built.value && (
        <>
          <Context shown={built.value} />
          <a class="small" href={linkTo("context", conversation, built.value.receipt)}>
            See why each item is included
          </a>
        </>
      )}
    </section>
  );
}

function Context({ shown }: { shown: ContextResponse }) {
  return (
    <>
      <TokenBar
        label="Context"
        shares={shown.sections.map(({ name, tokens }) => ({ name: titleOf(name), tokens }))}
        total={shown.budget.total}
      />
      {shown.sections.map((section) => (
        <details key={section.name} class="tool">
          <summary>
            <b>{titleOf(section.name)}</b>
            <span class="quiet small">
              {counted(section.items.length, "item")} · {counted(section.tokens, "token")}
            </span>
          </summary>
          <ol class="given">
            {section.items.map((item, index) => (
              <li key={index} dir="auto">
                {words(item)}
              </li>
            ))}
          </ol>
        </details>
      ))}
    </>
  );
}

function words(item: ContextResponse["sections"][number]["items"][number]): string {
  if (typeof item === "string") return item;
  if ("text" in item) return item.text;
  if ("content" in item) return typeof item.content === "string" ? item.content : JSON.stringify(item.content);
  return `${item.name}: ${String(item.value)}`;
}
