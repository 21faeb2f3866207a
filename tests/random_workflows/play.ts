/** A random workflow that runs to its end under a seed: pods end, users intervene and time passes at random. */
import { isCompletedPhase, isFailure } from "@tiphys/model/status";
import { ActionError } from "@tiphys/engine/workflow_actions";
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { explain } from "@tiphys/engine/explain";
import { Scenario } from "../scenarios/scenario.ts";
import { type Chance, chanceOf, randomWorkflow, withInlineTemplates, withReferences } from "./workflow_of.ts";
import {
  type Act,
  actionOnCompleted,
  actionOnRunning,
  applyResubmit,
  applyRetry,
  resumeNode,
  withPeople,
} from "./people.ts";
import { dagFaults } from "./dag_faults.ts";
import { LABEL } from "@tiphys/base/constants";

const MAX_STEPS = 1500;
/** More passes than any workflow needs until the engine is idle; memoized calls need some each. */
const MAX_PASSES = 250;

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
  /** Whether users act on the workflow at random, while it runs and after its end. */
  readonly actions?: boolean;
  /** Whether the controller restarts at random (the default), before each pass, or never. */
  readonly restarts?: "random" | "always" | "never";
  /** Receives the workflow after each event, once the engine is idle. */
  readonly onIdle?: (workflow: Workflow) => void;
  readonly log?: (line: string) => void;
}

