// The width of the page, and of elements.
import type { RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

const narrow = matchMedia("(max-width: 720px)");

/** True while the page is as narrow as on a phone. */
export function useNarrow(): boolean {
  const [is, set] = useState(narrow.matches);
  useLayoutEffect(() => {
    const changed = () => set(narrow.matches);
    narrow.addEventListener("change", changed);
    return () => narrow.removeEventListener("change", changed);
  }, []);
  return is;
}

/** The width of an element, for drawings that fit into it. */
export function useWidth<T extends HTMLElement>(): [ref: RefObject<T | null>, width: number] {
  const ref = useRef<T>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return;
    const measure = () => setWidth(Math.round(element.clientWidth));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, width];
}
