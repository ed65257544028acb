// What becomes of a message that is sent: a model answers it, or the page shows what one would be given.
import { useState } from "preact/hooks";
import { addMessages, type Message } from "../../api/messages";
import { answerer, type ResponderInfo } from "../../api/replies";
import { attempt } from "../../store/toasts";
import { useLoaded } from "../../store/useLoaded";
import { type AnswerControl, useAnswer } from "./useAnswer";

export interface SendControl {
  answering: AnswerControl;
  /** Who answers here; undefined until that is known. */
  speaker: ResponderInfo | undefined;
  /** The last message that was sent and that no model answers. */
  kept: { id: string; text: string } | undefined;
  /** Says whether it was stored. */
  send: (text: string) => Promise<boolean>;
}

export function useSend(space: string, conversation: string, stored: (messages: Message[]) => void): SendControl {
  const [kept, setKept] = useState<SendControl["kept"]>();
  const answering = useAnswer(space, conversation, stored);
  const speaker = useLoaded((signal) => answerer(space, conversation, signal), [space, conversation]);

  const put = async (text: string): Promise<boolean> => {
    const { model } = speaker.value ?? (await answerer(space, conversation));
    if (model !== null) return answering.ask(text);
    const added = await addMessages(space, conversation, [{ role: "user", content: text }]);
    stored(added);
    setKept(added[0] && { id: added[0].id, text });
    return true;
  };
  const send = async (text: string): Promise<boolean> => {
    let worked = false;
    await attempt(async () => {
      worked = await put(text);
    });
    return worked;
  };
  return { answering, speaker: speaker.value, kept, send };
}
