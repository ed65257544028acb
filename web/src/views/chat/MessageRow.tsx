import { useEffect, useRef, useState } from "preact/hooks";
import { type Message, textOf } from "../../api/messages";
import { Button, IconButton } from "../../parts/Button";
import { Code } from "../../parts/Code";
import { copy } from "../../parts/copy";
import { Icon } from "../../parts/Icon";
import { modelName } from "../../parts/modelName";
import { day, sameDay } from "../../parts/moments";
import { counted } from "../../parts/numbers";
import { Prose } from "../../parts/Prose";
import { cut } from "../../parts/shorten";
import { numberOf, speakerOf } from "../../parts/speakers";
import { Time } from "../../parts/Time";
import { askToForget, forgetMark } from "../../store/forgetting";
import { linkTo } from "../../store/route";
import { Remembered, Used } from "./MessageMemory";
import "./MessageRow.css";
import type { MemoryControl } from "./useMemory";

interface MessageRowProps {
  message: Message;
  before: Message | undefined;
  /** The messages before it are shared with another conversation. */
  begins: boolean;
  /** The conversations that begin another way, if this is the first message. */
  fromStart: string[] | undefined;
  /** The conversations that go on another way after this message. */
  others: string[] | undefined;
  pinned: boolean;
  marked: boolean;
  memory: MemoryControl;
  togglePin: () => void;
  /** Sends another text in place of this message, in a branch. Undefined if that is not possible. */
  edit: ((text: string) => Promise<boolean>) | undefined;
  /** Lets the model answer again, in a branch. */
  regenerate: (() => Promise<boolean>) | undefined;
}

const LONG = 8000; // characters

export function MessageRow(props: MessageRowProps) {
  const { message, before, begins, fromStart, others, marked, memory, edit } = props;
  const [editing, setEditing] = useState(false);
  const receipt = typeof message.metadata.receipt === "string" ? memory.receipt(message.metadata.receipt) : undefined;
  const facts = message.role === "user" ? memory.factsOf(message.id) : [];
  const moment = new Date(message.created_at);
  const target = { kind: "message", id: message.id, conversation: message.conversation } as const;
  const newDay = before === undefined || !sameDay(moment, new Date(before.created_at));
  return (
    <>
      {fromStart && <Others names={fromStart} />}
      {begins && <p class="day">Branch starts here</p>}
      {newDay && <p class="day">{day(moment)}</p>}
      <article
        class={`message ${message.role}`}
        data-marked={marked}
        data-seq={message.seq}
        data-forget={forgetMark(target)}
      >
        <header>
          <b dir="auto">{speakerOf(message)}</b>
          <span class="quiet" title={`Message number ${numberOf(message.seq)}`}>
            #{numberOf(message.seq)}
          </span>
          <Time at={message.created_at} />
          {message.role === "assistant" && message.model !== null && (
            <span class="wide-only" title={message.model}>
              {modelName(message.model)}
            </span>
          )}
          <MessageActions {...props} startEdit={() => setEditing(true)} />
        </header>
        {editing && edit ? (
          <EditMessage message={message} send={edit} close={() => setEditing(false)} />
        ) : (
          <MessageContent message={message} />
        )}
        {message.metadata.stopped === true && <p class="ended">This answer was stopped here.</p>}
        {message.metadata.cut === true && <p class="ended">This answer reached its length limit.</p>}
        {facts.length > 0 && <Remembered facts={facts} memory={memory} />}
        {receipt && <Used receipt={receipt} />}
      </article>
      {others && <Others names={others} />}
    </>
  );
}

/** Links to the conversations that go on another way from here. */
function Others({ names }: { names: readonly string[] }) {
  return (
    <nav class="others" aria-label="Other branches from here">
      {names.map((name) => (
        <a key={name} href={linkTo("chat", name)} dir="auto">
          <Icon name="swap" size={14} /> {name}
        </a>
      ))}
    </nav>
  );
}

interface MessageActionsProps extends MessageRowProps {
  startEdit: () => void;
}

