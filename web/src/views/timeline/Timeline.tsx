import { useState } from "preact/hooks";
import { allConversations } from "../../api/conversations";
import { summariseNow } from "../../api/summaries";
import { Button } from "../../parts/Button";
import { ConversationField } from "../../parts/ConversationField";
import { Switch } from "../../parts/Field";
import { Empty, Failure, Loading } from "../../parts/States";
import { numberOf } from "../../parts/speakers";
import { ViewHead } from "../../parts/ViewHead";
import { LOSSES, useReloadOn } from "../../store/changes";
import { go, linkTo } from "../../store/route";
import { attempt, say } from "../../store/toasts";
import { useLoaded } from "../../store/useLoaded";
import type { ViewProps } from "../views";
import { coverageOf } from "./coverage";
import { EpisodeDetails } from "./EpisodeDetails";
import { Episodes } from "./Episodes";
import { Progress } from "./Progress";
import { Summaries } from "./Summaries";
import { SummaryVersions } from "./SummaryVersions";
import { readTimeline, type TimelineData, topicsOf } from "./timelineData";
import "./Timeline.css";

const ABOUT = "What happened in a conversation, what it was about, and how much of it is summarised.";

/** The conversation in the address; by default the one with the newest message. */
export default function Timeline({ space, rest }: ViewProps) {
  const conversations = useLoaded(
    async (signal) => rest[0] ?? (await allConversations(space, signal))[0]?.id ?? null,
    [space, rest[0]],
  );
  useReloadOn(LOSSES, conversations.reload);
  if (conversations.value === undefined || conversations.value === null) {
    return (
      <div class="view">
        <ViewHead title="Timeline" about={ABOUT} />
        {conversations.value === null ? (
          <Empty icon="timeline" title="No conversations yet">
            <p>
              The timeline appears with the first messages. <a href={linkTo("chat")}>Start in the chat.</a>
            </p>
          </Empty>
        ) : conversations.problem ? (
          <Failure problem={conversations.problem} retry={conversations.reload} />
        ) : (
          <Loading label="Loading timeline" lines={8} />
        )}
      </div>
    );
  }
  return (
    <ConversationTimeline
      key={`${space}/${conversations.value}`}
      space={space}
      conversation={conversations.value}
      what={rest[1]}
      id={rest[2]}
    />
  );
}

interface ConversationTimelineProps {
  space: string;
  conversation: string;
  what: string | undefined;
  id: string | undefined;
}

function ConversationTimeline({ space, conversation, what, id }: ConversationTimelineProps) {
  const [replaced, setReplaced] = useState(false);
  const [busy, setBusy] = useState(false);
  const timeline = useLoaded(() => readTimeline(space, conversation, replaced), [space, conversation, replaced]);
  useReloadOn(["message", "summary", "episode", ...LOSSES], timeline.reload);
  const summarise = async () => {
    setBusy(true);
    await attempt(async () => {
      const made = await summariseNow(space, conversation);
      say(`Summarised messages ${numberOf(made.first_seq)} to ${numberOf(made.last_seq)}.`);
      timeline.reload();
    });
    setBusy(false);
  };
  const close = () => go("timeline", conversation);
  const data = timeline.value;
  const episode = what === "episode" ? data?.episodes.find((each) => each.id === id) : undefined;
  return (
    <div class="view timeline">
      <ViewHead title="Timeline" about={ABOUT}>
        <ConversationField space={space} bare value={conversation} change={(name) => go("timeline", name)} />
        <Button icon="spark" busy={busy} onClick={summarise}>
          Summarise now
        </Button>
      </ViewHead>
      {timeline.problem && !data && <Failure problem={timeline.problem} retry={timeline.reload} />}
      {!data && !timeline.problem && <Loading label="Loading timeline" lines={8} />}
      {data && <TimelineBody data={data} conversation={conversation} replaced={replaced} setReplaced={setReplaced} />}
      {data && episode && (
        <EpisodeDetails
          key={episode.id}
          space={space}
          episode={episode}
          topics={topicsOf(data.arc, episode)}
          close={close}
          changed={timeline.reload}
        />
      )}
      {what === "summary" && id !== undefined && (
        <SummaryVersions key={id} space={space} conversation={conversation} id={id} close={close} />
      )}
    </div>
  );
}

interface TimelineBodyProps {
  data: TimelineData;
  conversation: string;
  replaced: boolean;
  setReplaced: (replaced: boolean) => void;
}

function TimelineBody({ data, conversation, replaced, setReplaced }: TimelineBodyProps) {
  const made = coverageOf(data.summaries, data.window.newest_seq ?? -1, Date.now());
  return (
    <>
      <section aria-label="Arc">
        <h2 class="unseen">Arc</h2>
        <Episodes conversation={conversation} arc={data.arc} episodes={data.episodes} />
      </section>
      <section aria-label="Summaries" class="summed">
        <div class="row">
          <h2>Summaries</h2>
          <Switch label="Show superseded" checked={replaced} change={setReplaced} />
        </div>
        <Progress made={made} window={data.window} needed={data.needed} />
        <Summaries conversation={conversation} summaries={data.summaries} />
      </section>
    </>
  );
}
