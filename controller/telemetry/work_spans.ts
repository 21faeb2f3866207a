/** Spans of the controller's own work: its start, and passes, writes, locks and pods of workflows. */
import { attributesOf, type WorkSpan } from "@tiphys/base/metrics";
import { classifyError, KubeError } from "@tiphys/kube";
import { nodeSpanId, traceIdOf, workflowSpanId } from "@tiphys/model/status";
import { nanos, type Span } from "./workflow_trace.ts";

/** The span of a piece of work; undefined if the UID of its workflow is not valid. */
export function spanOfWork(work: WorkSpan): Span | undefined {
  const { name, workflow, nodeId, began, ended, key, partOf, attributes } = work;
  const { uid = "" } = workflow.metadata;
  const traceId = traceIdOf(uid);
  if (!traceId) return undefined;
  const spanOf = (piece: string) => nodeSpanId(uid, `${nodeId ?? ""} ${piece}`);
  const parent = () => nodeId === undefined ? workflowSpanId(uid) : nodeSpanId(uid, nodeId);
  return {
    traceId,
    spanId: key === undefined ? randomId(8) : spanOf(key),
    parentSpanId: partOf === undefined ? parent() : spanOf(partOf),
    name,
    kind: 1,
    ...spanTimes(began, ended),
    attributes: attributesOf({ ...(nodeId !== undefined && { nodeID: nodeId }), ...attributes }),
    status: endOf(work),
  };
}

function endOf({ error, failure }: WorkSpan): Span["status"] {
  const message = error === undefined ? failure : errorKind(error);
  return message === undefined ? { code: 1 } : { code: 2, message };
}

/**
 * The kind of an error, for errors of the API also the HTTP status and reason (`forbidden: 403 Forbidden`). It excludes
 * the message, which can quote the object, because the collector may not be trusted.
 */
function errorKind(error: unknown): string {
  const sort = classifyError(error);
  return error instanceof KubeError ? `${sort}: ${error.status} ${error.reason}`.trimEnd() : sort;
}

/** The times of a start, in milliseconds since 1970. */
export interface StartTimes {
  /** The time at which the lease was acquired or, without an election, the process started. */
  readonly began: number;
  /** The time at which the informers began to load objects. */
  readonly synced: number;
  readonly ended: number;
}

/** The spans of a start, as a separate trace. */
export function spansOfStart({ began, synced, ended }: StartTimes): Span[] {
  const root = { traceId: randomId(16), kind: 1, attributes: [], status: { code: 1 } } as const;
  const spanId = randomId(8);
  return [
    { ...root, spanId, name: "startup_controller", ...spanTimes(began, ended) },
    { ...root, spanId: randomId(8), parentSpanId: spanId, name: "startup_cache_sync", ...spanTimes(synced, ended) },
  ];
}

function spanTimes(began: number, ended: number): Pick<Span, "startTimeUnixNano" | "endTimeUnixNano"> {
  return { startTimeUnixNano: nanos(Math.trunc(began)), endTimeUnixNano: nanos(Math.trunc(Math.max(began, ended))) };
}

function randomId(bytes: number): string {
  return crypto.getRandomValues(new Uint8Array(bytes)).toHex();
}
