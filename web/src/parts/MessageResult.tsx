import type { MessageHit } from "../api/recall";
import "./MessageResult.css";
import { excerpt, marks } from "./marks";
import { speakerOf } from "./speakers";
import { Time } from "./Time";

const LONGEST = 140; // characters

/** A text with the words of a search marked. */
export function Marked({ text, words }: { text: string; words: string }) {
  return (
    <>{marks(text, words).map((piece, index) => (piece.marked ? <mark key={index}>{piece.text}</mark> : piece.text))}</>
  );
}

interface MessageResultProps {
  hit: MessageHit;
  words: string;
  /** The title of its conversation. */
  title: string;
}

/** A message that a search found: its words, speaker, date and conversation. */
export function MessageResult({ hit, words, title }: MessageResultProps) {
  return (
    <span class="message-result">
      <span class="small" dir="auto">
        <Marked text={excerpt(hit.text, words, LONGEST)} words={words} />
      </span>
      <span class="small quiet">
        <bdi>{speakerOf(hit)}</bdi> · <Time at={hit.at} /> · <bdi>{title}</bdi>
      </span>
    </span>
  );
}
