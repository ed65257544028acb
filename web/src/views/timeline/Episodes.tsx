import type { Arc, Episode } from "../../api/episodes";
import { Badge } from "../../parts/Badge";
import { Empty } from "../../parts/States";
import { numberOf } from "../../parts/speakers";
import { linkTo } from "../../store/route";
import { ArcPicture } from "./ArcPicture";
import { feelingOf, KEY, SIGNS } from "./geometry";
import { SummaryText, Topics } from "./SummaryText";
import { FEELINGS, typeLabel } from "./types";

interface EpisodesProps {
  conversation: string;
  arc: Arc;
  episodes: readonly Episode[];
}

/** The arc with its episodes, the same episodes as a list, and the topics of each third. */
export function Episodes({ conversation, arc, episodes }: EpisodesProps) {
  return (
    <>
      {episodes.length === 0 ? (
        <Empty icon="timeline" title="No episodes yet">
          <p>Decisions, problems, solutions and changes of plan appear here as they happen.</p>
        </Empty>
      ) : (
        <>
          <ArcPicture conversation={conversation} arc={arc} episodes={episodes} />
          <p class="small quiet arc-key">
            Height shows significance, a ring marks a key moment. + positive, − negative, = neutral.
          </p>
          <ol class="episodes">
            {episodes.map((episode) => (
              <EpisodeRow key={episode.id} conversation={conversation} episode={episode} />
            ))}
          </ol>
        </>
      )}
      <ArcParts conversation={conversation} arc={arc} />
    </>
  );
}

function EpisodeRow({ conversation, episode }: { conversation: string; episode: Episode }) {
  const feeling = feelingOf(episode.valence);
  return (
    <li>
      <span class="feeling" data-feeling={feeling} title={FEELINGS[feeling]}>
        {SIGNS[feeling]}
        <span class="unseen">{FEELINGS[feeling]}</span>
      </span>
      <div>
        <a href={linkTo("timeline", conversation, "episode", episode.id)}>
          <bdi>{episode.title}</bdi>
        </a>
        <p class="small quiet row">
          <span>{typeLabel(episode.type)}</span>
          <span>
            messages {numberOf(episode.first_seq)} to {numberOf(episode.last_seq)}
          </span>
          {episode.significance >= KEY && <Badge tone="accent">key moment</Badge>}
        </p>
      </div>
      <span class="weight" title="Significance">
        <span class="unseen">Significance </span>
        {Math.round(episode.significance * 100)} %
        <i style={{ inlineSize: `${Math.round(episode.significance * 100)}%` }} />
      </span>
    </li>
  );
}

function ArcParts({ conversation, arc }: { conversation: string; arc: Arc }) {
  const thirds = [
    ["Beginning", arc.beginning],
    ["Middle", arc.middle],
    ["End", arc.end],
  ] as const;
  return (
    <div class="thirds">
      {thirds.map(([title, third]) => (
        <section key={title} class="card" aria-label={title}>
          <h3>{title}</h3>
          <p class="small quiet">
            <a href={linkTo("chat", conversation, String(third.first_seq))}>
              messages {numberOf(third.first_seq)} to {numberOf(third.last_seq)}
            </a>
          </p>
          <Topics topics={third.topics} />
          <SummaryText text={third.summary} />
        </section>
      ))}
    </div>
  );
}