/** Runs the workflow of a seed. Returns the problems of the run; empty if it has no problems. */
export function playRandomRun(seed: number, options: PlayOptions = {}): readonly string[] {
  const chance = chanceOf(seed);
  const { workflow, objects } = randomWorkflow(chance);
  if (options.references) withReferences(workflow, chanceOf(seed + REFERENCES));
  if (options.actions) withPeople(workflow, chanceOf(seed + REFERENCES));
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
  readonly #isEndedFromOutside: boolean;
  #requeueAt: number | undefined;
  readonly #log: (line: string) => void;

  readonly #reportsResults: boolean;
  /** The way in which the workflow is ended from outside, and the number of the event at which that happens. */
  readonly #ending: { readonly verb: typeof ENDINGS[number]; readonly at: number } | undefined;
  #isEnding = false;
  /** The number of further times that the workflow is retried or resubmitted. */
  #repeats: number;
  readonly #losesPods: boolean;
  readonly #options: PlayOptions;
  /** The number of further actions of users on the running workflow. */
  #actions: number;
  /** Whether the workflow was stopped or terminated since its last start. */
  #shutdown: string | undefined;
  /** The names of the pods that the controller is stopping. */
  readonly #stoppedPods = new Set<string>();

  constructor(world: Scenario, chance: Chance, options: PlayOptions) {
    const { log = () => {}, references = false, isEnded = false, isRepeated = false } = options;
    this.#options = options;
    this.#repeats = isRepeated || options.actions ? 2 : 0;
    this.#losesPods = isRepeated || options.actions === true;
    this.#actions = options.actions ? 10 : 0;
    this.#log = log;
    this.#world = world;
    this.#chance = chance;
    this.#reportsResults = references;
    this.#isEndedFromOutside = chance(5) === 0 && !isEnded;
    this.#ending = isEnded ? { verb: ENDINGS[chance(ENDINGS.length)]!, at: chance(12) } : undefined;
  }

  run(): readonly string[] {
    const world = this.#world;
    for (let step = 0; step < MAX_STEPS; step++) {
      const problems = this.#settle();
      if (problems.length) return problems;
      if (isCompletedPhase(world.workflow!.status?.phase) && this.#openPods().length === 0) {
        const left = this.#finalFaults();
        if (left.length) return left;
        const repeated = this.#repeat();
        if (!repeated || repeated.length) return repeated ?? [];
        continue;
      }
      if (this.#chance(15) === 0 && this.#options.restarts !== "never") world.restart();
      if (this.#actions > 0 && this.#chance(8) === 0) {
        // Also while its pods are still being stopped.
        const isCompleted = isCompletedPhase(world.workflow!.status?.phase);
        const wrong = isCompleted ? this.#repeat() ?? [] : this.#act();
        if (wrong.length) return wrong;
        continue;
      }
      if (this.#isEndedFromOutside && this.#chance(12) === 0) this.#shutDown();
      if (step === this.#ending?.at) {
        this.#end();
        continue;
      }
      const isNews = this.#isEnding ? this.#triggerEventWhileEnding() : this.#triggerEvent();
      if (!isNews) return [`stands still${this.#isEnding ? ` after ${this.#ending!.verb}` : ""}: ${this.#reasons()}`];
    }
    return [`has not ended after ${MAX_STEPS} events: ${this.#reasons()}`];
  }

  /** Passes until the engine is idle, and checks the invariants after each pass. */
  #settle(): readonly string[] {
    const world = this.#world;
    for (let passes = 0; passes < MAX_PASSES; passes++) {
      if (this.#options.restarts === "always") world.restart();
      const before = world.workflow;
      const { actions, requeueAt } = world.makePass();
      for (const action of actions) {
        if (action.kind === "createPod") this.#stoppedPods.delete(action.pod.metadata.name!);
        if (action.kind === "terminateContainers" || action.kind === "deletePod") this.#stoppedPods.add(action.podName);
      }
      this.#logChanges(before!);
      this.#requeueAt = requeueAt;
      const problems = this.#faults();
      if (problems.length) return problems;
      const isAtOnce = requeueAt !== undefined && requeueAt <= world.now.getTime();
      const answered = actions.some(({ kind }) =>
        !["event", "metric", "reportEnds", "saveMemo", "terminateContainers"].includes(kind)
      );
      if (world.workflow !== before || isAtOnce || answered || world.isAnswered) continue;
      this.#options.onIdle?.(world.workflow!);
      return this.#shutdownFaults();
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
    const problems = this.#world.leftBehind();
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

  /** After a shutdown, or the end of the workflow, each pod of it is being stopped. */
  #shutdownFaults(): string[] {
    const { status } = this.#world.workflow!;
    if (!this.#shutdown && !isCompletedPhase(status?.phase)) return [];
    return this.#openPods().flatMap(({ id, name, daemoned }) => {
      const { metadata } = this.#world.pods.get(id)!;
      const isHandler = this.#shutdown === "Stop" && metadata.labels?.[LABEL.onExit] !== undefined;
      // A daemon runs until the template ends that it serves.
      const mayRun = (isHandler || daemoned) && !isCompletedPhase(status?.phase);
      if (mayRun || metadata.deletionTimestamp || this.#stoppedPods.has(metadata.name!)) return [];
      return [`the workflow is ${status?.phase} after ${this.#shutdown}, and the pod of ${name} is not stopped`];
    });
  }

  /** Performs a random action of a user. Returns the laws that it broke. */
  #act(): readonly string[] {
    this.#actions--;
    const { what, problems } = actionOnRunning(this.#world, this.#chance);
    this.#log(`a user: ${what}`);
    this.#world.now = new Date(this.#world.now.getTime() + 1000);
    this.#shutdown = this.#world.workflow!.spec.shutdown;
    return problems;
  }

  /** Retries or resubmits a completed workflow. Returns the laws that this broke; undefined when nothing was done. */
  #repeat(): readonly string[] | undefined {
    const world = this.#world;
    if (this.#repeats === 0) return undefined;
    const act = this.#options.actions ? this.#repeatSomehow() : this.#repeatFailed();
    if (!act) return undefined;
    this.#repeats--;
    this.#log(`a user: ${act.what}`);
    const { nodes = {} } = world.workflow!.status ?? {};
    for (const id of this.#ends.keys()) if (!nodes[id]?.finishedAt) this.#ends.delete(id);
    this.#stoppedPods.clear();
    this.#shutdown = undefined;
    world.restart();
    return act.problems;
  }

  #repeatSomehow(): Act | undefined {
    for (let tries = 0; tries < 3; tries++) {
      const act = actionOnCompleted(this.#world, this.#chance, `r${this.#repeats}`);
      if (act) return act;
    }
    return undefined;
  }

  #repeatFailed(): Act | undefined {
    const world = this.#world;
    if (!isFailure(world.workflow!.status?.phase)) return undefined;
    try {
      return this.#chance(2) ? applyRetry(world, {}) : applyResubmit(world, { memoized: { suffix: "x" } }, "x");
    } catch (error) {
      if (error instanceof ActionError) return undefined;
      throw error;
    }
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
      ...(this.#world.workflow!.spec.suspend ? [() => this.#unsuspend()] : []),
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
    const { verb } = this.#ending!;
    this.#isEnding = true;
    this.#log(`the workflow is ended: ${verb}`);
    const spec = verb === "deadline" ? { activeDeadlineSeconds: 1 } : { shutdown: verb };
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
    this.#log(`${this.#world.workflow!.status?.nodes?.[id]?.name} is resumed`);
    resumeNode(this.#world, id);
  }

  #unsuspend(): void {
    this.#log("the workflow is resumed");
    this.#world.run(`patch ${JSON.stringify({ spec: { suspend: null } })}`, "");
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
