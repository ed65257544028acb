// The page's colours for a canvas, which does not support CSS variables and light-dark().

export interface Palette {
  text: string;
  muted: string;
  line: string;
  surface: string;
  hues: string[];
  font: string;
}

/** The current colours inside an element. */
export function paletteOf(element: HTMLElement): Palette {
  const probe = document.createElement("span");
  probe.hidden = true;
  element.append(probe);
  const colour = (name: string) => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };
  const made = {
    text: colour("text"),
    muted: colour("muted"),
    line: colour("line"),
    surface: colour("raised"),
    hues: Array.from({ length: 8 }, (_, index) => colour(`hue-${index + 1}`)),
    font: getComputedStyle(element).fontFamily,
  };
  probe.remove();
  return made;
}
