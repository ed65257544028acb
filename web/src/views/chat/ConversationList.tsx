import { useEffect, useRef, useState } from "preact/hooks";
import { type ConversationInfo, saidAt } from "../../api/conversations";
import { Badge } from "../../parts/Badge";
import { Button, IconButton } from "../../parts/Button";
import { SearchField } from "../../parts/Field";
import { counted } from "../../parts/numbers";
import { Time } from "../../parts/Time";
import { linkTo } from "../../store/route";
import { useShortcuts } from "../../store/shortcuts";
import { MessageHits } from "./MessageHits";
import { NewConversation } from "./NewConversation";
import { isSearchable } from "./searchable";
import { titleOf } from "./titles";

interface ConversationListProps {
  space: string;
  all: readonly ConversationInfo[];
  open: string | undefined;
  starting: boolean;
  setStarting: (starting: boolean) => void;
}

const PART = 300; // conversations per page of the list

export function ConversationList({ space, all, open, starting, setStarting }: ConversationListProps) {
  const [words, setWords] = useState("");
  const [count, setCount] = useState(PART);
  const box = useRef<HTMLElement>(null);
  const query = words.trim().toLowerCase();
  const shown = all.filter(
    (info) => titleOf(info).toLowerCase().includes(query) || info.id.toLowerCase().includes(query),
  );
  useShortcuts([{ keys: "n", label: "Start a conversation", run: () => setStarting(true) }]);
  useEffect(() => {
    box.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }, []);
  return (
    <section class="conversations" ref={box} aria-label="Conversations">
      <header class="row">
        <SearchField label="Search conversations and messages" value={words} change={setWords} />
        <IconButton icon="plus" label="New conversation" onClick={() => setStarting(true)} />
      </header>
      <ul class="conversation-list">
        {shown.slice(0, count).map((info) => (
          <li key={info.id}>
            <a href={linkTo("chat", info.id)} aria-current={info.id === open ? "true" : undefined}>
              <span class="conversation-title" dir="auto">
                {titleOf(info)}
              </span>
              <span class="conversation-facts small quiet">
                <span>{counted(info.messages, info.parent ? "own message" : "message")}</span>
                {info.status !== "active" && (
                  <Badge tone={info.status === "paused" ? "warn" : "plain"}>{info.status}</Badge>
                )}
                {info.parent !== null && (
                  <span>
                    branch of <bdi>{info.parent}</bdi>
                  </span>
                )}
                {info.muted && <Badge tone="warn">memory off</Badge>}
                <Time at={saidAt(info)} />
              </span>
            </a>
          </li>
        ))}
        {shown.length > count && (
          <li class="nothing">
            <Button onClick={() => setCount(count + PART)}>
              Show more ({(shown.length - count).toLocaleString()} left)
            </Button>
          </li>
        )}
        {shown.length === 0 && (
          <li class="nothing small quiet">{query === "" ? "No conversations yet." : "No matching conversations."}</li>
        )}
      </ul>
      {isSearchable(query) && <MessageHits space={space} words={words.trim()} all={all} />}
      {starting && <NewConversation space={space} close={() => setStarting(false)} />}
    </section>
  );
}
