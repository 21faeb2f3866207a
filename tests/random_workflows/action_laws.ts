/** Laws of the actions of users, as functions that return a line for each violation. */
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { nodesOf } from "@tiphys/model/status";

/** The fields of an object, sorted by name, without some. */
export function pairsOf(object: object, ...without: readonly string[]): (readonly [string, unknown])[] {
  return Object.entries(object).filter(([name, value]) => !without.includes(name) && value !== undefined).toSorted(
    ([a], [b]) => a < b ? -1 : 1,
  );
}

/** All references between nodes exist. */
export function referenceFaults(workflow: Workflow): string[] {
  const nodes = workflow.status?.nodes ?? {};
  return Object.entries(nodes).flatMap(([id, node]) => {
    const { name, boundaryID, children = [], outboundNodes = [] } = node;
    const all = [...children, ...outboundNodes, ...(boundaryID ? [boundaryID] : [])];
    return [
      ...all.filter((child) => !(child in nodes)).map((child) => `${name} refers to ${child}, which does not exist`),
      ...(node.id === id ? [] : [`${name} has the ID ${node.id}, and is stored as ${id}`]),
    ];
  });
}

/** Exactly the selected nodes have changed, as they should. */
export function wrongChanges(
  before: Workflow,
  after: Workflow,
  selected: ReadonlySet<string>,
  isRight: (node: NodeStatus) => boolean,
): string[] {
  const now = after.status?.nodes ?? {};
  const problems = nodesOf(before).flatMap((node) => {
    const is = now[node.id];
    if (!is) return [`${node.name} is gone`];
    if (selected.has(node.id)) return isRight(is) ? [] : [`${node.name} is selected and did not change as it should`];
    return JSON.stringify(is) === JSON.stringify(node) ? [] : [`${node.name} is not selected and has changed`];
  });
  if (Object.keys(now).length !== nodesOf(before).length) problems.push("there are other nodes than before");
  return problems;
}
