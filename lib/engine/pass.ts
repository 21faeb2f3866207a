/**
 * A pass over a workflow: the facts that it reads, the draft that it writes, and the looks that record the dependencies of
 * its results. The decisions themselves are in the other files of the engine.
 */
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { LIMITS } from "@tiphys/base/limits";
import { isFulfilled, isOver, millisOf } from "@tiphys/model/status";
import { Allowance, type MonotonicClock } from "./allowance.ts";
import { Draft } from "./draft.ts";
import { type Dependency, Look } from "./due/look.ts";
import type { Memory } from "./due/memory.ts";
import { type Facts, factsOf } from "./facts.ts";
import { NodeTable } from "./nodes/node_table.ts";
import type { EngineConfig, ObservedState } from "./types.ts";

/** The message of nodes that the workflow's deadline ends. */
export const DEADLINE = "Step exceeded its deadline";

/** Whether the deadline of the workflow had passed when its templates were last run. */
const deadlineSeen = () => ({ isPast: false });

/** A pass over a workflow: its facts, its draft, and methods that record the dependencies of results. */
export class Pass {
  readonly facts: Facts;
  readonly draft: Draft;
  readonly allowance: Allowance;
  readonly #memory: Memory;
  #look = new Look("", undefined);
  #awake: ReadonlySet<string> | undefined;
  /** The number of running nodes with a pod when templates start to run, which count for the workflow's `parallelism`. */
  #activePods = 0;
  #depth = 0;

