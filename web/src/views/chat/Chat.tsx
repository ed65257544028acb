import { useState } from "preact/hooks";
import { Empty, Failure, Loading } from "../../parts/States";
import type { ViewProps } from "../views";
import "./Chat.css";
import { Conversation } from "./Conversation";
import { ConversationList } from "./ConversationList";
import { useConversations } from "./conversations";
import { FirstVisit } from "./FirstVisit";

/** The list of conversations and the open one; on narrow screens only one of the two. */
export default function Chat({ space, rest }: ViewProps) {
  const conversations = useConversations(space);
  const [starting, setStarting] = useState(false);
  const [name, seq] = rest;
  const all = conversations.value;

  const heading = <h1 class="unseen">Chat</h1>;
  if (all === undefined) {
    return (
      <>
        {heading}
        {conversations.problem ? (
          <Failure problem={conversations.problem} retry={conversations.reload} />
        ) : (
          <Loading label="Loading conversations" lines={8} />
        )}
      </>
    );
  }
  if (all.length === 0 && name === undefined && !starting) {
    return (
      <>
        {heading}
        <FirstVisit space={space} start={() => setStarting(true)} />
      </>
    );
  }
  const open = all.find((conversation) => conversation.id === name);
  return (
    <div class="chat" data-open={name !== undefined}>
      {name === undefined && heading}
      <ConversationList space={space} all={all} open={name} starting={starting} setStarting={setStarting} />
      {name === undefined ? (
        <div class="chat-rest">
          <Empty icon="chat" title="Select a conversation">
            <p>A conversation keeps all its messages, its pins and its summary.</p>
          </Empty>
        </div>
      ) : (
        <Conversation
          key={`${space}/${name}`}
          space={space}
          name={name}
          info={open}
          all={all}
          target={seq === undefined ? undefined : Number(seq)}
        />
      )}
    </div>
  );
}
