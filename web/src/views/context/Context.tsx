import { useEffect, useMemo, useRef } from "preact/hooks";
import { allConversations } from "../../api/conversations";
import { receipts } from "../../api/receipts";
import { Empty, Failure, Loading } from "../../parts/States";
import { ViewHead } from "../../parts/ViewHead";
import { LOSSES, useReloadOn } from "../../store/changes";
import { linkTo } from "../../store/route";
import { useLoaded } from "../../store/useLoaded";
import { titleOf } from "../chat/titles";
import type { ViewProps } from "../views";
import { Bench } from "./Bench";
import { Comparison } from "./Comparison";
import { QuestionForm } from "./QuestionForm";
import "./Context.css";
import { ReceiptList } from "./ReceiptList";
import { ReceiptView } from "./ReceiptView";

/** Address: conversation, receipt, then `replay`, or `compare` and another receipt; or conversation, `bench`, question. */
export default function Context({ space, rest }: ViewProps) {
  const loaded = useLoaded((signal) => allConversations(space, signal), [space]);
  useReloadOn(LOSSES, loaded.reload);
  const conversation = rest[0] ?? loaded.value?.[0]?.id;
  return (
    <div class="view context-view">
      <ViewHead
        title="Context"
        about="What the model receives for a question: each item, why it is included, and what was left out."
      />
      {loaded.problem && <Failure problem={loaded.problem} retry={loaded.reload} />}
      {loaded.value === undefined && !loaded.problem && <Loading />}
      {loaded.value && conversation === undefined && <Nothing />}
      {loaded.value && conversation !== undefined && (
        <Inspector space={space} rest={[conversation, ...rest.slice(1)]} conversations={loaded.value} />
      )}
    </div>
  );
}

type InspectorProps = ViewProps & { conversations: Awaited<ReturnType<typeof allConversations>> };

function Inspector({ space, rest, conversations }: InspectorProps) {
  const [conversation = "", asked, mode, other] = rest;
  const stored = useLoaded((signal) => receipts(space, conversation, signal), [space, conversation]);
  useReloadOn(["message", ...LOSSES], stored.reload);
  const titles = useMemo(() => new Map(conversations.map((info) => [info.id, titleOf(info)])), [conversations]);
  const open = asked ?? stored.value?.[0]?.id;
  const listed = asked === "bench" || stored.value?.some((receipt) => receipt.id === open);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a receipt that the bench made is not in the list yet
  useEffect(() => {
    if (listed === false) stored.reload();
  }, [open]);
  const place = useRef<HTMLDivElement>(null);
  const before = useRef(rest.join("/"));
  useEffect(() => {
    const above = (place.current?.getBoundingClientRect().top ?? 0) < 0;
    if (above && before.current !== rest.join("/")) place.current?.scrollIntoView();
    before.current = rest.join("/");
  }, [rest]);
  if (asked === "bench") {
    return <Bench key={conversation} space={space} asked={mode ?? ""} {...{ conversation, conversations }} />;
  }
  return (
    <>
      <QuestionForm
        space={space}
        conversation={conversation}
        conversations={conversations}
        asked={stored.value?.find((receipt) => receipt.id === open)?.question ?? ""}
        built={stored.reload}
      />
      <div class="inspector">
        <div class="shown" ref={place}>
          {stored.problem && <Failure problem={stored.problem} retry={stored.reload} />}
          {stored.value === undefined && !stored.problem && <Loading />}
          {stored.value && open === undefined && (
            <Empty icon="layers" title="No contexts yet">
              <p class="quiet">Build one above. Nothing is sent to a model.</p>
            </Empty>
          )}
          {open !== undefined && <Shown space={space} open={open} mode={mode} other={other} titles={titles} />}
        </div>
        {stored.value && stored.value.length > 0 && (
          <ReceiptList conversation={conversation} receipts={stored.value} open={open} other={other} />
        )}
      </div>
    </>
  );
}

interface ShownProps {
  space: string;
  open: string;
  mode: string | undefined;
  other: string | undefined;
  titles: ReadonlyMap<string, string>;
}

function Shown({ space, open, mode, other, titles }: ShownProps) {
  if (mode === "replay") return <Comparison space={space} id={open} titles={titles} />;
  if (mode === "compare" && other !== undefined)
    return <Comparison space={space} id={open} other={other} titles={titles} />;
  return <ReceiptView space={space} id={open} titles={titles} />;
}

function Nothing() {
  return (
    <Empty icon="layers" title="No conversations yet">
      <p class="quiet">
        <a href={linkTo("chat")}>Start one in the chat</a> to see what a model would receive.
      </p>
    </Empty>
  );
}
