/** The bounds of a run's time, and which of its nodes are daemons. */
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { storedTemplateOf } from "@tiphys/model/status";
import type { RunTimes } from "../graph/came_after.ts";

/** The times of a run as it is at a moment; undefined where it has not begun. */
export function runTimesOf(run: Workflow, now: number): RunTimes | undefined {
  const startedAt = Date.parse(run.status?.startedAt ?? "");
  if (Number.isNaN(startedAt)) return undefined;
  return { startedAt, finishedAt: Date.parse(run.status?.finishedAt ?? "") || now, isDaemon: daemonsOf(run) };
}

/** Whether a node is a daemon, as its template says: the status does so only while one is up. Undefined where none can be. */
function daemonsOf(run: Workflow): ((node: NodeStatus) => boolean) | undefined {
  const { spec, status } = run;
  const stored = status?.storedWorkflowTemplateSpec?.templates ?? [];
  const templates = [...spec.templates ?? [], ...stored, ...Object.values(status?.storedTemplates ?? {})];
  const inline = templates.flatMap(({ steps, dag }) =>
    [...steps?.flat() ?? [], ...dag?.tasks ?? []].flatMap((call) => call.inline ?? [])
  );
  if (![...templates, ...inline].some(({ daemon }) => daemon === true)) return undefined;
  return (node) => node.daemoned === true || storedTemplateOf(run, node)?.daemon === true;
}
