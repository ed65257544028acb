import { useEffect, useRef } from "preact/hooks";
import { allConversations } from "../../api/conversations";
import { receipts } from "../../api/receipts";
import { Empty, Failure, Loading } from "../../parts/States";
import { ViewHead } from "../../parts/ViewHead";
import { LOSSES, useReloadOn } from "../../store/changes";
import { useLoaded } from "../../store/loaded";
import { linkTo } from "../../store/route";
import type { ViewProps } from "../views";
import { Ask } from "./Ask";
import { Comparison } from "./Comparison";
import "./Context.css";
import { Kept } from "./Kept";
import { ReceiptView } from "./ReceiptView";

/** Address: conversation, receipt, then `replay`, or `compare` and another receipt. */
export default function Context({ space, rest }: ViewProps) {
  const found = useLoaded((signal) => allConversations(space, signal), [space]);
  useReloadOn(LOSSES, found.reload);
  const conversation = rest[0] ?? found.value?.[0]?.id;
  return (
    <div class="view">
      <ViewHead
        title="Context"
        about="What the model will see for a question: each item, why it is there, and what was left out."
      />
      {found.problem && <Failure problem={found.problem} retry={found.reload} />}
      {found.value === undefined && !found.problem && <Loading />}
      {found.value && conversation === undefined && <Nothing />}
      {found.value && conversation !== undefined && (
        <Inspector space={space} rest={[conversation, ...rest.slice(1)]} conversations={found.value} />
      )}
    </div>
  );
}

type InspectorProps = ViewProps & { conversations: Awaited<ReturnType<typeof allConversations>> };

function Inspector({ space, rest, conversations }: InspectorProps) {
  const [conversation = "", asked, way, other] = rest;
  const slips = useLoaded((signal) => receipts(space, conversation, signal), [space, conversation]);
  useReloadOn(["message", ...LOSSES], slips.reload);
  const open = asked ?? slips.value?.[0]?.id;
  const place = useRef<HTMLDivElement>(null);
  const before = useRef(rest.join("/"));
  useEffect(() => {
    const above = (place.current?.getBoundingClientRect().top ?? 0) < 0;
    if (above && before.current !== rest.join("/")) place.current?.scrollIntoView();
    before.current = rest.join("/");
  }, [rest]);
  return (
    <>
      <Ask space={space} conversation={conversation} conversations={conversations} built={slips.reload} />
      <div class="inspector">
        <div class="shown" ref={place}>
          {slips.problem && <Failure problem={slips.problem} retry={slips.reload} />}
          {slips.value === undefined && !slips.problem && <Loading />}
          {slips.value && open === undefined && (
            <Empty icon="layers" title="No context was built here yet">
              <p class="quiet">Build one above: nothing is sent to any model.</p>
            </Empty>
          )}
          {open !== undefined && <Shown space={space} open={open} way={way} other={other} />}
        </div>
        {slips.value && slips.value.length > 0 && (
          <Kept conversation={conversation} slips={slips.value} open={open} other={other} />
        )}
      </div>
    </>
  );
}

interface ShownProps {
  space: string;
  open: string;
  way: string | undefined;
  other: string | undefined;
}

function Shown({ space, open, way, other }: ShownProps) {
  if (way === "replay") return <Comparison space={space} id={open} />;
  if (way === "compare" && other !== undefined) return <Comparison space={space} id={open} other={other} />;
  return <ReceiptView space={space} id={open} />;
}

function Nothing() {
  return (
    <Empty icon="layers" title="There is no conversation yet">
      <p class="quiet">
        <a href={linkTo("chat")}>Start one in the chat</a>, then see here what a model would be given.
      </p>
    </Empty>
  );
}
