/** The items of a long loop or group, next to the graph, with filters by text and phase. */
import { useMemo, useState } from "preact/hooks";
import { PhaseGlyph } from "../../components/glyph.tsx";
import { NodeRows } from "../../components/run/node_rows.tsx";
import type { Part } from "../../model/graph/part.ts";
import { lookOfFamily } from "../../model/graph/part_look.ts";
import { stackCounts, stackRows } from "../../model/tree/stack_rows.ts";
import type { PhaseFamily } from "../../model/phase.ts";
import type { RunScene } from "./run_scene.ts";
import { grouped } from "../../model/text/en.ts";
import * as words from "../../model/text/en/rows_tab.ts";
import * as shared from "../../model/text/en/shared.ts";

const NOTHING_FOLDED: ReadonlySet<string> = new Set();

export function StackList({ scene, stack }: { readonly scene: RunScene; readonly stack: Part }) {
  const { view, node, now, marked, change } = scene;
  const [text, setText] = useState("");
  const [family, setFamily] = useState<PhaseFamily | undefined>(undefined);
  const counts = useMemo(() => stackCounts(stack), [stack]);
  const rows = useMemo(() => stackRows(stack, text, family), [stack, text, family]);
  return (
    <section class="stack-list" aria-label={words.listLabel(stack.label)}>
      <header>
        <h2 title={stack.key}>{stack.label}</h2>
        <button
          type="button"
          class="button"
          onClick={() => change({ stack: undefined, fold: new Map([...view.fold, [stack.key, true]]) })}
        >
          {words.unfoldButton}
        </button>
        <button
          type="button"
          class="button quiet"
          aria-label={shared.closeButton}
          onClick={() => change({ stack: undefined })}
        >
          ✕
        </button>
      </header>
      <input
        type="search"
        class="find"
        placeholder={words.filterField}
        aria-label={words.filterField}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <div class="row" role="group" aria-label={words.phasesLabel}>
        {counts.map((count) => (
          <button
            key={count.family}
            type="button"
            class="button toggle"
            aria-pressed={count.family === family}
            onClick={() => setFamily(count.family === family ? undefined : count.family)}
          >
            <PhaseGlyph look={lookOfFamily(count.family)} withWord /> {grouped(count.count)}
          </button>
        ))}
        <span class="muted number" role="status">{words.shownOf(rows.length, stack.members.length)}</span>
      </div>
      {rows.length === 0 ? <p class="note empty">{words.noneMatches}</p> : (
        <NodeRows
          rows={rows}
          folded={NOTHING_FOLDED}
          selected={node?.id}
          now={now}
          marked={marked}
          onSelect={(nodeId) => change({ nodeId }, { replace: node !== undefined })}
          onFold={() => {}}
        />
      )}
    </section>
  );
}
