/** The graph of a run, with what is found and marked in it. */
import { GraphView } from "../../components/run/graph_view.tsx";
import { toMermaid } from "../../model/graph/mermaid.ts";
import { toSvg } from "../../model/graph/svg.ts";
import { download } from "./download.ts";
import { keyOfNode, type RunScene } from "./run_scene.ts";
import { useLayout } from "./use_graph.ts";

/** The tab. */
export function GraphTab({ scene }: { scene: RunScene }) {
  const { run, view, node, marked, now, change } = scene;
  const selected = keyOfNode(node);
  const { whole, picture } = useLayout(scene.graph, view.fold, view.onlyFailed, selected);
  if (!picture) return <p class="note">Drawing the graph …</p>;
  const onSelect = (key: string | undefined) => {
    const chosen = key === undefined
      ? undefined
      : Object.values(run.status?.nodes ?? {}).find(({ name }) => name === key);
    if (key === undefined || chosen) change({ nodeId: chosen?.id });
  };
  const open = () => new Set(picture.placed.filter(({ isOpen }) => isOpen).map(({ part }) => part.key));
  const onToggle = (key: string) => change({ fold: new Map([...view.fold, [key, !open().has(key)]]) });
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
          onClick={() => download(`${name}.mmd`, "text/plain", [toMermaid(whole, open())])}
        >
          Mermaid
        </button>
      </div>
    </div>
  );
}
