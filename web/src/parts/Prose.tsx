import { useMemo } from "preact/hooks";
import { Code } from "./Code";
import type { Span } from "./inlines";
import { type Block, blocks, type Task } from "./markdown";
import { outline } from "./outline";
import "./Prose.css";

const SCHEMES = ["http:", "https:", "mailto:"];

/** The text of a message as Markdown: elements and text nodes, never HTML. */
export function Prose({ text }: { text: string }) {
  const parsed = useMemo(() => outline(blocks(text)), [text]);
  return (
    <div class="prose">
      <Blocks all={parsed} />
    </div>
  );
}

function Blocks({ all, tight = false }: { all: readonly Block[]; tight?: boolean }) {
  return (
    <>
      {all.map((block, index) => (
        <OneBlock key={index} block={block} tight={tight} />
      ))}
    </>
  );
}

function OneBlock({ block, tight }: { block: Block; tight: boolean }) {
  switch (block.kind) {
    case "paragraph":
      return tight ? <Spans all={block.spans} /> : <p dir="auto">{<Spans all={block.spans} />}</p>;
    case "heading": {
      const Heading = `h${block.level}` as "h2";
      return (
        <Heading dir="auto">
          <Spans all={block.spans} />
        </Heading>
      );
    }
    case "code":
      return <Code text={block.text} language={block.language} />;
    case "quote":
      return (
        <blockquote>
          <Blocks all={block.blocks} />
        </blockquote>
      );
    case "list":
      return <List list={block} />;
    case "table":
      return <DataTable table={block} />;
    case "rule":
      return <hr />;
  }
}

function List({ list }: { list: Extract<Block, { kind: "list" }> }) {
  const items = list.items.map((item, index) => (
    <li key={index} dir="auto" class={list.tasks[index] == null ? undefined : "task"}>
      <TaskMark task={list.tasks[index] ?? null} />
      <Blocks all={item} tight={list.tight} />
    </li>
  ));
  return list.start === null ? <ul>{items}</ul> : <ol start={list.start}>{items}</ol>;
}

function TaskMark({ task }: { task: Task }) {
  if (task === null) return null;
  return <span role="img" aria-label={task ? "Done:" : "To do:"} class="box" data-done={task} />;
}

function DataTable({ table }: { table: Extract<Block, { kind: "table" }> }) {
  const style = (column: number) => ({ textAlign: table.aligns[column] ?? "start" });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard
    <section class="wide" tabIndex={0} aria-label="Table">
      <table>
        <thead>
          <tr>
            {table.head.map((cell, column) => (
              <th key={column} scope="col" style={style(column)}>
                <Spans all={cell} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, column) => (
                <td key={column} style={style(column)}>
                  <Spans all={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Spans({ all }: { all: readonly Span[] }) {
  return <>{all.map(element)}</>;
}

function element(span: Span, key: number) {
  switch (span.kind) {
    case "text":
      return span.text;
    case "break":
      return "\n"; // white space is kept
    case "code":
      return <code key={key}>{span.text}</code>;
    case "math":
      return (
        <code key={key} class="math">
          {span.text}
        </code>
      );
    case "link":
    case "image":
      return <Link key={key} link={span} />;
    default: {
      const Mark = ({ strong: "strong", emphasis: "em", strike: "s" } as const)[span.kind];
      return (
        <Mark key={key}>
          <Spans all={span.spans} />
        </Mark>
      );
    }
  }
}

/** A link that opens a new tab. An image is a link to it, because the page loads nothing from other hosts. A target that
 * is no address on the web, such as a script, is left out. */
function Link({ link }: { link: Extract<Span, { kind: "link" | "image" }> }) {
  const href = webAddress(link.href);
  const shown = link.spans.length > 0 ? <Spans all={link.spans} /> : link.href;
  if (href === null) return <>{shown}</>;
  return (
    <a href={href} title={link.title ?? undefined} target="_blank" rel="noopener noreferrer nofollow">
      {shown}
    </a>
  );
}

/** The address that a link may open; null for a script, a local file and what has no scheme. */
export function webAddress(href: string): string | null {
  if (!URL.canParse(href)) return null;
  const url = new URL(href);
  return SCHEMES.includes(url.protocol) ? url.href : null;
}
