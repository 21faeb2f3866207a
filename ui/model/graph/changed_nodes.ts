/** The difference between two states of a run, for a worker that has the first one. Pure. */
import type { NodeStatus, Workflow } from "@tiphys/model/api";

/** The maximum number of nodes that are compared before yielding. */
const AT_ONCE = 500;

/** The changes of the nodes of a run. */
export interface NodeChanges {
  /** New and changed nodes. */
  readonly nodes: readonly NodeStatus[];
  readonly hasNew: boolean;
  /** The IDs of all nodes in order, if new ones are not at the end. */
  readonly order: readonly string[] | undefined;
}

/**
 * Returns the changes of the nodes of a run; undefined if nodes were deleted or reordered, or templates changed, so
 * that the whole run must be sent. Each `yield` is a pause for other work.
 */
export function* changedNodes(before: Workflow, after: Workflow): Generator<undefined, NodeChanges | undefined> {
  if (before.metadata.uid !== after.metadata.uid) return undefined;
  if (!(yield* haveSameTemplates(before.spec, after.spec))) return undefined;
  const { nodes: told = {} } = before.status ?? {};
  const { nodes = {} } = after.status ?? {};
  const keys = Object.keys(told);
  const changed: NodeStatus[] = [];
  let [index, come, areLast] = [0, 0, true];
  for (const key in nodes) {
    if (keys[index] === key) {
      index++;
      if (!isSame(told[key], nodes[key])) changed.push(nodes[key]!);
    } else {
      if (Object.hasOwn(told, key)) return undefined;
      come++;
      areLast &&= index === keys.length;
      changed.push(nodes[key]!);
    }
    if ((index + come) % AT_ONCE === 0) yield;
  }
  if (index < keys.length) return undefined;
  return { nodes: changed, hasNew: come > 0, order: areLast ? undefined : Object.keys(nodes) };
}

type Spec = Workflow["spec"];

function* haveSameTemplates(before: Spec, after: Spec): Generator<undefined, boolean> {
  const [old = [], templates = []] = [before.templates, after.templates];
  if (old === templates) return true;
  if (old.length !== templates.length) return false;
  for (const [index, { dag, ...rest }] of templates.entries()) {
    const { dag: oldDag, ...oldRest } = old[index]!;
    const [oldTasks = [], tasks = []] = [oldDag?.tasks, dag?.tasks];
    if (!isSame(oldRest, rest) || !isSame({ ...oldDag, tasks: [] }, { ...dag, tasks: [] })) return false;
    if (oldTasks.length !== tasks.length) return false;
    for (const [place, task] of tasks.entries()) {
      if (!isSame(oldTasks[place], task)) return false;
      if (place % AT_ONCE === 0) yield;
    }
  }
  return true;
}

/** Adds the templates of the previous state, which are the same, to a state that was sent without them. */
export function withTemplatesOf(before: Workflow, changed: Workflow): Workflow {
  const { templates } = before.spec;
  return templates ? { ...changed, spec: { ...changed.spec, templates } } : changed;
}

/**
 * Reports whether two values of JSON, or with arrays of numbers, are equal. Called for tens of thousands of nodes, so
 * it allocates no lists of fields.
 */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  if (a instanceof Int32Array) {
    return b instanceof Int32Array && a.length === b.length && a.every((n, index) => n === b[index]);
  }
  const [one, other] = [a as Record<string, unknown>, b as Record<string, unknown>];
  let fields = 0;
  for (const field in one) {
    if (!isSame(one[field], other[field]) || !(field in other)) return false;
    fields++;
  }
  for (const _ in other) fields--;
  return fields === 0;
}
