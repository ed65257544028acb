// SVG icons: 24 by 24, one stroke.
const PATHS = {
  archive: "M4 8h16v11H4zM3 4h18v4H3zM10 12h4",
  arrowDown: "M12 5v14M6 13l6 6 6-6",
  back: "M19 12H5M11 6l-6 6 6 6",
  book: "M5 5a2 2 0 0 1 2-2h12v15H7a2 2 0 0 0-2 2zM5 20a1 1 0 0 0 1 1h13v-3",
  branch:
    "M7 8a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM7 21a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM17 10a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM7 8v8M17 10c0 4-6 3-9 6",
  chart: "M4 20V4M4 20h16M9 16v-5M13 16V8M17 16v-8",
  chat: "M5 5h14a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1h-7l-5 4v-4H5a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1z",
  check: "M5 12.5l4.5 4.5L19 7.5",
  chevron: "M9 6l6 6-6 6",
  clock: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5.2l3.4 2",
  close: "M6 6l12 12M18 6L6 18",
  code: "M8 7l-5 5 5 5M16 7l5 5-5 5M13.5 5l-3 14",
  copy: "M9 9h10v11H9zM5 15V4h10",
  download: "M12 4v11M7 11l5 5 5-5M5 20h14",
  edit: "M4 20h4L19 9l-4-4L4 16zM13.5 6.5l4 4",
  eye: "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 14.8a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6z",
  filter: "M4 6h16M7 12h10M10 18h4",
  flag: "M6 21V4h11l-2 4 2 4H6",
  graph:
    "M6 8a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM18 12.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM8 21a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM8.3 6.3l7.4 2.6M16.2 11.8l-6.3 5M6.3 8l1.3 8",
  info: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 11v5.5M12 7.5v.1",
  key: "M14.5 13a4.5 4.5 0 1 0-4.3-3.1L3 17v4h4v-2.5h2.5V16H12l1.2-1.2M15.5 8.5h.1",
  keyboard: "M3 7h18v11H3zM7 11h.1M11 11h.1M15 11h.1M17.5 11h.1M8 14.5h8",
  layers: "M12 3l9 5-9 5-9-5zM3.5 12.5L12 17l8.5-4.5M3.5 16.5L12 21l8.5-4.5",
  monitor: "M3 5h18v11H3zM9 20h6M12 16v4",
  moon: "M20 14.5A8.5 8.5 0 1 1 9.5 4 6.8 6.8 0 0 0 20 14.5z",
  more: "M6 12a1 1 0 1 1-2 0 1 1 0 0 1 2 0zM13 12a1 1 0 1 1-2 0 1 1 0 0 1 2 0zM20 12a1 1 0 1 1-2 0 1 1 0 0 1 2 0z",
  pause: "M8 5v14M16 5v14",
  pin: "M9 4h6l-.7 6 3.2 3.5H6.5L9.7 10zM12 13.5V21",
  play: "M7 5l12 7-12 7z",
  plus: "M12 5v14M5 12h14",
  refresh: "M20 11a8 8 0 0 0-14-4.5L4 9M4 4v5h5M4 13a8 8 0 0 0 14 4.5L20 15M20 20v-5h-5",
  search: "M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l5 5",
  send: "M4 12L20 4l-5 16-3.5-6.5zM11.5 13.5L20 4",
  shield: "M12 3l8 3v5.5c0 4.7-3.2 8-8 9.5-4.8-1.5-8-4.8-8-9.5V6z",
  sliders: "M4 7h9M17 7h3M15 5v4M4 17h3M11 17h9M9 15v4",
  spark: "M12 3l1.9 6.1L20 11l-6.1 1.9L12 19l-1.9-6.1L4 11l6.1-1.9zM19 16v5M16.5 18.5h5",
  stop: "M6 6h12v12H6z",
  sun: "M12 16.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM12 2v2.5M12 19.5V22M2 12h2.5M19.5 12H22M5 5l1.7 1.7M17.3 17.3L19 19M5 19l1.7-1.7M17.3 6.7L19 5",
  swap: "M7 4L3 8l4 4M3 8h14M17 12l4 4-4 4M21 16H7",
  timeline: "M3 12h4M11 12h2M17 12h4M9 14a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM15 14a2 2 0 1 0 0-4 2 2 0 0 0 0 4z",
  tool: "M14.5 6.5a4 4 0 0 1 5-1l-2.5 2.5.5 2 2 .5L22 8a4 4 0 0 1-5.5 4.5L8 21l-3-3 8.5-8.5a4 4 0 0 1 1-3z",
  trash: "M4 7h16M9 7V4h6v3M6 7l1 14h10l1-14M10 11v6M14 11v6",
  undo: "M4 9h10a6 6 0 0 1 0 12H9M8 5L4 9l4 4",
  user: "M12 11.5a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20.5c.8-4 3.7-6 7.5-6s6.7 2 7.5 6",
  warning: "M12 4l9.5 16h-19zM12 10v4.5M12 17.2v.1",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg
      class="icon"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width={1.7}
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
