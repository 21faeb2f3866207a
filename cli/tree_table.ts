/** The tree of a workflow with what there is to say of each node, in columns. */
import type { NodeStatus, Workflow } from "../lib/api/mod.ts";
import { ANNOTATION } from "../lib/constants.ts";
import { podName, podNameVersion } from "../lib/template/mod.ts";
import { templateOfNode } from "../lib/workflow_actions/mod.ts";
import { elapsed } from "./elapsed.ts";
import { iconOf, type Look } from "./look.ts";
import { tableLines } from "./table.ts";
import { workflowTrees } from "./tree.ts";

/** What the columns show. */
export interface TreeTableOptions {
  readonly look: Look;
  readonly now: Date;
  readonly podNames?: boolean;
  /** Artifacts, use of resources and nodes, too. */
  readonly wide?: boolean;
  readonly shows?: (node: NodeStatus) => boolean;
}

interface Column {
  readonly title: string;
  readonly cell: (node: NodeStatus) => string;
}

/** Lines, the titles first; none when nothing has happened yet. */
export function treeTable(workflow: Workflow, options: TreeTableOptions): string[] {
  const { look, shows } = options;
  const trees = workflowTrees(workflow, { utf8: look.utf8, ...(shows ? { shows } : {}) });
  if (trees.length === 0) return [];
  const columns = columnsFor(workflow, options);
  const rows = trees.map((tree) =>
    tree.map(({ branch, node }) => [
      `${branch}${iconOf(node, look)} ${oneLine(node.displayName ?? node.name)}`,
      ...columns.map(({ cell }) => oneLine(cell(node))),
    ])
  );
  const separated = rows.flatMap((tree, index) => index === 0 ? tree : [[""], ...tree]);
  return tableLines([["STEP", ...columns.map(({ title }) => title)], ...separated]);
}

function columnsFor(workflow: Workflow, { now, podNames, wide }: TreeTableOptions): Column[] {
  const version = podNameVersion(workflow.metadata.annotations?.[ANNOTATION.podNameFormat]);
  const workflowName = workflow.metadata.name ?? "";
  const podOf = (node: NodeStatus) =>
    node.type === "Pod"
      ? podName({ workflowName, nodeName: node.name, templateName: templateOfNode(node), version })
      : "";
  const columns: (Column | false | undefined)[] = [
    { title: "TEMPLATE", cell: templateText },
    podNames && { title: "PODNAME", cell: podOf },
    { title: "DURATION", cell: (node) => durationText(node, now) },
    wide && { title: "ARTIFACTS", cell: ({ outputs }) => (outputs?.artifacts ?? []).map(({ name }) => name).join(",") },
    { title: "MESSAGE", cell: ({ message }) => message ?? "" },
    wide && { title: "RESOURCESDURATION", cell: resourcesText },
    wide && { title: "NODENAME", cell: ({ hostNodeName }) => hostNodeName ?? "" },
  ];
  return columns.filter((column): column is Column => !!column);
}

function templateText({ templateRef, templateName }: NodeStatus): string {
  return templateRef ? `${templateRef.name}/${templateRef.template}` : templateName ?? "";
}

function durationText(node: NodeStatus, now: Date): string {
  if (node.phase === "Skipped" || node.phase === "Omitted") return "";
  return elapsed(node.startedAt, node.finishedAt, now);
}

/** Seconds of each resource: `1s*(1 cpu),3s*(100Mi memory)`. */
function resourcesText({ resourcesDuration }: NodeStatus): string {
  return resourcesDurationText(resourcesDuration ?? {});
}

/** Seconds of use per resource: `1s*(1 cpu),3s*(100Mi memory)`. */
export function resourcesDurationText(durations: Readonly<Record<string, number>>): string {
  return Object.entries(durations).sort(([a], [b]) => a < b ? -1 : 1)
    .map(([resource, seconds]) => `${seconds}s*(${baseUnit(resource)} ${resource})`).join(",");
}

function baseUnit(resource: string): string {
  if (resource === "memory") return "100Mi";
  return resource === "storage" || resource === "ephemeral-storage" ? "10Gi" : "1";
}

function oneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, " ");
}
