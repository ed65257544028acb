import { useMemo, useState } from "preact/hooks";
import { decide, type Fact, facts, relations, review } from "../../api/facts";
import { Button } from "../../parts/Button";
import { Failure, Loading } from "../../parts/States";
import { Tabs } from "../../parts/Tabs";
import { ViewHead } from "../../parts/ViewHead";
import { LOSSES, useReloadOn } from "../../store/changes";
import { go } from "../../store/route";
import { attempt, say } from "../../store/toasts";
import { useLast } from "../../store/useLast";
import { useLoaded } from "../../store/useLoaded";
import type { ViewProps } from "../views";
import { About } from "./About";
import { ArchiveForm } from "./ArchiveForm";
import { type Action, WORDS } from "./actions";
import { casesOf } from "./cases";
import { FactDetails } from "./FactDetails";
import { FactForm } from "./FactForm";
import { Facts } from "./Facts";
import type { Purpose } from "./factDraft";
import { Graph } from "./Graph";
import "./Memory.css";
import { asQuery, type Moment, NOW, scaleOf } from "./moment";
import { Review } from "./Review";
import { TimeTravel } from "./TimeTravel";

const MOST = 2000; // facts in the graph
const TABS = ["facts", "review", "graph", "about"] as const;
type Tab = (typeof TABS)[number];

/** The memory view: facts, review, graph and About me. */
export default function Memory({ space, rest }: ViewProps) {
  const tab: Tab = TABS.find((each) => each === rest[0]) ?? "facts";
  const [moment, setMoment] = useState<Moment>(NOW);
  const [form, setForm] = useState<{ purpose: Purpose; fact?: Fact }>();
  const [archived, setArchived] = useState<Fact>();
  const known = useKnown(space, moment);
  const open = rest[1];

  const act = (action: Action, fact: Fact) => {
    if (action === "edit" || action === "replace") return setForm({ purpose: action, fact });
    if (action === "archive") return setArchived(fact);
    void attempt(async () => {
      await decide(space, fact.id, action);
      say(WORDS[action].done);
      known.reload();
    });
  };
  const done = (made: Fact) => {
    known.reload();
    if (open !== undefined) go("memory", tab, made.id);
  };
  const waiting = known.cases.length;
  return (
    <div class="view">
      <ViewHead title="Memory" about="Stored facts and the messages they come from. Correct anything that is wrong.">
        <Button kind="primary" icon="plus" onClick={() => setForm({ purpose: "remember" })}>
          Add fact
        </Button>
      </ViewHead>
      <Tabs
        label="Memory"
        tabs={[
          ["facts", "Facts"],
          ["review", waiting === 0 ? "Review" : `Review ${waiting}`],
          ["graph", "Graph"],
          ["about", "About me"],
        ]}
        chosen={tab}
        choose={(name) => go("memory", name)}
      >
        {tab !== "review" && <TimeTravel scale={known.scale} moment={moment} change={setMoment} />}
        {tab === "facts" && (
          <Facts
            space={space}
            moment={moment}
            relations={known.relations}
            act={act}
            remember={() => setForm({ purpose: "remember" })}
          />
        )}
        {tab === "about" && <About space={space} moment={moment} />}
        {(tab === "review" || tab === "graph") && known.problem && !known.ready && (
          <Failure problem={known.problem} retry={known.reload} />
        )}
        {(tab === "review" || tab === "graph") && !known.problem && !known.ready && <Loading lines={8} />}
        {tab === "review" && known.ready && (
          <Review space={space} cases={known.cases} changed={known.reload} act={act} />
        )}
        {tab === "graph" && known.ready && (
          <Graph
            space={space}
            facts={known.shownFacts}
            known={known.byId}
            relations={known.relations}
            changed={known.reload}
          />
        )}
      </Tabs>
      {open !== undefined && (
        <FactDetails
          key={open}
          space={space}
          id={open}
          relations={known.relations}
          textOf={(id) => known.byId.get(id)?.text ?? id}
          act={act}
          close={() => go("memory", tab)}
        />
      )}
      {archived && (
        <ArchiveForm space={space} fact={archived} close={() => setArchived(undefined)} done={known.reload} />
      )}
      {form && (
        <FactForm
          space={space}
          purpose={form.purpose}
          {...(form.fact === undefined ? {} : { fact: form.fact })}
          close={() => setForm(undefined)}
          done={done}
        />
      )}
    </div>
  );
}

/** The data that the tabs share: all facts, the valid ones at the selected time, links, and facts to review. */
function useKnown(space: string, moment: Moment) {
  const all = useLoaded((signal) => facts(space, { status: "any" }, MOST, signal), [space]);
  const valid = useLoaded((signal) => facts(space, asQuery(moment), MOST, signal), [space, moment]);
  const shownFacts = useLast(valid.value, space);
  const links = useLoaded(() => relations(space), [space]);
  const queue = useLoaded(() => review(space), [space]);
  const reload = () => {
    for (const loaded of [all, valid, links, queue]) loaded.reload();
  };
  useReloadOn(["fact", ...LOSSES], reload);
  const byId = useMemo(() => new Map((all.value?.items ?? []).map((fact) => [fact.id, fact])), [all.value]);
  const scale = useMemo(() => scaleOf(all.value?.items ?? [], Date.now()), [all.value]);
  const cases = useMemo(() => casesOf(queue.value ?? [], links.value ?? []), [queue.value, links.value]);
  return {
    byId,
    scale,
    cases,
    shownFacts: shownFacts?.items ?? [],
    relations: links.value ?? [],
    ready: shownFacts !== undefined && [all, links, queue].every((loaded) => loaded.value !== undefined),
    problem: [all, valid, links, queue].find((loaded) => loaded.problem !== undefined)?.problem,
    reload,
  };
}
