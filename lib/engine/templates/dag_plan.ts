import { UserError } from "@tiphys/base/user_error";
import type { DAGTask, NodeStatus, Template } from "@tiphys/model/api";
import { checkDependencies, dagLeaves, dependsLogic } from "@tiphys/language/template";
import { isFulfilled, memberNodeName } from "@tiphys/model/status";
import { NodesWithWorkReader } from "./reusable_outcomes.ts";
import type { Dependency } from "../due/evaluation.ts";
import type { Slice } from "../slice.ts";

/**
 * The tasks of a DAG in topological order, and those that a pass must visit, so that a large DAG costs a pass only its
 * changes. It is derived from the nodes; a new instance visits all tasks.
 */
export class DagPlan {
  readonly targets: readonly string[];
  readonly tasks: ReadonlyMap<string, DAGTask>;
  /** The ID of the unfinished node at which the last evaluation of the whole DAG stopped. */
  blocker: string | undefined;
  /** The node IDs of unfinished loops, including those whose exit handlers have no node yet. */
  readonly unfinishedLoops = new Set<string>();
  /** The tasks, by name, whose exit handlers have no node yet because they wait for room. */
  readonly heldHandlers = new Set<string>();
  #source: readonly DAGTask[];
  readonly #text: string;
  readonly #target: string | undefined;
  /** The node names, by task. */
  readonly #nodeNames: ReadonlyMap<string, string>;
  /** The names of the targets and their dependencies, in topological order. */
  readonly #order: readonly string[];
  /** Indexes in the order, by node ID. */
  readonly #indexes: Map<string, number>;
  readonly #dependents: readonly (readonly number[])[];
  /** The node IDs of the tasks in topological order. */
  #orderedTasks: readonly TaskIds[];
  readonly #nodesWithWork: NodesWithWorkReader;
  /** Indexes of the tasks that every pass must visit; undefined before the first walk, which visits all. */
  #open: Set<number> | undefined;
  /** The limits that tasks wait for, with their state, by index of the task. */
  readonly #limits = new Map<number, ReadonlyMap<Dependency, unknown>>();

