import { useState } from "preact/hooks";
import { allConversations } from "../api/conversations";
import { message, textOf } from "../api/messages";
import { type MessageHit, recallMessages } from "../api/recall";
import { LOSSES, useReloadOn } from "../store/changes";
import { useLoaded } from "../store/useLoaded";
import { useSettled } from "../store/useSettled";
import { Button } from "./Button";
import { Combobox } from "./Combobox";
import { SelectField } from "./Field";
import { MessageResult } from "./MessageResult";

export interface MessageRef {
  conversation: string;
  message: string;
}

interface MessageFieldProps {
  space: string;
  value: MessageRef;
  change: (value: MessageRef) => void;
}

/** Finds a message by its words or meaning, in all conversations or in one. */
export function MessageField({ space, value, change }: MessageFieldProps) {
  const [within, setWithin] = useState("");
  const conversations = useLoaded((signal) => allConversations(space, signal), [space]);
  useReloadOn(LOSSES, conversations.reload);
  const all = conversations.value ?? [];
  const titles = new Map(all.map((info) => [info.id, info.title?.trim() || info.id]));
  const titleOf = (name: string) => titles.get(name) ?? name;
  if (value.message !== "") {
    return (
      <ChosenMessage
        space={space}
        value={value}
        title={titleOf(value.conversation)}
        again={() => change({ conversation: "", message: "" })}
      />
    );
  }
  return (
    <div class="stack tight">
      <SelectField
        label="Conversation"
        value={within}
        change={setWithin}
        options={[["", "All conversations"], ...titles.entries()]}
      />
      <MessageSearch
        space={space}
        within={within}
        titleOf={titleOf}
        choose={(hit) => change({ conversation: hit.conversation, message: hit.id })}
      />
    </div>
  );
}

interface MessageSearchProps {
  space: string;
  within: string;
  titleOf: (conversation: string) => string;
  choose: (hit: MessageHit) => void;
}

function MessageSearch({ space, within, titleOf, choose }: MessageSearchProps) {
  const [words, setWords] = useState("");
  const query = useSettled(words.trim());
  const hits = useLoaded(
    async (signal) => (query === "" ? [] : recallMessages(space, query, signal, within === "" ? null : within)),
    [space, query, within],
  );
  useReloadOn(LOSSES, hits.reload);
  const found = hits.value ?? [];
  const choices = found.map((hit) => ({
    key: hit.id,
    shown: <MessageResult hit={hit} words={query} title={titleOf(hit.conversation)} />,
    choose: () => choose(hit),
  }));
  const nothing = query !== "" && hits.value?.length === 0 ? "No message found. Try other words." : undefined;
  return (
    <Combobox
      label="Find a message by its words"
      words={words}
      change={setWords}
      groups={[{ title: "Messages, best first", choices }]}
      note={hits.problem?.message ?? nothing}
    />
  );
}

interface ChosenMessageProps {
  space: string;
  value: MessageRef;
  title: string;
  again: () => void;
}

function ChosenMessage({ space, value, title, again }: ChosenMessageProps) {
  const chosen = useLoaded(() => message(space, value.conversation, value.message), [space, value.message]);
  const { value: found } = chosen;
  return (
    <section class="chosen-message row" aria-label="Chosen message">
      {found ? (
        <MessageResult hit={{ ...found, text: textOf(found.content), at: found.created_at }} words="" title={title} />
      ) : (
        <span class="small">{chosen.problem?.message ?? value.message}</span>
      )}
      <Button onClick={again}>Choose another</Button>
    </section>
  );
}
