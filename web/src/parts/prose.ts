// Parses a message into prose and code blocks, and prose into plain and emphasised text. It never creates HTML.

export type Block = { kind: "prose"; text: string } | { kind: "code"; text: string; language: string | null };
export type Span = { kind: "text" | "code" | "strong"; text: string };

const FENCE = /^ {0,3}(`{3,}|~{3,})\s*([\w+#.-]*)[^\n`]*$/;
const MARKED = /(`+)([^`\n]+)\1|\*\*(?!\s)([^*\n]+)(?<!\s)\*\*/g;

export function blocks(text: string): Block[] {
  const result: Block[] = [];
  let prose: string[] = [];
  let code: { fence: string; language: string | null; lines: string[] } | null = null;
  const endProse = () => {
    const whole = prose.join("\n").replace(/^\n+|\s+$/g, "");
    if (whole !== "") result.push({ kind: "prose", text: whole });
    prose = [];
  };
  for (const line of text.split("\n")) {
    const fence = FENCE.exec(line.replace(/\r$/, ""));
    if (code !== null) {
      if (fence?.[1]?.startsWith(code.fence) && !fence[2]) {
        result.push({ kind: "code", text: code.lines.join("\n"), language: code.language });
        code = null;
      } else code.lines.push(line);
    } else if (fence?.[1] !== undefined) {
      endProse();
      code = { fence: fence[1], language: fence[2] || null, lines: [] };
    } else prose.push(line);
  }
  if (code !== null) result.push({ kind: "code", text: code.lines.join("\n"), language: code.language });
  endProse();
  return result;
}

export function spans(text: string): Span[] {
  const result: Span[] = [];
  let place = 0;
  for (const match of text.matchAll(MARKED)) {
    if (match.index > place) result.push({ kind: "text", text: text.slice(place, match.index) });
    if (match[2] !== undefined) result.push({ kind: "code", text: match[2] });
    else result.push({ kind: "strong", text: match[3] ?? "" });
    place = match.index + match[0].length;
  }
  if (place < text.length) result.push({ kind: "text", text: text.slice(place) });
  return result;
}
