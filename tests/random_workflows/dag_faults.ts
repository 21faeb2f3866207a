/** The law of DAGs: the phase of a DAG that has ended agrees with the phases of its tasks. */
import type { DAGTask, NodeStatus, Workflow } from "@tiphys/model/api";
import { isFailure, isSkippedOrOmitted, memberNodeName } from "@tiphys/model/status";
import { dagLeaves, dependsLogic } from "@tiphys/language/template";

/** Returns a line for each DAG whose phase does not agree. */
export function dagFaults({ spec, status }: Workflow): string[] {
  const all = Object.values(status?.nodes ?? {});
  const byName = new Map(all.map((node) => [node.name, node]));
  return all.filter(({ type, phase }) => type === "DAG" && (phase === "Succeeded" || isFailure(phase))).flatMap(
    (node) => {
      const tasks = spec.templates?.find(({ name }) => name === node.templateName)?.dag?.tasks;
      const problem = tasks && faultOf(node, tasks, byName);
      return problem ? [problem] : [];
    },
  );
}

function faultOf(
  dag: NodeStatus,
  tasks: readonly DAGTask[],
  byName: ReadonlyMap<string, NodeStatus>,
): string | undefined {
  const failureOf = (name: string): string | undefined => {
    const { phase, message } = byName.get(memberNodeName(dag.name, name)) ?? {};
    if (isFailure(phase)) return phase;
    // A resubmitted workflow records successful pods in this form.
    if (message?.startsWith("original pod: ")) return undefined;
    if (!isSkippedOrOmitted(phase)) return undefined;
    return dependsLogic(tasks, name).dependencies.map(failureOf).find((failure) => failure !== undefined);
  };
  const mayFail = (name: string) => tasks.find((task) => task.name === name)?.continueOn !== undefined;
  const failed = dagLeaves(tasks).filter((name) => !mayFail(name) && failureOf(name) !== undefined);
  if (dag.phase === "Succeeded" && failed.length) return `${dag.name} succeeded, and ${failed.join(", ")} did not`;
  // A resubmitted workflow does not record omitted tasks.
  const isWhole = dagLeaves(tasks).every((name) => byName.has(memberNodeName(dag.name, name)));
  // Its own name is that of a DAG whose outputs have no value.
  const isByTask = isWhole && dag.message?.startsWith("task '") && !dag.message.startsWith(`task '${dag.name}'`);
  if (isByTask && !failed.length) return `${dag.name} is ${dag.phase} by a task, and no target of it failed`;
  return undefined;
}
