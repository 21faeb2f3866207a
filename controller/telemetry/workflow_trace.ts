/** The trace of a finished workflow: spans for it and its nodes, derived from its status. */
import type { NodeStatus, Workflow, WorkflowStatus } from "@tiphys/model/api";
import { attributesOf, type OtlpAttribute } from "@tiphys/base/metrics";
import { isFailure, millisOf, nodeSpanId, traceIdOf, workflowSpanId } from "@tiphys/model/status";

/** A span as OTLP JSON. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: 1;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly OtlpAttribute[];
  readonly status: { readonly code: 1 | 2; readonly message?: string };
}

/** The maximum number of nodes of a workflow in its trace. */
const MAX_NODES = 10_000;

/** The spans of a finished workflow; empty for one without times. */
export function spansOf({ metadata, status = {} }: Workflow): Span[] {
  const { name = "", namespace = "", uid = "" } = metadata;
  const traceId = traceIdOf(uid);
  const times = spanTimes(status);
  if (!traceId || !times) return [];
  const root = workflowSpanId(uid);
  const nodes = Object.values(status.nodes ?? {}).slice(0, MAX_NODES);
  const known = new Set(nodes.map(({ id }) => id));
  const spans = nodes.flatMap((node) => {
    const lasted = spanTimes(node);
    if (!lasted) return [];
    const parent = node.boundaryID && known.has(node.boundaryID) ? nodeSpanId(uid, node.boundaryID) : root;
    return [{
      traceId,
      spanId: nodeSpanId(uid, node.id),
      parentSpanId: parent,
      name: "node",
      kind: 1 as const,
      ...lasted,
      attributes: attributesOf(nodeAttributes(node)),
      status: spanStatusOf(node.phase),
    }];
  });
  const attributes = attributesOf({ workflow: name, namespace, phase: status.phase ?? "" });
  const ended = spanStatusOf(status.phase);
  const workflow = { traceId, spanId: root, name: "workflow", kind: 1 as const, ...times, attributes, status: ended };
  return [
    workflow,
    ...phasesOf(metadata, status).map((phase) => ({ ...phase, traceId, parentSpanId: root })),
    ...spans,
  ];
}

/** The spans of the phases of a workflow: Pending until it started, Running after that. */
function phasesOf(
  { uid = "", creationTimestamp }: Workflow["metadata"],
  { startedAt, finishedAt }: WorkflowStatus,
): Omit<Span, "traceId">[] {
  const phases = { Pending: [creationTimestamp, startedAt], Running: [startedAt, finishedAt] } as const;
  return Object.entries(phases).flatMap(([phase, [from, to]]) => {
    const times = spanTimes({ startedAt: from, finishedAt: to });
    if (!times || (phase === "Pending" && times.startTimeUnixNano === times.endTimeUnixNano)) return [];
    return [{
      spanId: nodeSpanId(uid, `workflow_phase ${phase}`),
      name: "workflow_phase",
      kind: 1 as const,
      ...times,
      attributes: attributesOf({ phase }),
      status: { code: 1 as const },
    }];
  });
}

function nodeAttributes({ id, name, type, phase, templateName, outputs }: NodeStatus): Record<string, string> {
  return {
    nodeID: id,
    nodeName: name,
    type,
    phase: phase ?? "",
    ...(templateName && { template: templateName }),
    ...(outputs?.exitCode && { exitCode: outputs.exitCode }),
  };
}

/**
 * The status of a span, without a message: it can quote what the API server refused, and the collector may not be
 * trusted.
 */
function spanStatusOf(phase: NodeStatus["phase"] | WorkflowStatus["phase"]): Span["status"] {
  return isFailure(phase) ? { code: 2, message: phase } : { code: 1 };
}

function spanTimes({ startedAt, finishedAt }: { startedAt?: string | undefined; finishedAt?: string | undefined }) {
  const [from, to] = [millisOf(startedAt), millisOf(finishedAt)];
  if (Number.isNaN(from) || Number.isNaN(to)) return undefined;
  return { startTimeUnixNano: nanos(from), endTimeUnixNano: nanos(Math.max(from, to)) };
}

/** Nanoseconds as text, because they exceed the precision of a number. */
export function nanos(millis: number): string {
  return `${BigInt(millis) * 1_000_000n}`;
}
