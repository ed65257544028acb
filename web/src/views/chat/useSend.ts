// Sends a message: a model answers it, or the page shows the context that a model would receive.
import { useState } from "preact/hooks";
import { addMessages, type Message } from "../../api/messages";
import { answerer, type ResponderInfo } from "../../api/replies";
import { attempt } from "../../store/toasts";
import { useLoaded } from "../../store/useLoaded";
import { type AnswerControl, useAnswer } from "./useAnswer";

export interface SendControl {
  answering: AnswerControl;
  /** The model that answers here; undefined while loading. */
  speaker: ResponderInfo | undefined;
  /** The last sent message, if no model answers. */
  unansweredMessage: { id: string; text: string } | undefined;
  /** Resolves to true if the message was stored. */
  send: (text: string) => Promise<boolean>;
}

export function useSend(space: string, conversation: string, stored: (messages: Message[]) => void): SendControl {
  const [unansweredMessage, setUnansweredMessage] = useState<SendControl["unansweredMessage"]>();
  const answering = useAnswer(space, conversation, stored);
  const speaker = useLoaded((signal) => answerer(space, conversation, signal), [space, conversation]);

  const put = async (text: string): Promise<boolean> => {
    const { model } = speaker.value ?? (await answerer(space, conversation));
    if (model !== null) return answering.ask(text);
    const added = await addMessages(space, conversation, [{ role: "user", content: text }]);
    stored(added);
    setUnansweredMessage(added[0] && { id: added[0].id, text });
    return true;
  };
  const send = async (text: string): Promise<boolean> => {
    let worked = false;
    await attempt(async () => {
      worked = await put(text);
    });
    return worked;
  };
  return { answering, speaker: speaker.value, unansweredMessage, send };
}
