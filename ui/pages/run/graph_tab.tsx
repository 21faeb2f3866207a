/** The graph of a run, with what is found and marked in it. */
import { useMemo, useRef } from "preact/hooks";
import { GraphView } from "../../components/run/graph_view.tsx";
import { onlyFailed, openParts } from "../../model/graph/fold.ts";
import { Layout } from "../../model/graph/layout.ts";
import { toMermaid } from "../../model/graph/mermaid.ts";
import { wayTo } from "../../model/graph/part.ts";
import { toSvg } from "../../model/graph/svg.ts";
import { download } from "./download.ts";
import { keyOfNode, type RunScene } from "./run_scene.ts";

/** The tab. */
export function GraphTab({ scene }: { scene: RunScene }) {
  const { run, view, node, marked, now, change } = scene;
  const layout = useRef(new Layout());
  const whole = useMemo(() => view.onlyFailed ? onlyFailed(scene.whole) : scene.whole, [scene.whole, view.onlyFailed]);
  const selected = keyOfNode(node);
  const { picture, open } = useMemo(() => {
    const open = openParts(whole, view.fold);
    // What is chosen is to be seen, whatever it lies in.
    if (selected !== undefined) { for (const { key } of wayTo(whole, selected).slice(0, -1)) open.add(key); }
    return { open, picture: layout.current.lay(whole, open) };
  }, [whole, view.fold, selected]);
  const onSelect = (key: string | undefined) => {
    const chosen = key === undefined
      ? undefined
      : Object.values(run.status?.nodes ?? {}).find(({ name }) => name === key);
    if (key === undefined || chosen) change({ nodeId: chosen?.id });
  };
  const onToggle = (key: string) => change({ fold: new Map([...view.fold, [key, !open.has(key)]]) });
  if (picture.placed.length === 0) {
    return (
      <p class="note">
        {view.onlyFailed ? "Nothing failed. Press f to see everything again." : "Nothing is known of this run yet."}
      </p>
    );
  }
  const { name } = run.metadata;
  return (
    <div class="graph-tab">
      <GraphView
        picture={picture}
        now={now}
        selected={selected}
        marked={marked}
        onSelect={onSelect}
        onToggle={onToggle}
      />
      <div class="graph-exports">
        <button
          type="button"
          class="button quiet"
          onClick={() => download(`${name}.svg`, "image/svg+xml", [toSvg(picture)])}
        >
          SVG
        </button>
        <button
          type="button"
          class="button quiet"
          onClick={() => download(`${name}.mmd`, "text/plain", [toMermaid(whole, open)])}
        >
          Mermaid
        </button>
      </div>
    </div>
  );
}
