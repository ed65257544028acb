import { useState } from "preact/hooks";
import { type Message, textOf } from "../../api/messages";
import { Button, IconButton } from "../../parts/Button";
import { Code } from "../../parts/Code";
import { Icon } from "../../parts/Icon";
import { day, sameDay } from "../../parts/moments";
import { counted } from "../../parts/numbers";
import { Prose } from "../../parts/Prose";
import { cut } from "../../parts/shorten";
import { numberOf, speakerOf } from "../../parts/speakers";
import { Time } from "../../parts/Time";
import { askToForget, forgetMark } from "../../store/forgetting";
import { linkTo } from "../../store/route";
import "./MessageRow.css";

interface MessageRowProps {
  message: Message;
  before: Message | undefined;
  /** The messages before it are shared with another conversation. */
  begins: boolean;
  pinned: boolean;
  marked: boolean;
  togglePin: () => void;
}

const LONG = 8000; // characters

export function MessageRow({ message, before, begins, pinned, marked, togglePin }: MessageRowProps) {
  const moment = new Date(message.created_at);
  const target = { kind: "message", id: message.id, conversation: message.conversation } as const;
  const newDay = before === undefined || !sameDay(moment, new Date(before.created_at));
  return (
    <>
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
          {message.role === "assistant" && message.model !== null && <span class="wide-only">{message.model}</span>}
          {(pinned || textOf(message.content).trim() !== "") && (
            <IconButton
              icon="pin"
              label={pinned ? `Unpin message ${numberOf(message.seq)}` : `Pin message ${numberOf(message.seq)}`}
              pressed={pinned}
              onClick={togglePin}
            />
          )}
          {typeof message.metadata.receipt === "string" && (
            <a
              class="icon-button"
              href={linkTo("context", message.conversation, message.metadata.receipt)}
              title="View context"
              aria-label={`View the context of message ${numberOf(message.seq)}`}
            >
              <Icon name="layers" />
            </a>
          )}
          <IconButton
            icon="trash"
            label={`Forget message ${numberOf(message.seq)}…`}
            onClick={() => askToForget(target)}
          />
        </header>
        <MessageContent message={message} />
      </article>
    </>
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
