import { expect, test } from "vitest";
import { Parser, type StreamEvent } from "../src/api/stream";

const STREAM =
  'event: ready\nid: 7\ndata: {"cursor": 7}\n\n: still there\r\n\r\nid: 8\r\nevent: change\r\ndata: a\r\ndata: b\r\n\r\n';

function read(pieces: string[]): StreamEvent[] {
  const parser = new Parser();
  return pieces.flatMap((piece) => parser.feed(piece));
}

test("events are the same wherever the stream is cut", () => {
  const whole = read([STREAM]);
  expect(whole).toEqual([
    { name: "ready", id: "7", data: '{"cursor": 7}' },
    { name: "change", id: "8", data: "a\nb" },
  ]);
  for (let cut = 0; cut <= STREAM.length; cut++) expect(read([STREAM.slice(0, cut), STREAM.slice(cut)])).toEqual(whole);
  expect(read([...STREAM])).toEqual(whole);
});
