import { allConversations } from "../api/conversations";
import { LOSSES, useReloadOn } from "../store/changes";
import { useLoaded } from "../store/useLoaded";
import { SelectField } from "./Field";

interface ConversationFieldProps {
  space: string;
  value: string;
  change: (name: string) => void;
  label?: string;
  bare?: boolean;
  /** The label of the empty choice. */
  none?: string;
}

/** Selects a conversation of a space. */
export function ConversationField({ space, value, change, label, bare, none }: ConversationFieldProps) {
  const conversations = useLoaded((signal) => allConversations(space, signal), [space]);
  useReloadOn(LOSSES, conversations.reload);
  const all = conversations.value ?? [];
  const known = value === "" || all.some((info) => info.id === value);
  const options: [string, string][] = [
    ...(none === undefined ? [] : [["", none] as [string, string]]),
    ...(known ? [] : [[value, value] as [string, string]]),
    ...all.map((info): [string, string] => [info.id, info.title?.trim() || info.id]),
  ];
  return (
    <SelectField label={label ?? "Conversation"} bare={bare ?? false} value={value} change={change} options={options} />
  );
}
