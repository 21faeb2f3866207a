/**
 * A pass over a workflow: the facts that it reads, the draft that it writes, and the evaluations that record the
 * dependencies of its results. The decisions themselves are in the other files of the engine.
 */
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { LIMITS } from "@tiphys/base/limits";
import { isFulfilled, isOver, millisOf } from "@tiphys/model/status";
import { Allowance, type MonotonicClock } from "./allowance.ts";
import { Draft } from "./draft.ts";
import { type Dependency, Evaluation } from "./due/evaluation.ts";
import type { Memory } from "./due/memory.ts";
import { type Facts, factsOf } from "./facts.ts";
import { NodeTable } from "./nodes/node_table.ts";
import type { EngineConfig, ObservedState } from "./types.ts";

/** The message of nodes that the workflow's deadline ends. */
export const DEADLINE_MESSAGE = "Step exceeded its deadline";

/** Whether the deadline of the workflow had passed when its templates were last run. */
const deadlineAtLastRun = () => ({ isPast: false });

/** A pass over a workflow: its facts, its draft, and methods that record the dependencies of results. */
export class Pass {
  readonly facts: Facts;
  readonly draft: Draft;
  readonly allowance: Allowance;
  readonly #memory: Memory;
  #evaluation = new Evaluation("", undefined);
  #nodesWithWork: ReadonlySet<string> | undefined;
  /**
   * The number of running nodes with a pod when templates start to run, which count for the workflow's `parallelism`.
   */
  #activePods = 0;
  #depth = 0;
  /** The nodes whose evaluation in this pass has written to the draft. */
  readonly #writtenNodes = new Set<string>();

