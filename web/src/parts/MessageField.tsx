import { messagesBefore, textOf } from "../api/messages";
import { useLoaded } from "../store/useLoaded";
import { ConversationField } from "./ConversationField";
import { SelectField } from "./Field";
import { shorten } from "./shorten";

const LAST = 200;
const LABEL = 70;

export interface MessageRef {
  conversation: string;
  message: string;
}

interface MessageFieldProps {
  space: string;
  value: MessageRef;
  change: (value: MessageRef) => void;
  none: string;
}

/** Selects a message: first its conversation, then one of its latest messages. */
export function MessageField({ space, value, change, none }: MessageFieldProps) {
  const { conversation } = value;
  const loaded = useLoaded(
    async () => (conversation === "" ? [] : messagesBefore(space, conversation, null, LAST)),
    [space, conversation],
  );
  const messages = [...(loaded.value ?? [])].reverse();
  const known = value.message === "" || messages.some((message) => message.id === value.message);
  const options: [string, string][] = [
    ["", conversation === "" ? none : "Select a message…"],
    ...(known ? [] : [[value.message, value.message] as [string, string]]),
    ...messages.map((message): [string, string] => [
      message.id,
      `${message.seq} · ${message.role}: ${shorten(textOf(message.content), LABEL)}`,
    ]),
  ];
  return (
    <div class="stack tight">
      <ConversationField
        space={space}
        value={conversation}
        none={none}
        change={(name) => change({ conversation: name, message: "" })}
      />
      {conversation !== "" && (
        <SelectField
          label="Message"
          value={value.message}
          change={(message) => change({ conversation, message })}
          options={options}
        />
      )}
    </div>
  );
}
