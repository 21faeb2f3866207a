/** The steps of several runs as a grid: the newest runs are read with their nodes, a few at a time. */
import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { Workflow } from "@tiphys/model/api";
import { Refusal } from "../api/refusal.ts";
import type { RunQuery } from "../api/source.ts";
import { useApp } from "../app.ts";
import { Refused } from "./refused.tsx";
import { StepGridView } from "../components/step_grid.tsx";
import { valueOf, withValues } from "../model/place.ts";
import { isForGrid, sortSteps, STEP_ORDERS, stepGrid, type StepOrder } from "../model/step_grid.ts";
import { useAnswer } from "./hooks.ts";
import * as words from "../model/text/en/step_grid.ts";

/** The maximum number of runs that are read, and how many at a time: browsers have six connections per server. */
const COUNT = 30;
const AT_A_TIME = 3;

const WORDS: Readonly<Record<StepOrder, string>> = {
  run: words.runOrder,
  slowest: words.slowestOrder,
  flaky: words.flakyOrder,
};

interface StepsResult {
  readonly runs: readonly Workflow[];
  /** The number of runs that were too large, and of those deleted in the meantime. */
  readonly large: number;
  readonly gone: number;
}

/** The grid with its order selector. */
export function StepsOfRuns({ runs: asked }: { runs: RunQuery }) {
  const app = useApp();
  const { query } = app.place.value;
  const progress = useSignal<readonly [read: number, of: number]>([0, 0]);
  const { answer, refetch } = useAnswer(read, [asked]);
  const { value } = answer;
  const grid = useMemo(() => value.kind === "here" ? stepGrid(value.value.runs) : undefined, [value]);
  const order = STEP_ORDERS.find((stepOrder) => stepOrder === valueOf(query, "steps")) ?? "run";
  if (value.kind === "refused") {
    return <Refused refusal={value.refusal} onAgain={refetch} />;
  }
  if (value.kind === "waiting" || !grid) {
    const [read, of] = progress.value;
    return <p class="muted">{of > 0 ? words.readingOf(read, of) : words.reading}</p>;
  }
  if (grid.steps.length === 0) return <p class="muted">{words.noneYet}</p>;
  const { large, gone } = value.value;
  return (
    <section aria-label={words.stepsLabel}>
      <div class="tools">
        <select
          aria-label={words.orderLabel}
          onChange={(event) => {
            const chosen = STEP_ORDERS[event.currentTarget.selectedIndex];
            app.go({
              ...app.place.value,
              query: withValues(query, { steps: chosen }),
            });
          }}
        >
          {STEP_ORDERS.map((stepOrder) => (
            <option key={stepOrder} selected={stepOrder === order}>{WORDS[stepOrder]}</option>
          ))}
        </select>
        <span class="muted">
          {words.aboutGrid(grid.runs.length, large, gone)}
        </span>
      </div>
      <StepGridView
        grid={grid}
        steps={sortSteps(grid.steps, order)}
        now={app.now.value}
        hrefOf={({ metadata: { namespace = "", name = "", uid } }, nodeId) =>
          app.hrefOf({
            page: { kind: "run", namespace, name },
            query: withValues([], { uid, nodeId }),
          })}
      />
    </section>
  );

  async function read(signal: AbortSignal): Promise<StepsResult> {
    const { items } = await app.source.listRuns(asked, { offset: 0, limit: COUNT }, signal);
    const wanted = items.filter(isForGrid);
    const runs: Workflow[] = [];
    let gone = 0;
    progress.value = [0, wanted.length];
    const left = wanted.values();
    await Promise.all(Array.from({ length: AT_A_TIME }, async () => {
      for (const { metadata: { namespace = "", name = "", uid } } of left) {
        try {
          runs.push(await app.source.getRun(namespace, name, uid, signal));
        } catch (error) {
          if (!(error instanceof Refusal) || error.status !== 404) throw error;
          gone++;
        }
        progress.value = [runs.length + gone, wanted.length];
      }
    }));
    return { runs, large: items.length - wanted.length, gone };
  }
}
