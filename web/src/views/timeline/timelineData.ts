// Loads everything that the timeline of a conversation shows.
import { type Arc, arc, type Episode, episodes } from "../../api/episodes";
import { type RollingSummaryState, type Summary, summaries, summaryDue, summaryWindow } from "../../api/summaries";

export interface TimelineData {
  arc: Arc;
  episodes: Episode[];
  summaries: Summary[];
  window: RollingSummaryState;
  /** A summary is due. */
  needed: boolean;
}

export async function readTimeline(space: string, conversation: string, replaced: boolean): Promise<TimelineData> {
  const [course, happened, made, window, needed] = await Promise.all([
    arc(space, conversation),
    episodes(space, conversation),
    summaries(space, conversation, replaced),
    summaryWindow(space, conversation),
    summaryDue(space, conversation),
  ]);
  return { arc: course, episodes: happened, summaries: made, window, needed };
}

/** The topics of the third that contains an episode. */
export function topicsOf(arc: Arc, episode: Episode): string[] {
  const third = [arc.beginning, arc.middle, arc.end].find((part) =>
    part.episodes.some((each) => each.id === episode.id),
  );
  return third?.topics ?? [];
}
