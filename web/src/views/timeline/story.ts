// All that the timeline of a conversation shows, read at once.
import { call } from "../../api/client";
import { type Arc, arc, type Episode, episodes } from "../../api/episodes";
import { type Summary, summaries, summaryWindow, type Window } from "../../api/summaries";

export interface Story {
  arc: Arc;
  episodes: Episode[];
  summaries: Summary[];
  window: Window;
  /** A summary is due. */
  needed: boolean;
}

export async function storyOf(space: string, conversation: string, replaced: boolean): Promise<Story> {
  const [course, happened, made, window, due] = await Promise.all([
    arc(space, conversation),
    episodes(space, conversation),
    summaries(space, conversation, replaced),
    summaryWindow(space, conversation),
    call("GET /conversations/{conversation}/needs-summary", { space, path: { conversation } }),
  ]);
  return { arc: course, episodes: happened, summaries: made, window, needed: due.needed };
}

/** What the third was about in which an episode began. */
export function topicsOf(arc: Arc, episode: Episode): string[] {
  const third = [arc.beginning, arc.middle, arc.end].find((one) => one.episodes.some((each) => each.id === episode.id));
  return third?.topics ?? [];
}
