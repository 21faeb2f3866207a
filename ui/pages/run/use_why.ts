/** The reasons why a run and its nodes wait, from the server, or computed here if the server does not support that. */
import { type ReadonlySignal, useSignal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";
import type { Workflow } from "@tiphys/model/api";
import type { Reason } from "@tiphys/engine/explain";
import { isCompletedPhase } from "@tiphys/model/status";
import { loadPart, Refusal } from "../../api/refusal.ts";
import type { Source } from "../../api/source.ts";
import { trackPending } from "../../settled.ts";

/** Changes of a run arrive in bursts, which lead to one request. */
const BURST_MILLIS = 500;

/** Returns the reasons of the current run; undefined until they are known, and while they are not wanted. */
export function useWhy(
  source: Source,
  run: Workflow | undefined,
  isWanted: boolean,
): ReadonlySignal<readonly Reason[] | undefined> {
  const reasons = useSignal<readonly Reason[] | undefined>(undefined);
  const { name = "", namespace = "", resourceVersion } = run?.metadata ?? {};
  useLayoutEffect(() => {
    if (!run || !isWanted) return;
    if (isCompletedPhase(run.status?.phase)) {
      reasons.value = [];
      return;
    }
    const left = new AbortController();
    const waiting = reasons.value === undefined ? trackPending() : undefined;
    const timer = setTimeout(() => {
      reasonsOf(source, run, left.signal).then((loaded) => {
        if (!left.signal.aborted) reasons.value = loaded;
      }, (error) => {
        // The reasons stay unknown; the live indicator shows an offline server.
        if (!left.signal.aborted && (!(error instanceof Refusal) || error.kind === "part")) throw error;
      }).finally(() => waiting?.[Symbol.dispose]());
    }, reasons.value === undefined ? 0 : BURST_MILLIS);
    return () => {
      clearTimeout(timer);
      left.abort();
      waiting?.[Symbol.dispose]();
    };
  }, [name, namespace, resourceVersion, isWanted]);
  return reasons;
}

async function reasonsOf(source: Source, run: Workflow, signal: AbortSignal): Promise<readonly Reason[]> {
  const { name = "", namespace = "" } = run.metadata;
  try {
    return await source.reasons(namespace, name, signal);
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind !== "unknown-route" && error.kind !== "absent") throw error;
    const { explain } = await loadPart(() => import("@tiphys/engine/explain/explain"));
    return explain(run, {}, new Date());
  }
}
