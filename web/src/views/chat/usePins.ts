// The pins of the open conversation, and the button on each message.
import { useCallback, useRef } from "preact/hooks";
import type { Message } from "../../api/messages";
import { type Pin, pinMessage, pins as readPins, unpin } from "../../api/pins";
import { LOSSES, useReloadOn } from "../../store/changes";
import { attempt } from "../../store/toasts";
import { type Loaded, useLoaded } from "../../store/useLoaded";

export interface PinControl {
  pins: Loaded<Pin[]>;
  isPinned: (message: Message) => boolean;
  toggle: (message: Message) => void;
}

export function usePins(space: string, conversation: string): PinControl {
  const pins = useLoaded(() => readPins(space, conversation), [space, conversation]);
  useReloadOn(["pin", ...LOSSES], pins.reload);
  const before = useRef<Promise<unknown>>(Promise.resolve());
  const { reload } = pins;
  const toggle = useCallback(
    (message: Message) => {
      // in sequence, so that a second click undoes the first and never pins twice
      before.current = before.current.then(() =>
        attempt(async () => {
          const pin = (await readPins(space, conversation)).find((each) => each.source_message_id === message.id);
          if (pin === undefined) await pinMessage(space, conversation, message.id);
          else await unpin(space, conversation, pin.id);
          reload();
        }),
      );
    },
    [space, conversation, reload],
  );
  const pinned = new Set((pins.value ?? []).map((pin) => pin.source_message_id));
  return { pins, isPinned: (message) => pinned.has(message.id), toggle };
}
