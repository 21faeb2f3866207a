/** Reader of executors' reports. */
import { parseWorkflowTaskResult } from "./parse.ts";
import { readAs, type ReadResult } from "./problem.ts";
import type { WorkflowTaskResult } from "./task.ts";

/** Parses the report of a node. */
export function readTaskResult(found: object): ReadResult<WorkflowTaskResult> {
  return readAs(parseWorkflowTaskResult(found, "lenient"), "the report of this node cannot be read");
}
