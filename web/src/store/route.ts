// The route: #/space/view/rest…, each piece percent-encoded. The address is the only state, so the back button works.
import { computed, signal } from "@preact/signals";

export interface Route {
  space: string;
  view: string;
  rest: string[];
}

export const HOME = { space: "default", view: "chat" };

export function readRoute(hash: string): Route {
  const [space, view, ...rest] = hash
    .replace(/^#?\/?/, "")
    .split("/")
    .map(decoded);
  return { space: space || HOME.space, view: view || HOME.view, rest: rest.filter((piece) => piece !== "") };
}

export function writeRoute(route: Route): string {
  return `#/${[route.space, route.view, ...route.rest].map(encodeURIComponent).join("/")}`;
}

function decoded(piece: string): string {
  try {
    return decodeURIComponent(piece);
  } catch {
    return piece; // not valid percent-encoding
  }
}

const hash = signal(location.hash);
addEventListener("hashchange", () => {
  hash.value = location.hash;
});

export const route = computed(() => readRoute(hash.value));
export const space = computed(() => route.value.space);

/** The address of a view in the current space. */
export function linkTo(view: string, ...rest: string[]): string {
  return writeRoute({ space: space.value, view, rest });
}

/** The address of a view in any space. */
export function linkInto(space: string, view: string, ...rest: string[]): string {
  return writeRoute({ space, view, rest });
}

export function go(view: string, ...rest: string[]): void {
  location.hash = linkTo(view, ...rest);
}

/** Opens the same view in another space. */
export function enterSpace(name: string): void {
  location.hash = writeRoute({ space: name, view: route.value.view, rest: [] });
}
