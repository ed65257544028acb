import type { ConversationInfo } from "../../api/conversations";
import { recallMessages } from "../../api/recall";
import { MessageResult } from "../../parts/MessageResult";
import { LOSSES, useReloadOn } from "../../store/changes";
import { linkTo } from "../../store/route";
import { useLoaded } from "../../store/useLoaded";
import { useSettled } from "../../store/useSettled";
import { titleOf } from "./titles";

interface MessageHitsProps {
  space: string;
  words: string;
  all: readonly ConversationInfo[];
}

/** Messages that match the search, by words and by meaning. */
export function MessageHits({ space, words, all }: MessageHitsProps) {
  const query = useSettled(words);
  const hits = useLoaded((signal) => recallMessages(space, query, signal), [space, query]);
  useReloadOn(LOSSES, hits.reload);
  const titles = new Map(all.map((info) => [info.id, titleOf(info)]));
  if (hits.problem) return <p class="nothing small quiet">{hits.problem.message}</p>;
  if (!hits.value || hits.value.length === 0) return null;
  return (
    <>
      <h2 class="found-title">Messages</h2>
      <ul class="conversation-list">
        {hits.value.map((hit) => (
          <li key={hit.id}>
            <a href={linkTo("chat", hit.conversation, String(hit.seq))}>
              <MessageResult hit={hit} words={query} title={titles.get(hit.conversation) ?? hit.conversation} />
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}
