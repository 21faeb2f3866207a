/** The reader of task sets, which keeps only the parts that a pass needs. */
import { isProblem, type NodeResult, NodeResult as NodeResultSchema, parseWith, readAs } from "@tiphys/model/api";
import { LABEL } from "@tiphys/base/constants";
import { fieldsOf } from "@tiphys/base/fields_of";
import type { KubeObject } from "@tiphys/kube";
import type { TaskSetFacts } from "@tiphys/engine/agent";

/** Reads a task set. A part that cannot be read becomes an error of its node. */
export function readTaskSet({ metadata, spec, status }: KubeObject): TaskSetFacts {
  const tasks = fieldsOf(fieldsOf(spec).tasks);
  const results = Object.entries(fieldsOf(fieldsOf(status).nodes));
  return {
    tasks: new Set(Object.keys(tasks)),
    bytes: JSON.stringify(tasks).length,
    results: new Map(results.map(([id, result]) => [id, readResult(result)])),
    isCompleted: metadata.labels?.[LABEL.completed] === "true",
  };
}

function readResult(value: unknown): NodeResult {
  const read = readAs(
    parseWith(NodeResultSchema, value, "lenient"),
    "the agent's result for this node cannot be parsed",
  );
  return isProblem(read) ? { phase: "Error", message: read.message } : read;
}
