// Server-sent events, read with fetch: an EventSource cannot send a key.

export interface StreamEvent {
  name: string;
  id: string | null;
  data: string;
}

/** The events of a response, as they arrive, until it ends. */
export async function* events(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  const parser = new Parser();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield* parser.feed(value);
    }
  } finally {
    await reader.cancel().catch(() => undefined); // the stream may have ended already
  }
}

/** Joins the pieces of a stream into events. */
export class Parser {
  private rest = "";
  private name = "message";
  private id: string | null = null;
  private data: string[] = [];

  feed(piece: string): StreamEvent[] {
    const text = this.rest + piece;
    const held = text.endsWith("\r") ? 1 : 0; // its \n may follow in the next piece
    const lines = text.slice(0, text.length - held).split(/\r\n|\n|\r/);
    this.rest = (lines.pop() ?? "") + (held > 0 ? "\r" : "");
    return lines.flatMap((line) => this.take(line));
  }

  private take(line: string): StreamEvent[] {
    if (line === "") return this.dispatch();
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "event") this.name = value;
    else if (field === "id") this.id = value;
    else if (field === "data") this.data.push(value);
    return [];
  }

  private dispatch(): StreamEvent[] {
    const whole = this.data.length > 0 ? [{ name: this.name, id: this.id, data: this.data.join("\n") }] : [];
    this.name = "message";
    this.data = [];
    return whole;
  }
}
