// Pending answers by conversation. They continue while another view is open. An answer that another tab or process asked
// for is watched.
import { signal } from "@preact/signals";
import { type Message, messagesAfter, message as readMessage } from "../../api/messages";
import { asProblem, isAbort, type Problem } from "../../api/problem";
import { type ReplyEvent, reply, stopAnswer, watch as watchAnswer } from "../../api/replies";
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
  /** How often the model was called again because it was busy or unreachable. */
  retries: number;
  stopping: boolean;
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

/** Stops the running answer, in whichever process writes it. What was written so far is stored. */
export async function stop(place: Place): Promise<void> {
  const key = keyOf(place);
  const pending = answers.value.get(key);
  if (pending === undefined || pending.stopping) return;
  change(key, { stopping: true });
  const stopped =
    pending.begun && (await stopAnswer(place.space, place.conversation, pending.asked.id).catch(() => false));
  if (!stopped) stops.get(key)?.abort();
}

/** Sends a question, unless an answer is running. Resolves to true once the question is stored. */
export function ask(place: Place, asked: Question, model: string | null = null): Promise<boolean> {
  const { space, conversation } = place;
  const body = { id: asked.id, content: asked.content, model, detached: true };
  return follow(place, asked, false, (signal) => reply(space, conversation, body, signal));
}

/** Shows an answer that another tab or process asked for. Resolves when it has ended. */
export async function watch(place: Place, asked: Question): Promise<void> {
  await follow(place, asked, true, (signal) => watchAnswer(place.space, place.conversation, asked.id, signal));
}

type Events = (signal: AbortSignal) => AsyncGenerator<ReplyEvent>;

function follow(place: Place, asked: Question, stored: boolean, events: Events): Promise<boolean> {
  const key = keyOf(place);
  if (stops.has(key)) return Promise.resolve(false);
  const stopping = new AbortController();
  stops.set(key, stopping);
  const begun = stored;
  set(key, { text: "", model: null, going: true, begun, retries: 0, stopping: false, problem: undefined, asked });
  return new Promise((resolve) => {
    listen(place, events(stopping.signal), asked, stored ? undefined : () => resolve(true))
      .then(
        () => set(key, undefined),
        (thrown: unknown) => broken(place, thrown, stopping.signal.aborted || isAbort(thrown)),
      )
      .finally(() => {
        stops.delete(key);
        resolve(false); // no effect if it was stored
      });
  });
}

async function listen(
  place: Place,
  events: AsyncGenerator<ReplyEvent>,
  asked: Question,
  begun: (() => void) | undefined,
): Promise<void> {
  const key = keyOf(place);
  const { space, conversation } = place;
  const put = async (id: string) => listeners.get(key)?.([await readMessage(space, conversation, id)]);
  for await (const event of events) {
    if (event.kind === "begun") {
      change(key, { model: event.model, begun: true });
      begun?.();
      if (begun) await put(event.question);
    } else if (event.kind === "retrying") change(key, { retries: event.retries });
    else if (event.kind === "text")
      change(key, { text: (answers.value.get(key)?.text ?? "") + event.text, retries: 0 });
    else {
      if (event.kind === "ended") await readAfter(place, asked);
      else if (event.message !== null) await put(event.message);
      return; // the next question need not wait for the end of the connection
    }
  }
}

/** Reads what was stored after a question. */
async function readAfter(place: Place, asked: Question): Promise<void> {
  const { space, conversation } = place;
  const question = await readMessage(space, conversation, asked.id);
  listeners.get(keyOf(place))?.(await messagesAfter(space, conversation, question.seq));
}

function broken(place: Place, thrown: unknown, stopped: boolean): void {
  const key = keyOf(place);
  const problem = asProblem(thrown);
  const pending = answers.value.get(key);
  if (problem.code === "conflict" && pending !== undefined) {
    set(key, undefined); // another tab or process was faster: its answer is watched, or stored
    void readAfter(place, pending.asked).catch(() => undefined);
  } else if (!stopped && pending?.begun) change(key, { going: false, problem });
  else set(key, undefined);
  if (!stopped && problem.code !== "conflict" && !answers.value.has(key)) say(problem.message, true);
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
