/** Formats the tree of a workflow as a table with a row for each node. */
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { elapsed, isSkippedOrOmitted, podNameOf, resourcesDurationText } from "@tiphys/model/status";
import { workflowTrees } from "@tiphys/model/status/tree";
import { iconOf, type Look } from "./look.ts";
import { escapeControls } from "./plain.ts";
import { tableLines } from "./table.ts";

/** Options of the columns. */
export interface TreeTableOptions {
  readonly look: Look;
  readonly now: Date;
  readonly podNames?: boolean;
  /** Whether the cluster node of each pod is shown. */
  readonly nodeNames?: boolean;
  /** Whether artifacts, resource usage and cluster nodes are also shown. */
  readonly wide?: boolean;
  readonly shows?: (node: NodeStatus) => boolean;
  /** Selects the trees to show in addition to the tree of the entrypoint; all by default. */
  readonly hasTree?: (root: NodeStatus) => boolean;
}

interface Column {
  readonly title: string;
  readonly cell: (node: NodeStatus) => string;
}

/** Returns the lines of the table, titles first; empty for a workflow without nodes. */
export function treeTable(workflow: Workflow, options: TreeTableOptions): string[] {
  const { look, shows, hasTree } = options;
  const trees = workflowTrees(workflow, { utf8: look.utf8, ...(shows && { shows }), ...(hasTree && { hasTree }) });
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

function columnsFor(workflow: Workflow, { now, podNames, nodeNames, wide }: TreeTableOptions): Column[] {
  const podOf = (node: NodeStatus) => node.type === "Pod" ? podNameOf(workflow, node) : "";
  const columns: (Column | false | undefined)[] = [
    { title: "TEMPLATE", cell: templateText },
    podNames && { title: "PODNAME", cell: podOf },
    { title: "DURATION", cell: (node) => durationText(node, now) },
    wide && { title: "ARTIFACTS", cell: ({ outputs }) => (outputs?.artifacts ?? []).map(({ name }) => name).join(",") },
    { title: "MESSAGE", cell: ({ message }) => message ?? "" },
    wide && { title: "RESOURCESDURATION", cell: resourcesText },
    (wide || nodeNames) && { title: "NODENAME", cell: ({ hostNodeName }) => hostNodeName ?? "" },
  ];
  return columns.filter((column): column is Column => !!column);
}

function templateText({ templateRef, templateName }: NodeStatus): string {
  return templateRef ? `${templateRef.name}/${templateRef.template}` : templateName ?? "";
}

function durationText(node: NodeStatus, now: Date): string {
  if (isSkippedOrOmitted(node.phase)) return "";
  return elapsed(node.startedAt, node.finishedAt, now);
}

/** Formats the usage of each resource: `1s*(1 cpu),3s*(100Mi memory)`. */
function resourcesText({ resourcesDuration }: NodeStatus): string {
  return resourcesDurationText(resourcesDuration ?? {});
}

function oneLine(text: string): string {
  return escapeControls(text).split("\n").map((line) => line.trim()).join(" ").trim();
}
