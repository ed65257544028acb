// What came from the messages of the open conversation, and what its answers used: facts and receipts.
import { useEffect, useState } from "preact/hooks";
import { decide, type Fact, facts as readFacts } from "../../api/facts";
import { type ReceiptListItem, receipts as readReceipts } from "../../api/receipts";
import { LOSSES, useReloadOn } from "../../store/changes";
import { attempt, say } from "../../store/toasts";
import { useLoaded } from "../../store/useLoaded";
import { byMessage } from "./byMessage";

const MOST_FACTS = 2000;
const MOST_RECEIPTS = 200;
const SHOWN: readonly Fact["status"][] = ["active", "pending"];

export interface MemoryControl {
  /** The facts that a message states. */
  factsOf: (message: string) => Fact[];
  /** The facts that were undone here, which can be remembered again. */
  wasUndone: (fact: Fact) => boolean;
  undo: (fact: Fact) => void;
  redo: (fact: Fact) => void;
  receipt: (id: string) => ReceiptListItem | undefined;
}

const SOON = 1000; // milliseconds; a receipt is written in the background
const TRIES = 5;

/** `newest` is the receipt of the newest answer. */
export function useMemory(space: string, conversations: readonly string[], newest: string | undefined): MemoryControl {
  const [undone, setUndone] = useState<ReadonlySet<string>>(new Set());
  const names = conversations.join("\n");
  const facts = useLoaded(
    async (signal) => {
      const read = (name: string) => readFacts(space, { status: "any", conversation: name }, MOST_FACTS, signal);
      return byMessage((await Promise.all(conversations.map(read))).flatMap((page) => page.items));
    },
    [space, names],
  );
  useReloadOn(["fact", ...LOSSES], facts.reload);
  const receipts = useLoaded(
    async (signal) => {
      const read = (name: string) => readReceipts(space, name, signal, MOST_RECEIPTS);
      const all = (await Promise.all(conversations.map(read))).flat();
      return new Map(all.map((receipt) => [receipt.id, receipt]));
    },
    [space, names],
  );
  const missing = newest !== undefined && receipts.value?.has(newest) === false;
  const { reload } = receipts;
  useEffect(() => {
    let tries = 0;
    const timer = missing ? setInterval(() => (tries++ < TRIES ? reload() : clearInterval(timer)), SOON) : undefined;
    return () => clearInterval(timer);
  }, [missing, reload]);
  const turn = (fact: Fact, decision: "reject" | "undo") =>
    attempt(async () => {
      await decide(space, fact.id, decision);
      const next = new Set(undone);
      if (decision === "reject") next.add(fact.id);
      else next.delete(fact.id);
      setUndone(next);
      facts.reload();
      say(decision === "reject" ? "Undone. It will not be remembered again." : "Remembered again.");
    });
  return {
    factsOf: (message) =>
      (facts.value?.get(message) ?? []).filter((fact) => SHOWN.includes(fact.status) || undone.has(fact.id)),
    wasUndone: (fact) => !SHOWN.includes(fact.status),
    undo: (fact) => void turn(fact, "reject"),
    redo: (fact) => void turn(fact, "undo"),
    receipt: (id) => receipts.value?.get(id),
  };
}
