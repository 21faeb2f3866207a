/** A random workflow that runs to its end under a seed: pods end, users intervene and time passes at random. */
import { nodesLeftBehind } from "../scenarios/left_behind.ts";
import { isCompletedPhase, isFailure } from "@tiphys/model/status";
import { ActionError, formulateResubmit, formulateRetry } from "@tiphys/engine/workflow_actions";
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { explain } from "@tiphys/engine/explain";
import { Scenario } from "../scenarios/scenario.ts";
import { type Chance, chanceOf, randomWorkflow, withInlineTemplates, withReferences } from "./workflow_of.ts";
import { dagFaults } from "./dag_faults.ts";
import { LABEL } from "@tiphys/base/constants";

const MAX_STEPS = 600;

/** The ways to end a workflow from outside. */
const ENDINGS = ["Stop", "Terminate", "deadline"] as const;

/** The options of a run. */
export interface PlayOptions {
  /** Whether steps and tasks refer to each other, and pods report results. */
  readonly references?: boolean;
  /** Whether some steps and tasks have inline templates. */
  readonly inline?: boolean;
  /** Whether the workflow is ended from outside. From then on only pods of exit handlers end by themselves. */
  readonly isEnded?: boolean;
  /** Whether the workflow is retried or resubmitted after it failed, and pods are lost. */
  readonly isRepeated?: boolean;
  readonly log?: (line: string) => void;
}

/** Runs the workflow of a seed. Returns the problems of the run; empty if it has no problems. */
export function playRandomRun(seed: number, options: PlayOptions = {}): string[] {
  const chance = chanceOf(seed);
  const { workflow, objects } = randomWorkflow(chance);
  if (options.references) withReferences(workflow, chanceOf(seed + REFERENCES));
  if (options.inline) withInlineTemplates(workflow, chanceOf(seed + REFERENCES));
  const world = new Scenario();
  for (const object of objects) world.addObject(object as Parameters<Scenario["addObject"]>[0]);
  const loaded = world.load(JSON.stringify(workflow));
  if (loaded !== "ok") return [`the workflow cannot be read: ${loaded}`];
  return new RandomRun(world, chance, options).run();
}

/** Separates the random numbers of references from those of the workflow. */
const REFERENCES = 1_000_003;

class RandomRun {
  readonly #world: Scenario;
  readonly #chance: Chance;
  readonly #ends = new Map<string, string>();
  readonly #isMeddled: boolean;
  #requeueAt: number | undefined;
  readonly #log: (line: string) => void;

  readonly #reportsResults: boolean;
  /** The way in which the workflow is ended from outside, and the number of the event at which that happens. */
  readonly #ending: { readonly how: typeof ENDINGS[number]; readonly at: number } | undefined;
  #isEnding = false;
  /** How many more times the workflow is retried or resubmitted. */
  #repeats: number;
  readonly #losesPods: boolean;
  /** The names of the pods that the controller is stopping. */
  readonly #stoppedPods = new Set<string>();

  constructor(world: Scenario, chance: Chance, options: PlayOptions) {
    const { log = () => {}, references = false, isEnded = false, isRepeated = false } = options;
    this.#repeats = isRepeated ? 2 : 0;
    this.#losesPods = isRepeated;
    this.#log = log;
    this.#world = world;
    this.#chance = chance;
    this.#reportsResults = references;
    this.#isMeddled = chance(5) === 0 && !isEnded;
    this.#ending = isEnded ? { how: ENDINGS[chance(ENDINGS.length)]!, at: chance(12) } : undefined;
  }

