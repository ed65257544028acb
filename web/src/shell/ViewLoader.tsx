import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Problem } from "../api/problem";
import { Failure, Loading } from "../parts/States";
import type { View, ViewProps } from "../views/views";

/** Loads the code of a view and shows it. */
export function ViewLoader({ view, space, rest }: ViewProps & { view: View }) {
  const [Shown, setShown] = useState<ComponentType<ViewProps> | null>(null);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    document.title = `${view.title} · ${space} · aforesaid`;
    view.load().then(
      (module) => setShown(() => module.default),
      () => setFailed(true),
    );
  }, [view, space]);
  if (failed) {
    const problem = new Problem(0, "unreachable", "Could not load this view. Check that the server is running.");
    return <Failure problem={problem} retry={() => location.reload()} />;
  }
  return Shown === null ? <Loading /> : <Shown space={space} rest={rest} />;
}