function MessageActions({ message, pinned, togglePin, edit, regenerate, startEdit }: MessageActionsProps) {
  const { content } = message;
  const number = numberOf(message.seq);
  const target = { kind: "message", id: message.id, conversation: message.conversation } as const;
  const [busy, setBusy] = useState(false);
  const again = async () => {
    setBusy(true);
    await regenerate?.();
    setBusy(false);
  };
  const written = textOf(content).trim() !== "";
  return (
    <>
      {written && <IconButton icon="copy" label={`Copy message ${number}`} onClick={() => copy(textOf(content))} />}
      {edit && typeof content === "string" && (
        <IconButton icon="edit" label={`Edit message ${number} and ask again`} onClick={startEdit} />
      )}
      {regenerate && (
        <IconButton icon="refresh" label={`Answer again instead of message ${number}`} busy={busy} onClick={again} />
      )}
      {(pinned || textOf(content).trim() !== "") && (
        <IconButton
          icon="pin"
          label={pinned ? `Unpin message ${number}` : `Pin message ${number}`}
          pressed={pinned}
          onClick={togglePin}
        />
      )}
      {typeof message.metadata.receipt === "string" && (
        <a
          class="icon-button"
          href={linkTo("context", message.conversation, message.metadata.receipt)}
          title="View context"
          aria-label={`View the context of message ${number}`}
        >
          <Icon name="layers" />
        </a>
      )}
      <IconButton icon="trash" label={`Forget message ${number}…`} onClick={() => askToForget(target)} />
    </>
  );
}

interface EditMessageProps {
  message: Message;
  send: (text: string) => Promise<boolean>;
  close: () => void;
}

/** The text of a sent message in a field. Sending it begins a branch; the old message stays where it is. */
function EditMessage({ message, send, close }: EditMessageProps) {
  const [text, setText] = useState(textOf(message.content));
  const [busy, setBusy] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (text.trim() === "" || busy) return;
    setBusy(true);
    if (await send(text)) close();
    else setBusy(false);
  };
  return (
    <form
      class="edit-message"
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key === "Escape") close();
      }}
    >
      <textarea
        aria-label={`New text of message ${numberOf(message.seq)}`}
        dir="auto"
        rows={2}
        value={text}
        ref={field}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <div class="row">
        <span class="small quiet">A branch begins here. This conversation stays as it is.</span>
        <Button kind="ghost" onClick={close}>
          Cancel
        </Button>
        <Button kind="primary" type="submit" busy={busy}>
          Send
        </Button>
      </div>
    </form>
  );
}

function MessageContent({ message }: { message: Message }) {
  const text = textOf(message.content);
  if (message.role === "tool") return <ToolResult name={message.name} text={text} />;
  return (
    <div class="said">
      {text !== "" && <MessageText text={text} />}
      {(message.tool_calls ?? []).map((toolCall, index) => (
        <ToolCall key={index} toolCall={toolCall} />
      ))}
    </div>
  );
}

/** Shows the beginning of a very long text, and a button for the rest. */
function MessageText({ text }: { text: string }) {
  const [whole, setWhole] = useState(text.length <= LONG);
  if (whole) return <Prose text={text} />;
  return (
    <>
      <Prose text={`${cut(text, LONG)}…`} />
      <Button icon="chevron" onClick={() => setWhole(true)}>
        Show all {counted(text.length, "character")}
      </Button>
    </>
  );
}

function ToolCall({ toolCall }: { toolCall: Record<string, unknown> }) {
  const call = (
    typeof toolCall.function === "object" && toolCall.function !== null ? toolCall.function : toolCall
  ) as Record<string, unknown>;
  const name = String(call.name ?? "tool");
  return (
    <details class="tool">
      <summary>
        <Icon name="tool" size={15} /> Called <code>{name}</code>
      </summary>
      <Code text={pretty(call.arguments ?? call.input ?? toolCall)} language="json" />
    </details>
  );
}

function ToolResult({ name, text }: { name: string | null; text: string }) {
  return (
    <details class="tool">
      <summary>
        <Icon name="tool" size={15} /> Result {name !== null && <code>{name}</code>}
        <span class="quiet small"> {counted(text.length, "character")}</span>
      </summary>
      <Code text={pretty(text)} language="json" />
    </details>
  );
}

/** Indents JSON; returns other text unchanged. */
function pretty(value: unknown): string {
  try {
    return JSON.stringify(typeof value === "string" ? (JSON.parse(value) as unknown) : value, null, 2);
  } catch {
    return String(value);
  }
}
