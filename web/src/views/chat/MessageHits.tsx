import { useEffect, useState } from "preact/hooks";
import type { ConversationInfo } from "../../api/conversations";
import { recallMessages } from "../../api/recall";
import { shorten } from "../../parts/shorten";
import { LOSSES, useReloadOn } from "../../store/changes";
import { linkTo } from "../../store/route";
import { useLoaded } from "../../store/useLoaded";
import { titleOf } from "./titles";

const PAUSE = 250; // milliseconds after the last keystroke
const LONGEST = 140;

interface MessageHitsProps {
  space: string;
  words: string;
  all: readonly ConversationInfo[];
}

/** Messages that match the search, by words and by meaning. */
export function MessageHits({ space, words, all }: MessageHitsProps) {
  const [query, setQuery] = useState(words);
  useEffect(() => {
    const timer = setTimeout(() => setQuery(words), PAUSE);
    return () => clearTimeout(timer);
  }, [words]);
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
              <span class="small" dir="auto">
                {shorten(hit.text, LONGEST)}
              </span>
              <span class="conversation-facts small quiet" dir="auto">
                {titles.get(hit.conversation) ?? hit.conversation}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}
