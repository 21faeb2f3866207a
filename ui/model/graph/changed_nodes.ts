/** The difference between two states of a run, as a thread that has the first one needs it. Pure. */
import type { NodeStatus, Workflow } from "@tiphys/model/api";

/** Things that are compared without a rest. */
const AT_ONCE = 500;

/** What changed of the nodes of a run. */
export interface NodeChanges {
  /** Those that are new, or not as they were. */
  readonly nodes: readonly NodeStatus[];
  readonly hasNew: boolean;
  /** The ids of all nodes in their order, where new ones do not come after the others. */
  readonly order: readonly string[] | undefined;
}

/**
 * What changed of the nodes of a run; undefined where nodes are gone, or in another order, or templates are others: then all
 * of it is to be told anew. It may rest at each `yield`.
 */
export function* changedNodes(before: Workflow, after: Workflow): Generator<undefined, NodeChanges | undefined> {
  if (before.metadata.uid !== after.metadata.uid) return undefined;
  if (!(yield* haveSameTemplates(before.spec, after.spec))) return undefined;
  const { nodes: told = {} } = before.status ?? {};
  const { nodes = {} } = after.status ?? {};
  const keys = Object.keys(told);
  const changed: NodeStatus[] = [];
  let [at, come, areLast] = [0, 0, true];
  for (const key in nodes) {
    if (keys[at] === key) {
      at++;
      if (!isSame(told[key], nodes[key])) changed.push(nodes[key]!);
    } else {
      if (Object.hasOwn(told, key)) return undefined;
      come++;
      areLast &&= at === keys.length;
      changed.push(nodes[key]!);
    }
    if ((at + come) % AT_ONCE === 0) yield;
  }
  if (at < keys.length) return undefined;
  return { nodes: changed, hasNew: come > 0, order: areLast ? undefined : Object.keys(nodes) };
}

type Spec = Workflow["spec"];

function* haveSameTemplates(before: Spec, after: Spec): Generator<undefined, boolean> {
  const [old = [], templates = []] = [before.templates, after.templates];
  if (old === templates) return true;
  if (old.length !== templates.length) return false;
  for (const [at, { dag, ...rest }] of templates.entries()) {
    const { dag: oldDag, ...oldRest } = old[at]!;
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

/** A state that is told without its tasks, with the templates of the one before, which are the same. */
export function withTasksOf(before: Workflow, told: Workflow): Workflow {
  const { templates } = before.spec;
  return templates ? { ...told, spec: { ...told.spec, templates } } : told;
}

/**
 * Whether two values are equal that are JSON, or have columns of numbers. With each change this is asked of tens of thousands
 * of nodes, so it makes no lists of fields.
 */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  if (a instanceof Int32Array) {
    return b instanceof Int32Array && a.length === b.length && a.every((n, at) => n === b[at]);
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
