import { useEffect, useRef, useState } from "preact/hooks";
import { decide, type Fact, unrelate } from "../../api/facts";
import { Badge } from "../../parts/Badge";
import { Button } from "../../parts/Button";
import { Quote } from "../../parts/Quote";
import { Empty } from "../../parts/States";
import { sentence } from "../../parts/shorten";
import { askToForget, forgetMark } from "../../store/forgetting";
import { type Shortcut, useShortcuts } from "../../store/shortcuts";
import { attempt, say } from "../../store/toasts";
import type { Action } from "./actions";
import type { Case } from "./cases";
import { KIND_HUES, STATUS_TONES } from "./kinds";

interface ReviewProps {
  space: string;
  cases: readonly Case[];
  changed: () => void;
  act: (action: Action, fact: Fact) => void;
}

/** The facts to review, one case at a time; contradictions are side by side. */
export function Review({ space, cases, changed, act }: ReviewProps) {
  const [at, setAt] = useState(0);
  const index = Math.min(at, cases.length - 1);
  const current = cases[index];
  const list = useRef<HTMLOListElement>(null);
  const moved = useRef(false);
  useEffect(() => {
    if (moved.current) list.current?.children[index]?.scrollIntoView({ block: "nearest" });
    moved.current = true;
  }, [index]);

  const run = (done: string, action: () => Promise<unknown>) =>
    attempt(async () => {
      await action();
      say(done);
      changed();
    });
  const choose = (item: Case, fact: Fact) =>
    run(`Confirmed: “${sentence(fact.text)}”.`, () => chosen(space, item, fact));
  const wrong = (fact: Fact) =>
    run("Marked as wrong. It will not be suggested again.", () => decide(space, fact.id, "reject"));

  const shortcuts: Shortcut[] = [
    { keys: "j", label: "Next item", run: () => setAt(Math.min(index + 1, cases.length - 1)) },
    { keys: "k", label: "Previous item", run: () => setAt(Math.max(index - 1, 0)) },
    { keys: "y", label: "Confirm the first fact", run: () => pick(0) },
    ...[1, 2, 3].map((number) => ({
      keys: String(number),
      label: `Confirm fact ${number}`,
      run: () => pick(number - 1),
    })),
    { keys: "n", label: "Mark the first fact as wrong", run: () => current?.facts[0] && wrong(current.facts[0]) },
    { keys: "e", label: "Edit the first fact", run: () => current?.facts[0] && act("edit", current.facts[0]) },
  ];
  useShortcuts(shortcuts);
  function pick(number: number): void {
    const fact = current?.facts[number];
    if (current && fact) void choose(current, fact);
  }

  if (cases.length === 0) {
    return (
      <Empty icon="check" title="Nothing to review">
        <p>Uncertain facts, and facts that contradict each other, appear here for you to decide.</p>
      </Empty>
    );
  }
  return (
    <>
      <p class="review-keys small quiet">
        <kbd>j</kbd> <kbd>k</kbd> move, <kbd>y</kbd> or <kbd>1</kbd> <kbd>2</kbd> confirm, <kbd>n</kbd> mark as wrong,{" "}
        <kbd>e</kbd> edit
      </p>
      <h2 class="unseen">To review</h2>
      <ol class="cases" ref={list}>
        {cases.map((item, number) => (
          <li key={item.id} class="card" aria-current={number === index} onPointerDown={() => setAt(number)}>
            {item.facts.length > 1 && <h2>Which fact is correct?</h2>}
            <div class="sides">
              {item.facts.map((fact, side) => (
                <Side
                  key={fact.id}
                  fact={fact}
                  number={item.facts.length > 1 ? side + 1 : undefined}
                  yes={() => choose(item, fact)}
                  no={() => wrong(fact)}
                  edit={() => act("edit", fact)}
                />
              ))}
            </div>
            {item.contradictions.length > 0 && (
              <Button
                kind="ghost"
                onClick={() =>
                  run("Both facts are kept.", async () => {
                    for (const link of item.contradictions) await unrelate(space, link);
                  })
                }
              >
                Keep both
              </Button>
            )}
          </li>
        ))}
      </ol>
    </>
  );
}

/** Confirms one fact: promotes it unless it is active, and rejects those that contradict it. */
async function chosen(space: string, item: Case, fact: Fact): Promise<void> {
  if (fact.status !== "active") await decide(space, fact.id, "promote");
  for (const other of item.facts) {
    if (other.id !== fact.id && (other.status === "pending" || fact.status === "active")) {
      await decide(space, other.id, "reject");
    }
  }
}

interface SideProps {
  fact: Fact;
  number: number | undefined;
  yes: () => void;
  no: () => void;
  edit: () => void;
}

function Side({ fact, number, yes, no, edit }: SideProps) {
  const target = { kind: "fact", id: fact.id, conversation: "" } as const;
  return (
    <article class="side" data-forget={forgetMark(target)} style={{ "--hue": KIND_HUES[fact.kind] }}>
      <p class="row small">
        {number !== undefined && <kbd>{number}</kbd>}
        <span class="kind">{fact.kind}</span>
        <Badge tone={STATUS_TONES[fact.status]}>{fact.status}</Badge>
        <span class="quiet">{Math.round(fact.confidence * 100)} % confidence</span>
      </p>
      <h3 dir="auto">{sentence(fact.text)}</h3>
      {fact.evidence.map((evidence) => (
        <Quote key={`${evidence.message_id} ${evidence.quote}`} evidence={evidence} />
      ))}
      {fact.evidence.length === 0 && <p class="small quiet">Added manually.</p>}
      <p class="row">
        <Button kind="primary" icon="check" onClick={yes}>
          Confirm
        </Button>
        <Button icon="close" onClick={no}>
          Mark as wrong
        </Button>
        <Button kind="ghost" icon="edit" onClick={edit}>
          Edit…
        </Button>
        <Button kind="ghost" icon="trash" onClick={() => askToForget(target)}>
          Forget…
        </Button>
      </p>
    </article>
  );
}
