import type { DAGTask, Template } from "../../lib/api/mod.ts";
import { checkDependencies, dagLeaves, dependsLogic } from "../../lib/template/mod.ts";
import { isFulfilled } from "./node_state.ts";
import type { Pass } from "./pass.ts";

/**
 * The tasks of a DAG in an order in which each comes after all it depends on, and which of them a pass has to look at: a
 * large DAG costs a pass what changed in it. It knows no more than the nodes tell; a new one looks at all tasks.
 */
export class DagPlan {
  readonly targets: readonly string[];
  readonly tasks: ReadonlyMap<string, DAGTask>;
  /** Where the last look at the whole DAG ended: at a node that was not over. */
  blocker: string | undefined;
  #source: readonly DAGTask[];
  readonly #text: string;
  readonly #target: string | undefined;
  readonly #ids: ReadonlyMap<string, string>;
  /** What the targets need, the targets included. */
  readonly #order: readonly string[];
  /** Places in the order, by the ID of the task's node. */
  readonly #places: ReadonlyMap<string, number>;
  readonly #dependents: readonly (readonly number[])[];
  /** Those to be looked at in any pass; undefined before the first walk, when all are. */
  #open: Set<number> | undefined;
  /** Those that wait for room for a pod. */
  readonly #roomless = new Set<number>();

  private constructor(pass: Pass, nodeName: string, dag: NonNullable<Template["dag"]>) {
    const { tasks } = dag;
    this.#source = tasks;
    this.#text = JSON.stringify(tasks);
    this.#target = dag.target;
    this.tasks = new Map(tasks.map((task) => [task.name, task]));
    this.targets = dag.target ? dag.target.split(" ") : dagLeaves(tasks);
    this.#ids = new Map(tasks.map(({ name }) => [name, pass.nodes.idOf(`${nodeName}.${name}`)]));
    this.#order = this.#inOrder();
    const places = new Map(this.#order.map((name, place) => [name, place]));
    this.#places = new Map(this.#order.map((name, place) => [this.idOf(name), place]));
    const dependents: number[][] = this.#order.map(() => []);
    for (const [place, name] of this.#order.entries()) {
      for (const dependency of this.#dependenciesOf(name)) dependents[places.get(dependency)!].push(place);
    }
    this.#dependents = dependents;
  }

  /** The plan of the DAG of a node: the one that is known, as long as the DAG reads the same. */
  static of(pass: Pass, nodeName: string, template: Template): DagPlan {
    const dag = template.dag!;
    const id = pass.nodes.idOf(nodeName);
    let plan = pass.awake && pass.memory.part(dagPlans).get(id);
    if (!plan || !plan.#isOf(dag)) pass.memory.part(dagPlans).set(id, plan = new DagPlan(pass, nodeName, dag));
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

  /** Visits the tasks that may have something to do, each after those it depends on. */
  walk(pass: Pass, visit: (task: string) => void): void {
    const due = this.#due(pass);
    const open = this.#open ??= new Set();
    for (const [place, name] of this.#order.entries()) {
      if (!due[place]) continue;
      const { roomless } = pass;
      if (pass.isIdle(() => visit(name))) open.delete(place);
      else open.add(place);
      if (pass.roomless > roomless) this.#roomless.add(place);
      else this.#roomless.delete(place);
      const node = pass.nodes.get(this.idOf(name));
      if (node && isFulfilled(node)) { for (const dependent of this.#dependents[place]) due[dependent] = 1; }
    }
    if (this.#roomless.size && !pass.hasRoom) pass.roomless++;
  }

  #due(pass: Pass): Uint8Array {
    const due = new Uint8Array(this.#order.length);
    if (!pass.awake || !this.#open) return due.fill(1);
    for (const place of this.#open) due[place] = 1;
    if (pass.hasRoom) { for (const place of this.#roomless) due[place] = 1; }
    for (const id of pass.awake) {
      const place = this.#places.get(id);
      if (place === undefined) continue;
      due[place] = 1;
      for (const dependent of this.#dependents[place]) due[dependent] = 1;
    }
    return due;
  }

  #dependenciesOf(name: string): readonly string[] {
    if (!this.tasks.has(name)) throw new Error(`target ${name} does not exist`);
    checkDependencies(this.#source, name);
    return dependsLogic(this.#source, name).dependencies;
  }

  /** From each target up to what it needs, that first. */
  #inOrder(): string[] {
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

/** Of the DAGs that are at work, by node ID. */
const dagPlans = () => new Map<string, DagPlan>();
