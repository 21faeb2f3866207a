/** The graph of a run, with search results and marks. */
import { useMemo } from "preact/hooks";
import { nodeListOf } from "../../api/run_nodes.ts";
import { useApp } from "../../app.ts";
import { GraphView } from "../../components/run/graph_view.tsx";
import { keyOfNode } from "../../model/graph/find.ts";
import { type Colouring, COLOURINGS, tintsOf } from "../../model/graph/tint.ts";
import { isLongStack } from "../../model/graph/fold.ts";
import { isFiltered } from "../../model/graph/graph_shape.ts";
import type { Picture } from "../../model/graph/layout.ts";
import { type Part, pathTo } from "../../model/graph/part.ts";
import { lazy } from "../lazy.tsx";
import { GraphExports } from "./graph_exports.tsx";
import { emptyViewText } from "../../model/run/run_view.ts";
import type { RunScene } from "./run_scene.ts";
import { useLayout, useShape } from "./use_graph.ts";
import * as words from "../../model/text/en/run_page.ts";

const PartsMenu = lazy(async () => (await import("../../components/run/graph_menu.tsx")).PartsMenu, () => null);
const StackList = lazy(async () => (await import("./rows_tab.tsx")).StackList);
const ShapeChips = lazy(async () => (await import("../../components/run/graph_menu.tsx")).ShapeChips, () => null);

export function GraphTab({ scene, focus }: {
  readonly scene: RunScene;
  /** The key of the part that is selected if no node is chosen. If it is in a folded part, that part is selected. */
  readonly focus: string | undefined;
}) {
  const { run, view, node, marked, now, change } = scene;
  const chosen = node && keyOfNode(node);
  const { whole, picture } = useLayout(useShape(scene.graph, view.shape), view.fold, view.onlyFailed, chosen);
  const wanted = chosen ?? focus;
  const selected = useMemo(() => innermostKey(picture, whole, wanted), [picture, whole, wanted]);
  const stack = useMemo(() => view.stack === undefined ? undefined : pathTo(whole, view.stack).at(-1), [
    whole,
    view.stack,
  ]);
  const { prices } = useApp().info.value;
  // Durations grow every second; large graphs are colored less often.
  const step = whole.size > MAX_BY_SECOND ? 10_000 : 1_000;
  const time = Math.floor(now / step) * step;
  const { colour } = view;
  const tints = useMemo(() => colour && tintsOf(scene.graph.whole, colour, { now: time, prices }), [
    scene.graph.whole,
    colour,
    colour === "duration" && time,
    prices,
  ]);
  if (!picture) return <p class="note">{words.drawing}</p>;
  const onSelect = (key: string | undefined) => {
    const artifact = key?.startsWith("artifact:") && picture.placed.find(({ part }) => part.key === key)?.part.artifact;
    if (artifact) return change({ artifact: { ...artifact, path: "" } });
    const node = key === undefined ? undefined : nodeListOf(run).find(({ name }) => name === key);
    if (key === undefined || node) change({ nodeId: node?.id });
  };
  const open = () => new Set(picture.placed.filter(({ isOpen }) => isOpen).map(({ part }) => part.key));
  const onToggle = (key: string) => {
    const isOpen = open().has(key);
    const part = picture.placed.find(({ part }) => part.key === key)?.part;
    if (!isOpen && part && isLongStack(part)) change({ stack: view.stack === key ? undefined : key });
    else change({ fold: new Map([...view.fold, [key, !isOpen]]) });
  };
  const chips = isFiltered(view.shape) && <ShapeChips shape={view.shape} hrefOf={(shape) => scene.hrefOf({ shape })} />;
  const menu = <PartsMenu whole={scene.graph.whole} shape={view.shape} onShape={(shape) => change({ shape })} />;
  // The menu stays at the same place in the tree if nothing is left, so that the user can continue in it.
  if (picture.placed.length === 0) {
    return (
      <>
        {chips}
        <div class="graph-and-stack">
          <div class="graph-tab">
            <p class="note empty">{emptyViewText(view, words.noNodesYet)}</p>
            {null}
            <div class="graph-exports">{menu}</div>
          </div>
        </div>
      </>
    );
  }
  const { name } = run.metadata;
  return (
    <>
      {chips}
      <div class={stack ? "graph-and-stack with-stack" : "graph-and-stack"}>
        <div class="graph-tab">
          <GraphView
            picture={picture}
            now={now}
            selected={selected}
            marked={marked}
            tints={tints}
            onSelect={onSelect}
            onToggle={onToggle}
          />
          {tints && (
            <ul class="graph-legend" aria-label={words.legendLabel(NAMES[colour!])}>
              {tints.legend.map(({ shade, text }) => (
                <li key={shade}>
                  <span class={`swatch shade-${shade}`} aria-hidden="true" />
                  {text}
                </li>
              ))}
              {tints.legend.length === 0 && <li>{UNKNOWN[colour!]}</li>}
            </ul>
          )}
          <div class="graph-exports">
            {menu}
            <select
              aria-label={words.coloursLabel}
              onChange={(event) => change({ colour: COLOURINGS[event.currentTarget.selectedIndex - 1] })}
            >
              <option selected={colour === undefined}>{words.coloursOfPhases}</option>
              {COLOURINGS.map((colouring) => (
                <option key={colouring} selected={colouring === colour}>{words.coloursOf(NAMES[colouring])}</option>
              ))}
            </select>
            <GraphExports name={name ?? ""} picture={picture} tints={tints} whole={whole} open={open} />
          </div>
        </div>
        {stack && <StackList key={stack.key} scene={scene} stack={stack} />}
      </div>
    </>
  );
}

/** The key of the innermost part drawn on the way to a part: the part itself, or the folded box that it is in. */
function innermostKey(picture: Picture | undefined, whole: Part, key: string | undefined): string | undefined {
  if (!picture || key === undefined) return undefined;
  const depths = new Map(pathTo(whole, key).map((part, depth) => [part.key, depth]));
  const drawn = picture.placed.map(({ part }) => part.key).filter((key) => depths.has(key));
  return drawn.toSorted((a, b) => depths.get(a)! - depths.get(b)!).at(-1);
}

/** Up to this number of parts, a graph is colored every second. */
const MAX_BY_SECOND = 2_000;

const NAMES: Readonly<Record<Colouring, string>> = {
  duration: words.byDuration,
  cost: words.byCost,
  template: words.byTemplate,
  host: words.byHost,
};

/** Shown if no part has a value for the color scheme. */
const UNKNOWN: Readonly<Record<Colouring, string>> = {
  duration: words.nothingRan,
  cost: words.noNodeUsed,
  template: words.noTemplateNamed,
  host: words.noHostNamed,
};
