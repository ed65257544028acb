import { useState } from "preact/hooks";
import { type Episode, removeEpisode } from "../../api/episodes";
import { messagesOf, textOf } from "../../api/messages";
import { Badge } from "../../parts/Badge";
import { Button } from "../../parts/Button";
import { Confirm, Dialog } from "../../parts/Dialog";
import { modelName } from "../../parts/modelName";
import { Prose } from "../../parts/Prose";
import { Failure, Loading } from "../../parts/States";
import { numberOf } from "../../parts/speakers";
import { Time } from "../../parts/Time";
import { linkTo } from "../../store/route";
import { attempt, say } from "../../store/toasts";
import { useLoaded } from "../../store/useLoaded";
import { feelingOf, KEY, SIGNS } from "./geometry";
import { Topics } from "./SummaryText";
import { FEELINGS, typeLabel } from "./types";

const MOST = 60; // messages shown

interface EpisodeDetailsProps {
  space: string;
  episode: Episode;
  topics: readonly string[];
  close: () => void;
  changed: () => void;
}

/** One episode with its source messages. */
export function EpisodeDetails({ space, episode, topics, close, changed }: EpisodeDetailsProps) {
  const [asking, setAsking] = useState(false);
  const feeling = feelingOf(episode.valence);
  const remove = () =>
    attempt(async () => {
      await removeEpisode(space, episode.conversation, episode.id);
      close();
      changed();
      say("Episode removed. It will not be detected again.");
    });
  return (
    <Dialog
      title={episode.title}
      close={close}
      wide
      actions={
        <Button kind="ghost" icon="trash" onClick={() => setAsking(true)}>
          Remove episode…
        </Button>
      }
    >
      <p class="row">
        <Badge>{typeLabel(episode.type)}</Badge>
        {episode.significance >= KEY && <Badge tone="accent">key moment</Badge>}
        <span class="feeling" data-feeling={feeling} aria-hidden="true">
          {SIGNS[feeling]}
        </span>
        <span>
          {FEELINGS[feeling]} ({signed(episode.valence)}), significance {Math.round(episode.significance * 100)} %
        </span>
      </p>
      {episode.outcome !== null && (
        <p>
          <b>Outcome</b> <bdi>{episode.outcome}</bdi>
        </p>
      )}
      <Topics topics={topics} />
      <Origin space={space} episode={episode} />
      {episode.facts.length > 0 && (
        <p class="row small">
          {episode.facts.map((id, index) => (
            <a key={id} href={linkTo("memory", "facts", id)}>
              Fact {index + 1}
            </a>
          ))}
        </p>
      )}
      <p class="small quiet">
        {
          {
            pattern: "Detected by rules",
            model: `Detected by ${episode.model === null ? "a model" : modelName(episode.model)}`,
            manual: "Added manually",
          }[episode.method]
        }
        , <Time at={episode.created_at} />; participants: {episode.participants.join(", ")}
      </p>
      {asking && (
        <Confirm title="Remove this episode?" confirm="Remove" close={() => setAsking(false)} run={remove}>
          <p>You cannot undo this, and the episode will not be detected again. Its source messages stay.</p>
        </Confirm>
      )}
    </Dialog>
  );
}

function Origin({ space, episode }: { space: string; episode: Episode }) {
  const { conversation, first_seq: first, last_seq: last } = episode;
  const messages = useLoaded(
    () => messagesOf(space, conversation, first, last, MOST),
    [space, conversation, first, last],
  );
  if (messages.problem && !messages.value) return <Failure problem={messages.problem} retry={messages.reload} />;
  if (!messages.value) return <Loading label="Loading messages" />;
  return (
    <section aria-label="Source messages">
      <h3>Source messages</h3>
      <ol class="episode-origin">
        {messages.value.map((message) => (
          <li key={message.id} data-role={message.role}>
            <p class="small quiet row">
              <a href={linkTo("chat", conversation, String(message.seq))}>{numberOf(message.seq)}</a>
              <span>{message.role}</span>
              <Time at={message.created_at} />
            </p>
            <Prose text={textOf(message.content)} />
          </li>
        ))}
      </ol>
      {last - first + 1 > messages.value.length && <p class="small quiet">See the chat for the rest.</p>}
    </section>
  );
}

function signed(value: number): string {
  return `${value > 0 ? "+" : value < 0 ? "−" : ""}${Math.abs(value).toFixed(2)}`;
}
