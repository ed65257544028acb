import { forgetKey, key, locked } from "../api/key";
import { connection } from "../api/live";
import { IconButton } from "../parts/Button";
import { Icon, type IconName } from "../parts/Icon";
import { writeRoute } from "../store/route";
import { nextTheme, type Theme, theme } from "../store/theme";
import { VIEWS } from "../views/views";
import "./Navigation.css";
import { SpaceSwitcher } from "./SpaceSwitcher";

const THEMES: Record<Theme, [IconName, string]> = {
  system: ["monitor", "Theme: system"],
  light: ["sun", "Theme: light"],
  dark: ["moon", "Theme: dark"],
};
const CONNECTION = {
  connecting: "Connecting",
  live: "Live: changes appear as they happen",
  lost: "Disconnected. Reconnecting…",
};

interface NavigationProps {
  space: string;
  view: string;
  search: () => void;
  help: () => void;
}

/** The navigation: a side bar on wide screens, a top bar and a tab bar on narrow ones. */
export function Navigation({ space, view, search, help }: NavigationProps) {
  const [icon, label] = THEMES[theme.value];
  return (
    <header class="navigation">
      <div class="brand">
        <img src="/icon.svg" alt="" width={28} height={28} />
        <span>aforesaid</span>
        <span
          class={`connection ${connection.value}`}
          role="img"
          title={CONNECTION[connection.value]}
          aria-label={CONNECTION[connection.value]}
        />
      </div>
      <SpaceSwitcher space={space} />
      <nav aria-label="Views">
        <ul class="views">
          {VIEWS.map((item) => (
            <li key={item.id}>
              <a
                href={writeRoute({ space, view: item.id, rest: [] })}
                aria-current={item.id === view ? "page" : undefined}
              >
                <Icon name={item.icon} size={20} />
                <span>{item.title}</span>
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div class="tools">
        <IconButton icon="search" label="Search everything (Ctrl-K)" onClick={search} />
        <IconButton icon={icon} label={label} onClick={nextTheme} />
        <IconButton icon="keyboard" label="Keyboard shortcuts" onClick={help} />
        {key.value !== null && (
          <IconButton
            icon="key"
            label="Change API key"
            onClick={() => {
              forgetKey();
              locked.value = true;
            }}
          />
        )}
      </div>
    </header>
  );
}
