import { UserError } from "@tiphys/base/user_error";
import type { DAGTask, NodeStatus, Template } from "@tiphys/model/api";
import { checkDependencies, dagLeaves, dependsLogic } from "@tiphys/language/template";
import { isFulfilled, memberNodeName } from "@tiphys/model/status";
import { WokenSince } from "./settled_nodes.ts";
import type { Dependency } from "../due/look.ts";
import type { Slice } from "../slice.ts";

/**
 * The tasks of a DAG in an order in which each comes after all it depends on, and which of them a pass has to look at: a
 * large DAG costs a pass what changed in it. It knows no more than the nodes tell; a new one looks at all tasks.
 */
export class DagPlan {
  readonly targets: readonly string[];
  readonly tasks: ReadonlyMap<string, DAGTask>;
  /** The ID of the node, not over yet, at which the last look at the whole DAG ended. */
  blocker: string | undefined;
  /** The node IDs of the loops that are not over: an exit handler may not even have a node yet. */
  readonly atWork = new Set<string>();
  #source: readonly DAGTask[];
  readonly #text: string;
  readonly #target: string | undefined;
  /** The names of the nodes of the tasks, by task. */
  readonly #nodeNames: ReadonlyMap<string, string>;
  /** The names of the targets and of all tasks that they depend on, each task after those it depends on. */
  readonly #order: readonly string[];
  /** Places in the order, by the ID of the task's node. */
  readonly #places: Map<string, number>;
  readonly #dependents: readonly (readonly number[])[];
  /** The targets and all that they depend on, each task after its dependencies, by the IDs of their nodes. */
  #tasksInOrder: readonly TaskIds[];
  readonly #woken: WokenSince;
  /** Places in the order of the tasks to be looked at in any pass; undefined before the first walk, when all are. */
  #open: Set<number> | undefined;
  /** Places in the order of the tasks that wait for limits, with the state in which each limit was. */
  readonly #limits = new Map<number, ReadonlyMap<Dependency, unknown>>();

  private constructor(pass: Slice, nodeName: string, dag: NonNullable<Template["dag"]>) {
    const { tasks } = dag;
    this.#source = tasks;
    this.#text = JSON.stringify(tasks);
    this.#target = dag.target;
    this.tasks = new Map(tasks.map((task) => [task.name, task]));
    this.targets = dag.target ? dag.target.split(" ") : dagLeaves(tasks);
    this.#nodeNames = new Map(tasks.map(({ name }) => [name, memberNodeName(nodeName, name)]));
    this.#order = this.#namesInOrder();
    const places = new Map(this.#order.map((name, place) => [name, place]));
    this.#places = new Map(this.#order.map((name, place) => [this.idOf(pass, name), place]));
    const dependents: number[][] = this.#order.map(() => []);
    for (const [place, name] of this.#order.entries()) {
      for (const dependency of this.#dependenciesOf(name)) dependents[places.get(dependency)!]?.push(place);
    }
    this.#dependents = dependents;
    this.#tasksInOrder = this.#withIds(pass);
    this.#woken = new WokenSince(pass);
  }

  /** The plan of the DAG of a node: the one that is known, as long as the DAG reads the same. */
  static of(pass: Slice, nodeName: string, template: Template): DagPlan {
    const dag = template.dag!;
    const id = pass.draft.nodes.idOf(nodeName);
    let plan = pass.awake && pass.cache(dagPlans).get(id);
    if (!plan || !plan.#isOf(dag)) pass.cache(dagPlans).set(id, plan = new DagPlan(pass, nodeName, dag));
    return plan;
  }

  #isOf({ tasks, target }: NonNullable<Template["dag"]>): boolean {
    if (target !== this.#target) return false;
    if (tasks === this.#source) return true;
    if (JSON.stringify(tasks) !== this.#text) return false;
    this.#source = tasks;
    return true;
  }

  /** The ID of the node of a task, or the one that it would get now. */
  idOf(pass: Slice, task: string): string {
    return pass.draft.nodes.idOf(this.#nodeNames.get(task)!);
  }

  /** The node of a task; undefined while it does not exist. */
  nodeOf(pass: Slice, task: string): NodeStatus | undefined {
    return pass.draft.nodes.byName(this.#nodeNames.get(task)!);
  }

  /** The targets and all that they depend on, each task after its dependencies, by the IDs of their nodes. */
  inOrder(pass: Slice): readonly TaskIds[] {
    // The ID that a task without a node would have got may have gone to another node.
    const isUpToDate = this.#order.every((task, place) => this.#tasksInOrder[place]!.id === this.idOf(pass, task));
    if (!isUpToDate) this.#tasksInOrder = this.#withIds(pass);
    return this.#tasksInOrder;
  }

  #withIds(pass: Slice): TaskIds[] {
    return this.#order.map((name) => {
      const dependencies = this.#dependenciesOf(name).map((task) => this.idOf(pass, task));
      return { id: this.idOf(pass, name), dependencies };
    });
  }

  /** The task whose node has this ID. */
  nameOf(id: string): string | undefined {
    const place = this.#places.get(id);
    return place === undefined ? undefined : this.#order[place];
  }

  /** Visits the tasks that may have something to do, each after those it depends on. */
  walk(pass: Slice, visit: (task: string) => void): void {
    const due = this.#due(pass);
    const open = this.#open ??= new Set();
    for (const [place, name] of this.#order.entries()) {
      if (!due[place] && this.#stillWaits(pass, place)) continue;
      // Not by a function of its own: templates that call each other go through here, as deep as they may.
      const look = pass.beginLook(this.idOf(pass, name));
      try {
        visit(name);
      } finally {
        pass.endLook(look);
      }
      pass.remember("task", look);
      if (look.isSettled) open.delete(place);
      else open.add(place);
      if (look.limits.size) this.#limits.set(place, look.limits);
      else this.#limits.delete(place);
      const node = this.nodeOf(pass, name);
      if (!node) continue;
      // Two tasks may have the same usual ID: it belongs to the one that got its node first.
      this.#places.set(node.id, place);
      if (isFulfilled(node)) { for (const dependent of this.#dependents[place] ?? []) due[dependent] = 1; }
    }
  }

  /** Whether nothing is to be done for a task of which nothing changed. */
  #stillWaits(pass: Slice, place: number): boolean {
    const limits = this.#limits.get(place);
    return !limits || pass.stillWaits(limits);
  }

  #due(pass: Slice): Uint8Array {
    const due = new Uint8Array(this.#order.length);
    const awake = this.#woken.next(pass);
    if (!awake || !this.#open) return due.fill(1);
    for (const place of this.#open) due[place] = 1;
    for (const id of awake) {
      const place = this.#places.get(id);
      if (place === undefined) continue;
      due[place] = 1;
      for (const dependent of this.#dependents[place] ?? []) due[dependent] = 1;
    }
    return due;
  }

  #dependenciesOf(name: string): readonly string[] {
    if (!this.tasks.has(name)) throw new UserError(`target ${name} does not exist`);
    checkDependencies(this.#source, name);
    return dependsLogic(this.#source, name).dependencies;
  }

  /** The targets with all that they depend on, each task after those it depends on. */
  #namesInOrder(): string[] {
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

/** The plans of the DAGs that are at work, by node ID. */
const dagPlans = () => new Map<string, DagPlan>();
