import { context, type Shown } from "../../api/contexts";
import { Icon } from "../../parts/Icon";
import { counted } from "../../parts/numbers";
import { Failure, Loading } from "../../parts/States";
import { TokenBar } from "../../parts/TokenBar";
import { isLoss, useChanges } from "../../store/changes";
import { useLoaded } from "../../store/loaded";
import { linkTo } from "../../store/route";

interface WouldGetProps {
  space: string;
  conversation: string;
  query: string;
  /** Why nobody answers. */
  reason: string | null | undefined;
}

/** No model answers here: what one would be given for the message. */
export function WouldGet({ space, conversation, query, reason }: WouldGetProps) {
  const found = useLoaded(() => context(space, conversation, { query }), [space, conversation, query]);
  useChanges((change) => {
    if (isLoss(change)) found.reload();
  }, found.reload);
  return (
    <section class="would-get" aria-label="What a model would be given">
      <h2>
        <Icon name="layers" /> What a model would be given
      </h2>
      <p class="small quiet">The message is stored. No model answers here{reason ? `: ${reason}` : "."}</p>
      {found.problem && <Failure problem={found.problem} retry={found.reload} />}
      {found.value === undefined && !found.problem && <Loading label="Building the context" lines={3} />}
      {found.value && (
        <>
          <Context shown={found.value} />
          <a class="small" href={linkTo("context", conversation, found.value.receipt)}>
            Why each of these is there
          </a>
        </>
      )}
    </section>
  );
}

function Context({ shown }: { shown: Shown }) {
  return (
    <>
      <TokenBar label="The context" shares={shown.sections} total={shown.budget.total} />
      {shown.sections.map((section) => (
        <details key={section.name} class="tool">
          <summary>
            <b>{section.name}</b>
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

function words(item: Shown["sections"][number]["items"][number]): string {
  if (typeof item === "string") return item;
  if ("text" in item) return item.text;
  if ("content" in item) return typeof item.content === "string" ? item.content : JSON.stringify(item.content);
  return `${item.name}: ${String(item.value)}`;
}
