// Every view, in the order of the navigation. Each is loaded when it is first opened.
import type { ComponentType } from "preact";
import type { IconName } from "../parts/Icon";

export interface ViewProps {
  space: string;
  /** The part of the address after the view: `#/space/view/rest…`. */
  rest: string[];
}

export interface View {
  id: string;
  title: string;
  icon: IconName;
  /** Pressing `g` and then this key opens the view. */
  key: string;
  load: () => Promise<{ default: ComponentType<ViewProps> }>;
}

export const VIEWS: readonly View[] = [
  { id: "chat", title: "Chat", icon: "chat", key: "c", load: () => import("./chat/Chat") },
  { id: "context", title: "Context", icon: "layers", key: "x", load: () => import("./context/Context") },
  { id: "memory", title: "Memory", icon: "book", key: "m", load: () => import("./memory/Memory") },
  { id: "timeline", title: "Timeline", icon: "timeline", key: "l", load: () => import("./timeline/Timeline") },
  { id: "privacy", title: "Privacy", icon: "shield", key: "p", load: () => import("./privacy/Privacy") },
  { id: "analytics", title: "Analytics", icon: "chart", key: "a", load: () => import("./analytics/Analytics") },
  { id: "settings", title: "Settings", icon: "sliders", key: "s", load: () => import("./settings/Settings") },
];
