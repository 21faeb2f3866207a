/** Reports of executors read where they enter. */
import { parseWorkflowTaskResult } from "./parse.ts";
import { type Read, readAs } from "./problem.ts";
import type { WorkflowTaskResult } from "./task.ts";

/** The report of a node, or why it is none. */
export function readTaskResult(found: object): Read<WorkflowTaskResult> {
  return readAs(parseWorkflowTaskResult(found, "lenient"), "the report of this node cannot be read");
}
