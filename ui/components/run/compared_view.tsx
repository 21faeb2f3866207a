/** The combined graph of two runs: equal, changed, and one-sided parts, by color and symbol. */
import { useMemo, useRef } from "preact/hooks";
import { keyOfNode } from "../../model/graph/find.ts";
import { type FoldChoices, openParts } from "../../model/graph/fold.ts";
import { Layout } from "../../model/graph/layout.ts";
import { type ComparedGraph, type ComparedKind, KINDS, SHADE_OF, SIGNS } from "../../model/run/compared_graph.ts";
import type { NodeStatus } from "@tiphys/model/api";
import * as words from "../../model/text/en/compare_tab.ts";
import { GraphView } from "./graph_view.tsx";

interface Props {
  readonly graph: ComparedGraph;
  readonly now: number;
  /** The name of the earlier run. */
  readonly other: string;
  readonly name: string;
  readonly node: NodeStatus | undefined;
  readonly fold: FoldChoices;
  readonly onFold: (fold: FoldChoices) => void;
  readonly onSelect: (key: string | undefined) => void;
}

const NOTHING: ReadonlySet<string> = new Set();

/** The view with its legend. */
export function ComparedView({ graph, now, other, name, node, fold, onFold, onSelect }: Props) {
  const { whole, tints, counts } = graph;
  const layout = useRef(new Layout());
  const picture = useMemo(() => layout.current.layOut(whole, openParts(whole, fold)), [whole, fold]);
  const meanings: Readonly<Record<ComparedKind, string>> = {
    same: words.same,
    changed: words.changed,
    before: words.onlyIn(other),
    after: words.onlyIn(name),
  };
  if (picture.placed.length === 0) return null;
  return (
    <>
      <ul class="compare-legend" aria-label={words.legendLabel}>
        {KINDS.map((kind) => (
          <li key={kind}>
            <span class={`sign shade-${SHADE_OF[kind]}`} aria-hidden="true">{SIGNS[kind]}</span>
            {meanings[kind]} <span class="number muted">{counts[kind]}</span>
          </li>
        ))}
      </ul>
      <div class="graph-tab compare-graph">
        <GraphView
          picture={picture}
          now={now}
          selected={node && keyOfNode(node)}
          marked={NOTHING}
          tints={tints}
          onSelect={onSelect}
          onToggle={(key) => {
            const isOpen = picture.placed.some((placedPart) => placedPart.isOpen && placedPart.part.key === key);
            onFold(new Map([...fold, [key, !isOpen]]));
          }}
        />
      </div>
    </>
  );
}
