import { UserError } from "../../../../lib/user_error.ts";
import type { DAGTask, Template } from "../../../../lib/api/mod.ts";
import { checkDependencies, dagLeaves, dependsLogic } from "../../../../lib/template/mod.ts";
import { isFulfilled, memberNodeName } from "../../../../lib/status/mod.ts";
import { WokenSince } from "../due/settled_nodes.ts";
import type { Dependency } from "../due/look.ts";
import type { Pass } from "../pass.ts";

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
  readonly #ids: ReadonlyMap<string, string>;
  /** The names of the targets and of all tasks that they depend on, each task after those it depends on. */
  readonly #order: readonly string[];
  /** Places in the order, by the ID of the task's node. */
  readonly #places: ReadonlyMap<string, number>;
  readonly #dependents: readonly (readonly number[])[];
  /** The targets and all that they depend on, each task after its dependencies, by the IDs of their nodes. */
  readonly inOrder: readonly { readonly id: string; readonly dependencies: readonly string[] }[];
  readonly #woken: WokenSince;
  /** Places in the order of the tasks to be looked at in any pass; undefined before the first walk, when all are. */
  #open: Set<number> | undefined;
  /** Places in the order of the tasks that wait for limits, with the state in which each limit was. */
  readonly #limits = new Map<number, ReadonlyMap<Dependency, unknown>>();

  private constructor(pass: Pass, nodeName: string, dag: NonNullable<Template["dag"]>) {
    const { tasks } = dag;
    this.#source = tasks;
    this.#text = JSON.stringify(tasks);
    this.#target = dag.target;
    this.tasks = new Map(tasks.map((task) => [task.name, task]));
    this.targets = dag.target ? dag.target.split(" ") : dagLeaves(tasks);
    this.#ids = new Map(tasks.map(({ name }) => [name, pass.draft.nodes.idOf(memberNodeName(nodeName, name))]));
    this.#order = this.#namesInOrder();
    const places = new Map(this.#order.map((name, place) => [name, place]));
    this.#places = new Map(this.#order.map((name, place) => [this.idOf(name), place]));
    const dependents: number[][] = this.#order.map(() => []);
    for (const [place, name] of this.#order.entries()) {
      for (const dependency of this.#dependenciesOf(name)) dependents[places.get(dependency)!]?.push(place);
    }
    this.#dependents = dependents;
    this.inOrder = this.#order.map((name) => {
      return { id: this.idOf(name), dependencies: this.#dependenciesOf(name).map((task) => this.idOf(task)) };
    });
    this.#woken = new WokenSince(pass);
  }

  /** The plan of the DAG of a node: the one that is known, as long as the DAG reads the same. */
  static of(pass: Pass, nodeName: string, template: Template): DagPlan {
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

  /** The ID of the node of a task. */
  idOf(task: string): string {
    return this.#ids.get(task)!;
  }

  /** The task whose node has this ID. */
  nameOf(id: string): string | undefined {
    const place = this.#places.get(id);
    return place === undefined ? undefined : this.#order[place];
  }

  /** Visits the tasks that may have something to do, each after those it depends on. */
  walk(pass: Pass, visit: (task: string) => void): void {
    const due = this.#due(pass);
    const open = this.#open ??= new Set();
    for (const [place, name] of this.#order.entries()) {
      if (!due[place] && this.#stillWaits(pass, place)) continue;
      // Not by a function of its own: templates that call each other go through here, as deep as they may.
      const look = pass.beginLook(this.idOf(name));
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
      const node = pass.draft.nodes.get(this.idOf(name));
      if (node && isFulfilled(node)) { for (const dependent of this.#dependents[place] ?? []) due[dependent] = 1; }
    }
  }

  /** Whether nothing is to be done for a task of which nothing changed. */
  #stillWaits(pass: Pass, place: number): boolean {
    const limits = this.#limits.get(place);
    return !limits || pass.stillWaits(limits);
  }

  #due(pass: Pass): Uint8Array {
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

/** The plans of the DAGs that are at work, by node ID. */
const dagPlans = () => new Map<string, DagPlan>();
