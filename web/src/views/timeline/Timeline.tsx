import { useState } from "preact/hooks";
import { allConversations } from "../../api/conversations";
import { summariseNow } from "../../api/summaries";
import { Button } from "../../parts/Button";
import { ConversationField } from "../../parts/ConversationField";
import { Switch } from "../../parts/Field";
import { Empty, Failure, Loading } from "../../parts/States";
import { ViewHead } from "../../parts/ViewHead";
import { LOSSES, useReloadOn } from "../../store/changes";
import { useLoaded } from "../../store/loaded";
import { go, linkTo } from "../../store/route";
import { attempt, say } from "../../store/toasts";
import type { ViewProps } from "../views";
import { Chain } from "./Chain";
import { coverageOf } from "./coverage";
import { EpisodeDetails } from "./EpisodeDetails";
import { Episodes } from "./Episodes";
import { Progress } from "./Progress";
import { Summaries } from "./Summaries";
import { type Story, storyOf, topicsOf } from "./story";
import "./Timeline.css";

const ABOUT = "How a conversation went: what happened, what it was about, and how far it is summed up.";

/** The conversation in the address, else the one that was spoken in last. */
export default function Timeline({ space, rest }: ViewProps) {
  const found = useLoaded(
    async (signal) => rest[0] ?? (await allConversations(space, signal))[0]?.id ?? null,
    [space, rest[0]],
  );
  useReloadOn(LOSSES, found.reload);
  if (found.problem && found.value === undefined) return <Failure problem={found.problem} retry={found.reload} />;
  if (found.value === undefined) return <Loading label="Reading the timeline" lines={8} />;
  if (found.value === null) {
    return (
      <div class="view">
        <ViewHead title="Timeline" about={ABOUT} />
        <Empty icon="timeline" title="No conversation yet">
          <p>
            As soon as something was said, its course stands here. <a href={linkTo("chat")}>Start in the chat.</a>
          </p>
        </Empty>
      </div>
    );
  }
  return (
    <Course key={`${space}/${found.value}`} space={space} conversation={found.value} what={rest[1]} id={rest[2]} />
  );
}

interface CourseProps {
  space: string;
  conversation: string;
  what: string | undefined;
  id: string | undefined;
}

function Course({ space, conversation, what, id }: CourseProps) {
  const [replaced, setReplaced] = useState(false);
  const [busy, setBusy] = useState(false);
  const found = useLoaded(() => storyOf(space, conversation, replaced), [space, conversation, replaced]);
  useReloadOn(["message", "summary", "episode", ...LOSSES], found.reload);
  const summarise = async () => {
    setBusy(true);
    await attempt(async () => {
      const made = await summariseNow(space, conversation);
      say(`Summed up messages ${made.first_seq} to ${made.last_seq}.`);
      found.reload();
    });
    setBusy(false);
  };
  const close = () => go("timeline", conversation);
  const story = found.value;
  const episode = what === "episode" ? story?.episodes.find((one) => one.id === id) : undefined;
  return (
    <div class="view timeline">
      <ViewHead title="Timeline" about={ABOUT}>
        <ConversationField space={space} bare value={conversation} change={(name) => go("timeline", name)} />
        <Button icon="spark" busy={busy} onClick={summarise}>
          Summarise now
        </Button>
      </ViewHead>
      {found.problem && !story && <Failure problem={found.problem} retry={found.reload} />}
      {!story && !found.problem && <Loading label="Reading the timeline" lines={8} />}
      {story && <Told story={story} conversation={conversation} replaced={replaced} setReplaced={setReplaced} />}
      {story && episode && (
        <EpisodeDetails
          key={episode.id}
          space={space}
          episode={episode}
          topics={topicsOf(story.arc, episode)}
          close={close}
          changed={found.reload}
        />
      )}
      {what === "summary" && id !== undefined && (
        <Chain key={id} space={space} conversation={conversation} id={id} close={close} />
      )}
    </div>
  );
}

interface ToldProps {
  story: Story;
  conversation: string;
  replaced: boolean;
  setReplaced: (replaced: boolean) => void;
}

function Told({ story, conversation, replaced, setReplaced }: ToldProps) {
  const made = coverageOf(story.summaries, story.window.newest_seq ?? -1, Date.now());
  return (
    <>
      <section aria-label="Arc">
        <h2 class="unseen">The arc</h2>
        <Episodes conversation={conversation} arc={story.arc} episodes={story.episodes} />
      </section>
      <section aria-label="Summaries" class="summed">
        <div class="row">
          <h2>Summaries</h2>
          <Switch label="Replaced ones too" checked={replaced} change={setReplaced} />
        </div>
        <Progress made={made} window={story.window} needed={story.needed} />
        <Summaries conversation={conversation} summaries={story.summaries} />
      </section>
    </>
  );
}
