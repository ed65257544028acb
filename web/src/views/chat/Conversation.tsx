import { useCallback, useRef, useState } from "preact/hooks";
import type { ConversationInfo } from "../../api/conversations";
import { type Message, message as readMessage } from "../../api/messages";
import { Button } from "../../parts/Button";
import { Empty, Failure, Loading } from "../../parts/States";
import { type ListHandle, VirtualList } from "../../parts/VirtualList";
import { useShortcuts } from "../../store/shortcuts";
import { attempt } from "../../store/toasts";
import { Answer, Unanswered } from "./Answer";
import { crossings, lineOf } from "./branches";
import { Composer } from "./Composer";
import { ContextPreview } from "./ContextPreview";
import { ConversationHead } from "./ConversationHead";
import { MessageRow } from "./MessageRow";
import { ModelMenu } from "./ModelMenu";
import { Panel } from "./Panel";
import { newestReceipt, questionOf, stillAsked, unanswered } from "./questions";
import { useScrollTo } from "./scrollTo";
import { type Transcript, useTranscript } from "./transcript";
import { useUnanswered } from "./useAnswer";
import { useMemory } from "./useMemory";
import { usePins } from "./usePins";
import { useSend } from "./useSend";

interface ConversationProps {
  space: string;
  name: string;
  /** Undefined if the conversation does not exist yet. */
  info: ConversationInfo | undefined;
  all: readonly ConversationInfo[];
  /** The seq of a message to scroll to. */
  target: number | undefined;
}

const ANSWERING = "The model is still answering. Wait, or stop it first.";
const wide = () => matchMedia("(min-width: 1200px)").matches;
const idOf = (message: Message) => message.id;

export function Conversation({ space, name, info, all, target }: ConversationProps) {
  const transcript = useTranscript(space, name);
  const pinning = usePins(space, name);
  const [panel, setPanel] = useState(wide);
  const [atEnd, setAtEnd] = useState(true);
  const list = useRef<ListHandle>(null);
  const composer = useRef<HTMLTextAreaElement>(null);
  const { messages, put } = transcript;
  const { marked, show } = useScrollTo(transcript, list, target);

  useShortcuts([
    { keys: "c", label: "Write a message", run: () => composer.current?.focus() },
    { keys: "p", label: "Show or hide pins and memory", run: () => setPanel((before) => !before) },
    { keys: "End", label: "Go to the latest message", run: () => list.current?.toEnd() },
  ]);

  const stored = useCallback(
    (added: Message[]) => {
      put(added);
      list.current?.toEnd();
    },
    [put],
  );
  const sending = useSend(space, name, stored);
  const { answering, speaker, unansweredMessage, send } = sending;
  const { stop, again } = answering;
  const pending = stillAsked(answering.pending, messages);
  const question = !pending?.going && speaker && speaker.model !== null ? unanswered(messages) : undefined;
  const alone = useUnanswered(space, name, question);
  const others = crossings(name, all);
  const memory = useMemory(space, lineOf(name, all), newestReceipt(messages));

  const edit = (message: Message, index: number) => (text: string) =>
    sending.sendAnew(messages[index - 1]?.seq ?? message.seq - 1, text);
  const regenerate = (message: Message, index: number) => {
    const asked = message.role === "assistant" && speaker?.model ? questionOf(messages, index) : undefined;
    return asked && (() => sending.answerAnew(asked));
  };
  const showPinned = (id: string) =>
    attempt(async () => {
      if (!wide()) setPanel(false);
      await show((await readMessage(space, name, id)).seq);
    });

  return (
    <div class="conversation" data-panel={panel}>
      <section class="talk" aria-label="Conversation">
        <ConversationHead
          space={space}
          name={name}
          info={info}
          all={all}
          pins={pinning.pins.value?.length ?? 0}
          speaker={speaker}
          panel={panel}
          togglePanel={() => setPanel(!panel)}
        />
        <div class="messages">
          {messages.length === 0 ? (
            <NoMessages transcript={transcript} />
          ) : (
            <VirtualList
              label="Messages"
              items={messages}
              keyOf={idOf}
              stick
              handle={list}
              nearStart={transcript.earlier}
              atEnd={setAtEnd}
              estimate={104}
              render={(message, index) => (
                <MessageRow
                  message={message}
                  before={messages[index - 1]}
                  begins={beginsBranch(info, message, messages[index - 1])}
                  fromStart={index === 0 ? others.get(-1) : undefined}
                  others={others.get(message.seq)}
                  pinned={pinning.isPinned(message)}
                  marked={message.id === marked}
                  memory={memory}
                  togglePin={() => pinning.toggle(message)}
                  edit={message.role === "user" && message.name === null ? edit(message, index) : undefined}
                  regenerate={regenerate(message, index)}
                />
              )}
              foot={
                <>
                  {pending && <Answer pending={pending} stop={stop} again={again} />}
                  {pending === undefined && question && alone && <Unanswered question={question} again={again} />}
                  {unansweredMessage && messages.some((message) => message.id === unansweredMessage.id) && (
                    <ContextPreview
                      space={space}
                      conversation={name}
                      query={unansweredMessage.text}
                      reason={speaker?.reason}
                    />
                  )}
                </>
              }
            />
          )}
          {!atEnd && messages.length > 0 && (
            <div class="to-end">
              <Button icon="arrowDown" onClick={() => list.current?.toEnd()}>
                Jump to latest
              </Button>
            </div>
          )}
        </div>
        <Composer
          place={`${space}/${name}`}
          send={send}
          waiting={answering.pending?.going ? ANSWERING : undefined}
          input={composer}
        >
          {speaker && <ModelMenu space={space} conversation={name} speaker={speaker} messages={messages} />}
        </Composer>
      </section>
      {panel && (
        <Panel
          space={space}
          name={name}
          info={info}
          pins={pinning.pins}
          close={() => setPanel(false)}
          show={showPinned}
        />
      )}
    </div>
  );
}

/** Whether a message is the first one that a branch does not share. */
function beginsBranch(info: ConversationInfo | undefined, message: Message, before: Message | undefined): boolean {
  const forkedAt = info?.forked_at ?? undefined;
  return forkedAt !== undefined && message.seq > forkedAt && (before === undefined || before.seq <= forkedAt);
}

function NoMessages({ transcript }: { transcript: Transcript }) {
  if (transcript.problem && transcript.problem.status !== 404) {
    return <Failure problem={transcript.problem} retry={transcript.reload} />;
  }
  if (transcript.loading) return <Loading label="Loading messages" lines={8} />;
  return (
    <Empty icon="chat" title="No messages yet">
      <p>Write the first message below. It is stored and searchable as soon as you send it.</p>
    </Empty>
  );
}
