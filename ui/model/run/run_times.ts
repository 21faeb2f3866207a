/** The start and end of a run, and its daemon nodes. */
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { storedTemplateOf } from "@tiphys/model/status";
import { callsIn } from "@tiphys/model/templates/calls";
import type { RunTimes } from "../graph/part_order.ts";

/** Returns the times of a run as of `now`; undefined if it has not started. */
export function runTimesOf(run: Workflow, now: number): RunTimes | undefined {
  const startedAt = Date.parse(run.status?.startedAt ?? "");
  if (Number.isNaN(startedAt)) return undefined;
  return { startedAt, finishedAt: Date.parse(run.status?.finishedAt ?? "") || now, isDaemon: daemonsOf(run) };
}

/**
 * Returns a predicate for daemon nodes, based on their templates, because the status marks them only while they run.
 * Undefined without daemon templates.
 */
function daemonsOf(run: Workflow): ((node: NodeStatus) => boolean) | undefined {
  const { spec, status } = run;
  const stored = status?.storedWorkflowTemplateSpec?.templates ?? [];
  const templates = [...spec.templates ?? [], ...stored, ...Object.values(status?.storedTemplates ?? {})];
  const inline = templates.flatMap((template) => callsIn(template).flatMap((call) => call.inline ?? []));
  if (![...templates, ...inline].some(({ daemon }) => daemon === true)) return undefined;
  return (node) => node.daemoned === true || storedTemplateOf(run, node)?.daemon === true;
}
