// A list of any length that renders only the visible rows. Rows can have any height. The visible rows keep their
// position while rows are added, measured or loaded above.
import type { ComponentChildren, RefObject } from "preact";
import { useEffect, useLayoutEffect, useMemo, useReducer, useRef } from "preact/hooks";
import { Offsets } from "./offsets";
import "./VirtualList.css";

const BEYOND = 600; // pixels above and below the visible part that are also rendered
const AT_END = 48; // pixels from the end that count as the end
const NEAR_START = 1200;

export interface ListHandle {
  toEnd(): void;
  /** Returns false if there is no such row. */
  toKey(key: string): boolean;
}

interface VirtualListProps<T> {
  label: string;
  items: readonly T[];
  keyOf: (item: T) => string;
  render: (item: T, index: number) => ComponentChildren;
  estimate?: number;
  /** Starts at the end and stays there while rows are added, as in a chat. */
  stick?: boolean;
  nearStart?: () => void;
  atEnd?: (at: boolean) => void;
  handle?: RefObject<ListHandle | null>;
  foot?: ComponentChildren;
}

export function VirtualList<T>(props: VirtualListProps<T>) {
  const { label, items, keyOf, render, estimate = 96, stick = false, nearStart, atEnd, handle, foot } = props;
  const frame = useRef<HTMLElement>(null);
  const drawn = useRef<HTMLOListElement>(null);
  const [, redraw] = useReducer((turn: number) => turn + 1, 0);
  const offsets = useMemo(() => new Offsets(estimate), [estimate]);
  const keys = useMemo(() => items.map(keyOf), [items, keyOf]);
  const view = useRef({ top: 0, height: 800, end: stick, anchor: "", delta: 0 });
  offsets.set(keys);

  const update = () => {
    const box = frame.current;
    if (box === null) return;
    const now = view.current;
    const first = offsets.at(box.scrollTop);
    const atLast = box.scrollHeight - box.scrollTop - box.clientHeight < AT_END;
    if (atLast !== now.end) atEnd?.(atLast);
    Object.assign(now, { top: box.scrollTop, height: box.clientHeight, end: atLast });
    now.anchor = offsets.keyAt(first) ?? "";
    now.delta = box.scrollTop - offsets.top(first);
    if (box.scrollTop < NEAR_START) nearStart?.();
  };

  /** Returns true if the height of a row changed. */
  const measure = (rows: Iterable<Element>): boolean => {
    let moved = false;
    for (const row of rows) {
      if (!(row instanceof HTMLElement) || !row.isConnected) continue;
      const key = row.dataset.key;
      moved = key === undefined || offsets.measure(key, row.offsetHeight) || moved;
    }
    return moved;
  };

  /** Measures rows before the browser paints, so that the visible rows do not jump. */
  const settle = () => {
    const box = frame.current;
    if (box === null) return;
    if (measure(drawn.current?.children ?? [])) return redraw(undefined);
    const now = view.current;
    const index = offsets.indexOf(now.anchor);
    if (stick && now.end) box.scrollTop = box.scrollHeight;
    else if (index !== undefined) {
      const target = offsets.top(index) + now.delta;
      if (Math.abs(box.scrollTop - target) >= 1) box.scrollTop = target;
    }
    update();
  };

  const watcher = useRef<ResizeObserver | null>(null);
  watcher.current ??= new ResizeObserver((entries) => {
    if (measure(entries.map((entry) => entry.target))) redraw(undefined);
  });

  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const observer = watcher.current;
    for (const element of [frame.current, end.current]) if (element !== null) observer?.observe(element);
    return () => observer?.disconnect();
  }, []);

  useLayoutEffect(settle);

  if (handle !== undefined) {
    handle.current = {
      toEnd: () => {
        view.current.end = true;
        redraw(undefined);
      },
      toKey: (key) => {
        if (offsets.indexOf(key) === undefined) return false;
        Object.assign(view.current, { end: false, anchor: key, delta: -view.current.height / 3 });
        redraw(undefined);
        return true;
      },
    };
  }

  const from = rangeStart(view.current, offsets, stick);
  const first = Math.max(0, offsets.at(from - BEYOND));
  const last = Math.min(items.length, offsets.at(from + view.current.height + BEYOND) + 1);
  const rows = items.slice(first, last);

  return (
    <section
      class="virtual-list"
      ref={frame}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard
      tabIndex={0}
      onScroll={() => {
        const before = [offsets.at(view.current.top - BEYOND / 2), offsets.at(view.current.top + view.current.height)];
        update();
        const now = [offsets.at(view.current.top - BEYOND / 2), offsets.at(view.current.top + view.current.height)];
        if (before[0] !== now[0] || before[1] !== now[1]) redraw(undefined);
      }}
    >
      <div style={{ height: `${offsets.top(first)}px` }} />
      <ol class="virtual-rows" ref={drawn}>
        {rows.map((item, index) => (
          <Row key={keys[first + index]} id={keys[first + index] as string} watcher={watcher}>
            {render(item, first + index)}
          </Row>
        ))}
      </ol>
      <div style={{ height: `${Math.max(0, offsets.total - offsets.top(last))}px` }} />
      <div ref={end}>{foot}</div>
    </section>
  );
}

/** The visible range after this render; rows may have been added above. */
function rangeStart(
  now: { top: number; height: number; end: boolean; anchor: string; delta: number },
  offsets: Offsets,
  stick: boolean,
): number {
  if (stick && now.end) return Math.max(0, offsets.total - now.height);
  const index = offsets.indexOf(now.anchor);
  return index === undefined ? now.top : offsets.top(index) + now.delta;
}

interface RowProps {
  id: string;
  watcher: RefObject<ResizeObserver | null>;
  children: ComponentChildren;
}

function Row({ id, watcher, children }: RowProps) {
  const row = useRef<HTMLLIElement>(null);
  useLayoutEffect(() => {
    const element = row.current;
    const observer = watcher.current;
    if (element !== null) observer?.observe(element);
    return () => {
      if (element !== null) observer?.unobserve(element);
    };
  }, [watcher]);
  return (
    <li ref={row} data-key={id}>
      {children}
    </li>
  );
}
