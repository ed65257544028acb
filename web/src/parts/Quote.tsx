import type { Evidence } from "../api/facts";
import { MessageLink } from "./MessageLink";
import "./Quote.css";
import { Time } from "./Time";

/** A quote with its speaker and time, and a link to the message. */
export function Quote({ evidence }: { evidence: Evidence }) {
  return (
    <figure class="quote">
      {evidence.quote !== "" && <blockquote dir="auto">{evidence.quote}</blockquote>}
      <figcaption class="small quiet">
        <bdi>{evidence.speaker}</bdi>,{" "}
        <MessageLink conversation={evidence.conversation} id={evidence.message_id}>
          in <bdi>{evidence.conversation}</bdi>
        </MessageLink>
        , <Time at={evidence.said_at} />
        {!evidence.supports && <strong> · edited since: the quote no longer says this</strong>}
      </figcaption>
    </figure>
  );
}
