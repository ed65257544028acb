import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Problem } from "../api/problem";
import { Failure, Loading } from "../parts/States";
import { useAfterOutage } from "../store/useLoaded";
import type { View, ViewProps } from "../views/views";

function unloaded(): Problem {
  return new Problem(0, "unreachable", "Could not load this view. It loads as soon as the server runs again.");
}

/** Loads the code of a view and shows it. */
export function ViewLoader({ view, space, rest }: ViewProps & { view: View }) {
  const [Shown, setShown] = useState<ComponentType<ViewProps> | null>(null);
  const [problem, setProblem] = useState<Problem>();
  useEffect(() => {
    document.title = `${view.title} · ${space} · aforesaid`;
    view.load().then(
      (module) => setShown(() => module.default),
      () => setProblem(unloaded()),
    );
  }, [view, space]);
  useAfterOutage(problem, async () => {
    try {
      await fetch("/icon.svg", { cache: "no-store" });
      location.reload(); // a failed import stays failed
    } catch {
      setProblem(unloaded());
    }
  });
  if (problem) return <Failure problem={problem} retry={() => location.reload()} />;
  return Shown === null ? <Loading /> : <Shown space={space} rest={rest} />;
}
