// Pending answers by conversation. They continue while another view is open.
import { signal } from "@preact/signals";
import { type Message, message as readMessage } from "../../api/messages";
import { asProblem, type Problem } from "../../api/problem";
import { reply } from "../../api/replies";
import { say } from "../../store/toasts";

export interface Place {
  space: string;
  conversation: string;
}

/** A question. It is stored once per id, even if it is sent again. */
export type Question = Pick<Message, "id" | "content">;

export interface PendingAnswer {
  text: string;
  model: string | null;
  going: boolean;
  /** The question is stored. */
  begun: boolean;
  problem: Problem | undefined;
  asked: Question;
}

const answers = signal<ReadonlyMap<string, PendingAnswer>>(new Map());
const stops = new Map<string, AbortController>(); // one for each running answer
const listeners = new Map<string, (messages: Message[]) => void>();

export const keyOf = ({ space, conversation }: Place) => JSON.stringify([space, conversation]);

export function pendingAt(place: Place): PendingAnswer | undefined {
  return answers.value.get(keyOf(place));
}

/** Calls `stored` with every message that an answer stores in this conversation. Returns a function that ends it. */
export function onStored(place: Place, stored: (messages: Message[]) => void): () => void {
  const key = keyOf(place);
  listeners.set(key, stored);
  return () => {
    if (listeners.get(key) === stored) listeners.delete(key);
  };
}

export function stop(place: Place): void {
  stops.get(keyOf(place))?.abort();
}

/** Sends a question, unless an answer is running. Resolves to true once the question is stored. */
export function ask(place: Place, asked: Question): Promise<boolean> {
  const key = keyOf(place);
  if (stops.has(key)) return Promise.resolve(false);
  const stopping = new AbortController();
  stops.set(key, stopping);
  set(key, { text: "", model: null, going: true, begun: false, problem: undefined, asked });
  return new Promise((resolve) => {
    listen(place, asked, stopping.signal, () => resolve(true))
      .then(
        () => set(key, undefined),
        (thrown: unknown) => broken(key, thrown, stopping.signal.aborted),
      )
      .finally(() => {
        stops.delete(key);
        resolve(false); // no effect if it was stored
      });
  });
}

async function listen(place: Place, asked: Question, signal: AbortSignal, begun: () => void): Promise<void> {
  const key = keyOf(place);
  const { space, conversation } = place;
  const put = async (id: string) => listeners.get(key)?.([await readMessage(space, conversation, id)]);
  for await (const event of reply(space, conversation, asked, signal)) {
    if (event.kind === "begun") {
      change(key, { model: event.model, begun: true });
      begun();
      await put(event.question);
    } else if (event.kind === "text") change(key, { text: (answers.value.get(key)?.text ?? "") + event.text });
    else await put(event.message);
  }
}

function broken(key: string, thrown: unknown, stopped: boolean): void {
  const problem = asProblem(thrown);
  if (!stopped && answers.value.get(key)?.begun) change(key, { going: false, problem });
  else set(key, undefined);
  if (!stopped && !answers.value.has(key)) say(problem.message, true);
}

function change(key: string, what: Partial<PendingAnswer>): void {
  const before = answers.value.get(key);
  if (before !== undefined) set(key, { ...before, ...what });
}

function set(key: string, pending: PendingAnswer | undefined): void {
  const next = new Map(answers.value);
  if (pending === undefined) next.delete(key);
  else next.set(key, pending);
  answers.value = next;
}
