/** The preview of a retry of several runs, computed when it is shown. */
import { useLayoutEffect, useState } from "preact/hooks";
import type { Workflow } from "@tiphys/model/api";
import { useApp } from "../app.ts";
import { mapConcurrently } from "../model/bulk.ts";
import { type BulkPlanResult, planOf, planText, refusedPlan, type RunPlan, sumText } from "../model/run/bulk_plan.ts";
import { isArchivedOnly } from "../model/run/archived.ts";
import { keyOf } from "../model/run_list.ts";
import { trackPending } from "../settled.ts";
import * as words from "../model/text/en/bulk_plan.ts";
import * as shared from "../model/text/en/shared.ts";

/** The maximum number of runs that are read for the preview, and how many at a time. */
const MAX_PLANNED = 20;
const AT_A_TIME = 4;

interface Props {
  readonly runs: readonly Workflow[];
  /** Called with the result, unless no run can be retried. */
  readonly onPlanned: (planned: BulkPlanResult) => void;
}

export function BulkPlan({ runs, onPlanned }: Props) {
  const { source } = useApp();
  const [plans, setPlans] = useState<readonly RunPlan[] | undefined>(undefined);
  const keys = runs.map(keyOf).join();
  useLayoutEffect(() => {
    const left = new AbortController();
    const waiting = trackPending();
    const versions = new Map<string, string>();
    const unknown = new Map<string, string>();
    const plan = async (run: Workflow): Promise<RunPlan> => {
      const { name = "", namespace = "", uid } = run.metadata;
      try {
        const whole = await source.getRun(namespace, name, isArchivedOnly(run) ? uid : undefined, left.signal);
        const { resourceVersion } = whole.metadata;
        if (resourceVersion && !isArchivedOnly(run)) versions.set(keyOf(run), resourceVersion);
        return planOf(whole, new Date());
      } catch (error) {
        unknown.set(keyOf(run), textOf(error));
        return refusedPlan(name, textOf(error));
      }
    };
    void mapConcurrently(runs.slice(0, MAX_PLANNED), AT_A_TIME, plan).then((made) => {
      if (left.signal.aborted) return;
      setPlans(made);
      if (runs.length > MAX_PLANNED || made.some(({ refusal }) => refusal === undefined)) {
        onPlanned({ versions, unknown });
      }
    }).finally(() => waiting[Symbol.dispose]());
    return () => left.abort();
  }, [keys]);
  if (!plans) return <p class="coming">{words.planning}</p>;
  const others = runs.length - plans.length;
  return (
    <div class="plan">
      {runs.length > 1 && (
        <p>
          <strong>{sumText(plans)}</strong>
          {others > 0 && ` ${words.onlyFirstPlanned(plans.length)}`}
        </p>
      )}
      <ul aria-label={words.plansLabel} tabIndex={0}>
        {plans.map((plan, index) => (
          <li key={index}>
            {plan.name} <span class="muted foreign">{plan.refusal ?? planText(plan)}</span>
          </li>
        ))}
        {others > 0 && <li class="muted">{shared.andMore(others)}</li>}
      </ul>
    </div>
  );
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
