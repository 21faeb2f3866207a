/** Spans of the controller's own work: its start, and passes, writes, locks and pods of workflows. */
import { attributesOf, type WorkDone } from "../../lib/metrics/mod.ts";
import { traceIdOf } from "../../lib/status/mod.ts";
import { nanos, nodeSpanId, type Span, workflowSpanId } from "./workflow_trace.ts";

/** The span of a piece of work; undefined for a workflow whose UID is none. */
export function spanOfWork({ name, workflow, nodeId, began, ended, problem }: WorkDone): Span | undefined {
  const { uid = "" } = workflow.metadata;
  const traceId = traceIdOf(uid);
  if (!traceId) return undefined;
  return {
    traceId,
    spanId: randomId(8),
    parentSpanId: nodeId === undefined ? workflowSpanId(uid) : nodeSpanId(uid, nodeId),
    name,
    kind: 1,
    ...timesOf(began, ended),
    attributes: attributesOf(nodeId === undefined ? {} : { nodeID: nodeId }),
    status: problem === undefined ? { code: 1 } : { code: 2, message: problem },
  };
}

/** The times of a start, milliseconds since 1970: of the process, of its copies of the cluster, and of the first pass. */
export interface StartTimes {
  readonly began: number;
  /** The copies were asked for. */
  readonly synced: number;
  readonly ended: number;
}

/** The spans of a start: a trace of its own. */
export function spansOfStart({ began, synced, ended }: StartTimes): Span[] {
  const root = { traceId: randomId(16), kind: 1, attributes: [], status: { code: 1 } } as const;
  const spanId = randomId(8);
  return [
    { ...root, spanId, name: "startup_controller", ...timesOf(began, ended) },
    { ...root, spanId: randomId(8), parentSpanId: spanId, name: "startup_cache_sync", ...timesOf(synced, ended) },
  ];
}

function timesOf(began: number, ended: number): Pick<Span, "startTimeUnixNano" | "endTimeUnixNano"> {
  return { startTimeUnixNano: nanos(Math.trunc(began)), endTimeUnixNano: nanos(Math.trunc(Math.max(began, ended))) };
}

function randomId(bytes: number): string {
  return crypto.getRandomValues(new Uint8Array(bytes)).toHex();
}
