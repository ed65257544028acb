import { useEffect, useRef, useState } from "preact/hooks";
import { messagesOf } from "../../api/messages";
import { recallMessages } from "../../api/recall";
import { type Score, type Why, type WhyBody, why } from "../../api/receipts";
import { Badge } from "../../parts/Badge";
import { Button } from "../../parts/Button";
import { Dialog } from "../../parts/Dialog";
import { SearchField } from "../../parts/Field";
import { MessageResult } from "../../parts/MessageResult";
import { counted } from "../../parts/numbers";
import { Failure, Loading } from "../../parts/States";
import { shorten } from "../../parts/shorten";
import { Time } from "../../parts/Time";
import { readRoute } from "../../store/route";
import { attempt } from "../../store/toasts";
import { useLoaded } from "../../store/useLoaded";
import { useSettled } from "../../store/useSettled";
import { Place } from "./Item";
import { messageText } from "./itemText";
import { rankOf } from "./order";
import { useParts } from "./Scores";
import "./WhyNot.css";

interface WhyNotProps {
  space: string;
  receipt: string;
  /** The message to explain first; an empty one lets the person choose. */
  asked: WhyBody;
  titles: ReadonlyMap<string, string>;
  close: () => void;
}

/** Explains why a message is not in the context: the person searches for it, or pastes its words, its id or its link. */
export function WhyNot({ space, receipt, asked, titles, close }: WhyNotProps) {
  const [words, setWords] = useState("");
  const [chosen, choose] = useState(asked);
  const explain = (message: string) => {
    choose({ message });
    setWords("");
  };
  const ask = () =>
    attempt(async () => {
      const message = await ofLink(space, words.trim());
      if (message !== "") explain(message);
    });
  return (
    <Dialog title="Why not this one?" close={close} wide>
      <div class="why-not">
        <form
          class="row"
          onSubmit={(event) => {
            event.preventDefault();
            void ask();
          }}
        >
          <SearchField label="Words, id or link of a message" value={words} change={setWords} />
          <Button type="submit" kind="primary">
            Explain
          </Button>
        </form>
        <Matches space={space} words={words} titles={titles} choose={explain} />
        {chosen.message !== "" && (
          <Explanation key={chosen.message} space={space} receipt={receipt} asked={chosen} titles={titles} />
        )}
      </div>
    </Dialog>
  );
}

/** The id of the message that a link of this page leads to; any other text as it is. */
async function ofLink(space: string, text: string): Promise<string> {
  const { view, rest } = readRoute(text.slice(text.indexOf("#")));
  const [conversation, seq] = rest;
  if (!text.includes("#/") || view !== "chat" || conversation === undefined || !/^\d+$/.test(seq ?? "")) return text;
  const place = Number(seq);
  const [message] = await messagesOf(space, conversation, place, place, 1);
  return message?.id ?? text;
}

interface MatchesProps {
  space: string;
  words: string;
  titles: ReadonlyMap<string, string>;
  choose: (message: string) => void;
}

/** The messages that a search for the words finds. */
function Matches({ space, words, titles, choose }: MatchesProps) {
  const query = useSettled(words.trim());
  const found = useLoaded(async (signal) => (query === "" ? [] : recallMessages(space, query, signal)), [space, query]);
  if (query === "" || words.trim() === "") return null;
  return (
    <ul class="why-matches" aria-label="Messages">
      {(found.value ?? []).map((hit) => (
        <li key={hit.id}>
          <button type="button" onClick={() => choose(hit.id)}>
            <MessageResult hit={hit} words={query} title={titles.get(hit.conversation) ?? hit.conversation} />
          </button>
        </li>
      ))}
    </ul>
  );
}

interface ExplanationProps {
  space: string;
  receipt: string;
  asked: WhyBody;
  titles: ReadonlyMap<string, string>;
}

function Explanation({ space, receipt, asked, titles }: ExplanationProps) {
  const loaded = useLoaded((signal) => why(space, receipt, asked, signal), [space, receipt, asked.message]);
  const section = useRef<HTMLElement>(null);
  const ready = loaded.value !== undefined;
  useEffect(() => {
    if (ready) section.current?.focus(); // the list that it was chosen from is gone
  }, [ready]);
  if (loaded.problem) return <Failure problem={loaded.problem} retry={loaded.reload} />;
  if (loaded.value === undefined) return <Loading label="Looking for the reason" lines={3} />;
  const { message, included, cause, sentence, matches, score, last } = loaded.value;
  const place = message === null ? undefined : messageText(message);
  const title = titles.get(message?.conversation ?? "");
  return (
    <section aria-label="Reason" class="why-reason" ref={section} tabIndex={-1}>
      <p class="why-sentence" role="status">
        <Badge tone={included && cause !== "cut" ? "good" : "warn"}>
          {cause === "cut" ? "in part" : included ? "in the context" : "not in the context"}
        </Badge>{" "}
        {sentence}
      </p>
      {matches > 1 && <p class="small quiet">These words fit {counted(matches, "message")}. This is one of them:</p>}
      {place !== undefined && (
        <figure class="why-message">
          <figcaption class="row small">
            <b dir="auto">{place.speaker}</b>
            <Place words={title === undefined ? place : { ...place, title }} />
            {place.at !== undefined && <Time at={place.at} />}
          </figcaption>
          <blockquote dir="auto">{shorten(place.text, 400)}</blockquote>
        </figure>
      )}
      <Numbers why={loaded.value} />
      {score !== null && last?.score && <Against score={score} last={last.score} rank={rankOf(last)} />}
    </section>
  );
}

/** The numbers behind the sentence: rank, tokens, similarity, shared words. */
function Numbers({ why: { rank, found, tokens, missing, enough, similarity, shared } }: { why: Why }) {
  const numbers: [string, string][] = [];
  if (rank !== null) numbers.push(["Rank", `${rank.toLocaleString()} of ${found.toLocaleString()}`]);
  if (tokens > 0) numbers.push(["Tokens", tokens.toLocaleString()]);
  if (enough !== null) numbers.push(["Enough with a budget of", enough.toLocaleString()]);
  if (missing > 0) numbers.push(["Missing tokens", missing.toLocaleString()]);
  if (similarity !== null) numbers.push(["Similarity", similarity.toFixed(2)]);
  if (rank !== null) numbers.push(["Shared words", shared.length > 0 ? shared.join(", ") : "none"]);
  if (numbers.length === 0) return null;
  return (
    <dl class="why-numbers">
      {numbers.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

interface AgainstProps {
  score: Score;
  last: Score;
  rank: number | undefined;
}

/** The parts of a score beside those of the last recalled item that got in. */
function Against({ score, last, rank }: AgainstProps) {
  const parts = [["total", "score"] as const, ...useParts(score, last)];
  return (
    <table class="why-parts">
      <caption class="small quiet">The score beside that of the last item that got in</caption>
      <thead>
        <tr>
          <th scope="col">Part</th>
          <th scope="col">This message</th>
          <th scope="col">{rank === undefined ? "Last in" : `Rank ${rank}`}</th>
        </tr>
      </thead>
      <tbody>
        {parts.map(([part, label]) => (
          <tr key={part} data-less={score[part] < last[part] - 0.0005}>
            <th scope="row">{label}</th>
            <td>
              <Value value={score[part]} />
            </td>
            <td>
              <Value value={last[part]} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Value({ value }: { value: number }) {
  return (
    <span class="why-value">
      <span class="bar" aria-hidden="true">
        <span style={{ width: `${Math.min(1, value) * 100}%` }} />
      </span>
      {value.toFixed(value < 0.1 ? 3 : 2)}
    </span>
  );
}
