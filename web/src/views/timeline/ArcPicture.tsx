import { useMemo, useRef } from "preact/hooks";
import type { Arc, Episode } from "../../api/episodes";
import { linkTo } from "../../store/route";
import { useWidth } from "../../store/width";
import { drawingOf, type Point, SIGNS } from "./geometry";
import { FEELINGS, typeLabel } from "./types";

interface ArcPictureProps {
  conversation: string;
  arc: Arc;
  episodes: readonly Episode[];
}

/** The arc of the conversation. Arrow keys move between episodes, Enter opens one. */
export function ArcPicture({ conversation, arc, episodes }: ArcPictureProps) {
  const [frame, width] = useWidth<HTMLDivElement>();
  const drawing = useMemo(() => drawingOf(arc, episodes, width), [arc, episodes, width]);
  const points = useRef(new Map<string, HTMLAnchorElement>());
  const move = (event: KeyboardEvent, index: number) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    const next = drawing.points[index + step];
    if (step === 0 || next === undefined) return;
    event.preventDefault();
    points.current.get(next.episode.id)?.focus();
  };
  return (
    <div class="arc" ref={frame}>
      {width > 0 && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot contain an SVG
        <svg
          width={drawing.width}
          height={drawing.height}
          viewBox={`0 0 ${drawing.width} ${drawing.height}`}
          role="group"
          aria-label="Arc of the conversation: height shows significance"
        >
          {drawing.stretches.map((stretch, index) => (
            <g key={stretch.title} class="stretch">
              <rect x={stretch.x} y={14} width={stretch.width} height={drawing.base - 14} data-odd={index % 2 === 1} />
              <text x={stretch.x + stretch.width / 2} y={drawing.base + 30}>
                {stretch.title}
              </text>
            </g>
          ))}
          <path class="outline" d={drawing.outline} />
          <line class="base" x1={0} x2={drawing.width} y1={drawing.base} y2={drawing.base} />
          {drawing.points.map((point, index) => (
            <a
              key={point.episode.id}
              class="moment"
              href={linkTo("timeline", conversation, "episode", point.episode.id)}
              ref={(element) => {
                if (element === null) points.current.delete(point.episode.id);
                else points.current.set(point.episode.id, element);
              }}
              tabIndex={index === 0 ? 0 : -1}
              data-feeling={point.feeling}
              aria-label={named(point)}
              onKeyDown={(event) => move(event, index)}
            >
              <title>{point.episode.title}</title>
              <line class="span" x1={point.span[0]} x2={point.span[1]} y1={drawing.base} y2={drawing.base} />
              <line class="stem" x1={point.x} x2={point.x} y1={drawing.base} y2={point.y + point.radius} />
              {point.key && <circle class="ring" cx={point.x} cy={point.y} r={point.radius + 4} />}
              <circle cx={point.x} cy={point.y} r={point.radius} />
              <text class="sign" x={point.x} y={point.y + 4.5}>
                {SIGNS[point.feeling]}
              </text>
              {point.label && (
                <text class="title" x={point.label.x} y={point.y - point.radius - 9}>
                  {point.label.text}
                </text>
              )}
            </a>
          ))}
        </svg>
      )}
    </div>
  );
}

function named({ episode, feeling, key }: Point): string {
  const weight = `significance ${Math.round(episode.significance * 100)} %`;
  return `${key ? "Key moment: " : ""}${episode.title} (${typeLabel(episode.type)}, ${weight}, ${FEELINGS[feeling]})`;
}
