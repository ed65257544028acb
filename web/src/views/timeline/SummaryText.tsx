import { linesOf } from "./coverage";

/** The text of a summary, with the speaker before each sentence. */
export function SummaryText({ text }: { text: string }) {
  const lines = linesOf(text);
  if (lines.length === 0) return <p class="quiet">Empty summary.</p>;
  return (
    <div class="summary-text">
      {lines.map((line, index) => (
        <p key={`${index} ${line.text}`} dir="auto">
          {line.speaker !== null && <span class="speaker">{line.speaker}</span>} {line.text}
        </p>
      ))}
    </div>
  );
}

export function Topics({ topics }: { topics: readonly string[] }) {
  if (topics.length === 0) return null;
  return (
    <ul class="topics" aria-label="Topics">
      {topics.map((topic) => (
        <li key={topic} dir="auto">
          {topic}
        </li>
      ))}
    </ul>
  );
}