  constructor(
    before: Workflow,
    observed: ObservedState,
    now: Date,
    config: EngineConfig,
    memory: Memory,
    elapsed: MonotonicClock,
  ) {
    const nodes = memory.nodes = NodeTable.of(before.metadata.name!, before.status?.nodes, memory.nodes);
    this.#memory = memory;
    const { changes, outside, pods } = observed;
    memory.due.begin({ changes, outside, replaced: nodes.replacedBefore, settings: [config, before.spec] });
    this.facts = factsOf(
      before,
      observed,
      now,
      config,
      nodes,
      (is) => memory.due.select("leftover", pods.keys(), nodes, is),
    );
    this.draft = new Draft(before, nodes, now, () => this.#look.wrote = true);
    this.allowance = new Allowance(config.limits, nodes, elapsed);
  }

  /** The name of the workflow. */
  get name(): string {
    return this.facts.before.metadata.name!;
  }

  /**
   * Returns the value that was cached for `make`, or calls it. The cache may be cleared between two passes.
   */
  cache<T>(make: () => T): T {
    return this.#memory.cache(make);
  }

  /** The current look. */
  get currentLook(): Look {
    return this.#look;
  }

  /** Runs `act` for a node, which may not exist yet. The returned look has the dependencies of the result. */
  look(about: string, act: () => void): Look {
    const look = this.beginLook(about);
    try {
      act();
    } finally {
      this.endLook(look);
    }
    return look;
  }

  /** Starts a look, which must be ended with `endLook`, also after errors. Nested calls use it to keep the stack small. */
  beginLook(about: string): Look {
    return this.#look = new Look(about, this.#look);
  }

  endLook(look: Look): void {
    this.#look = look.within!;
    look.end();
  }

  /** Stores the dependencies of a look for a question, so that the look is repeated when one of them changes. */
  remember(question: string, look: Look): void {
    this.#memory.due.remember(question, look);
  }

  /** Calls `look` for the nodes out of `everything` for which a question is due. */
  lookAt(question: string, everything: Iterable<string>, look: (id: string) => void): void {
    this.#memory.due.ask(question, everything, this.draft.nodes, (id) => this.look(id, () => look(id)));
  }

  /** The nodes out of `everything` for which a predicate holds. It may depend only on the node, its pod and its report. */
  select(what: string, everything: Iterable<string>, isTrue: (id: string) => boolean): ReadonlySet<string> {
    return this.#memory.due.select(what, everything, this.draft.nodes, isTrue);
  }

  /** Records that the current look depends on a fact outside of the workflow's nodes. */
  dependOn(key: Exclude<Dependency, "clock" | "room" | "pods">): void {
    this.#look.dependOn(key);
  }

  /** Records that the current look depends on the time. */
  dependOnClock(): void {
    this.#look.readsClock = true;
  }

  /** Requests another pass at or before a time (milliseconds since the epoch), on which the current look depends. */
  requestPassAt(millis: number): void {
    this.dependOnClock();
    this.draft.requestPassAt(millis);
  }

  /** Records that the current look waits until the state of a limit changes. */
  waitFor(limit: Dependency): void {
    this.#look.waitFor(limit, this.#stateOf(limit));
  }

  /** Whether the state of all limits is unchanged. If so, records that the current look waits for them. */
  stillWaits(limits: ReadonlyMap<Dependency, unknown>): boolean {
    for (const [limit, state] of limits) if (this.#stateOf(limit) !== state) return false;
    for (const [limit, state] of limits) this.#look.waitFor(limit, state);
    return true;
  }

  #stateOf(limit: Dependency): unknown {
    if (limit === "room") return this.hasRoom;
    if (limit === "pods") return this.mayHaveAnotherPod;
    return this.draft.nodes.callsOf(limit.slice("calls/".length));
  }

  /**
   * The nodes that may have work, and the nodes that contain them. Undefined if all may, and before templates run.
   */
  get awake(): ReadonlySet<string> | undefined {
    return this.#awake;
  }

  /**
   * Starts to run templates. `activePods` pods count for the workflow's parallelism. `wake` returns the nodes that may have
   * work, given the changed nodes and a function that returns the node containing another one.
   */
  runTemplates(
    activePods: number,
    wake: (news: ReadonlySet<string>, within: (id: string) => string | undefined) => ReadonlySet<string>,
  ): void {
    const { due } = this.#memory;
    this.#activePods = activePods;
    const seen = this.cache(deadlineSeen);
    // A node waits for a limit only until the deadline has passed.
    if (due.news && seen.isPast === this.pastDeadline) this.#awake = wake(due.news, (id) => due.within(id));
    else this.#memory.forgetCaches();
    this.cache(deadlineSeen).isPast = this.pastDeadline;
  }

  /** Enters a nested call, until `leaveCall`. Returns false without entering it if the depth would reach `most`. */
  enterCall(most: number): boolean {
    if (this.#depth + 1 >= most) return false;
    this.#depth++;
    return true;
  }

  leaveCall(): void {
    this.#depth--;
  }

  /** Whether the pod of a node exists or is requested in this pass. */
  hasPod(nodeId: string): boolean {
    return this.draft.planned.has(nodeId) || this.facts.pods.has(nodeId);
  }

  /** Whether another pod may be requested in this pass. */
  get hasRoom(): boolean {
    const { planned, plannedBytes } = this.draft;
    return planned.size < (this.facts.podRoom ?? Infinity) && plannedBytes < LIMITS.podsBytesPerPass;
  }

  /** Whether the workflow's `parallelism` allows another pod. */
  get mayHaveAnotherPod(): boolean {
    return this.mayHavePods(1);
  }

  /** Whether the workflow's `parallelism` allows `count` further pods. */
  mayHavePods(count: number): boolean {
    const limit = this.draft.spec.parallelism;
    return limit === undefined || this.#activePods + this.draft.planned.size + count <= limit;
  }

  /**
   * Whether calls without a node must be left to the next pass, which then follows immediately. Nodes that wait for all of
   * these calls must not be evaluated in this pass.
   */
  putsOff(): boolean {
    if (!this.allowance.isSpent) return false;
    this.#look.isPart = true;
    this.requestPassAt(this.facts.now.getTime());
    return true;
  }

  /** Marks the current look as partial: nodes that wait for all of its calls are not evaluated in this pass. */
  isIncomplete(): void {
    this.#look.isPart = true;
  }

  /** The shutdown strategy, if any. A deleted workflow that is held for its artifact garbage collection is terminated. */
  get shutdown(): "" | "Stop" | "Terminate" {
    if (this.facts.before.metadata.deletionTimestamp !== undefined) return "Terminate";
    return (this.draft.spec.shutdown ?? "") as "" | "Stop" | "Terminate";
  }

  /**
   * Whether a node may start under the workflow's shutdown strategy. Stop allows exit handlers, Terminate nothing.
   */
  mayRun(partOfExitHandler: boolean): boolean {
    if (this.shutdown === "Terminate") return false;
    return this.shutdown !== "Stop" || partOfExitHandler;
  }

  /** Argo's message if a node may no longer start; otherwise undefined. */
  forbidden(partOfExitHandler: boolean): string | undefined {
    if (!this.mayRun(partOfExitHandler)) return `Stopped with strategy '${this.shutdown}'`;
    return this.pastDeadline && !partOfExitHandler ? DEADLINE : undefined;
  }

  /**
   * The deadline of the workflow, in milliseconds since the epoch; undefined if it has no deadline.
   */
  get deadline(): number | undefined {
    const seconds = this.draft.spec.activeDeadlineSeconds;
    const startedAt = seconds === undefined ? undefined : this.draft.workflow.status?.startedAt;
    return startedAt ? millisOf(startedAt) + Number(seconds) * 1000 : undefined;
  }

  /** Whether the workflow's deadline has passed. */
  get pastDeadline(): boolean {
    const { deadline } = this;
    return deadline !== undefined && this.facts.now.getTime() > deadline;
  }

  /** Whether all descendants of a node are fulfilled. */
  childrenFulfilled(node: NodeStatus): boolean {
    // Not recursive: step groups are nested, thousands of levels deep.
    const seen = new Set([node]);
    for (const one of seen) {
      const children = (one.children ?? []).map((id) => this.draft.nodes.get(id)).filter((child) =>
        child !== undefined
      );
      if (children.length === 0 && !isFulfilled(one)) return false;
      for (const child of children) seen.add(child);
    }
    return true;
  }

  /** Whether a node exists and has completed, including its report. */
  isOver(id: string): boolean {
    const node = this.draft.nodes.get(id);
    return node !== undefined && isOver(node);
  }
}