  private constructor(pass: Slice, nodeName: string, dag: NonNullable<Template["dag"]>) {
    const { tasks } = dag;
    this.#source = tasks;
    this.#text = JSON.stringify(tasks);
    this.#target = dag.target;
    this.tasks = new Map(tasks.map((task) => [task.name, task]));
    this.targets = dag.target ? dag.target.split(" ") : dagLeaves(tasks);
    this.#nodeNames = new Map(tasks.map(({ name }) => [name, memberNodeName(nodeName, name)]));
    this.#order = this.#sortTopologically();
    const indexes = new Map(this.#order.map((name, index) => [name, index]));
    this.#indexes = new Map(this.#order.map((name, index) => [this.idOf(pass, name), index]));
    const dependents: number[][] = this.#order.map(() => []);
    for (const [place, name] of this.#order.entries()) {
      for (const dependency of this.#dependenciesOf(name)) dependents[indexes.get(dependency)!]?.push(place);
    }
    this.#dependents = dependents;
    this.#orderedTasks = this.#computeTaskIds(pass);
    this.#nodesWithWork = new NodesWithWorkReader(pass);
  }

  /** Returns the plan of a DAG node. A cached one is reused while the text of the DAG is unchanged. */
  static forNode(pass: Slice, nodeName: string, template: Template): DagPlan {
    const dag = template.dag!;
    const id = pass.draft.nodes.idOf(nodeName);
    let plan = pass.nodesWithWork && pass.cache(dagPlans).get(id);
    if (!plan || !plan.#matches(dag)) pass.cache(dagPlans).set(id, plan = new DagPlan(pass, nodeName, dag));
    return plan;
  }

  #matches({ tasks, target }: NonNullable<Template["dag"]>): boolean {
    if (target !== this.#target) return false;
    if (tasks === this.#source) return true;
    if (JSON.stringify(tasks) !== this.#text) return false;
    this.#source = tasks;
    return true;
  }

  /** The ID of the node of a task; for a task without a node, the ID that it would get now. */
  idOf(pass: Slice, task: string): string {
    return pass.draft.nodes.idOf(this.#nodeNames.get(task)!);
  }

  /** The node of a task; undefined while it does not exist. */
  nodeOf(pass: Slice, task: string): NodeStatus | undefined {
    return pass.draft.nodes.byName(this.#nodeNames.get(task)!);
  }

  /** The node IDs of the targets and their dependencies, in topological order. */
  orderedTasks(pass: Slice): readonly TaskIds[] {
    // The expected ID of a task without a node may have been given to another node.
    const isUpToDate = this.#order.every((task, index) => this.#orderedTasks[index]!.id === this.idOf(pass, task));
    if (!isUpToDate) this.#orderedTasks = this.#computeTaskIds(pass);
    return this.#orderedTasks;
  }

  #computeTaskIds(pass: Slice): TaskIds[] {
    return this.#order.map((name) => {
      const dependencies = this.#dependenciesOf(name).map((task) => this.idOf(pass, task));
      return { id: this.idOf(pass, name), dependencies };
    });
  }

  /** The name of the task whose node has this ID. */
  nameOf(id: string): string | undefined {
    const place = this.#indexes.get(id);
    return place === undefined ? undefined : this.#order[place];
  }

  /** Visits the tasks that may have work, in topological order. */
  visitDue(pass: Slice, visit: (task: string) => void): void {
    const due = this.#dueTasks(pass);
    const open = this.#open ??= new Set();
    for (const [index, name] of this.#order.entries()) {
      if (!due[index] && this.#stillWaits(pass, index)) continue;
      // Inlined to save stack frames: nested calls of templates pass through here.
      const evaluation = pass.beginEvaluation(this.idOf(pass, name));
      try {
        visit(name);
      } finally {
        pass.endEvaluation(evaluation);
      }
      pass.recordDependencies("task", evaluation);
      if (evaluation.isReusable) open.delete(index);
      else open.add(index);
      if (evaluation.limits.size) this.#limits.set(index, evaluation.limits);
      else this.#limits.delete(index);
      const node = this.nodeOf(pass, name);
      if (!node) continue;
      // Two tasks may have the same default ID, which belongs to the task whose node was created first.
      this.#indexes.set(node.id, index);
      if (isFulfilled(node)) { for (const dependent of this.#dependents[index] ?? []) due[dependent] = 1; }
    }
  }

  /** Whether an unchanged task can be skipped: it waits for no limit, or its limits are unchanged. */
  #stillWaits(pass: Slice, index: number): boolean {
    const limits = this.#limits.get(index);
    return !limits || pass.stillWaits(limits);
  }

  #dueTasks(pass: Slice): Uint8Array {
    const due = new Uint8Array(this.#order.length);
    const nodesWithWork = this.#nodesWithWork.next(pass);
    if (!nodesWithWork || !this.#open) return due.fill(1);
    for (const index of this.#open) due[index] = 1;
    for (const id of nodesWithWork) {
      const index = this.#indexes.get(id);
      if (index === undefined) continue;
      due[index] = 1;
      for (const dependent of this.#dependents[index] ?? []) due[dependent] = 1;
    }
    return due;
  }

  #dependenciesOf(name: string): readonly string[] {
    if (!this.tasks.has(name)) throw new UserError(`target ${name} does not exist`);
    checkDependencies(this.#source, name);
    return dependsLogic(this.#source, name).dependencies;
  }

  /** The names of the targets and their dependencies, in topological order. */
  #sortTopologically(): string[] {
    const order: string[] = [];
    const seen = new Set<string>();
    for (const target of this.targets) {
      const path: { readonly name: string; readonly left: IterableIterator<string> }[] = [];
      const enter = (name: string) => {
        if (seen.has(name)) return;
        seen.add(name);
        path.push({ name, left: this.#dependenciesOf(name).values() });
      };
      for (enter(target); path.length;) {
        const { name, left } = path.at(-1)!;
        const next = left.next();
        if (!next.done) {
          enter(next.value);
          continue;
        }
        path.pop();
        order.push(name);
      }
    }
    return order;
  }
}

/** The ID of the node of a task, and those of its dependencies. */
interface TaskIds {
  readonly id: string;
  readonly dependencies: readonly string[];
}

/** The plans of running DAGs, by node ID. */
const dagPlans = () => new Map<string, DagPlan>();
