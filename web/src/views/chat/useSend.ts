// Sends a message: a model answers it, or the page shows the context that a model would receive. A question that is
// edited, or answered anew, begins a branch.
import { useState } from "preact/hooks";
import { fork } from "../../api/conversations";
import { addMessages, type Message } from "../../api/messages";
import { answerer, type ResponderInfo } from "../../api/replies";
import { go } from "../../store/route";
import { attempt } from "../../store/toasts";
import { useLoaded } from "../../store/useLoaded";
import { ask, type Question } from "./answers";
import { choose, chosenModel } from "./models";
import { freshId } from "./titles";
import { type AnswerControl, useAnswer } from "./useAnswer";

export interface SendControl {
  answering: AnswerControl;
  /** The model that answers here; undefined while loading. */
  speaker: ResponderInfo | undefined;
  /** The last sent message, if no model answers. */
  unansweredMessage: { id: string; text: string } | undefined;
  /** Resolves to true if the message was stored. */
  send: (text: string) => Promise<boolean>;
  /** Sends another text in place of a message, in a branch that shares the messages up to `after`. */
  sendAnew: (after: number, text: string) => Promise<boolean>;
  /** Lets the model answer a question again, in a branch that shares the messages up to the question. */
  answerAnew: (question: Message) => Promise<boolean>;
}

export function useSend(space: string, conversation: string, stored: (messages: Message[]) => void): SendControl {
  const [unansweredMessage, setUnansweredMessage] = useState<SendControl["unansweredMessage"]>();
  const model = chosenModel(space, conversation);
  const answering = useAnswer(space, conversation, model, stored);
  const speaker = useLoaded((signal) => answerer(space, conversation, model, signal), [space, conversation, model]);

  const answers = async () => (speaker.value ?? (await answerer(space, conversation, model))).model !== null;
  const put = async (text: string): Promise<boolean> => {
    if (await answers()) return answering.ask(text);
    const added = await addMessages(space, conversation, [{ role: "user", content: text }]);
    stored(added);
    setUnansweredMessage(added[0] && { id: added[0].id, text });
    return true;
  };
  const branch = async (after: number, question: Question) => {
    const { id } = await fork(space, conversation, after);
    if (model !== null) choose(space, id, model);
    if (await answers()) void ask({ space, conversation: id }, question, model);
    else await addMessages(space, id, [{ role: "user", ...question }]);
    go("chat", id);
  };
  const send = async (text: string): Promise<boolean> => {
    let worked = false;
    await attempt(async () => {
      worked = await put(text);
    });
    return worked;
  };
  return {
    answering,
    speaker: speaker.value,
    unansweredMessage,
    send,
    sendAnew: (after, content) => attempt(() => branch(after, { id: freshId(), content })),
    answerAnew: (question) => attempt(() => branch(question.seq, question)),
  };
}