  run(): string[] {
    const world = this.#world;
    for (let step = 0; step < MAX_STEPS; step++) {
      const problems = this.#settle();
      if (problems.length) return problems;
      if (isCompletedPhase(world.workflow!.status?.phase) && this.#openPods().length === 0) {
        const left = this.#finalFaults();
        if (left.length || !this.#repeat()) return left;
        continue;
      }
      if (this.#chance(15) === 0) world.restart();
      if (this.#isMeddled && this.#chance(12) === 0) this.#shutDown();
      if (step === this.#ending?.at) {
        this.#end();
        continue;
      }
      const isNews = this.#isEnding ? this.#triggerEventWhileEnding() : this.#triggerEvent();
      if (!isNews) return [`stands still${this.#isEnding ? ` after ${this.#ending!.how}` : ""}: ${this.#reasons()}`];
    }
    return [`has not ended after ${MAX_STEPS} events: ${this.#reasons()}`];
  }

  /** Passes until the engine is idle, and checks the invariants after each pass. */
  #settle(): string[] {
    const world = this.#world;
    for (let passes = 0; passes < 60; passes++) {
      const before = world.workflow;
      const { actions, requeueAt } = world.makePass();
      for (const action of actions) {
        if (action.kind === "terminateContainers" || action.kind === "deletePod") this.#stoppedPods.add(action.podName);
      }
      this.#logChanges(before!);
      this.#requeueAt = requeueAt;
      const problems = this.#faults();
      if (problems.length) return problems;
      const isAtOnce = requeueAt !== undefined && requeueAt <= world.now.getTime();
      const answered = actions.some(({ kind }) =>
        !["event", "metric", "reportEnds", "terminateContainers"].includes(kind)
      );
      if (world.workflow === before && !isAtOnce && !answered && !world.isAnswered) return [];
    }
    return [`passes endlessly: ${this.#reasons()}`];
  }

  /** Logs the changes of a pass. */
  #logChanges(before: Workflow): void {
    const nodes = before.status?.nodes ?? {};
    for (const node of this.#nodes()) {
      const { name, type, phase, message = "" } = node;
      const was = nodes[node.id];
      if (!was || was.phase !== phase || was.message !== node.message) {
        this.#log(`  ${name} ${type} ${phase} ${message}`);
      }
    }
    const { phase, message = "" } = this.#world.workflow!.status ?? {};
    if (before.status?.phase !== phase) this.#log(`  workflow ${phase} ${message}`);
  }

  #faults(): string[] {
    const { status } = this.#world.workflow!;
    const nodes = this.#nodes();
    const problems = nodesLeftBehind(status?.nodes ?? {}, (node) => this.#world.pods.has(node.id));
    for (const node of nodes) {
      const isOpen = node.phase === "Pending" || node.phase === "Running";
      if (isOpen !== (node.finishedAt === undefined)) {
        problems.push(`${node.name} is ${node.phase} and ${node.finishedAt ? "has an end" : "has no end"}`);
      }
      if (node.type !== "Pod" || !node.finishedAt || node.taskResultSynced === false) continue;
      const known = this.#ends.get(node.id) ?? node.phase!;
      // A task with an invalid hook ends in an error, however late the error is found.
      if (known !== node.phase && node.phase !== "Error") {
        problems.push(`${node.name} was ${known} and became ${node.phase}`);
      }
      this.#ends.set(node.id, node.phase!);
    }
    for (const holder of this.#holders()) {
      const node = status?.nodes?.[holder.split("/").at(2) ?? ""];
      if (node?.finishedAt && !node.daemoned && node.taskResultSynced !== false) {
        problems.push(`${node.name} is ${node.phase} and holds a lock`);
      }
    }
    problems.push(...dagFaults(this.#world.workflow!));
    if (!isCompletedPhase(status?.phase)) return problems;
    for (const node of nodes) {
      if (node.phase === "Pending" || node.phase === "Running") {
        problems.push(`the workflow is ${status!.phase} and ${node.name} ${node.phase}`);
      }
    }
    if (status?.synchronization) {
      problems.push(`the workflow has finished with locks: ${JSON.stringify(status.synchronization)}`);
    }
    return problems;
  }

  #holders(): string[] {
    const { semaphore, mutex } = this.#world.workflow!.status?.synchronization ?? {};
    return [
      ...(semaphore?.holding ?? []).flatMap(({ holders = [] }) => holders),
      ...(mutex?.holding ?? []).map(({ holder = "" }) => holder),
    ];
  }

  #finalFaults(): string[] {
    const { namespace, name } = this.#world.workflow!.metadata;
    const left = this.#world.cluster.locks.answersOf(`${namespace}/${name}`);
    return left?.size ? [`the table of locks knows ${[...left.keys()].join(", ")}`] : [];
  }

  /** Retries or resubmits a failed workflow. Returns false when nothing was done. */
  #repeat(): boolean {
    const world = this.#world;
    const { workflow, now } = world;
    if (this.#repeats === 0 || !isFailure(workflow!.status?.phase)) return false;
    this.#repeats--;
    try {
      if (this.#chance(2)) {
        this.#log("the workflow is retried");
        const { workflow: again, podsToDelete } = formulateRetry(workflow!, {}, now);
        for (const [id, pod] of [...world.pods]) if (podsToDelete.includes(pod.metadata.name!)) world.pods.delete(id);
        for (const id of [...world.results.keys()]) if (!world.pods.has(id)) world.results.delete(id);
        world.workflow = again;
      } else {
        this.#log("the workflow is resubmitted, memoized");
        const again = formulateResubmit(workflow!, { memoized: { suffix: "x" } }, now);
        const metadata = { ...again.metadata, namespace: "default", uid: `uid-${again.metadata.name}` };
        world.workflow = { ...again, metadata: { ...metadata, creationTimestamp: now.toISOString() } };
        world.pods.clear();
        world.results.clear();
      }
    } catch (error) {
      if (error instanceof ActionError) return false;
      throw error;
    }
    this.#ends.clear();
    this.#stoppedPods.clear();
    world.restart();
    return true;
  }

  #nodes(): NodeStatus[] {
    return Object.values(this.#world.workflow!.status?.nodes ?? {});
  }

  #openPods(): NodeStatus[] {
    return this.#nodes().filter(({ id }) =>
      ["Pending", "Running"].includes(this.#world.pods.get(id)?.status?.phase ?? "")
    );
  }

  /** Triggers a random event. Returns false when there is no event. */
  #triggerEvent(): boolean {
    const { pods, now, cluster } = this.#world;
    const chance = this.#chance;
    const open = this.#openPods();
    const tasks = this.#nodes().filter((node) => node.type === "HTTP" && !node.finishedAt);
    if (cluster.agent?.status?.phase === "Pending") {
      cluster.agent = { ...cluster.agent, status: { phase: "Running" } };
      return true;
    }
    const pending = this.#nodes().filter(({ type, phase }) => type === "Suspend" && phase === "Running");
    const later = this.#requeueAt !== undefined && this.#requeueAt > now.getTime();
    const daemons = open.filter(({ id, daemoned }) => daemoned && this.#isNodeActive(id));
    const others = open.filter((node) => !daemons.includes(node));
    const events: (() => void)[] = [
      ...others.map((node) => () => {
        const phase = ["Running", "Succeeded", "Succeeded", "Failed"][chance(4)]!;
        if (phase === "Running" && pods.get(node.id)!.status?.phase === "Running") return;
        this.#log(`${node.name}: its pod is ${phase}`);
        if (this.#reportsResults && phase === "Succeeded" && chance(2)) {
          this.#world.report([node.name, `result=${chance(2) ? 5 : "[1]"}`]);
        }
        this.#world.setPodOf(node, phase);
      }),
      ...tasks.filter(({ synchronizationStatus }) => !synchronizationStatus && cluster.agent).map(({ id }) => () =>
        cluster.answer(id, { phase: chance(3) ? "Succeeded" : "Failed" })
      ),
      ...pending.map(({ id }) => () => this.#resume(id)),
    ];
    if (this.#losesPods) {
      events.push(
        ...others.slice(0, 1).map((node) => () => {
          this.#log(`${node.name}: its pod is lost`);
          pods.delete(node.id);
        }),
      );
    }
    const waits = later ? [() => void (this.#world.now = new Date(this.#requeueAt! + 1))] : [];
    const served = daemons.map((node) => () => this.#world.setPodOf(node, chance(3) ? "Succeeded" : "Failed"));
    // A daemon usually serves until nothing else continues.
    const all = [
      ...events,
      ...(events.length && chance(3) ? [] : waits),
      ...(events.length && chance(8) ? [] : served),
    ];
    if (all.length === 0) return false;
    this.#world.now = new Date(this.#world.now.getTime() + 1000);
    all[chance(all.length)]!();
    return true;
  }

  /** Ends the workflow from outside. */
  #end(): void {
    const { how } = this.#ending!;
    this.#isEnding = true;
    this.#log(`the workflow is ended: ${how}`);
    const spec = how === "deadline" ? { activeDeadlineSeconds: 1 } : { shutdown: how };
    this.#world.run(`patch ${JSON.stringify({ spec })}`, "");
    this.#world.now = new Date(this.#world.now.getTime() + 3000);
  }

  /**
   * Triggers an event after the end from outside: pods end that are being stopped, or that belong to an exit handler.
   */
  #triggerEventWhileEnding(): boolean {
    const world = this.#world;
    const pods = this.#openPods().map((node) => ({ node, pod: world.pods.get(node.id)! }));
    const pending = pods.find(({ pod }) => this.#stoppedPods.has(pod.metadata.name!));
    const ofHandler = pods.find(({ pod }) => pod.metadata.labels?.[LABEL.onExit] !== undefined);
    const person = this.#nodes().find((node) =>
      !node.finishedAt && !node.synchronizationStatus && this.#isInHandler(node.id) &&
      (node.type === "Suspend" && node.phase === "Running" || node.type === "HTTP")
    );
    world.now = new Date(world.now.getTime() + 1000);
    if (pending) world.setPodOf(pending.node, "Failed", ["exit=143"]);
    else if (ofHandler) world.setPodOf(ofHandler.node, "Succeeded");
    else if (world.cluster.agent?.status?.phase === "Pending") {
      world.cluster.agent = { ...world.cluster.agent, status: { phase: "Running" } };
    } else if (person?.type === "Suspend") this.#resume(person.id);
    else if (person && world.cluster.agent) world.cluster.answer(person.id, { phase: "Succeeded" });
    else if (this.#requeueAt !== undefined && this.#requeueAt > world.now.getTime()) {
      world.now = new Date(this.#requeueAt + 1);
    } else return this.#requeueAt !== undefined && this.#requeueAt <= world.now.getTime();
    return true;
  }

  #isInHandler(id: string): boolean {
    const nodes = this.#world.workflow!.status?.nodes ?? {};
    for (let node = nodes[id]; node; node = nodes[node.boundaryID ?? ""]) {
      if (node.name.includes(".onExit")) return true;
    }
    return false;
  }

  #isNodeActive(id: string): boolean {
    return this.#world.pods.get(id)?.status?.phase === "Running";
  }

  #resume(id: string): void {
    const world = this.#world;
    const finishedAt = world.now.toISOString().replace(/\.\d+Z$/, "Z");
    world.run(`patch ${JSON.stringify({ status: { nodes: { [id]: { phase: "Succeeded", finishedAt } } } })}`, "");
  }

  #shutDown(): void {
    this.#world.run(`patch ${JSON.stringify({ spec: { shutdown: this.#chance(2) ? "Stop" : "Terminate" } })}`, "");
  }

  #reasons(): string {
    const world = this.#world;
    const reasons = explain(world.workflow!, world.cluster.observed, world.now, { graceSeconds: 0 });
    return [
      ...reasons.map(({ node, text }) => `${node ?? ""} ${text}`),
      ...this.#nodes().filter(({ phase }) => phase === "Running" || phase === "Pending")
        .map(({ name, type, phase }) => `${name} ${type} ${phase}`),
    ].join("; ");
  }
}