  constructor(
    before: Workflow,
    observed: ObservedState,
    now: Date,
    config: EngineConfig,
    memory: Memory,
    elapsed: MonotonicClock,
  ) {
    const nodes = memory.nodes = NodeTable.reuseOrCreate(before.metadata.name!, before.status?.nodes, memory.nodes);
    this.#memory = memory;
    const { changes, outside, pods } = observed;
    memory.due.beginPass({ changes, outside, replaced: nodes.replacedInPreviousPass, settings: [config, before.spec] });
    this.facts = factsOf(
      before,
      observed,
      now,
      config,
      nodes,
      (is) => memory.due.select("leftover", pods.keys(), nodes, is),
    );
    this.draft = new Draft(before, nodes, now, () => this.#evaluation.hasWritten = true);
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

  /** The current evaluation. */
  get currentEvaluation(): Evaluation {
    return this.#evaluation;
  }

  /** Runs `act` for a node, which may not exist yet. The returned evaluation has the dependencies of the result. */
  evaluate(nodeId: string, act: () => void): Evaluation {
    const evaluation = this.beginEvaluation(nodeId);
    try {
      act();
    } finally {
      this.endEvaluation(evaluation);
    }
    return evaluation;
  }

  /**
   * Starts an evaluation, which must be ended with `endEvaluation`, also after errors. Nested calls use it to keep the
   * stack small.
   */
  beginEvaluation(nodeId: string): Evaluation {
    return this.#evaluation = new Evaluation(nodeId, this.#evaluation);
  }

  endEvaluation(evaluation: Evaluation): void {
    this.#evaluation = evaluation.parent!;
    // A node may be evaluated twice in a pass. The second evaluation relies on what the first one wrote.
    if (evaluation.hasWritten) this.#writtenNodes.add(evaluation.nodeId);
    else evaluation.hasWritten = this.#writtenNodes.has(evaluation.nodeId);
    evaluation.end();
  }

  /** Stores the dependencies of an evaluation, so that the check is evaluated again when one of them changes. */
  recordDependencies(check: string, evaluation: Evaluation): void {
    this.#memory.due.recordDependencies(check, evaluation);
  }

  /** Calls `evaluate` for the nodes among `candidates` for which a check is due. */
  evaluateDue(check: string, candidates: Iterable<string>, evaluate: (id: string) => void): void {
    this.#memory.due.evaluateDue(check, candidates, this.draft.nodes, (id) => this.evaluate(id, () => evaluate(id)));
  }

  /**
   * The nodes among `candidates` for which a predicate holds. It may depend only on the node, its pod and its report.
   */
  select(condition: string, candidates: Iterable<string>, isTrue: (id: string) => boolean): ReadonlySet<string> {
    return this.#memory.due.select(condition, candidates, this.draft.nodes, isTrue);
  }

  /** Records that the current evaluation depends on a fact outside of the workflow's nodes. */
  dependOn(key: Exclude<Dependency, "clock" | "room" | "pods">): void {
    this.#evaluation.dependOn(key);
  }

  /** Records that the current evaluation depends on the time. */
  dependOnClock(): void {
    this.#evaluation.readsClock = true;
  }

  /**
   * Requests another pass at or before a time (milliseconds since the epoch), on which the current evaluation depends.
   */
  requestPassAt(millis: number): void {
    this.dependOnClock();
    this.draft.requestPassAt(millis);
  }

  /** Records that the current evaluation waits until the state of a limit changes. */
  waitFor(limit: Dependency): void {
    this.#evaluation.waitFor(limit, this.#stateOf(limit));
  }

  /** Whether the state of all limits is unchanged. If so, records that the current evaluation waits for them. */
  stillWaits(limits: ReadonlyMap<Dependency, unknown>): boolean {
    for (const [limit, state] of limits) if (this.#stateOf(limit) !== state) return false;
    for (const [limit, state] of limits) this.#evaluation.waitFor(limit, state);
    return true;
  }

  #stateOf(limit: Dependency): unknown {
    if (limit === "room") return this.mayRequestPod;
    if (limit === "pods") return this.mayHaveAnotherPod;
    return this.draft.nodes.callVersion(limit.slice("calls/".length));
  }

  /**
   * The nodes that may have work, and the nodes that contain them. Undefined if all may, and before templates run.
   */
  get nodesWithWork(): ReadonlySet<string> | undefined {
    return this.#nodesWithWork;
  }

  /**
   * Starts to run templates. `activePods` pods count for the workflow's parallelism. `findNodesWithWork` returns the
   * nodes that may have work, given the changed nodes and a function that returns the node containing another one.
   */
  runTemplates(
    activePods: number,
    findNodesWithWork: (
      changedIds: ReadonlySet<string>,
      parentOf: (id: string) => string | undefined,
    ) => ReadonlySet<string>,
  ): void {
    const { due } = this.#memory;
    this.#activePods = activePods;
    const seen = this.cache(deadlineAtLastRun);
    // A node waits for a limit only until the deadline has passed.
    if (due.changedIds && seen.isPast === this.isPastDeadline) {
      this.#nodesWithWork = findNodesWithWork(due.changedIds, (id) => due.parentOf(id));
    } else this.#memory.clearCaches();
    this.cache(deadlineAtLastRun).isPast = this.isPastDeadline;
  }

  /** Enters a nested call, until `leaveCall`. Returns false without entering it if the depth would reach `maxDepth`. */
  enterCall(maxDepth: number): boolean {
    if (this.#depth + 1 >= maxDepth) return false;
    this.#depth++;
    return true;
  }

  leaveCall(): void {
    this.#depth--;
  }

  /** Whether the pod of a node exists or is requested in this pass. */
  hasPod(nodeId: string): boolean {
    return this.draft.requestedPods.has(nodeId) || this.facts.pods.has(nodeId);
  }

  /** Whether another pod may be requested in this pass. */
  get mayRequestPod(): boolean {
    const { requestedPods, requestedPodBytes } = this.draft;
    return requestedPods.size < (this.facts.maxPodRequests ?? Infinity) && requestedPodBytes < LIMITS.podsBytesPerPass;
  }

  /** Whether the workflow's `parallelism` allows another pod. */
  get mayHaveAnotherPod(): boolean {
    return this.mayHavePods(1);
  }

  /** Whether the workflow's `parallelism` allows `count` further pods. */
  mayHavePods(count: number): boolean {
    const limit = this.draft.spec.parallelism;
    return limit === undefined || this.#activePods + this.draft.requestedPods.size + count <= limit;
  }

  /**
   * Whether calls without a node must be left to the next pass, which then follows immediately. Nodes that wait for all
   * of these calls must not be evaluated in this pass.
   */
  postponesCalls(): boolean {
    if (!this.allowance.isUsedUp) return false;
    this.#evaluation.isPartial = true;
    this.requestPassAt(this.facts.now.getTime());
    return true;
  }

  /** Marks the current evaluation as partial: nodes that wait for all of its calls are not evaluated in this pass. */
  markPartial(): void {
    this.#evaluation.isPartial = true;
  }

  /**
   * The shutdown strategy, if any. A deleted workflow that is held for its artifact garbage collection is terminated.
   */
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
  forbiddenMessage(partOfExitHandler: boolean): string | undefined {
    if (!this.mayRun(partOfExitHandler)) return `Stopped with strategy '${this.shutdown}'`;
    return this.isPastDeadline && !partOfExitHandler ? DEADLINE_MESSAGE : undefined;
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
  get isPastDeadline(): boolean {
    const { deadline } = this;
    return deadline !== undefined && this.facts.now.getTime() > deadline;
  }

  /** Whether all descendants of a node are fulfilled. */
  areDescendantsFulfilled(node: NodeStatus): boolean {
    // Not recursive: step groups are nested, thousands of levels deep.
    const seen = new Set([node]);
    for (const node of seen) {
      const children = (node.children ?? []).map((id) => this.draft.nodes.get(id)).filter((child) =>
        child !== undefined
      );
      if (children.length === 0 && !isFulfilled(node)) return false;
      for (const child of children) seen.add(child);
    }
    return true;
  }

  /** Whether a node exists and has completed, including its report. */
  isNodeCompleted(id: string): boolean {
    const node = this.draft.nodes.get(id);
    return node !== undefined && isOver(node);
  }
}
