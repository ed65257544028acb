import { useState } from "preact/hooks";
import { conversationsWith } from "../api/conversations";
import { recallFacts } from "../api/facts";
import { recallMessages } from "../api/recall";
import { spaces } from "../api/spaces";
import { type ChoiceGroup, Combobox } from "../parts/Combobox";
import { Dialog } from "../parts/Dialog";
import { Marked, MessageResult } from "../parts/MessageResult";
import { sentence } from "../parts/shorten";
import { enterSpace, go } from "../store/route";
import { useLoaded } from "../store/useLoaded";
import { useSettled } from "../store/useSettled";
import { VIEWS } from "../views/views";

const FEW = 5; // results of a kind

interface PaletteProps {
  space: string;
  close: () => void;
}

/** Searches spaces, conversations, facts, messages and views. */
export default function Palette({ space, close }: PaletteProps) {
  const [words, setWords] = useState("");
  const query = useSettled(words.trim());
  const found = useLoaded((signal) => search(space, query, signal), [space, query]);
  const names = useLoaded(spaces, []);
  const open = (action: () => void) => () => {
    close();
    action();
  };
  const typed = words.trim().toLowerCase();
  const views = VIEWS.filter((view) => view.title.toLowerCase().includes(typed));
  const others = (names.value ?? []).filter((info) => info.id !== space && info.id.toLowerCase().includes(typed));
  const { conversations = [], facts = [], messages = [] } = query === "" ? {} : (found.value ?? {});
  const titles = new Map(conversations.map((info) => [info.id, info.title?.trim() || info.id]));
  const plain = (text: string) => (
    <bdi>
      <Marked text={text} words={typed} />
    </bdi>
  );
  // names before meanings: the first choice does not change while the search runs
  const groups: ChoiceGroup[] = [
    {
      title: "Views",
      choices: views.map((view) => ({
        key: `view-${view.id}`,
        shown: plain(view.title),
        choose: open(() => go(view.id)),
      })),
    },
    {
      title: "Conversations",
      choices: conversations.map((info) => ({
        key: `conversation-${info.id}`,
        shown: plain(info.title?.trim() || info.id),
        choose: open(() => go("chat", info.id)),
      })),
    },
    {
      title: "Spaces",
      choices: others.slice(0, FEW).map((info) => ({
        key: `space-${info.id}`,
        shown: plain(info.id),
        choose: open(() => enterSpace(info.id)),
      })),
    },
    {
      title: "Facts",
      choices: facts.map((fact) => ({
        key: `fact-${fact.id}`,
        shown: plain(sentence(fact.text)),
        choose: open(() => go("memory", "facts", fact.id)),
      })),
    },
    {
      title: "Messages",
      choices: messages.map((hit) => ({
        key: `message-${hit.id}`,
        shown: <MessageResult hit={hit} words={query} title={titles.get(hit.conversation) ?? hit.conversation} />,
        choose: open(() => go("chat", hit.conversation, String(hit.seq))),
      })),
    },
  ];
  return (
    <Dialog title="Search everything" close={close}>
      <Combobox
        label="Conversations, facts, messages, spaces, views"
        bare
        words={words}
        change={setWords}
        groups={groups}
        note={found.problem?.message ?? noteOf(groups, found.loading || query !== words.trim())}
      />
    </Dialog>
  );
}

function noteOf(groups: readonly ChoiceGroup[], searching: boolean): string {
  if (searching) return "Searching…";
  const count = groups.reduce((sum, group) => sum + group.choices.length, 0);
  return count === 0 ? "Nothing found. Try other words." : `${count} found. Arrow keys move, Enter opens.`;
}

async function search(space: string, query: string, signal: AbortSignal) {
  if (query === "") return {};
  const [conversations, facts, messages] = await Promise.all([
    conversationsWith(space, query, FEW, signal),
    recallFacts(space, query, {}, signal),
    recallMessages(space, query, signal),
  ]);
  return { conversations, facts: facts.slice(0, FEW), messages: messages.slice(0, FEW) };
}
