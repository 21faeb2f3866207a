/** Prints a workflow in the form that the flags select. */
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { describeWorkflow } from "../view/describe_workflow.ts";
import { type GlobalFlags, lookOf } from "./global_flags.ts";
import { type OutputForm, printObject } from "../view/print_object.ts";
import { treeTable } from "../view/tree_table.ts";
import type { World } from "../world.ts";

/** Flags that select the form in which a workflow is printed. */
export interface PrintFlags extends GlobalFlags {
  readonly output?: OutputForm;
}

/** Prints a workflow in the requested form; by default, its head and its tree. */
export function printWorkflow(
  world: World,
  workflow: Workflow,
  flags: PrintFlags,
  shows?: (node: NodeStatus) => boolean,
): void {
  if (printObject(world, workflow, flags.output)) return;
  const exitHandler = `${workflow.metadata.name}.onExit`;
  const options = {
    look: lookOf(flags, world),
    now: world.now(),
    wide: flags.output === "wide",
    shows: (node: NodeStatus) => hasRowOfArgo(node) && (shows?.(node) ?? true),
    hasTree: ({ name }: NodeStatus) => name === exitHandler,
  };
  const lines = flags.output === "short"
    ? treeTable(workflow, { ...options, podNames: true, nodeNames: true })
    : describeWorkflow(workflow, options);
  world.out(lines.map((line) => `${line}\n`).join(""));
}

/** Whether Argo's CLI prints a row for a node: scripts parse the rows. */
function hasRowOfArgo({ type, phase }: NodeStatus): boolean {
  return phase !== "Omitted" && type !== "Container";
}
