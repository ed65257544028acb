import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { ConversationInfo } from "../../api/conversations";
import { addMessages, type Message, message as readMessage } from "../../api/messages";
import { pinMessage, pins as readPins, unpin } from "../../api/pins";
import { answerer } from "../../api/replies";
import { Button } from "../../parts/Button";
import { Empty, Failure, Loading } from "../../parts/States";
import { type ListHandle, VirtualList } from "../../parts/VirtualList";
import { useReloadOn } from "../../store/changes";
import { useLoaded } from "../../store/loaded";
import { useShortcuts } from "../../store/shortcuts";
import { attempt } from "../../store/toasts";
import { Answer } from "./Answer";
import { useAnswering } from "./answering";
import { Composer } from "./Composer";
import { ConversationHead } from "./ConversationHead";
import { MessageRow } from "./MessageRow";
import { Panel } from "./Panel";
import { useTranscript } from "./transcript";
import { WouldGet } from "./WouldGet";

interface ConversationProps {
  space: string;
  name: string;
  /** Undefined where there is no such conversation (yet). */
  info: ConversationInfo | undefined;
  /** The seq of a message to show. */
  target: number | undefined;
}

const idOf = (message: Message) => message.id;

export function Conversation({ space, name, info, target }: ConversationProps) {
  const transcript = useTranscript(space, name);
  const pinned = useLoaded(() => readPins(space, name), [space, name]);
  useReloadOn(["pin"], pinned.reload);
  const [panel, setPanel] = useState(() => matchMedia("(min-width: 1200px)").matches);
  const [asked, setAsked] = useState<string>();
  const [atEnd, setAtEnd] = useState(true);
  const [marked, setMarked] = useState<string>();
  const list = useRef<ListHandle>(null);
  const composer = useRef<HTMLTextAreaElement>(null);
  const { messages, reach, put } = transcript;

  const known = useRef(messages);
  known.current = messages;
  const show = useCallback(
    async (find: (message: Message) => boolean, seq: number) => {
      await reach(seq);
      requestAnimationFrame(() => {
        const found = known.current.find(find); // drawn by now
        if (found === undefined || list.current === null) return;
        list.current.toKey(found.id);
        setMarked(found.id);
      });
    },
    [reach],
  );

  const ready = messages.length > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each target, when there is something to show
  useEffect(() => {
    if (ready && target !== undefined && Number.isInteger(target)) void show((one) => one.seq === target, target);
  }, [target, ready]);

  useShortcuts([
    { keys: "c", label: "Write a message", run: () => composer.current?.focus() },
    { keys: "p", label: "Show or hide pins and memory", run: () => setPanel((before) => !before) },
    { keys: "End", label: "Go to the newest message", run: () => list.current?.toEnd() },
  ]);

  const keep = useCallback(
    (stored: Message[]) => {
      put(stored);
      list.current?.toEnd();
    },
    [put],
  );
  const answering = useAnswering(space, name, keep);
  const speaker = useLoaded((signal) => answerer(space, name, signal), [space, name]);
  const send = async (text: string) => {
    let stored = true;
    const worked = await attempt(async () => {
      const { model } = speaker.value ?? (await answerer(space, name));
      if (model !== null) stored = await answering.ask(text);
      else {
        keep(await addMessages(space, name, [{ role: "user", content: text }]));
        setAsked(text);
      }
    });
    return worked && stored;
  };

  const pinOf = new Map((pinned.value ?? []).map((pin) => [pin.source_message_id, pin]));
  const togglePin = (message: Message) =>
    attempt(async () => {
      const pin = pinOf.get(message.id);
      if (pin === undefined) await pinMessage(space, name, message.id);
      else await unpin(space, name, pin.id);
      pinned.reload();
    });

  return (
    <div class="conversation" data-panel={panel}>
      <section class="talk" aria-label="Conversation">
        <ConversationHead
          space={space}
          name={name}
          info={info}
          pins={pinned.value?.length ?? 0}
          speaker={speaker.value}
          panel={panel}
          togglePanel={() => setPanel(!panel)}
        />
        <div class="messages">
          {messages.length === 0 ? (
            <NoMessages loading={transcript.loading} transcript={transcript} />
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
                  pinned={pinOf.has(message.id)}
                  marked={message.id === marked}
                  togglePin={() => togglePin(message)}
                />
              )}
              foot={
                <>
                  <Answer answering={answering} />
                  {asked !== undefined && (
                    <WouldGet space={space} conversation={name} query={asked} reason={speaker.value?.reason} />
                  )}
                </>
              }
            />
          )}
          {!atEnd && messages.length > 0 && (
            <div class="to-end">
              <Button icon="arrowDown" onClick={() => list.current?.toEnd()}>
                Newest
              </Button>
            </div>
          )}
        </div>
        <Composer place={`${space}/${name}`} send={send} input={composer} />
      </section>
      {panel && (
        <Panel
          space={space}
          name={name}
          info={info}
          pins={pinned}
          close={() => setPanel(false)}
          show={(id) => {
            void showPinned(id);
          }}
        />
      )}
    </div>
  );

  async function showPinned(id: string): Promise<void> {
    if (!matchMedia("(min-width: 1200px)").matches) setPanel(false);
    await attempt(async () => {
      const { seq } = await readMessage(space, name, id);
      await show((one) => one.seq === seq, seq);
    });
  }
}

function NoMessages({ loading, transcript }: { loading: boolean; transcript: ReturnType<typeof useTranscript> }) {
  if (transcript.problem && transcript.problem.status !== 404) {
    return <Failure problem={transcript.problem} retry={transcript.reload} />;
  }
  if (loading) return <Loading label="Reading the messages" lines={8} />;
  return (
    <Empty icon="chat" title="No word has been said here yet">
      <p>Write the first message below. It is stored the moment you send it, and can be found at once.</p>
    </Empty>
  );
}
