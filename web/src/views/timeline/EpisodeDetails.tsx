import { useState } from "preact/hooks";
import { type Episode, removeEpisode } from "../../api/episodes";
import { messagesOf, textOf } from "../../api/messages";
import { Badge } from "../../parts/Badge";
import { Button } from "../../parts/Button";
import { Confirm, Dialog } from "../../parts/Dialog";
import { Prose } from "../../parts/Prose";
import { Failure, Loading } from "../../parts/States";
import { Time } from "../../parts/Time";
import { useLoaded } from "../../store/loaded";
import { linkTo } from "../../store/route";
import { attempt, say } from "../../store/toasts";
import { feelingOf, KEY, SIGNS } from "./geometry";
import { Topics } from "./SummaryText";
import { FEELINGS, spelledType } from "./types";

const MOST = 60; // messages that are shown

interface EpisodeDetailsProps {
  space: string;
  episode: Episode;
  topics: readonly string[];
  close: () => void;
  changed: () => void;
}

/** One episode with the messages it came from. */
export function EpisodeDetails({ space, episode, topics, close, changed }: EpisodeDetailsProps) {
  const [asking, setAsking] = useState(false);
  const feeling = feelingOf(episode.valence);
  const remove = () =>
    attempt(async () => {
      await removeEpisode(space, episode.conversation, episode.id);
      close();
      changed();
      say("The episode is removed, and not found again.");
    });
  return (
    <Dialog
      title={episode.title}
      close={close}
      wide
      actions={
        <Button kind="ghost" icon="trash" onClick={() => setAsking(true)}>
          Remove the episode…
        </Button>
      }
    >
      <p class="row">
        <Badge>{spelledType(episode.type)}</Badge>
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
          { pattern: "Found by the rules", model: `Found by ${episode.model ?? "a model"}`, manual: "Noted by hand" }[
            episode.method
          ]
        }
        , <Time at={episode.created_at} />; between {episode.participants.join(" and ")}
      </p>
      {asking && (
        <Confirm title="Remove this episode?" confirm="Remove" close={() => setAsking(false)} run={remove}>
          <p>It goes for good, and is not found again. The messages it came from stay.</p>
        </Confirm>
      )}
    </Dialog>
  );
}

function Origin({ space, episode }: { space: string; episode: Episode }) {
  const { conversation, first_seq: first, last_seq: last } = episode;
  const found = useLoaded(() => messagesOf(space, conversation, first, last, MOST), [space, conversation, first, last]);
  if (found.problem && !found.value) return <Failure problem={found.problem} retry={found.reload} />;
  if (!found.value) return <Loading label="Reading the messages" />;
  return (
    <section aria-label="The messages it came from">
      <h3>The messages it came from</h3>
      <ol class="episode-origin">
        {found.value.map((message) => (
          <li key={message.id} data-role={message.role}>
            <p class="small quiet row">
              <a href={linkTo("chat", conversation, String(message.seq))}>{message.seq}</a>
              <span>{message.role}</span>
              <Time at={message.created_at} />
            </p>
            <Prose text={textOf(message.content)} />
          </li>
        ))}
      </ol>
      {last - first + 1 > found.value.length && <p class="small quiet">The rest is in the chat.</p>}
    </section>
  );
}

function signed(value: number): string {
  return `${value > 0 ? "+" : value < 0 ? "−" : ""}${Math.abs(value).toFixed(2)}`;
}
